"""Training the match scorer: from evidence on a pair to the calibrated probability of a match.

``python -m pearljoin_train scorer --out FOLDER`` makes joins from alias pairs, trains a small
network on the candidates of those from some sources, and judges it on sources kept out. With
``--judge FOLDER`` in place of ``--out`` it judges the one that is there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm.auto import tqdm

import pearljoin as pj
from pearljoin.scoring import FEATURES, FORMAT, Scorer, lowest_for_mean, read_scorer
from pearljoin_train.common.measured import commit
from pearljoin_train.scorer.joins import Aliases, Join, alias_names, is_held_out, make_joins
from pearljoin_train.scorer.network import Candidates, ScorerConfig, train

__all__ = ["Remembering", "attach", "best_pairs", "calibration_error", "describe", "judge", "main"]


def describe(join: Join, encoder: Any) -> Candidates:
    """Work out the evidence on a join's candidates, and which of them are right."""
    with warnings.catch_warnings():
        # Made joins repeat keys as tables do.
        warnings.simplefilter("ignore", pj.DuplicateReferenceWarning)
        result = pj.match(join.left, join.right, encoder=encoder, threshold=0.0)
    pairs = result.comparison.described()
    left = result.comparison.left.first_row[pairs.left]
    right = result.comparison.right.first_row[pairs.right]
    truth = [join.right[other] in join.answers[own] for own, other in zip(left, right, strict=True)]
    return Candidates(
        join.source,
        left,
        right,
        pairs.features,
        np.array(truth, dtype=bool),
        sum(bool(answer) for answer in join.answers),
        pairs.wording,
    )


