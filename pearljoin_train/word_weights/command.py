"""`python -m pearljoin_train word-weights`: learn weights, run experiments, draw figures."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin import InputError, WeightedWordEncoder
from pearljoin._atomic import write_text
from pearljoin_train.common.dry_run import add_dry_run
from pearljoin_train.word_weights.articles import article_pairs
from pearljoin_train.word_weights.idf_rank_weights import (
    EPOCH_BATCHES,
    KAPPAS,
    choose_kappa,
    learn_weights,
)
from pearljoin_train.word_weights.losses import pair_grams
from pearljoin_train.word_weights.names import alias_pairs
from pearljoin_train.word_weights.pairs import PairSet
from pearljoin_train.word_weights.texts import novels, wikipedia_sentences, wikitext
from pearljoin_train.word_weights.tweets import read_tweets, tweet_pairs
from pearljoin_train.word_weights.vectors import CBOW, SKIPGRAM, trained_table, vectors_folder

__all__ = ["main"]

MINUTES_VECTORS = MINUTES_EVALUATION = 11
"""About how long training the tables of word vectors takes, and the experiments."""

RECIPES = {"skip-gram": SKIPGRAM, "cbow": CBOW}
TEXTS = {"wikitext": wikitext, "novels": novels}


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(arguments)
    return int(options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m pearljoin_train word-weights",
        description="Weights of idf ranks over word vectors (De Boom et al. 2016).",
    )
    commands = parser.add_subparsers(required=True)
    learn = commands.add_parser("learn", help="learn weights and write them as JSON")
    learn.set_defaults(run=_learn)
    learn.add_argument(
        "--pairs", default="wikitext",
        help="wikitext, novels or aliases (pairs of names)",
    )  # fmt: skip
    learn.add_argument("--tweets", type=Path, help="a line each: ISO 8601 time, tab, text")
    learn.add_argument("--lengths", default="10-30", help="words of a text: 20, or 10-30")
    learn.add_argument(
        "--loss", choices=("median", "contrastive"), default="median", help="the paper's: median"
    )
    learn.add_argument("--kappa", type=float, help="default: by five-fold cross-validation")
    learn.add_argument("--ranks", type=int, help="number of weights; default: the most words")
    learn.add_argument(
        "--vectors", default="skip-gram",
        help="skip-gram or cbow (trained on the text), default (bundled), or a file of vectors",
    )  # fmt: skip
    learn.add_argument("--frequencies", type=Path, help="a file of document frequencies")
    learn.add_argument("--seed", type=int, default=0, help="of what is drawn")
    learn.add_argument("--out", type=Path, required=True, help="file of weights to write")
    add_dry_run(learn)

    evaluate = commands.add_parser("evaluate", help="run the paper's tables on the data folder")
    evaluate.set_defaults(run=_evaluate)
    evaluate.add_argument("--seed", type=int, default=0, help="of what is drawn")
    evaluate.add_argument("--json", type=Path, required=True, help="file of figures to write")
    add_dry_run(evaluate)

    for command in (learn, evaluate):
        command.add_argument(
            "--epoch-batches", type=int, default=EPOCH_BATCHES, help="fewest batches of an epoch"
        )

    speed = commands.add_parser("speed", help="time the encoder on names of the data folder")
    speed.set_defaults(run=_speed)
    speed.add_argument(
        "--names", choices=("aliases", "autofj"), default="aliases", help="which are encoded"
    )

    plot = commands.add_parser("plot", help="draw figures 2 and 3 from the JSON of evaluate")
    plot.set_defaults(run=_plot)
    plot.add_argument("json", type=Path, help="what evaluate wrote")
    plot.add_argument("--folder", type=Path, required=True, help="folder of the figures")
    return parser


def _learn(options: argparse.Namespace) -> int:
    rng = np.random.default_rng(options.seed)
    lengths = _lengths(options.lengths)
    pairs = _pairs(options, lengths, rng)
    if options.dry_run:
        sys.stdout.write(_plan(options, pairs))
        return 0
    ranks = options.ranks or max(len(text.split()) for text in (*pairs.first, *pairs.second))
    encoder = WeightedWordEncoder(
        _vectors(options.vectors), document_frequencies=options.frequencies, verbose=False
    ).fit([*pairs.first, *pairs.second])
    grams = pair_grams(encoder, pairs, ranks)
    kappa, errors = options.kappa, {}
    if kappa is None and options.loss == "median":
        errors = choose_kappa(grams, pairs.related, rng, kappas=KAPPAS)
        kappa = min(errors, key=errors.__getitem__)
    run = learn_weights(
        grams,
        pairs.related,
        options.loss,
        rng,
        kappa=kappa or 1.0,
        epoch_batches=options.epoch_batches,
    )
    found = {
        "weights": [round(float(weight), 5) for weight in run.weights],
        "loss": options.loss,
        "kappa": kappa,
        "cross_validation": {f"{value:g}": error for value, error in errors.items()},
        "pairs": str(options.tweets or options.pairs),
        "related_pairs": int(pairs.related.sum()),
        "lengths": list(lengths),
        "vectors": options.vectors,
        "seed": options.seed,
        "epochs": len(run.losses),
        "stopped": run.stopped,
    }
    write_text(options.out, json.dumps(found) + "\n")
    return 0


def _plan(options: argparse.Namespace, pairs: PairSet) -> str:
    lines = [f"reads {len(pairs):,} pairs of texts from {options.tweets or options.pairs}"]
    if options.vectors in RECIPES:
        lines.append(
            f"trains the {options.vectors} vectors on the text, some {MINUTES_VECTORS} minutes of "
            f"one core, unless {vectors_folder()} has them"
        )
    if options.kappa is None and options.loss == "median":
        lines.append(f"chooses kappa among {len(KAPPAS)} by five-fold cross-validation: minutes")
    lines.append(f"learns with at least {options.epoch_batches:,} batches an epoch: minutes")
    return "\n".join([*lines, f"writes {options.out}\n"])


def _lengths(given: str) -> tuple[int, int]:
    fewest, _, most = given.partition("-")
    try:
        lengths = (int(fewest), int(most or fewest))
    except ValueError:
        lengths = (0, 0)
    if not 1 <= lengths[0] <= lengths[1]:
        raise InputError(f"--lengths is a number of words or a range. Got {given!r}. Hint: 10-30.")
    return lengths


def _pairs(
    options: argparse.Namespace, lengths: tuple[int, int], rng: np.random.Generator
) -> PairSet:
    if options.tweets is not None:
        return tweet_pairs(read_tweets(options.tweets), rng)
    if options.pairs == "aliases":
        return alias_pairs(lengths, rng)
    if options.pairs not in TEXTS:
        raise InputError(
            f"There are no such pairs. Got {options.pairs!r}. "
            f"Hint: one of {', '.join([*TEXTS, 'aliases'])}, or --tweets FILE."
        )
    return article_pairs(TEXTS[options.pairs](), lengths, rng, step=10, at_most=20_000)


def _vectors(name: str) -> Any:
    if name not in RECIPES:
        return name
    texts = [words for article in wikitext() for words in article.paragraphs]
    texts += wikipedia_sentences()
    texts += [words for book in novels() for words in book.paragraphs]
    return trained_table(RECIPES[name], texts)


def _evaluate(options: argparse.Namespace) -> int:
    from pearljoin_train.word_weights.experiments import LENGTHS, run_experiments
    from pearljoin_train.word_weights.figures import table

    if options.dry_run:
        sys.stdout.write(
            f"reads WikiText, sentences of Wikipedia, novels and tweets of the data folder\n"
            f"trains three tables of word vectors, some {MINUTES_VECTORS} minutes of one core, "
            f"unless {vectors_folder()} has them\n"
            f"learns and measures weights on {2 * len(LENGTHS)} sets of pairs: some "
            f"{MINUTES_EVALUATION} minutes of one core\nwrites {options.json}\n"
        )
        return 0
    results = run_experiments(seed=options.seed, epoch_batches=options.epoch_batches)
    write_text(options.json, json.dumps(results, indent=1) + "\n")
    sys.stdout.write(table(results))
    return 0


def _speed(options: argparse.Namespace) -> int:
    from pearljoin_train.word_weights.speed import NAMES, speed

    names = NAMES[options.names]()
    sys.stdout.write(f"{len(names):,} distinct names; names a second:\n")
    for step, found in speed(names).items():
        sys.stdout.write(f"{step:<30} {found:>10,.0f}\n")
    return 0


def _plot(options: argparse.Namespace) -> int:
    from pearljoin_train.word_weights.figures import draw

    try:
        results = json.loads(options.json.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"The results cannot be read. Got {str(options.json)!r}: {error}. "
            "Hint: `word-weights evaluate --json FILE` writes them."
        ) from error
    draw(results, options.folder)
    return 0
