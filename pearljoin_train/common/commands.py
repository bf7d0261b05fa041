"""The commands of `python -m pearljoin_train`, and running one."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence

from pearljoin._errors import PearljoinError

__all__ = ["COMMANDS", "exit_code", "run_command"]

COMMANDS = {
    "evaluate": ("benchmark.suite", "measure a model on the PEARL benchmark"),
    "plot": ("benchmark.plots", "draw t-SNE maps of a model, and charts of runs"),
    "report": ("benchmark.report", "write the benchmark's tables from its results"),
    "data": ("data.fetch", "verify or fetch the data folder"),
    "scorer": ("scorer.command", "train or evaluate the match scorer of a model folder"),
    "record-scorer": ("record_scorer.command", "train the scorer of records of several columns"),
    "records": ("records.command", "make record tables with known truth"),
    "background": ("scorer.count_background", "count common words, and which stand for others"),
    "given-names": ("scorer.given_names", "list given names of many languages"),
    "word-weights": ("word_weights.command", "learn and measure idf weights"),
    "corpus": ("corpus.command", "count the phrases of texts by type"),
    "average": ("training.weight_average", "average a tuned model's weights with its base's"),
    "train": ("training.command", "train a phrase encoder"),
    "finetune": ("finetune.command", "adapt a model to your pairs of names"),
    "ablate": ("experiments.ablate", "train with one component off at a time"),
    "sweep": ("experiments.sweep", "vary learning rate and hard negatives"),
    "generalize": ("experiments.generalize", "train from other language models"),
    "reproduce": ("experiments.reproduce", "the paper's own run, from text to table"),
    "pack": ("portable.pack_command", "pack a run's inputs for a machine with a GPU"),
    "unpack": ("portable.unpack_command", "put the pieces of a pack or a result together"),
    "gpu-check": ("portable.gpu_check", "compare a GPU's vectors, search and gradients"),
    "augment": ("augment.command", "write augmented views of phrases"),
    "negatives": ("negatives.command", "mine hard negatives of phrases"),
    "love": ("models.love.command", "train the paper's character encoder"),
    "ngrams": ("training.ngrams_command", "give a model its character n-grams"),
    "nano": ("training.static_command", "distil a static model from a model folder"),
    "card": ("export.model_card", "write a model folder's card from its facts"),
    "export": ("export.command", "make a model folder from a Hugging Face one"),
}
"""Each command: the module whose `main` runs it, imported only then, and one line about it."""


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Run one command of `COMMANDS`; returns its exit code.

    Returns
    -------
    code
        0: success. 1: a `PearljoinError`, printed as ``error: ...``, or a check that failed.
        130: interrupted by Ctrl-C.

    Raises
    ------
    SystemExit
        With code 2, after a usage error.
    """

    def run() -> int:
        module = importlib.import_module(f"pearljoin_train.{COMMANDS[name][0]}")
        return int(module.main(list(arguments)) or 0)

    return exit_code(run)


def exit_code(run: Callable[[], int], *, wrong: int = 1) -> int:
    """Run a command; what is wrong is a line on standard error, and an exit code.

    Parameters
    ----------
    run
        The command, which returns its exit code.
    wrong
        The code after a `PearljoinError`.

    Returns
    -------
    code
        That of the command; `wrong`; or 130 after Ctrl-C.
    """
    try:
        return run()
    except PearljoinError as error:
        sys.stderr.write(f"error: {error}\n")
        return wrong
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
