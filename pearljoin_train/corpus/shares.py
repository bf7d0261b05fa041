"""Shares of lexical and entity types in a corpus: the numbers of section 3.4, and figure A1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from pearljoin._optional import require
from pearljoin_train.corpus.phrase_types import ENTITY_TYPES, LEXICAL_TYPES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PAPER", "Shares", "measure", "shares_figure", "shares_table"]

PAPER = {"NP": 0.601, "VP": 0.004, "PP": 0.261, "ADVP": 0.110, "ADJP": 0.024, "OTHER": 0.885}
"""What the paper states in words (section 3.4, caption of figure A1), of 3.8 million phrases."""

BAR, DOT = "#4269d0", "#e8871e"


@dataclass(frozen=True)
class Shares:
    """Counts and shares of each type.

    Attributes
    ----------
    phrases
        Number of phrases by type; lexical and entity types together.
    occurrences
        The sum of their counts by type.
    """

    phrases: Mapping[str, int]
    occurrences: Mapping[str, int]

    def of(self, kind: str, *, weighted: bool = False) -> float:
        """Return the share of a type among its kind, 0 to 1; weighted by occurrences or not."""
        numbers = self.occurrences if weighted else self.phrases
        family = LEXICAL_TYPES if kind in LEXICAL_TYPES else ENTITY_TYPES
        return numbers[kind] / max(sum(numbers[other] for other in family), 1)


def measure(corpus: Path) -> Shares:
    """Count the types of a corpus file, a piece at a time."""
    phrases = dict.fromkeys([*LEXICAL_TYPES, *ENTITY_TYPES], 0)
    occurrences = dict(phrases)
    with pq.ParquetFile(corpus) as file:
        for batch in file.iter_batches(columns=["lexical_type", "entity_type", "count"]):
            for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                for kind in row[:2]:
                    phrases[kind] += 1
                    occurrences[kind] += row[2]
    return Shares(phrases, occurrences)


def shares_table(shares: Shares) -> str:
    """Return the shares as a Markdown table, entity types by falling share."""
    lines = ["| type | phrases | share | share of occurrences | paper |", "|---|--:|--:|--:|--:|"]
    for kind in [*LEXICAL_TYPES, *_falling(shares), "OTHER"]:
        paper = f"{PAPER[kind]:.1%}" if kind in PAPER else ""
        lines.append(
            f"| {kind} | {shares.phrases[kind]:,} | {shares.of(kind):.1%} | "
            f"{shares.of(kind, weighted=True):.1%} | {paper} |"
        )
    return "\n".join(lines)


def _falling(shares: Shares) -> list[str]:
    named = [kind for kind in ENTITY_TYPES if kind != "OTHER"]
    return sorted(named, key=lambda kind: -shares.phrases[kind])


def shares_figure(shares: Shares) -> Figure:
    """Draw the shares of phrases: lexical types beside the paper's, entity types without OTHER."""
    figures = require("matplotlib.figure", extra="train", purpose="The figure of the shares")
    figure: Figure = figures.Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1, 2.6])

    _bars(left, {kind: shares.of(kind) for kind in LEXICAL_TYPES}, "Lexical types")
    papers = [100 * PAPER[kind] for kind in LEXICAL_TYPES]
    left.plot(range(len(papers)), papers, "o", color=DOT, label="paper")
    left.legend(frameon=False)
    left.set_ylabel("% of phrases")

    named = sum(shares.phrases[kind] for kind in ENTITY_TYPES if kind != "OTHER")
    entities = {kind: shares.phrases[kind] / max(named, 1) for kind in _falling(shares)}
    _bars(right, entities, f"Entity types (without OTHER, with {shares.of('OTHER'):.1%})")
    right.tick_params(axis="x", labelrotation=60)
    for label in right.get_xticklabels():
        label.set_horizontalalignment("right")
        label.set_rotation_mode("anchor")
    right.set_ylabel("% of phrases with an entity type")
    return figure


def _bars(axes: Axes, shares: Mapping[str, float], title: str) -> None:
    percent = [100 * share for share in shares.values()]
    bars = axes.bar(range(len(percent)), percent, color=BAR)
    axes.bar_label(bars, fmt="%.1f", fontsize=7, padding=2)
    axes.set_xticks(range(len(percent)), list(shares))
    axes.set_title(title, fontsize=10)
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
