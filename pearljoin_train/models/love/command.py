"""`python -m pearljoin_train love`: train and evaluate the character encoder."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import get_args

import torch

from pearljoin._typing import FloatMatrix
from pearljoin_train.common.config_options import add_fields, chosen_fields
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_each, spread
from pearljoin_train.data import DataMissingError
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import Love, LoveConfig, build, n_parameters
from pearljoin_train.models.love.scores import imitation_scores, misspelling_accuracy, misspellings
from pearljoin_train.models.love.targets import (
    Targets,
    frequent_words,
    read_targets,
    read_words,
    split_targets,
)
from pearljoin_train.models.love.training import LoveTraining, train_love
from pearljoin_train.models.love.vocabulary import InputKind, LoveVocabulary

__all__ = ["main"]

CHECKPOINT = "checkpoint.pt"
FROM_DATA = ("vocabulary_size", "dim")
"""Fields of the shape that follow from the words and their vectors."""
SAMPLE = 640
"""Words that are trained on to learn how long all take."""


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.dry_run:
        sys.stdout.write(_plan(options))
        return 0
    encoder = _train(options)
    sys.stdout.write(json.dumps(encoder.about, indent=1) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m pearljoin_train love",
        description="Train LOVE, an encoder that imitates word vectors from words' characters.",
    )
    parser.add_argument(
        "--vectors", default="default",
        help="a word2vec, FastText or GloVe file; tokens (the bundled encoder's token table); "
        "default, a model folder or a hub id (that encoder's vectors of single words)",
    )  # fmt: skip
    parser.add_argument(
        "--words", type=Path,
        help="the words to imitate, the first field of each line (a text file of vectors will "
        "do); default: the most frequent words of the data folder's texts",
    )  # fmt: skip
    parser.add_argument("--limit", type=int, default=25_000, help="most words")
    parser.add_argument("--held-out", type=float, default=0.1, help="share held out for evaluation")
    parser.add_argument(
        "--input", choices=get_args(InputKind), default="mixed", help="what is read of a word"
    )
    parser.add_argument(
        "--vocabulary-size", type=int, default=LoveConfig().vocabulary_size, help="pieces at most"
    )
    parser.add_argument("--piece-places", type=int, default=2, help="fewest places of a piece")
    parser.add_argument(
        "--device", default="cuda" if torch.cuda.is_available() else "cpu", help="where it trains"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder; resumes what stopped")
    for kind in (LoveTraining, LoveConfig):
        add_fields(parser, kind, leave_out=FROM_DATA)
    add_dry_run(parser)
    return parser


def _plan(options: argparse.Namespace) -> str:
    """Look a few words up, train on them, and reckon the whole."""
    training, words = _training(options), _words(options)
    tables: list[Targets] = []
    few = spread(words, SAMPLE)
    look_up = seconds_each(lambda some: tables.append(read_targets(options.vectors, some)), [few])
    love, vocabulary = _fresh(options, tables[0], training)
    pass_over = replace(training, epochs=1)
    seconds = seconds_each(lambda some: train_love(love, vocabulary, some, pass_over), tables)
    n_learnt = round(len(words) * len(tables[0]) / len(few) * (1 - options.held_out))
    steps = training.epochs * -(-n_learnt // training.batch)
    return (
        f"reads {len(words):,} words, and their vectors from {options.vectors!r}: about "
        f"{in_words(look_up / len(few) * len(words))}\n"
        f"trains {training.epochs} passes over some {n_learnt:,} of them, {steps:,} steps: about "
        f"{in_words(seconds / len(tables[0]) * n_learnt * training.epochs)}\n"
        f"writes {options.out}\n"
    )


def _training(options: argparse.Namespace) -> LoveTraining:
    return LoveTraining(**chosen_fields(options, LoveTraining, leave_out=FROM_DATA))


def _words(options: argparse.Namespace) -> list[str]:
    if options.words:
        return read_words(options.words, options.limit)
    return frequent_words(options.limit)


def _fresh(
    options: argparse.Namespace, learnt: Targets, training: LoveTraining
) -> tuple[Love, LoveVocabulary]:
    """Make a network that has learned nothing yet, and what it reads."""
    vocabulary = LoveVocabulary.learn(
        learnt.words,
        size=options.vocabulary_size,
        fewest=options.piece_places,
        kind=options.input,
    )
    shape = LoveConfig(
        vocabulary_size=len(vocabulary),
        dim=learnt.vectors.shape[1],
        **chosen_fields(options, LoveConfig, leave_out=FROM_DATA),
    )
    return build(shape, training.seed).to(options.device), vocabulary


def _train(options: argparse.Namespace) -> LoveEncoder:
    training = _training(options)
    table = read_targets(options.vectors, _words(options))
    learnt, held = split_targets(table, options.held_out)
    love, vocabulary = _fresh(options, learnt, training)
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.out / CHECKPOINT
    losses = train_love(love, vocabulary, learnt, training, checkpoint=checkpoint)
    encoder = LoveEncoder(love.cpu(), vocabulary)
    last = losses[-max(1, len(losses) // training.epochs) :]
    encoder.about = {
        "vectors": options.vectors,
        "words": len(learnt),
        "parameters": n_parameters(love),
        "training": asdict(training),
        "loss_of_last_epoch": sum(last) / len(last),
        "scores": _scores(encoder, held, table),
    }
    encoder.save(options.out)
    checkpoint.unlink(missing_ok=True)
    return encoder


def _scores(encoder: LoveEncoder, held: Targets, table: Targets) -> dict[str, float]:
    """Judge by the held-out words, and by misspellings of them where the data folder has some."""
    if not held.words:
        return {}
    scores = imitation_scores(encoder.encode_words, held, table)
    try:
        pairs = misspellings(table.words)
    except DataMissingError as error:
        sys.stderr.write(f"no scores by misspellings: {error}\n")
        return scores
    held_words = frozenset(held.words)
    pairs = [(form, word) for form, word in pairs if word in held_words]
    if not pairs:
        return scores
    made = encoder.encode_words(table.words)
    return scores | {
        "misspellings": len(pairs),
        "misspelt_among_own": _accuracy(encoder, pairs, table.words, table.vectors),
        "misspelt_among_made": _accuracy(encoder, pairs, table.words, made),
    }


def _accuracy(
    encoder: LoveEncoder,
    pairs: Sequence[tuple[str, str]],
    words: Sequence[str],
    vectors: FloatMatrix,
) -> float:
    return misspelling_accuracy(encoder.encode_words, pairs, words, vectors)
