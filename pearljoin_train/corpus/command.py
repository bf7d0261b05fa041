"""Phrases with types and counts from text: `python -m pearljoin_train corpus`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from pearljoin._errors import InputError
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each
from pearljoin_train.corpus import models
from pearljoin_train.corpus.entities import EntityTyper
from pearljoin_train.corpus.hub_entities import DEFAULT_MODEL, HubTypes
from pearljoin_train.corpus.merge import merge
from pearljoin_train.corpus.names import typed_names
from pearljoin_train.corpus.phrases import Extractor
from pearljoin_train.corpus.sentence import Parser
from pearljoin_train.corpus.shards import count_shards, fingerprint, settle
from pearljoin_train.corpus.shares import measure, shares_figure, shares_table
from pearljoin_train.corpus.texts import LAYOUTS, paragraphs, trees
from pearljoin_train.corpus.trees import TreeParser

__all__ = ["main"]

LISTS = "lists"

SAMPLE = 200
"""Paragraphs that are counted to learn how long all take."""

MINUTES = 5
"""About how long training the models takes."""


def main(arguments: list[str] | None = None) -> int:
    """Run `corpus build`, `corpus models` or `corpus shares`; returns the exit code."""
    options = _parser().parse_args(arguments)
    options.run(options)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train corpus", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="build|models|shares")

    build = commands.add_parser("build", help="count the phrases of texts")
    build.set_defaults(run=_build)
    build.add_argument("texts", nargs="+", type=Path, help="text files, .gz and .zip too")
    build.add_argument("--out", required=True, type=Path, help="the Parquet file to write")
    build.add_argument(
        "--parser",
        choices=["chunker", "brackets"],
        default="chunker",
        help="brackets: the texts are parses, as the Berkeley parser writes them",
    )
    build.add_argument("--layout", choices=LAYOUTS, default="lines", help="what a paragraph is")
    build.add_argument(
        "--entities",
        default=LISTS,
        help=f"{LISTS}: grammar, lists and a classifier of names; or the hub id or folder of a "
        f"token classification model, the paper's being like {DEFAULT_MODEL}",
    )
    build.add_argument("--device", default="cpu", help="where a hub model runs, e.g. cuda:0")
    build.add_argument("--min-count", type=_positive, default=2, help="rarer phrases are dropped")
    build.add_argument("--max-words", type=_positive, default=8, help="longer phrases are dropped")
    build.add_argument("--shard-size", type=_positive, default=2_000, help="paragraphs a shard")
    build.add_argument("--processes", type=_positive, default=1, help="that read texts")
    build.add_argument("--models", type=Path, help="folder of trained models")
    build.add_argument("--figure", type=Path, help="draw the shares of types here, .png or .svg")
    add_dry_run(build)

    train = commands.add_parser("models", help="train and measure chunker and classifier of names")
    train.set_defaults(run=_train)
    train.add_argument("--models", type=Path, help="folder to write to")
    add_dry_run(train)

    shares = commands.add_parser("shares", help="print and draw the types of a finished corpus")
    shares.set_defaults(run=lambda options: _report(options.corpus, options.figure))
    shares.add_argument("corpus", type=Path, help="the Parquet file that build wrote")
    shares.add_argument("--figure", type=Path, help="draw them here, .png or .svg")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {number}")
    return number


def _build(options: argparse.Namespace) -> None:
    missing = [str(path) for path in options.texts if not path.is_file()]
    if missing:
        raise InputError(f"There is no such text. Got: {missing}. Hint: give text files.")
    folder = options.models or models.default_folder()
    if options.dry_run:
        sys.stdout.write(_plan(options, folder))
        return
    parser, made_by = _chosen_parser(options.parser, folder)
    typer, typed_by = _chosen_typer(options.entities, options.device, folder)
    shards = options.out.with_name(f"{options.out.name}.shards")
    settings: dict[str, Any] = {
        "texts": [[path.name, path.stat().st_size] for path in options.texts],
        "layout": options.layout,
        "shard_size": options.shard_size,
        "max_words": options.max_words,
        "parser": [options.parser, made_by],
        "entities": [options.entities, typed_by],
    }
    settle(shards, settings)
    start = time.perf_counter()
    n_shards = -(-sum(1 for _ in _texts(options)) // options.shard_size)
    bar = tqdm(total=n_shards, desc="texts", unit="shard", leave=False, disable=None)
    made = count_shards(
        _texts(options),
        Extractor(parser, typer, options.max_words),
        shards,
        size=options.shard_size,
        processes=options.processes,
        on_done=lambda number: bar.update() and None,
    )
    bar.close()
    kept = merge(made, options.out, min_count=options.min_count)
    seconds = time.perf_counter() - start
    sys.stderr.write(f"{kept:,} phrases in {options.out}, {seconds:.0f} s\n")
    _report(options.out, options.figure)


def _plan(options: argparse.Namespace, folder: Path) -> str:
    """Count what is read, and time a few paragraphs where the models are there."""
    n_texts = sum(1 for _ in _texts(options))
    n_bytes = sum(path.stat().st_size for path in options.texts)
    lines = [f"reads {len(options.texts)} files of {n_bytes / 1e6:,.1f} MB: {n_texts:,} paragraphs"]
    files = [models.NAMES] if options.entities == LISTS else []
    files += [models.TAGGER, models.CHUNKER] if options.parser == "chunker" else []
    missing = [name for name in files if not (folder / name).is_file()]
    if missing:
        lines.append(
            f"trains {', '.join(missing)} in {folder} first, a few minutes; the time of the texts "
            "is known when they are there (`corpus models`)"
        )
    else:
        extract = Extractor(
            _chosen_parser(options.parser, folder)[0],
            _chosen_typer(options.entities, options.device, folder)[0],
            options.max_words,
        )
        seconds = seconds_each(lambda text: extract([text]), islice(_texts(options), SAMPLE))
        lines.append(
            f"counts their phrases in about {in_words(seconds * n_texts / options.processes)}"
        )
    return "\n".join([*lines, f"writes {options.out}\n"])


def _texts(options: argparse.Namespace) -> Iterable[str]:
    if options.parser == "brackets":
        return trees(options.texts)
    return paragraphs(options.texts, options.layout)


def _chosen_parser(name: str, folder: Path) -> tuple[Parser, list[str]]:
    """Return the parser, and digests of the files it was learned into."""
    if name == "brackets":
        return TreeParser(), []
    files = [folder / models.TAGGER, folder / models.CHUNKER]
    if not all(path.is_file() for path in files):
        _print_scores("Trained the chunker", models.train_chunker(folder))
    return models.load_chunker(folder), [fingerprint(path) for path in files]


def _chosen_typer(name: str, device: str, folder: Path) -> tuple[EntityTyper, list[str]]:
    if name != LISTS:
        typer = HubTypes(name, device)
        typer.load()
        return typer, []
    path = folder / models.NAMES
    if not path.is_file():
        _print_scores("Trained the classifier of names", models.train_names(folder))
    return models.load_names(folder), [fingerprint(path)]


def _train(options: argparse.Namespace) -> None:
    folder = options.models or models.default_folder()
    if options.dry_run:
        n_names = len(typed_names())
        sys.stdout.write(
            "reads the Brown corpus, a sample of the Penn treebank and CoNLL-2000, and "
            f"{n_names:,} typed names of the data folder\n"
            f"trains and measures tagger, chunker and classifier of names: some {MINUTES} minutes "
            f"on one core\nwrites {folder}\n"
        )
        return
    _print_scores("Chunker, held out", models.train_chunker(folder))
    _print_scores("Classifier of names, held out", models.train_names(folder))
    sys.stdout.write(f"models in {folder}\n")


def _print_scores(title: str, scores: models.Scores) -> None:
    lines = [f"  {name:<20} {share:6.1%} of {number:,}" for name, (share, number) in scores.items()]
    sys.stdout.write("\n".join([title, *lines, ""]))


def _report(corpus: Path, figure: Path | None) -> None:
    if not corpus.is_file():
        raise InputError(f"There is no such corpus. Got: {str(corpus)!r}. Hint: build it first.")
    shares = measure(corpus)
    sys.stdout.write(shares_table(shares) + "\n")
    if figure is not None:
        figure.parent.mkdir(parents=True, exist_ok=True)
        shares_figure(shares).savefig(figure, dpi=110)
