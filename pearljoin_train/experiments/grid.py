"""Grids of training runs: named changes of a config times seeds, each run kept, none done twice."""

from __future__ import annotations

import dataclasses
import gc
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pearljoin import ModelError
from pearljoin._atomic import write_text
from pearljoin._errors import InputError
from pearljoin_train.benchmark.suite import evaluate
from pearljoin_train.benchmark.tasks import SETS
from pearljoin_train.common.config import WORKING, Config
from pearljoin_train.common.dry_run import in_words
from pearljoin_train.models.phrase_model import PhraseModel, load_phrase_model, placed
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.development import Development
from pearljoin_train.training.estimate import estimate
from pearljoin_train.training.run import train
from pearljoin_train.training.streams import make_mixture, read_streams
from pearljoin_train.training.weight_average import averaged

__all__ = ["Grid", "Result", "Variant", "measure_on_development", "measure_on_tasks"]

Measure = Callable[[Config, PhraseModel], dict[str, float]]
"""Scores of a model by name, in [0, 1] or [-1, 1], higher is better; the config is its run's."""

Read = Callable[[Config], Streams]

READING = (
    "base", "prefix", "max_tokens", "seed", "source_cap", "phrase_share", "corpus", "views_file",
    "licences", "wordnet", "type_set", "teacher",
)  # fmt: skip
"""Fields that decide which rows are read, and what their vectors are."""

UNTRAINED = ("base", "prefix", "max_tokens", "licences")
"""Fields that decide the scores of a base as it is, and the rows of the development split."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A row of an experiment's table: a name and changes of the config."""

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of one run, or why there are none."""

    name: str
    seed: int
    scores: Mapping[str, float]
    missing: str = ""


class Grid:
    """Runs an experiment in a folder, and goes on with it where it was stopped.

    ``results/`` gets a JSON file a run, written last: a run that has one is not done again.
    ``runs/`` gets a folder a training; it goes on from its newest checkpoint. Runs that differ only
    in the share of the base in their weights share one training.

    Parameters
    ----------
    config
        What the variants change.
    out
        Folder of the experiment.
    measure
        Scores a trained model.
    about
        What was measured, say the tasks: results of another measure are not taken for these.
    read
        Reads what a config trains on.
    """

    def __init__(
        self,
        config: Config,
        out: Path,
        measure: Measure,
        *,
        about: str = "development",
        read: Read | None = None,
    ) -> None:
        self.config = config
        self.out = out
        self._measure = measure
        self._about = about
        self._read = read or (lambda one: read_streams(one, vectors=out / "vectors"))
        self._held: tuple[object, Streams] | None = None

    def run(self, variants: Sequence[Variant], seeds: Sequence[int]) -> list[Result]:
        """Train and measure every variant with every seed; results by variant, then by seed.

        Raises
        ------
        InputError
            If two variants have one name, or a config's value is wrong.
        """
        names = [variant.name for variant in variants]
        if len(set(names)) < len(names):
            raise InputError(f"Each variant needs a name of its own. Got {names}. Hint: rename.")
        planned = [
            (at, seed, self.config.replace(**{**variant.changes, "seed": seed}))
            for seed in seeds
            for at, variant in enumerate(variants)
        ]
        found = {}
        # Together what reads the same, for it is held in memory only once.
        for at, seed, config in sorted(planned, key=lambda plan: str(_reading(plan[2]))):
            found[at, seed] = self._scored(names[at], config)
        return [found[at, seed] for at in range(len(variants)) for seed in seeds]

    def plan(self, variants: Sequence[Variant], seeds: Sequence[int]) -> str:
        """Say what `run` would train, and how long it takes by a sample of the first run.

        Raises
        ------
        InputError
            If no variant's base can be had.
        """
        lines = [
            f"trains {len(variants)} rows with {len(seeds)} seeds each into {self.out}, less what "
            "is there already:"
        ]
        every = [self.config.replace(**variant.changes) for variant in variants]
        lines += [f"  {variant.name}" for variant in variants]
        known = next((config for config in every if not load_error(config)), None)
        if known is None:
            raise InputError(
                f"No base can be had here. Got {every[0].base!r}: {load_error(every[0])}"
            )
        model = load_phrase_model(known.replace(characters=""))
        found = estimate(known, self._read(known), model, accelerator_of("auto"))
        total = len(variants) * len(seeds) * found.training
        return "\n".join([*lines, f"each {found}all of them: about {in_words(total)}\n"])

    def untrained(self, name: str, changes: Mapping[str, Any] | None = None) -> Result:
        """Measure a base model as it is.

        Raises
        ------
        InputError
            If the base cannot be had.
        """
        config = self.config.replace(**(changes or {}), characters="")

        def scores() -> dict[str, float]:
            return self._measure(config, placed(load_phrase_model(config)))

        return self._kept(name, config, "untrained", scores)

    def _scored(self, name: str, config: Config) -> Result:
        def scores() -> dict[str, float]:
            return self._measure(config, self._trained(config))

        return self._kept(name, config, "trained", scores)

    def _kept(
        self, name: str, config: Config, kind: str, scores: Callable[[], dict[str, float]]
    ) -> Result:
        """Read a run's scores, or find and write them."""
        decides = _deciding(config)
        if kind == "untrained":
            decides = {name: decides[name] for name in UNTRAINED}
        key = _digest({"kind": kind, "about": self._about, "config": decides})
        path = self.out / "results" / f"{_slug(name)}-{config.seed}-{key}.json"
        if not path.is_file():
            record = {"name": name, "seed": config.seed, "measured": self._about, "kind": kind}
            record |= {"scores": scores(), "config": dataclasses.asdict(config)}
            write_text(path, json.dumps(record, indent=1) + "\n")
        return Result(name, config.seed, json.loads(path.read_text(encoding="utf-8"))["scores"])

    def _trained(self, config: Config) -> PhraseModel:
        """Return a config's trained model, trained now if it was not."""
        training = config.replace(average=0.0)
        folder = self.out / "runs" / _digest(_deciding(training))
        if not (folder / "model").is_dir():
            train(training, self._streams(training), folder, development=False)
            for checkpoint in folder.glob("checkpoint-*"):
                shutil.rmtree(checkpoint)
            gc.collect()
        tuned = config.replace(base=str(folder / "model"), characters="")
        model = load_phrase_model(tuned)
        if config.average:
            base = load_phrase_model(config.replace(characters="")).encoder.state_dict()
            weights = averaged(base, model.encoder.state_dict(), config.average)
            model.encoder.load_state_dict(weights)
        return placed(model)

    def _streams(self, config: Config) -> Streams:
        """Read a config's rows, unless those held are the same; augmentation is the config's."""
        key = _reading(config)
        if self._held is None or self._held[0] != key:
            self._held = None  # Before the next is read: both may not fit in memory.
            self._held = (key, self._read(config))
        streams = self._held[1]
        phrases = streams.general.phrases if streams.general is not None else ()
        return dataclasses.replace(
            streams,
            mixture=make_mixture(config, streams.paraphrases, phrases),
            negatives=_negatives(config.negatives_file) if config.negatives else None,
        )


