"""`python -m pearljoin_train reproduce --out FOLDER`: PEARL as in the paper, from text to table.

The paper's own settings, from Wikipedia to the mean over three seeds. Every stage is one of the
other commands, and goes on where it was stopped; a stage whose output is there is not done again.
With ``--from PACK --minutes 20`` instead, one timed run from packed inputs
(`pearljoin_train.portable`).
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from pearljoin._errors import InputError
from pearljoin_train.augment.paraphrase import PARROT
from pearljoin_train.benchmark.tasks import SETS
from pearljoin_train.common.commands import run_command
from pearljoin_train.common.config import Config
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.corpus.hub_entities import DEFAULT_MODEL
from pearljoin_train.corpus.phrase_types import TYPED_ENTITIES
from pearljoin_train.data import find
from pearljoin_train.data.alias_pairs import ALIAS_PAIRS
from pearljoin_train.experiments.grid import Variant, load_error
from pearljoin_train.experiments.options import (
    add_grid_options,
    grid_from_options,
    seeds_of,
    tasks_of,
)
from pearljoin_train.experiments.tables import summarise, write_table
from pearljoin_train.models.base import MINILM, find_base
from pearljoin_train.portable import timed_command

__all__ = ["Stage", "main", "plan"]

EPOCHS = 2
VIEWS = 4
"""Paraphrases written for each phrase."""
WORDS = 200_000
"""Of FastText's table, the most frequent, which the character encoder imitates."""
MOST_COSINE = 0.9
"""Of a phrase and a hard negative: E5's cosines, even of unlike phrases, lie between 0.7 and 1."""
OFFLINE = (
    "with no network, `python -m pearljoin_train train --recipe pearl-mini --out FOLDER` trains "
    "from packages and the data folder alone"
)


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the reproduction: a command, its arguments, and its output."""

    name: str
    arguments: tuple[str, ...]
    writes: Path

    def __str__(self) -> str:
        """Write it as on the command line."""
        return f"python -m pearljoin_train {self.name} {' '.join(self.arguments)}"

    @property
    def is_done(self) -> bool:
        """Whether its output exists."""
        # A character encoder's folder has its checkpoints before it has the model.
        folder = self.writes / "model.safetensors"
        return self.writes.is_file() or folder.is_file()

    def run(self) -> None:
        """Run it.

        Raises
        ------
        InputError
            If it fails.
        """
        if run_command(self.name, self.arguments):
            raise InputError(f"A stage failed. Got: {self}. Hint: see its message above.")


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    if any(text == "--from" or text.startswith("--from=") for text in arguments):
        return timed_command.main(arguments)
    options = _parse(arguments)
    config = _config(options)
    seeds, grid = seeds_of(options, config), grid_from_options(options, config)
    stages = plan(options, config)
    if options.dry_run:
        sys.stdout.write(_shown(stages, options, config, seeds))
        return 0
    _check(options, config)
    options.out.mkdir(parents=True, exist_ok=True)
    for stage in stages:
        if not stage.is_done:
            sys.stdout.write(f"{stage}\n")
            stage.run()
    grid.config = config.replace(steps=_steps(config, options.steps))
    results = grid.run([Variant(options.recipe)], seeds)
    sys.stdout.write(write_table(summarise(results), options.out / "scores", ""))
    return 0


def plan(options: argparse.Namespace, config: Config) -> list[Stage]:
    """Return the stages before training, in order; those of parts turned off are left out."""
    corpus = Path(config.corpus)
    stages = []
    if options.corpus is None:
        stages.append(
            _stage(
                "corpus", corpus, "build", *map(str, options.texts),
                "--parser", options.parser, "--entities", options.entities,
                "--device", options.device, "--processes", str(options.processes),
            )
        )  # fmt: skip
    if config.characters:
        vectors = str(options.word_vectors or "WORD_VECTORS")  # Only a plan comes without.
        stages.append(
            _stage(
                "love", Path(config.characters), "--vectors", vectors,
                "--words", vectors, "--limit", str(WORDS),
            )
        )  # fmt: skip
    if config.views_file:
        off = [text for name in ("character", "synonym", "word-swap", "unchanged")
               for text in (f"--{name}", "0")]  # fmt: skip
        stages.append(
            _stage(
                "augment", Path(config.views_file), "--phrases", str(corpus),
                "--paraphraser", options.paraphraser, "--no-aliases", "--views", str(VIEWS), *off,
                "--otherwise", "unchanged",
            )
        )  # fmt: skip
    if config.negatives:
        stages.append(
            _stage(
                "negatives", Path(config.negatives_file), "--phrases",
                str(corpus), "--encoder", _encoder(config.base), "--stored", "12",
                "--most-cosine", str(options.most_cosine),
            )
        )  # fmt: skip
    return stages


def _stage(name: str, writes: Path, *arguments: str) -> Stage:
    return Stage(name, (*arguments, "--out", str(writes)), writes)


def _encoder(base: str) -> str:
    """Return the base as the `negatives` command names it: MiniLM as a folder."""
    return str(find_base(MINILM).folder) if base == MINILM else base


def _config(options: argparse.Namespace) -> Config:
    """Put the files that the recipe names into the folder of the run."""
    config = config_from_options(options)
    out: Path = options.out
    if not config.corpus:
        raise InputError(
            f"The recipe trains on no corpus. Got {options.recipe!r}. Hint: pearl-small or "
            "pearl-base; `python -m pearljoin_train train` trains the others."
        )
    places = {
        name: str(out / getattr(config, name))
        for name in ("corpus", "views_file", "characters", "negatives_file")
        if getattr(options, name) is None and getattr(config, name)
    }
    if options.word_vectors is not None and options.synonym_vectors is None:
        places["synonym_vectors"] = str(options.word_vectors)
    return config.replace(**places)


def _check(options: argparse.Namespace, config: Config) -> None:
    """Raise for the first thing that is needed and missing, before hours are spent."""
    pieces: list[tuple[str, Callable[[], str], str]] = []
    if options.corpus is not None:
        pieces.append(("the corpus", lambda: _absent([Path(config.corpus)]), "leave out --corpus"))
    elif not Path(config.corpus).is_file():
        hint = (
            "--texts FILES, a paragraph a line, or --corpus FILE as `corpus build` wrote it; the "
            "data folder's text/ makes a small one"
        )
        pieces.append(("the text of Wikipedia", lambda: _absent(options.texts), hint))
        if options.entities != "lists":
            hint = "--entities lists, whose types come from the data folder"
            pieces.append(("the model of entity types", lambda: _hub(options.entities), hint))
    hint = "--base all-MiniLM-L6-v2, which a package carries, or a folder"
    pieces.append(("the base model", lambda: load_error(config), hint))
    if config.characters and not (Path(config.characters) / "model.safetensors").is_file():
        hint = (
            "--word-vectors FILE, FastText's crawl-300d-2M.vec in the paper, or a folder that "
            "`love --vectors default` made as --characters; --characters '' goes without"
        )
        vectors = [options.word_vectors] if options.word_vectors else []
        pieces.append(("word vectors", lambda: _absent(vectors), hint))
    if config.views_file and not Path(config.views_file).is_file():
        hint = "--views-file '' goes without paraphrases"
        pieces.append(("the paraphraser", lambda: _hub(options.paraphraser), hint))
    for what, why, instead in pieces:
        reason = why()
        if reason:
            raise InputError(
                f"{options.recipe} cannot be reproduced on this machine: {what} is missing. "
                f"Got: {reason} Hint: {instead}; {OFFLINE}."
            )
    for file in (ALIAS_PAIRS, TYPED_ENTITIES):
        find(file)
    for task in tasks_of(options):
        absent = SETS[task].absence()
        if absent is not None:
            raise InputError(f"{task} cannot be measured. Got: {absent} Hint: other --tasks.")


def _absent(files: Sequence[Path]) -> str:
    if not files:
        return "no file."
    missing = [str(file) for file in files if not file.exists()]
    return f"there is no {missing[0]!r}." if missing else ""


def _hub(name: str) -> str:
    from transformers import AutoConfig

    try:
        AutoConfig.from_pretrained(name)
    except (OSError, ValueError) as error:
        return f"{name!r}: {str(error).splitlines()[0]}"
    return ""


def _steps(config: Config, given: int | None) -> int:
    """Return the steps of the paper's epochs over the corpus that there is."""
    from pyarrow import parquet

    if given is not None:
        return given
    n_phrases = int(parquet.ParquetFile(config.corpus).metadata.num_rows)
    return max(1, math.ceil(EPOCHS * config.phrase_share * n_phrases / config.general_rows))