def best_pairs(
    join: Candidates, probability: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Each left row's most probable pair: its probability, and whether it is right."""
    order = np.lexsort((-probability, join.left))
    first = order[np.flatnonzero(np.diff(join.left[order], prepend=-1))]
    return probability[first], join.right[first]


def calibration_error(
    probability: NDArray[np.float32], right: NDArray[np.bool_], n_bins: int = 10
) -> float:
    """Expected calibration error over bins of equal width (Naeini et al. 2015).

    Returns
    -------
    error
        In [0, 1]: the mean of ``|mean probability - share right|`` over bins, by their size.
    """
    bins = np.minimum((probability * n_bins).astype(int), n_bins - 1)
    error = 0.0
    for number in np.unique(bins):
        inside = bins == number
        gap = abs(float(probability[inside].mean()) - float(right[inside].mean()))
        error += gap * float(inside.mean())
    return error


def judge(joins: Sequence[Candidates], scorer: Scorer, targets: Sequence[float]) -> dict[str, Any]:
    """Measure a scorer on joins.

    Returns
    -------
    figures
        ``calibration_error`` over the pooled rows' best pairs, ``top1`` (share of answerable rows
        whose best pair is right), and for each precision target the macro ``precision`` and
        ``recall`` of what the join would return, over all joins and over those of which at most
        half of the rows have an answer. Rates in [0, 1].
    """
    best = [best_pairs(join, _probability(scorer, join)) for join in joins]
    said, right = (np.concatenate(part) for part in zip(*best, strict=True))
    n_rows = [len(right) for _, right in best]
    figures: dict[str, Any] = {
        "n_joins": len(joins),
        "n_rows": sum(n_rows),
        "calibration_error": calibration_error(said, right),
        "top1": _mean(
            right.sum() / max(1, join.n_answered)
            for join, (_, right) in zip(joins, best, strict=True)
        ),
    }
    is_open = [2 * join.n_answered <= n for join, n in zip(joins, n_rows, strict=True)]
    figures["n_joins_open"] = sum(is_open)
    for target in targets:
        kept = [right[chance >= lowest_for_mean(chance, target)] for chance, right in best]
        rates = [
            (right.mean() if len(right) else 1.0, right.sum() / max(1, join.n_answered))
            for join, right in zip(joins, kept, strict=True)
        ]
        figures[f"target_{target}"] = _macro(rates)
        figures[f"target_{target}_open"] = _macro(list(compress(rates, is_open)))
    return figures


def _probability(scorer: Scorer, join: Candidates) -> NDArray[np.float32]:
    return scorer.probability(join.features, join.left, join.other, join.wording)


def _macro(rates: Sequence[tuple[float, float]]) -> dict[str, float]:
    return {
        "precision": _mean(precision for precision, _ in rates),
        "recall": _mean(recall for _, recall in rates),
    }


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return float(np.mean(found)) if found else float("nan")


def attach(scorer: dict[str, Any], folder: Path) -> None:
    """Write a scorer into a model folder and enter it in its configuration."""
    content = (json.dumps(_short(scorer)) + "\n").encode()
    (folder / "scorer.json").write_bytes(content)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["files"]["scorer.json"] = hashlib.sha256(content).hexdigest()
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def plot_reliability(joins: Sequence[Candidates], scorer: Scorer, path: Path) -> None:
    """Draw how often pairs are right against how often the scorer says so."""
    from matplotlib import pyplot

    best = [best_pairs(join, _probability(scorer, join)) for join in joins]
    chance, right = map(np.concatenate, zip(*best, strict=True))
    bins = np.minimum((chance * 10).astype(int), 9)
    said = [chance[bins == number].mean() for number in np.unique(bins)]
    found = [right[bins == number].mean() for number in np.unique(bins)]
    figure, axes = pyplot.subplots(figsize=(4.5, 4.5), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot(said, found, marker="o")
    axes.set(xlabel="probability said", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    axes.set_title(f"{len(chance):,} best pairs of sources kept out", fontsize=10)
    figure.savefig(path)
    pyplot.close(figure)


def main(arguments: list[str] | None = None) -> int:
    """Run ``python -m pearljoin_train scorer``; returns the exit code."""
    options = _parser().parse_args(arguments)
    folder = options.out or options.judge
    if not (folder / "config.json").is_file():
        raise pj.InputError(
            f"--out and --judge want a model folder. Got {str(folder)!r}, which has no "
            "config.json. Hint: make one by `python -m pearljoin_train export`."
        )
    ready = _read(folder) if options.judge else None
    config = ScorerConfig(joins_a_source=options.joins_a_source, seed=options.seed)
    named = options.encoder or (str(folder) if options.judge else "default")
    encoder = pj.load_encoder(named)
    to_train_on, to_judge_by = _split(alias_names())
    remembering = Remembering(encoder)
    kept_out = _make_candidates(to_judge_by, remembering, config)
    report = {
        "commit": commit(),
        "encoder": getattr(encoder, "name", Path(named).name),
        "held_out": sorted({join.source for join in kept_out}),
    }
    if ready is None:
        known = _make_candidates(to_train_on, remembering, config)
        # Judged as it is written, with shortened numbers.
        trained = _short({"format": FORMAT, "features": list(FEATURES), **train(known, config)})
        ready = read_scorer(json.dumps(trained).encode(), "the one just trained")
        attach(trained, folder)
        report["config"] = asdict(config)
        report["trained_on"] = sorted({join.source for join in known})
    report["figures"] = judge(kept_out, ready, (0.8, 0.9, 0.95, 0.99))
    text = json.dumps(report, indent=2) + "\n"
    sys.stdout.write(text)
    if options.report:
        options.report.write_text(text, encoding="utf-8")
    if options.plot:
        plot_reliability(kept_out, ready, options.plot)
    return 0


def _read(folder: Path) -> Scorer:
    """Read the scorer of a model folder."""
    path = folder / "scorer.json"
    if not path.is_file():
        raise pj.InputError(
            f"--judge wants a model folder with a scorer. Got {str(folder)!r}, which has no "
            "scorer.json. Hint: make one by --out."
        )
    return read_scorer(path.read_bytes(), str(folder))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train scorer", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, help="model folder to put it into")
    what.add_argument("--judge", type=Path, help="model folder whose scorer is judged as it is")
    parser.add_argument(
        "--encoder",
        help="name or folder of the encoder; default: the bundled one, or that of --judge",
    )
    parser.add_argument("--report", type=Path, help="JSON file for the figures")
    parser.add_argument("--plot", type=Path, help="reliability plot (PNG or SVG)")
    parser.add_argument("--joins-a-source", type=int, default=ScorerConfig.joins_a_source)
    parser.add_argument("--seed", type=int, default=ScorerConfig.seed)
    return parser


def _split(names: Mapping[str, Aliases]) -> tuple[dict[str, Aliases], dict[str, Aliases]]:
    """Names of the sources to train on, and of those that are kept out."""
    kept_out = {source: aliases for source, aliases in names.items() if is_held_out(source)}
    known = {source: aliases for source, aliases in names.items() if source not in kept_out}
    if not kept_out or not known:
        raise pj.InputError(
            "A scorer needs sources to train on and others to be judged on. "
            f"Got {len(names)} sources, of which {len(kept_out)} are kept out."
        )
    return known, kept_out


def _make_candidates(
    names: Mapping[str, Aliases], encoder: Any, config: ScorerConfig
) -> list[Candidates]:
    """Candidates of joins of some sources."""
    joins = make_joins(names, a_source=config.joins_a_source, seed=config.seed)
    total = len(names) * config.joins_a_source
    return [
        describe(join, encoder) for join in tqdm(joins, "joins", total, unit="join", disable=None)
    ]


class Remembering:
    """An encoder that keeps every vector it has made, since joins share their names."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self._known: dict[str, NDArray[np.float32]] = {}

    @property
    def dim(self) -> int:
        """Columns of a vector."""
        return int(self._encoder.dim)

    def encode(self, phrases: Sequence[str]) -> NDArray[np.float32]:
        """Encode what is new and look up the rest."""
        new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._known]
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.array([self._known[phrase] for phrase in phrases]).reshape(-1, self.dim)

    def covers(self, phrases: Sequence[str]) -> NDArray[np.bool_]:
        """Tell where a vector stands for the whole text."""
        covered: NDArray[np.bool_] = self._encoder.covers(phrases)
        return covered


def _short(value: Any) -> Any:
    """Numbers at six digits, which is what float32 holds nearly all of."""
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_short(item) for item in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
