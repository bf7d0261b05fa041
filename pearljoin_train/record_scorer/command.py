"""Train the networks that score records of several columns, and put them into a model folder.

``python -m pearljoin_train record-scorer --out FOLDER`` makes joins of names, from which the
network of two texts is trained, and made records, from which the others are. The folder must have a
match scorer already.

Four networks learn last: whether a record has an answer, and how the log odds of texts of one
table are corrected, from tables that the others have not seen; and whether two records of one table
are the same thing, from tables of which many have related things, one network for texts of one
column and one for several columns. ``--only`` trains one of them, for the networks that the folder
has, or that which says which record is the answer, or counts the sorts of columns anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from tqdm.auto import tqdm

import pearljoin as pj
from pearljoin._atomic import write_text
from pearljoin.scoring import FEATURES, FORMAT, TEXT_FEATURES, read_record_networks
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each, spread
from pearljoin_train.common.environment import commit
from pearljoin_train.record_scorer.evidence import RecordEvidence, blank_record_networks
from pearljoin_train.record_scorer.figures import evaluate_records
from pearljoin_train.record_scorer.train_answered import train_answered
from pearljoin_train.record_scorer.train_networks import (
    train_answer,
    train_record_networks,
    with_sorts,
)
from pearljoin_train.record_scorer.train_same_records import train_same_records
from pearljoin_train.record_scorer.train_same_texts import train_same_texts
from pearljoin_train.record_scorer.train_text_correction import train_text_correction
from pearljoin_train.record_scorer.training_tables import (
    copied_tables,
    evidence_of,
    known_linked,
    known_tables,
    known_texts,
    names_of,
    tables_to_deduplicate,
    to_split,
    unseen_tables,
    unseen_texts,
    written_tables,
)
from pearljoin_train.scorer.candidates import (
    JoinCandidates,
    WithScorer,
    blank_scorer,
    compute_candidates,
)
from pearljoin_train.scorer.joins import make_joins
from pearljoin_train.scorer.train_networks import ScorerConfig, fit_network
from pearljoin_train.scorer.write_scorer import attach, rounded

__all__ = ["main"]

SAMPLE = 14
"""Joins, and tables, that are compared to learn how long all take."""


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m pearljoin_train record-scorer``; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.splits_a_table < 0:
        raise pj.InputError(f"--splits-a-table is 0 or more. Got {options.splits_a_table}.")
    scorer = _read_scorer(options.out)
    encoder = CachedEncoder(pj.load_encoder(options.encoder or str(options.out)))
    if options.only:
        return _train_one(options, scorer, encoder)
    blank = WithScorer(encoder, blank_scorer(scorer["middle"]))
    if options.dry_run:
        sys.stdout.write(_plan(options, encoder, blank, scorer))
        return 0
    text = _train_text(blank, options.joins_a_source, options.seed)
    content = _knowing_text(scorer["middle"], text)
    ready = WithScorer(encoder, content)
    known = list(known_tables(options.tables, options.seed, ready))
    networks = train_record_networks(known, content["records"])
    for name in LAST:
        networks |= _train_alone(name, options, {**scorer, "records": networks}, encoder)
    attach(rounded({**scorer, "format": FORMAT, "records": networks}), options.out)
    held = list(evidence_of("validation", max(1, options.tables // 5), options.seed + 1, ready))
    report = {
        "commit": commit(),
        "n_tables": len(known),
        "figures": evaluate_records(held, networks, scorer["middle"]),
    }
    written = json.dumps(report, indent=2) + "\n"
    sys.stdout.write(written)
    if options.report:
        write_text(options.report, written, what="report")
    return 0


def _train_one(options: argparse.Namespace, scorer: dict[str, Any], encoder: CachedEncoder) -> int:
    """Train one of the networks that learn last, beside the others that are there."""
    name: str = options.only
    if "records" not in scorer:
        raise pj.InputError(
            f"--only wants a folder with networks of records. Got {str(options.out)!r}, "
            "which has none. Hint: leave --only out, to train all of them."
        )
    missing = set(_with_blank(scorer, name)["records"]) - {*scorer["records"], name, *NEW}
    if missing:
        raise pj.InputError(
            f"--only {name} keeps the other networks. Got {str(options.out)!r}, which lacks "
            f"{', '.join(sorted(missing))}. Hint: train that first, or leave --only out."
        )
    if options.dry_run:
        ready = WithScorer(encoder, _with_blank(scorer, name))
        unseen = partial(ONLY[name], seed=options.seed, encoder=ready)
        compare = seconds_each(lambda n: list(unseen(n)), [SAMPLE]) / SAMPLE
        sys.stdout.write(_plan_of_last(name, compare, options))
        return 0
    networks = scorer["records"] | _train_alone(name, options, scorer, encoder)
    attach(rounded({**scorer, "format": FORMAT, "records": networks}), options.out)
    return 0


def _knowing_text(middle: Any, text: dict[str, Any]) -> dict[str, Any]:
    """Return a scorer of records that says nothing, but for the network of two texts."""
    content = blank_scorer(middle)
    content["records"] = blank_record_networks(text, list(TEXT_FEATURES))
    return content


def _train_alone(
    name: str, options: argparse.Namespace, scorer: dict[str, Any], encoder: CachedEncoder
) -> dict[str, Any]:
    """Train a network for those that are there, or count the sorts of columns anew.

    Returned are the parts of the networks of records that are new.
    """
    middle = np.asarray(scorer["middle"], dtype=np.float32)
    if name in (ANSWER, PRIORS):
        known = _knowing_text(scorer["middle"], scorer["records"]["text"])
        ready = WithScorer(encoder, known)
        if name == PRIORS:
            tables = known_tables(options.tables, options.seed, ready)
            return {name: with_sorts(scorer["records"][PRIORS], tables, options.anew)}
        linked = known_linked(options.tables, options.seed, ready)
        priors = read_record_networks(_with_blank(scorer, name)["records"], middle).priors
        return train_answer(linked, priors)
    known = _with_blank(scorer, name)
    return {name: _train_unseen(name, options, known, WithScorer(encoder, known))}


def _train_unseen(
    name: str, options: argparse.Namespace, known: dict[str, Any], ready: WithScorer
) -> dict[str, Any]:
    """Train a network that learns last."""
    if name == "same_records":
        made = tables_to_deduplicate(options.tables, options.seed, ready)
        tables = chain(made, copied_tables(options.seed, ready))
        written = written_tables(ready)
        return train_same_records(tables, known["records"]["priors"], written=written)
    if name == "same_texts":
        return train_same_texts(known_texts(options.texts, options.seed, ready))
    if name == "text_correction":
        return train_text_correction(unseen_texts(options.texts, options.seed, ready))
    middle = np.asarray(known["middle"], dtype=np.float32)
    unseen = unseen_tables(options.tables, options.seed, ready, options.splits_a_table)
    return train_answered(unseen, known["records"], middle)


def _with_blank(scorer: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the scorer with a network that says nothing in place of one that learns last.

    So it has all that are read, where a folder of an older version lacks that one.
    """
    content, networks = blank_scorer(scorer["middle"]), scorer["records"]
    blank = blank_record_networks(networks["text"], list(TEXT_FEATURES))
    content["records"] = {**blank, **networks, name: blank[name]}
    return content