def measure_on_development() -> Measure:
    """Return a measure on the development split, made once for each base."""
    made: dict[tuple[object, ...], Development] = {}

    def measure(config: Config, model: PhraseModel) -> dict[str, float]:
        key = tuple(getattr(config, name) for name in UNTRAINED)
        if key not in made:
            base = placed(load_phrase_model(config.replace(characters="")))
            made[key] = Development(config, base)
        return made[key](model)

    return measure


def measure_on_tasks(tasks: Sequence[str]) -> Measure:
    """Return a measure on sets of the PEARL benchmark, by title, and their mean."""

    def measure(config: Config, model: PhraseModel) -> dict[str, float]:
        run = evaluate(model, name=config.base, tasks=tasks)
        found = {}
        for name in tasks:
            metrics = run.tasks[name]
            value = None if metrics is None else metrics[SETS[name].metric]
            if value is None:
                raise InputError(f"{name} cannot be measured. Got: {run.reasons.get(name)}")
            found[SETS[name].title] = float(value)
        return found | {"mean": sum(found.values()) / len(found)}

    return measure


def load_error(config: Config) -> str:
    """Return "" where a config's base can be loaded, else why not."""
    try:
        load_phrase_model(config.replace(characters=""))
    except (InputError, ModelError, OSError, ImportError, ValueError) as error:
        return str(error)
    return ""


_negatives = lru_cache(maxsize=2)(lambda path: HardNegatives.read(Path(path)))


def _reading(config: Config) -> tuple[object, ...]:
    values = tuple(getattr(config, name) for name in READING)
    return (*values, config.neighbours > 1, config.distil_weight > 0)


def _deciding(config: Config) -> dict[str, Any]:
    return {k: v for k, v in dataclasses.asdict(config).items() if k not in WORKING}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")[:60] or "run"
