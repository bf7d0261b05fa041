"""Train or evaluate the match scorer of a model folder.

``python -m pearljoin_train scorer --out FOLDER`` makes joins from alias pairs, from written tables
and from made catalogues, mistypes some of their left texts, trains small networks on the candidate
pairs of the tables and of most sources, and evaluates them on held-out sources. With
``--evaluate FOLDER`` in place of ``--out`` the scorer in that folder is evaluated.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm.auto import tqdm

import pearljoin as pj
from pearljoin._atomic import write_text
from pearljoin.scoring import FEATURES, FORMAT, Scorer, read_scorer
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each, spread
from pearljoin_train.common.environment import commit
from pearljoin_train.data.splits import is_held_out
from pearljoin_train.records.catalogues import make_catalogues
from pearljoin_train.records.lists import read_lists
from pearljoin_train.records.written_tables import read_written
from pearljoin_train.scorer.candidates import (
    JoinCandidates,
    WithScorer,
    blank_scorer,
    compute_candidates,
    without_conflicts,
)
from pearljoin_train.scorer.evaluate import evaluate_scorer, plot_reliability
from pearljoin_train.scorer.joins import Aliases, Join, alias_names, make_joins
from pearljoin_train.scorer.mistyped_joins import mistyped_joins
from pearljoin_train.scorer.train_networks import ScorerConfig, train
from pearljoin_train.scorer.write_scorer import attach, rounded
from pearljoin_train.scorer.written_joins import make_written_joins

__all__ = ["main"]

NAMES_A_SOURCE = 200
"""Names of each source that the mean vector is taken over."""

SAMPLE = 12
"""Joins that are compared to learn how long all take."""


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m pearljoin_train scorer``; returns the exit code."""
    options = _parser().parse_args(arguments)
    folder = options.out or options.evaluate
    if not (folder / "config.json").is_file():
        raise pj.InputError(
            f"--out and --evaluate want a model folder. Got {str(folder)!r}, which has no "
            "config.json. Hint: make one by `python -m pearljoin_train export`."
        )
    ready = _read(folder) if options.evaluate else None
    config = ScorerConfig(
        joins_a_source=options.joins_a_source,
        joins_a_table=options.joins_a_table,
        catalogues=options.catalogues,
        seed=options.seed,
    )
    names = alias_names()
    training_names, held_out_names = _split(names)
    named = options.encoder or str(folder)
    encoder = pj.load_encoder(named)
    cached = CachedEncoder(encoder)
    middle = _middle(training_names, cached)
    blank = WithScorer(cached, blank_scorer(middle))
    nicknames = names.get("nicknames", {})
    if options.dry_run:
        known_names = {} if options.evaluate else training_names
        sys.stdout.write(_plan(known_names, held_out_names, nicknames, blank, config))
        return 0
    kept_out = _compare(
        _listed_joins(held_out_names, nicknames, config),
        blank,
        len(held_out_names) * config.joins_a_source,
    )
    report = {
        "commit": commit(),
        "encoder": getattr(encoder, "name", Path(named).name),
        "held_out": sorted({join.source for join in kept_out}),
    }
    if ready is None:
        listed = _listed_joins(training_names, nicknames, config)
        total = len(training_names) * config.joins_a_source
        known = _compare(mistyped_joins(listed, seed=config.seed), blank, total)
        for joins in (_written_joins(config), _catalogue_joins(config)):
            compared = _compare(mistyped_joins(joins, seed=config.seed), blank)
            known += [join for join in map(without_conflicts, compared) if len(join.left_rows)]
        # Evaluated as it is written, with rounded numbers.
        trained = rounded(
            {"format": FORMAT, "features": list(FEATURES), **train(known, middle, config)}
        )
        ready = read_scorer(json.dumps(trained).encode(), "the one just trained")
        attach(trained | _record_networks(folder), folder)
        report["config"] = asdict(config)
        report["trained_on"] = sorted({join.source for join in known})
    report["figures"] = evaluate_scorer(kept_out, ready, (0.8, 0.9, 0.95, 0.99))
    text = json.dumps(report, indent=2) + "\n"
    sys.stdout.write(text)
    if options.report:
        write_text(options.report, text, what="report")
    if options.plot:
        plot_reliability(kept_out, ready, options.plot)
    return 0


