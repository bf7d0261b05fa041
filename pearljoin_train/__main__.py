"""The training application's commands: `python -m pearljoin_train <command> ...`."""

from __future__ import annotations

import importlib
import sys

from pearljoin._errors import PearljoinError

COMMANDS = {
    "evaluate": ("pearljoin_train.suite:main", "measure a model on the PEARL benchmark"),
    "plot": ("pearljoin_train.plots:main", "draw t-SNE maps of a model, and charts of runs"),
    "report": ("pearljoin_train.report:main", "write the benchmark's tables from its results"),
    "data": ("pearljoin_train.data_fetch:main", "verify or fetch the data folder"),
    "scorer": ("pearljoin_train.scorer:main", "train or judge the match scorer of a model folder"),
    "word-weights": ("pearljoin_train.word_weights.command:main", "learn and measure idf weights"),
    "corpus": ("pearljoin_train.corpus.command:main", "count the phrases of texts by type"),
    "average": ("pearljoin_train.average:main", "average a tuned model's weights with its base's"),
    "train": ("pearljoin_train.train:main", "train a phrase encoder"),
    "finetune": ("pearljoin_train.finetune:main", "adapt a model to your own pairs"),
    "ablate": ("pearljoin_train.ablate:main", "train with one component off at a time"),
    "sweep": ("pearljoin_train.sweep:main", "vary learning rate and hard negatives"),
    "generalize": ("pearljoin_train.generalize:main", "train from other language models"),
    "reproduce": ("pearljoin_train.reproduce:main", "the paper's own run, from text to table"),
    "augment": ("pearljoin_train.augment.command:main", "write augmented views of phrases"),
    "negatives": ("pearljoin_train.negatives.command:main", "mine hard negatives of phrases"),
    "love": ("pearljoin_train.love_command:main", "train the paper's character encoder"),
    "ngrams": ("pearljoin_train.ngrams_command:main", "give a model its character n-grams"),
    "card": ("pearljoin_train.model_card:main", "write a model folder's card from its facts"),
    "export": ("pearljoin_train.export:main", "make a model folder from a Hugging Face one"),
}
"""Each command's function, imported only when it is asked for, and one line about it."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command with the rest of the arguments; returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments or arguments[0] not in COMMANDS:
        lines = [f"  {name:<12} {about}" for name, (_, about) in COMMANDS.items()]
        asked_for_help = arguments[:1] in (["-h"], ["--help"])
        stream = sys.stdout if asked_for_help else sys.stderr
        stream.write("usage: python -m pearljoin_train <command> ...\n\n" + "\n".join(lines) + "\n")
        return 0 if asked_for_help else 2
    module, function = COMMANDS[arguments[0]][0].split(":")
    try:
        return int(getattr(importlib.import_module(module), function)(arguments[1:]) or 0)
    except PearljoinError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