def _shown(
    stages: Sequence[Stage], options: argparse.Namespace, config: Config, seeds: Sequence[int]
) -> str:
    lines = [f"{stage}{'  (done)' if stage.is_done else ''}" for stage in stages]
    lines += [
        f"train {options.recipe} from {config.base}, seeds {', '.join(map(str, seeds))}: "
        f"{EPOCHS} epochs of the corpus (about {config.steps:,} steps of {config.rows}), "
        f"learning rate {config.learning_rate:g}, share of the base {config.average:g}",
        f"evaluate on {' '.join(options.tasks)}: mean and deviation over the seeds",
    ]
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1)) + "\n"


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train reproduce",
        description=(__doc__ or "").splitlines()[0],
        epilog="With --from PACK --minutes 20: one timed run; `reproduce --from x --help` lists "
        "its options.",
    )
    parser.add_argument("--texts", type=Path, nargs="+", default=[], help="Wikipedia, as text")
    parser.add_argument(
        "--parser", choices=("chunker", "brackets"), default="chunker",
        help="brackets: the texts are parses, as the Berkeley parser writes them (the paper)",
    )  # fmt: skip
    parser.add_argument("--entities", default=DEFAULT_MODEL, help="hub id or folder, or lists")
    parser.add_argument("--word-vectors", type=Path, help="FastText's table, for LOVE and synonyms")
    parser.add_argument("--paraphraser", default=PARROT, help=f"hub id or folder ({PARROT})")
    parser.add_argument(
        "--most-cosine", type=float, default=MOST_COSINE,
        help=f"of a hard negative, by the base model ({MOST_COSINE:g}; 0.7 suits MiniLM)",
    )  # fmt: skip
    parser.add_argument("--processes", type=int, default=1, help="that read the texts")
    parser.add_argument(
        "--device", default="cuda:0" if torch.cuda.is_available() else "cpu",
        help="of the model of entity types",
    )  # fmt: skip
    add_grid_options(parser, seeds=3, tasks="comparable7")
    add_config_options(parser)
    parser.set_defaults(recipe="pearl-small")
    return parser.parse_args(arguments)
