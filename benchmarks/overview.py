"""The measured results at a glance: a table for the README, and the plots of the documentation.

``python -m benchmarks.overview`` writes them from the results that are kept beside each benchmark.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["main", "readme_table", "with_table"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ASSETS = ROOT / "docs" / "assets"
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "benchmarks_overview.md"
BEGIN = "<!-- results: begin, written by `python -m benchmarks.overview` -->"
END = "<!-- results: end -->"

OURS, PEER, FAINT = "#00796b", "#c77700", "#9ca3af"
N_TABLES = 50
ENCODED, ENCODED_BY_TORCH = 3264, 498
"""Phrases a second on two cores: the bundled model, and its base in PyTorch, in one run."""
NAMES = {
    "autofj": "AutoFJ",
    "goldenmatch": "GoldenMatch",
    "minilm-float32": "all-MiniLM-L6-v2",
    "pearljoin-encoder": "pearljoin, encoder alone",
    "polyfuzz": "PolyFuzz",
    "rapidfuzz": "RapidFuzz",
    "splink-0.5": "Splink",
    "string-distance": "3-gram Jaccard",
    "tfidf-chars": "tf-idf, characters",
    "tfidf-words": "tf-idf, words",
    "weighted-words": "weighted words",
}


def read_results(benchmark: str) -> dict[str, Any]:
    """Read the kept results of a benchmark, by the names of their files."""
    files = sorted((HERE / benchmark / "results").glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def joins() -> dict[str, Any]:
    """Return the AutoFJ figures of the methods that were run over all tables."""
    found = read_results("autofj")
    return {name: one["macro"] for name, one in found.items() if len(one["tables"]) == N_TABLES}


def records_f1(name: str) -> dict[str, float]:
    """Return a method's pairwise F1 by set, in per cent, of the sets that it was measured on."""
    sets = read_results("records")[name]["sets"]
    return {
        one: 100 * figures["f1"] for one, figures in sets.items() if figures["status"] == "measured"
    }


LEFT_OUT = {"pearljoin-encoder", "string-distance", "tfidf-words", "weighted-words"}
"""Methods that a short plot leaves out."""

LINKAGE = ("dblp_scholar_reduced", "transactions")


def compared(*names: str, linkage: bool) -> tuple[list[float], list[str]]:
    """Return the methods' mean F1 over the sets that all of them were measured on, and those."""
    figures = [records_f1(name) for name in names]
    shared = set.intersection(*map(set, figures))
    sets = sorted(one for one in shared if (one in LINKAGE) is linkage)
    return [sum(one[name] for name in sets) / len(sets) for one in figures], sets