LAST: dict[str, Callable[..., Iterator[Any]]] = {
    "answered": unseen_tables,
    "same_texts": known_texts,
    "text_correction": unseen_texts,
    "same_records": tables_to_deduplicate,
}
"""Networks that learn last, and the tables that each learns from."""

NEW = ("same_records", "same_texts")
"""Networks that a folder may do without."""

TEXTS = {
    "same_texts": "says whether two of their texts are one thing",
    "text_correction": "corrects their log odds",
}
"""What networks do that learn from tables of one column of text."""

PRIORS = "priors"
"""What is usual of each kind of column. Its sorts are counted again; the mean of all columns, by
which one table is learned, stays."""

ANSWER = "answer"
"""The network that says which record is the answer."""

ONLY = {**LAST, ANSWER: known_linked, PRIORS: known_tables}
"""What can be trained by itself."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train record-scorer", description=__doc__
    )
    parser.add_argument("--out", type=Path, required=True, help="model folder with a scorer")
    parser.add_argument(
        "--encoder", help="name or folder of the encoder; default: that of the model folder"
    )
    parser.add_argument("--report", type=Path, help="JSON file for the figures")
    parser.add_argument("--tables", type=int, default=700, help="made records to train on")
    parser.add_argument(
        "--joins-a-source", type=int, default=ScorerConfig.joins_a_source,
        help="made joins of each list of names to train on (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn")
    parser.add_argument(
        "--texts", type=int, default=700, help="made tables of one column of text to train on"
    )
    parser.add_argument(
        "--splits-a-table", type=int, default=0,
        help="splits in two of each written table, with careless copies of its rows, for answered "
        "to learn from (%(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--only",
        choices=ONLY,
        help="train this alone, and keep the others; after answer, train answered, which takes "
        "what it says",
    )
    parser.add_argument(
        "--anew", nargs="+", default=(), metavar="KIND",
        help="with --only priors: kinds that are new or have another scale, all counted anew",
    )  # fmt: skip
    add_dry_run(parser)
    return parser


def _plan(
    options: argparse.Namespace, encoder: CachedEncoder, blank: WithScorer, scorer: dict[str, Any]
) -> str:
    """Time a few joins and tables, and a training on them, and reckon the whole."""
    names = names_of("training")
    every = list(make_joins(names, names.get("nicknames", {}), a_source=1, seed=options.seed))
    found: list[JoinCandidates] = []
    each = seconds_each(
        lambda join: found.append(compute_candidates(join, blank)), spread(every, SAMPLE)
    )
    text: list[dict[str, Any]] = []
    fit = seconds_each(lambda joins: text.append(_fit_text(joins, options.seed)), [found])
    n_joins = len(names) * options.joins_a_source
    content = _knowing_text(scorer["middle"], text[0])
    ready = WithScorer(encoder, content)
    tables: list[RecordEvidence] = []
    compare = seconds_each(
        lambda n: tables.extend(evidence_of("training", n, options.seed, ready)), [SAMPLE]
    )
    train = seconds_each(lambda known: train_record_networks(known, content["records"]), [tables])
    made = options.tables + max(1, options.tables // 5)
    return (
        f"reads {sum(map(len, names.values())):,} names of {len(names)} sources\n"
        f"makes {n_joins:,} joins and trains the network of two texts: about "
        f"{in_words((each + fit / len(found)) * n_joins)}\n"
        f"makes {made:,} tables of records, two fifths more of names, numbered things and "
        f"gathered rows, and compares their pairs: about {in_words(compare / SAMPLE * made)}\n"
        f"trains the networks of records: about {in_words(train / SAMPLE * options.tables)}\n"
        + "".join(_plan_of_last(name, compare / SAMPLE, options) for name in LAST)
    )


def _plan_of_last(name: str, compare: float, options: argparse.Namespace) -> str:
    if name == PRIORS:
        return (
            f"makes {options.tables:,} tables of records, two fifths more of names, numbered "
            "things and gathered rows, and counts of which sorts their columns are: about "
            f"{in_words(compare * options.tables)}\n"
        )
    if name == "same_records":
        return (
            f"makes {options.tables:,} tables to deduplicate, and half as many large ones, ones of "
            "related and of numbered things, and some of aliases and of sessions; reads written "
            "ones, and trains the network that says whether two of their records are one thing: "
            f"about {in_words(5 * compare * options.tables)}\n"
        )
    if name in TEXTS:
        return (
            f"makes {options.texts:,} tables of one column of text, and trains the network that "
            f"{TEXTS[name]}: about {in_words(compare * options.texts)}\n"
        )
    if name == ANSWER:
        return (
            f"makes {options.tables:,} tables of records, of which those of two sides count, and "
            "trains the network that says which record is the answer: about "
            f"{in_words(compare * options.tables)}\n"
        )
    n_splits = options.splits_a_table * len(to_split())
    return (
        f"makes {options.tables:,} tables more, of which those of two sides count, and splits "
        f"{n_splits:,} written ones in two, and trains the network that says whether a record has "
        f"an answer: about {in_words(compare * (options.tables + n_splits))}\n"
    )


def _read_scorer(folder: Path) -> dict[str, Any]:
    path = folder / "scorer.json"
    if not path.is_file():
        raise pj.InputError(
            f"--out wants a model folder with a scorer. Got {str(folder)!r}, which has no "
            "scorer.json. Hint: make one by `python -m pearljoin_train scorer --out`."
        )
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _train_text(encoder: WithScorer, a_source: int, seed: int) -> dict[str, Any]:
    """Train the network of two texts, which knows nothing of rivals and siblings."""
    names = names_of("training")
    joins = make_joins(names, names.get("nicknames", {}), a_source=a_source, seed=seed)
    total = len(names) * a_source
    found = [
        compute_candidates(join, encoder)
        for join in tqdm(joins, "joins", total, unit="join", disable=None)
    ]
    return _fit_text(found, seed)


def _fit_text(found: list[JoinCandidates], seed: int) -> dict[str, Any]:
    columns = [FEATURES.index(name) for name in TEXT_FEATURES]
    config = ScorerConfig(epochs=8, members=2, seed=seed)
    inputs = [join.features[:, columns] for join in found]
    return fit_network(found, inputs, config.hidden, config.epochs, config)[0]