def _plan(
    known: Mapping[str, Aliases],
    held_out: Mapping[str, Aliases],
    nicknames: Aliases,
    encoder: WithScorer,
    config: ScorerConfig,
) -> str:
    """Time a few joins, and a training on them, and reckon the whole."""
    names = {**known, **held_out}
    written = [*_written_joins(config), *_catalogue_joins(config)] if known else []
    listed = make_joins(names, nicknames, a_source=1, seed=config.seed)
    joins = spread([*listed, *written], SAMPLE)
    found: list[JoinCandidates] = []
    each = seconds_each(lambda join: found.append(compute_candidates(join, encoder)), joins)
    total = len(names) * config.joins_a_source + len(written)
    lines = [
        f"reads {sum(map(len, names.values())):,} names: {len(known)} sources to train on, "
        f"{len(held_out)} to evaluate on",
        f"makes {total:,} joins and compares their pairs: about {in_words(each * total)}",
    ]
    if known:
        middle = np.array(json.loads(encoder.scorer)["middle"], dtype=np.float32)
        share = seconds_each(lambda joins: train(joins, middle, config), [found]) / len(found)
        seconds = share * (len(known) * config.joins_a_source + len(written))
        lines.append(f"trains {config.members} networks of each kind: about {in_words(seconds)}")
    return "\n".join(lines) + "\n"


def _record_networks(folder: Path) -> dict[str, Any]:
    """The networks for records of several columns that a folder's scorer has, to be kept."""
    path = folder / "scorer.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    kept = before.get("features") == list(FEATURES) and "records" in before
    return {"records": before["records"]} if kept else {}


def _read(folder: Path) -> Scorer:
    """Read the scorer of a model folder; raises InputError where it has none."""
    path = folder / "scorer.json"
    if not path.is_file():
        raise pj.InputError(
            f"--evaluate wants a model folder with a scorer. Got {str(folder)!r}, which has no "
            "scorer.json. Hint: make one by --out."
        )
    return read_scorer(path.read_bytes(), str(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train scorer", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, help="model folder to write the trained scorer into")
    what.add_argument(
        "--evaluate",
        "--judge",
        dest="evaluate",
        type=Path,
        help="model folder whose scorer is evaluated as it is",
    )
    parser.add_argument(
        "--encoder",
        help="name or folder of the encoder; default: that of the model folder",
    )
    parser.add_argument("--report", type=Path, help="JSON file for the figures")
    parser.add_argument("--plot", type=Path, help="reliability plot (PNG or SVG)")
    parser.add_argument(
        "--joins-a-source", type=int, default=ScorerConfig.joins_a_source,
        help="made joins of each list of names to train on (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--joins-a-table", type=int, default=ScorerConfig.joins_a_table,
        help="made joins of each written table to train on, too (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--catalogues", type=int, default=ScorerConfig.catalogues,
        help="made catalogues to train on, too (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=ScorerConfig.seed, help="of what is drawn")
    add_dry_run(parser)
    return parser


def _split(names: Mapping[str, Aliases]) -> tuple[dict[str, Aliases], dict[str, Aliases]]:
    """Split names into those of sources to train on and those of held-out sources."""
    kept_out = {source: aliases for source, aliases in names.items() if is_held_out(source)}
    known = {source: aliases for source, aliases in names.items() if source not in kept_out}
    if not kept_out or not known:
        raise pj.InputError(
            "A scorer needs sources to train on and others to be evaluated on. "
            f"Got {len(names)} sources, of which {len(kept_out)} are held out."
        )
    return known, kept_out


def _middle(names: Mapping[str, Aliases], encoder: CachedEncoder) -> NDArray[np.float32]:
    """Mean vector of names at large, as many of each source."""
    sample = [name for aliases in names.values() for name in list(aliases)[:NAMES_A_SOURCE]]
    middle: NDArray[np.float32] = encoder.encode(sample).mean(axis=0)
    return middle


def _listed_joins(
    names: Mapping[str, Aliases], nicknames: Aliases, config: ScorerConfig
) -> Iterable[Join]:
    """Make joins of some sources."""
    return make_joins(names, nicknames, a_source=config.joins_a_source, seed=config.seed)


def _written_joins(config: ScorerConfig) -> Iterable[Join]:
    """Make joins of written tables; without any, the tables are not read."""
    if not config.joins_a_table:
        return ()
    return make_written_joins(read_written(), a_table=config.joins_a_table, seed=config.seed)


def _catalogue_joins(config: ScorerConfig) -> Iterable[Join]:
    """Make joins of made catalogues; without any, their lists are not read."""
    if not config.catalogues:
        return ()
    made = make_catalogues(read_lists(), config.catalogues, seed=config.seed)
    return make_written_joins(made, a_table=1, seed=config.seed)


def _compare(
    joins: Iterable[Join], encoder: WithScorer, total: int | None = None
) -> list[JoinCandidates]:
    """Compute the candidate pairs of joins, of which there are `total` at most."""
    return [
        compute_candidates(join, encoder)
        for join in tqdm(joins, "joins", total, unit="join", disable=None)
    ]
