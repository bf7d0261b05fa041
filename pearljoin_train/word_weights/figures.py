"""Tables and figures of the word-weights experiments, from their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["draw", "table"]

RELATED, UNRELATED = "#1f4e79", "#e0a458"
LOSSES = {
    "Learned weights, contrastive": ("contrastive-based", "#b5651d", "s"),
    "Learned weights, median": ("median-based", "#1f4e79", "o"),
}


def table(results: Mapping[str, Any]) -> str:
    """Write every experiment as a Markdown table: split error, divergence and p by table.

    Parameters
    ----------
    results
        What `pearljoin_train.word_weights.experiments.run_experiments` gives.

    Returns
    -------
    text
        Markdown; the lowest split error of each table of word vectors in bold, tf-idf apart.
    """
    parts = []
    for name, result in results.items():
        tables = result["tables"]
        heads = [f"{title}: split error | JS | p" for title in tables]
        lines = [f"### {name}", "", f"| | {' | '.join(heads)} |"]
        lines.append("|---" * (1 + 3 * len(tables)) + "|")
        best = {
            title: min(row["split_error"] for method, row in rows.items() if method != "Tf-idf")
            for title, rows in tables.items()
        }
        for method in next(iter(tables.values())):
            cells = [_cells(rows[method], best[title]) for title, rows in tables.items()]
            lines.append(f"| {method} | {' | '.join(cells)} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _cells(row: Mapping[str, float], best: float) -> str:
    error = f"{100 * row['split_error']:.2f} %"
    if row["split_error"] == best:
        error = f"**{error}**"
    p = row["p_against_median"]
    shown = "<0.001" if p < 0.001 else f"{p:.3f}"
    return f"{error} | {row['js_divergence']:.4f} | {shown}"


def draw(results: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw figure 2 (distances of related and unrelated pairs) and figure 3 (weights by rank).

    Parameters
    ----------
    results
        What `pearljoin_train.word_weights.experiments.run_experiments` gives.
    folder
        Where ``word_weights_distances.png`` and ``word_weights_by_rank.png`` go.

    Returns
    -------
    paths
        The files written.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _draw_distances(results, folder / "word_weights_distances.png"),
        _draw_weights(results, folder / "word_weights_by_rank.png"),
    ]


def _draw_distances(results: Mapping[str, Any], path: Path) -> Path:
    from matplotlib import pyplot as plt

    names = ("WikiText, 20 words", "WikiText, 10 to 30 words")
    methods = ("Mean", *LOSSES)
    figure, axes = plt.subplots(len(names), len(methods), figsize=(11, 5.4), squeeze=False)
    for row, name in enumerate(names):
        for column, method in enumerate(methods):
            axis = axes[row][column]
            found = results[name]["histograms"][method]
            first, last = found["edges"]
            edges = np.linspace(float(first), float(last), len(found["related"]) + 1)
            for kind, colour in (("unrelated", UNRELATED), ("related", RELATED)):
                axis.stairs(found[kind], edges, fill=True, alpha=0.6, color=colour, label=kind)
            axis.axvline(found["threshold"], color="black", linestyle="--", linewidth=1)
            axis.set_title(f"{method}\n{name}", fontsize=9)
            axis.set_yticks([])
            axis.spines[["top", "right", "left"]].set_visible(False)
    for axis in axes[-1]:
        axis.set_xlabel("Euclidean distance", fontsize=9)
    axes[0][0].legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path


def _draw_weights(results: Mapping[str, Any], path: Path) -> Path:
    from matplotlib import pyplot as plt

    names = [name for name, result in results.items() if "weights" in result]
    figure, axes = plt.subplots(1, len(names), figsize=(13, 3.4), sharey=True, squeeze=False)
    for axis, name in zip(axes[0], names, strict=True):
        for method, (label, colour, marker) in LOSSES.items():
            weights = np.array(results[name]["weights"][method])
            ranks = np.arange(1, len(weights) + 1)
            axis.plot(
                ranks, weights / weights.max(), marker=marker, markersize=3.5, color=colour,
                label=label,
            )  # fmt: skip
        axis.axhline(0, color="grey", linewidth=0.6)
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("rank of the word by idf", fontsize=9)
        axis.spines[["top", "right"]].set_visible(False)
    axes[0][0].set_ylabel("weight, the largest 1", fontsize=9)
    axes[0][0].legend(frameon=False, fontsize=9)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return path
