"""Figures: t-SNE maps of a model's names, and charts of runs: `python -m pearljoin_train plot`."""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pearljoin import Encoder
from pearljoin._optional import require
from pearljoin_train.benchmark.baselines import load_model
from pearljoin_train.benchmark.report import SUBSTITUTE, read_run
from pearljoin_train.benchmark.tasks import SETS, Ranker
from pearljoin_train.corpus.phrase_types import TYPED_ENTITIES
from pearljoin_train.data import DataDamagedError, find

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ENTITY_TYPES", "bar_figure", "main", "radar_figure", "sample_names", "tsne_figure"]

NAMES_A_TYPE = 100

ENTITY_TYPES: dict[str, tuple[str, ...]] = {
    "Place": ("crossner_*:location", "crossner_*:country", "wikigold:LOC", "wnut17:location"),
    "Person": (
        "crossner_*:person",
        "crossner_*:politician",
        "crossner_*:scientist",
        "wikigold:PER",
    ),
    "MedicalEntity": ("mtlbio_NCBI-disease:Disease", "mtlbio_BioNLP13CG:Cancer"),
    "Event": ("crossner_*:event", "crossner_*:election", "crossner_*:conference"),
    "Organization": ("crossner_*:organisation", "crossner_*:university", "wikigold:ORG"),
    "CreativeWork": ("crossner_*:book", "crossner_*:album", "crossner_*:song", "crossner_*:poem"),
}
"""The paper's six types of YAGO 4, and the ``source:type`` rows that stand in for each here."""

COLOURS = ("#4269d0", "#e8871e", "#2a9d5c", "#c4302b", "#8a5cc2", "#111111", "#b0803a", "#7a8794")
"""Told apart in print and with most colour blindness together with `MARKERS`."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def sample_names(folder: Path | None = None, *, seed: int = 0) -> dict[str, list[str]]:
    """Draw 100 names a type for Figure 4.

    Parameters
    ----------
    folder
        The data folder; by default the one in force.
    seed
        Where the draw starts.

    Returns
    -------
    names
        By type, without duplicates, in alphabetical order. A name that occurs under two of the
        six types is left out: it would have no right place on the map.

    Raises
    ------
    DataMissingError, DataDamagedError
        If the entities are not there, cannot be read, or are too few.
    """
    path = find(TYPED_ENTITIES, folder)
    by_type: dict[str, set[str]] = {kind: set() for kind in ENTITY_TYPES}
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            next(file)
            rows = [line.rstrip("\n").split("\t") for line in file]
        for phrase, kind, _, source in rows:
            group = "crossner_*" if source.startswith("crossner_") else source
            for name, wanted in ENTITY_TYPES.items():
                if f"{group}:{kind}" in wanted:
                    by_type[name].add(phrase)
    except (OSError, EOFError, ValueError, StopIteration) as error:
        raise DataDamagedError(path, f"it is no table of typed entities ({error})") from error
    generator = np.random.default_rng(seed)
    sampled = {}
    for name, phrases in by_type.items():
        others = set().union(*(found for kind, found in by_type.items() if kind != name))
        only = sorted(phrases - others)
        if len(only) < NAMES_A_TYPE:
            raise DataDamagedError(path, f"it has {len(only)} names of type {name}")
        sampled[name] = sorted(generator.choice(only, NAMES_A_TYPE, replace=False).tolist())
    return sampled


def tsne_figure(encoder: Encoder, names: Mapping[str, Sequence[str]], title: str) -> Figure:
    """Draw the names' vectors in two dimensions, a colour and a marker a type (Figure 4).

    Parameters
    ----------
    encoder
        What encodes the names.
    names
        Names by type, at least 8 in all.
    title
        The figure's title.
    """
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure
    from sklearn.manifold import TSNE

    flat = [name for group in names.values() for name in group]
    perplexity = min(30.0, (len(flat) - 1) / 3)
    places = TSNE(
        perplexity=perplexity, metric="cosine", init="random", random_state=0
    ).fit_transform(encoder.encode(flat))
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    axes = figure.add_subplot()
    start = 0
    for (kind, group), colour, marker in zip(names.items(), COLOURS, MARKERS, strict=False):
        x, y = places[start : start + len(group)].T
        start += len(group)
        axes.scatter(x, y, s=22, c=colour, marker=marker, alpha=0.75, linewidths=0, label=kind)
    axes.set_title(title)
    axes.set_xticks([])
    axes.set_yticks([])
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def _shared(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sets that every run has a number for, in the benchmark's order."""
    return [name for name in SETS if all(run["tasks"].get(name) for run in runs)]


def _values(run: Mapping[str, Any], names: Sequence[str]) -> list[float]:
    return [100 * run["tasks"][name][SETS[name].metric] for name in names]