def readme_table() -> str:
    """Return the table of the README, in Markdown."""
    macro, lookups = joins(), read_results("lookup")
    ours, autofj = macro["pearljoin"], macro["autofj"]
    (link, splink_link), link_sets = compared("pearljoin", "splink-0.5", linkage=True)
    (dedupe, splink_dedupe), dedupe_sets = compared("pearljoin", "splink-0.5", linkage=False)

    def join(figures: Any) -> str:
        return f"{100 * figures['precision']:.1f} / {100 * figures['recall']:.1f}"

    skrub, rapidfuzz = (100 * macro[name]["top1"] for name in ("skrub", "rapidfuzz"))
    rows = [
        ("Right title first, 50 AutoFJ tables", f"**{100 * ours['top1']:.1f} %**",
         f"skrub {skrub:.1f}, RapidFuzz {rapidfuzz:.1f}"),
        ("Join of them without labels, precision / recall", f"**{join(ours['join'])}**",
         f"AutoFJ {join(autofj['join'])}"),
        ("The same, half of the answers taken away", f"**{join(ours['open'])}**",
         f"AutoFJ {join(autofj['open'])}"),
        (f"Linkage by several columns, F1, {len(link_sets)} sets", f"**{link:.1f}**",
         f"Splink {splink_link:.1f}"),
        (f"Deduplication by several columns, F1, {len(dedupe_sets)} sets", f"**{dedupe:.1f}**",
         f"Splink {splink_dedupe:.1f}"),
        ("Phrases encoded a second; one lookup among 100,000 names",
         f"**{ENCODED:,}**; {lookups['100000']['median_ms']:.0f} ms",
         f"sentence-transformers {ENCODED_BY_TORCH:,}; not measured"),
    ]  # fmt: skip
    lines = ["| two cores, default settings | pearljoin | others |", "|---|---|---|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def with_table(page: str, table: str) -> str:
    """Return a page with the table between its marks."""
    before, rest = page.split(BEGIN)
    after = rest.split(END, 1)[1]
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def plot_accuracy(ax: Axes, *, most: int | None = None) -> None:
    """Draw the share of queries whose right title is first, best method first."""
    found = {name: 100 * one["top1"] for name, one in joins().items() if one["top1"] is not None}
    ranked = sorted(found.items(), key=lambda one: -one[1])
    if most is not None:
        ranked = [one for one in ranked if one[0] not in LEFT_OUT][:most]
    names = [NAMES.get(name, name) for name, _ in ranked]
    colours = [OURS if name.startswith("pearljoin") else FAINT for name, _ in ranked]
    bars = ax.barh(names, [share for _, share in ranked], color=colours)
    ax.bar_label(bars, fmt="%.1f", padding=3)
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.set_xlabel("right title first, % (50 AutoFJ tables)")


def plot_joins(ax: Axes) -> None:
    """Draw precision and recall of the joins that decide, with all answers and with half."""
    for name, one in joins().items():
        if one["join"]["precision"] < one["open"]["precision"] + 0.2:
            colour = OURS if name == "pearljoin" else PEER
            ends = [(100 * one[kind]["recall"], 100 * one[kind]["precision"])
                    for kind in ("join", "open")]  # fmt: skip
            ax.plot(*zip(*ends, strict=True), color=colour, alpha=0.5)
            ax.plot(*ends[0], "o", color=colour)
            ax.plot(*ends[1], "o", color=colour, markerfacecolor="white")
            ax.annotate(
                NAMES.get(name, name), ends[0], xytext=(0, 7), textcoords="offset points",
                ha="center", color=colour,
            )  # fmt: skip
    ax.axhline(90, color="black", ls=":", lw=1)
    ax.set(xlim=(20, 80), ylim=(70, 100), xlabel="recall, %", ylabel="precision, %")
    ax.set_title("filled: all answers there; open: half of them taken away", fontsize=9)


def plot_records(ax: Axes) -> None:
    """Draw pairwise F1 by set, of ours and of the peers that take several columns."""
    methods = {"pearljoin": OURS, "splink-0.5": PEER, "goldenmatch": FAINT, "recordlinkage": FAINT}
    ours = records_f1("pearljoin")
    sets = sorted(ours, key=lambda name: ours[name])
    for marker, (name, colour) in zip("osD^", methods.items(), strict=True):
        figures = records_f1(name)
        known = [one for one in sets if one in figures]
        ax.plot(
            [figures[one] for one in known], [sets.index(one) for one in known], marker,
            color=colour, label=NAMES.get(name, name), zorder=3 if name == "pearljoin" else 2,
        )  # fmt: skip
    ax.set_yticks(range(len(sets)), sets)
    ax.set(xlim=(-2, 102), xlabel="pairwise F1, %")
    ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncols=4, fontsize=8)


def plain(ax: Axes) -> None:
    """Leave out the frame, and draw a light grid behind."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.25)
    ax.set_axisbelow(True)


def draw_all() -> None:
    """Write the plots into ``docs/assets``."""
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.15, 1])
    plot_accuracy(left, most=7)
    plot_joins(right)
    for ax in (left, right):
        plain(ax)
    figure.savefig(ASSETS / "benchmarks.png", dpi=110)
    plots: dict[str, tuple[Callable[[Axes], None], float]] = {
        "benchmark_accuracy": (plot_accuracy, 4.0),
        "benchmark_joins": (plot_joins, 4.0),
        "benchmark_records": (plot_records, 4.8),
    }
    for name, (draw, height) in plots.items():
        figure = Figure(figsize=(7, height), layout="constrained")
        ax = figure.subplots()
        draw(ax)
        plain(ax)
        figure.savefig(ASSETS / f"{name}.png", dpi=110)


def main() -> None:
    """Write the table into the README and the overview, and the plots beside them."""
    table = readme_table()
    for page in (README, PAGE):
        text = page.read_text(encoding="utf-8")
        page.write_text(with_table(text, table), encoding="utf-8")
    draw_all()


if __name__ == "__main__":
    main()
