"""`python -m pearljoin_train generalize --out FOLDER`: other language models (PEARL, Table 4)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from transformers import AutoTokenizer, BertConfig, BertModel

from pearljoin._atomic import atomic_folder
from pearljoin_train.common.config_options import add_config_options, config_from_options
from pearljoin_train.experiments.grid import Grid, Result, Variant, load_error
from pearljoin_train.experiments.options import add_grid_options, grid_from_options, seeds_of
from pearljoin_train.experiments.tables import (
    Cell,
    bar_figure,
    save_figure,
    summarise,
    write_table,
)
from pearljoin_train.models.base import MINILM, find_base

__all__ = ["PAPERS_BASES", "generalize", "main", "save_random_bert"]

PAPERS_BASES = {
    "BERT": "google-bert/bert-base-uncased",
    "RoBERTa": "FacebookAI/roberta-base",
    "ALBERT": "albert/albert-base-v2",
    "SpanBERT": "SpanBERT/spanbert-base-cased",
    "LUKE": "studio-ousia/luke-base",
}
PAPERS_SHARE = 0.3
"""Of the phrases, and so of the steps."""
SMOKE_TEST = "random BERT (smoke test)"
NO_SCORE = ("like_base", "mean")
"""How much a model is still like its base is no merit here; the mean would count it."""


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train generalize", description=__doc__
    )
    add_grid_options(parser, seeds=1)
    parser.add_argument(
        "--bases", nargs="+", default=[],
        help="folders or hub ids instead of the paper's five (--base: only one)",
    )  # fmt: skip
    parser.add_argument(
        "--random-base", action="store_true",
        help="a small BERT of random weights, which needs no download: a smoke test",
    )  # fmt: skip
    add_config_options(parser)
    options = parser.parse_args(arguments)
    values = config_from_options(options)
    changes: dict[str, Any] = {}
    if options.phrase_share is None:
        changes["phrase_share"] = PAPERS_SHARE
        if options.steps is None:
            changes["steps"] = max(1, round(PAPERS_SHARE * values.steps))
    if options.distil_weight is None:
        # An untuned language model's similarities are what should change.
        changes["distil_weight"] = 0.0
    if options.prefix is None:
        changes["prefix"] = ""
    grid = grid_from_options(options, values.replace(**changes))
    bases = {base: base for base in [*([options.base] if options.base else []), *options.bases]}
    if options.random_base:
        bases[SMOKE_TEST] = str(save_random_bert(options.out / "random-bert"))
    if options.dry_run:
        variants = [Variant(name, {"base": base}) for name, base in (bases or PAPERS_BASES).items()]
        sys.stdout.write(grid.plan(variants, seeds_of(options, grid.config)))
        return 0
    found = generalize(grid, bases or PAPERS_BASES, seeds_of(options, grid.config))
    sys.stdout.write(found)
    return 0


def generalize(grid: Grid, bases: Mapping[str, str], seeds: list[int]) -> str:
    """Measure each base before and after training; write tables and a plot; returns the tables.

    A base that cannot be had has an empty row and a note that says why.

    Parameters
    ----------
    grid
        Where it is done; its base is ignored.
    bases
        Folders or hub ids by the name that they have in the table.
    seeds
        Of the trainings.
    """
    average: list[Result] = []
    scores: list[Result] = []
    notes = {}
    for name, base in bases.items():
        missing = load_error(grid.config.replace(base=base))
        if missing:
            notes[name] = f"cannot be had on this machine. {missing}"
            average.append(Result(name, 0, {}, missing))
            continue
        before = grid.untrained(f"{name} before", {"base": base})
        after = grid.run([Variant(f"{name} after", {"base": base})], seeds)
        scores += [before, *after]
        start = _average(before)
        for result in after:
            end = _average(result)
            average.append(
                Result(name, result.seed, {"before": start, "after": end, "gain": end - start})
            )
    table = summarise(average)
    text = write_table(table, grid.out / "generalization", "base", notes)
    if scores:
        text += "\n" + write_table(summarise(scores), grid.out / "generalization-scores", "")
        save_figure(bar_figure(_by_column(table), "Mean of the scores"),
                    grid.out / "generalization")  # fmt: skip
    return text


def save_random_bert(folder: Path) -> Path:
    """Write a BERT of 5 million random weights with MiniLM's tokenizer, unless it is there."""
    if folder.is_dir():
        return folder
    tokenizer = AutoTokenizer.from_pretrained(str(find_base(MINILM).folder))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = BertModel(
            BertConfig(
                vocab_size=len(tokenizer),
                hidden_size=128,
                num_hidden_layers=4,
                num_attention_heads=4,
                intermediate_size=512,
                max_position_embeddings=128,
            )
        )
    with atomic_folder(folder, keep=True, what="model") as partial:
        model.save_pretrained(partial)
        tokenizer.save_pretrained(partial)
    return folder


def _average(result: Result) -> float:
    return fmean(value for name, value in result.scores.items() if name not in NO_SCORE)


def _by_column(table: Mapping[str, Mapping[str, Cell]]) -> dict[str, dict[str, Cell]]:
    """Turn the table, for a bar of before and one of after at each base."""
    return {
        key: {name: cells[key] for name, cells in table.items() if cells}
        for key in ("before", "after")
    }