def _label(runs: Sequence[Mapping[str, Any]], name: str) -> str:
    substitute = any(run["tasks"][name].get("substitute") for run in runs)
    return SETS[name].title + (SUBSTITUTE if substitute else "")


def bar_figure(runs: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw a group of bars a set, one bar a run, over the sets that all runs have.

    Parameters
    ----------
    runs
        Result objects, as `pearljoin_train.benchmark.report.read_run` returns them.
    """
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure

    names = _shared(runs)
    width = 0.84 / len(runs)
    figure = Figure(figsize=(max(6.0, 0.75 * len(names) + 1.5), 4.6), layout="constrained")
    axes = figure.add_subplot()
    at = np.arange(len(names))
    for number, run in enumerate(runs):
        offset = (number - (len(runs) - 1) / 2) * width
        colour = COLOURS[number % len(COLOURS)]
        axes.bar(at + offset, _values(run, names), width, color=colour, label=run["model"])
    axes.set_xticks(at, [_label(runs, name) for name in names], rotation=35, ha="right")
    axes.set_ylabel("accuracy, correlation or NMI (%)")
    axes.set_ylim(0, 100)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    return figure


def radar_figure(runs: Sequence[Mapping[str, Any]]) -> Figure:
    """Draw an axis a set and a closed line a run, over the sets that all runs have.

    Parameters
    ----------
    runs
        Result objects with at least three sets in common.
    """
    require("matplotlib", extra="train", purpose="A figure")
    from matplotlib.figure import Figure

    names = _shared(runs)
    angles = np.linspace(0, 2 * np.pi, len(names), endpoint=False)
    closed = np.append(angles, angles[:1])
    figure = Figure(figsize=(6.6, 6.4), layout="constrained")
    axes: Any = figure.add_subplot(projection="polar")
    axes.set_theta_offset(np.pi / 2)
    axes.set_theta_direction(-1)
    for number, run in enumerate(runs):
        values = _values(run, names)
        colour = COLOURS[number % len(COLOURS)]
        style = ("-", "--", ":")[number % 3]
        axes.plot(closed, [*values, values[0]], style, color=colour, label=run["model"], lw=1.8)
        axes.fill(closed, [*values, values[0]], color=colour, alpha=0.06)
    axes.set_xticks(angles, [_label(runs, name) for name in names])
    axes.tick_params(axis="x", pad=6)
    for angle, tick in zip(angles, axes.get_xticklabels(), strict=True):
        # Set beside the circle, labels grow outwards; at its top and bottom they are centred.
        side = round(float(np.sin(angle)), 6)
        tick.set_horizontalalignment("left" if side > 0 else "right" if side < 0 else "center")
    axes.set_ylim(0, 100)
    axes.set_yticks([20, 40, 60, 80], ["20", "40", "60", "80 %"], fontsize=8, color="#555555")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


def save(figure: Figure, stem: Path) -> list[Path]:
    """Write a figure as PNG and SVG beside each other; return the two paths."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = [stem.with_name(stem.name + suffix) for suffix in (".png", ".svg")]
    for path in paths:
        figure.savefig(path, dpi=160)
    return paths


def main(arguments: list[str]) -> int:
    """Run the command; returns the exit code."""
    options = _parse(arguments)
    figure = _draw(options)
    for path in save(figure, options.out or Path(options.kind)):
        sys.stdout.write(f"{path}\n")
    return 0


def _draw(options: argparse.Namespace) -> Figure:
    from pearljoin import InputError

    if options.kind == "tsne":
        model = load_model(options.model)
        if isinstance(model, Ranker):
            raise InputError(
                f"A map needs embeddings. Got the model {options.model!r}, which has none. "
                "Hint: name an encoder, say 'default'."
            )
        return tsne_figure(model, sample_names(), options.model)
    runs = [read_run(path) for path in options.runs]
    shared = _shared(runs)
    needed = 3 if options.kind == "radar" else 1
    if len(shared) < needed:
        raise InputError(
            f"A {options.kind} chart needs {needed} sets that all runs have. Got {len(shared)}. "
            "Hint: leave out runs of methods that take part in few sets."
        )
    return (radar_figure if options.kind == "radar" else bar_figure)(runs)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train plot", description="Draw figures, as PNG and SVG."
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    tsne = kinds.add_parser("tsne", help="a map of 100 names of each of six types")
    tsne.add_argument("--model", default="default", help="as `evaluate` takes it")
    for kind in ("bar", "radar"):
        chart = kinds.add_parser(kind, help="compare runs from their JSON files")
        chart.add_argument("runs", nargs="+", type=Path, help="what `evaluate --json` wrote")
    for command in kinds.choices.values():
        command.add_argument("--out", type=Path, help="file to write, without its suffix")
    return parser.parse_args(arguments)
