"""`python -m pearljoin_train card --folder FOLDER`: write a model folder's card from its facts."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pearljoin._atomic import write_text
from pearljoin._errors import InputError
from pearljoin.ngrams import NGRAMS
from pearljoin_train.benchmark.report import published_rows, read_run, table
from pearljoin_train.benchmark.tasks import COMPARABLE7

__all__ = ["CARD", "main", "model_card"]

CARD = "MODEL_CARD.md"
WATTS = 30
"""What two busy cores are reckoned to take, memory included."""
SPELLED = (
    f"`{NGRAMS}` is its character encoder: vectors of hashed n-grams in 8 bits, whose sum over a "
    "phrase's words stands beside the graph's vector. It reads 4,096 characters.\n"
)
SCRIPTS = {
    False: "share one unknown token",
    True: "share one unknown token, and are distinguished by their n-grams alone",
}
COMPARED = ("PEARL-small", "PEARL-base")


def model_card(
    config: Mapping[str, Any],
    size: int,
    *,
    runs: Sequence[Mapping[str, Any]] = (),
    scorer: Mapping[str, Any] | None = None,
) -> str:
    """Write the card of a model.

    Parameters
    ----------
    config
        The folder's ``config.json``.
    size
        Bytes of the folder's files.
    runs
        Results of ``evaluate``: of this model, of its base.
    scorer
        What ``scorer --report`` wrote.
    """
    provenance = dict(config["provenance"])
    training = provenance.pop("training", None)
    has_ngrams = NGRAMS in config["files"]
    template = Path(__file__).with_name("model_card.md").read_text("utf-8")
    return template.format(
        name=config["name"],
        licence=config["base_licence"],
        provenance="\n".join(f"- {key}: {value}" for key, value in provenance.items()),
        size=f"{size / 1e6:.1f}",
        dim=config["dim"],
        pooling=config["pooling"],
        max_length=config["max_length"],
        prefix=repr(config["prefix"]),
        spelled=SPELLED if has_ngrams else "",
        scripts=SCRIPTS[has_ngrams],
        trained=_trained(training) if training else "Exporting trains nothing.\n",
        scores=_scores(runs) if runs else "",
        scorer=_scorer(scorer) if scorer else "",
    )


def _trained(training: Mapping[str, Any]) -> str:
    ngrams = training.get("ngrams")
    runs = [run for run in (training, *training.get("others", ())) if "config" in run]
    earlier = training.get("earlier", ())
    lines = ["Exporting trains nothing. Before it:", *map(_run, [*earlier, *runs])]
    if len(runs) > 1:
        lines.append(f"- the weights of the last {len(runs)} were averaged")
    if runs:
        share = training.get("base_share", training["config"]["average"])
        lines.append(f"- of the language model's weights, {100 * share:.0f} % are the base's")
    if ngrams:
        lines.append(_ngrams(ngrams))
    lines += [
        "",
        "Pairs that occur in a benchmark, a quarter of the names, and WordNet's synonyms were left "
        "out.",
        "",
        "## Data",
        "| source | phrases | licence |",
        "|---|---:|---|",
    ]
    for name, source in _sources([*earlier, *runs, *([ngrams] if ngrams else [])]).items():
        lines.append(f"| {name} | {source['phrases']:,} | {source['licence']} |")
    return "\n".join(lines) + "\n"


def _sources(runs: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Every source that any run read, with the most phrases that one took of it."""
    found: dict[str, Mapping[str, Any]] = {}
    for run in runs:
        for name, source in run["sources"].items():
            if name not in found or source["phrases"] > found[name]["phrases"]:
                found[name] = source
    return found


def _run(training: Mapping[str, Any]) -> str:
    config, seconds = training["config"], training["seconds"]
    kinds = {kind: config[f"{kind}_rows"] for kind in ("alias", "paraphrase", "typed", "general")}
    hours = seconds / 3600
    where = training["machine"]
    return (
        f"- {config['base']} was trained by `python -m pearljoin_train train`: {config['steps']:,} "
        f"steps of {sum(kinds.values())} rows ({_listed(kinds)}), {hours:.1f} hours on "
        f"{where['cores']} cores of {where['cpu']}, about {hours * WATTS / 1000:.2f} kWh at "
        f"{WATTS} W"
    )


def _listed(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in rows.items() if n)


def _ngrams(training: Mapping[str, Any]) -> str:
    config = training["config"]
    return (
        f"- its character encoder, {config['buckets']:,} hashed n-grams of {config['dim']} "
        f"numbers, was trained beside it by `python -m pearljoin_train ngrams`: "
        f"{config['steps']:,} steps, {training['seconds'] / 60:.0f} minutes, on other names of one "
        f"thing from {len(training['sources'])} sources; what it knows is spelling, not meaning"
    )


def _scores(runs: Sequence[Mapping[str, Any]]) -> str:
    published = [row for row in published_rows() if row["name"].startswith(COMPARED)]
    return (
        "\n## Scores\nThe seven comparable sets of the PEARL benchmark, in percent; CoNLL's "
        "k-means moves by several points from seed to seed.\n\n"
        + table(runs, published, COMPARABLE7, averages=True)
    )


def _scorer(report: Mapping[str, Any]) -> str:
    figures = report["figures"]
    at = figures["target_0.9"]
    return (
        "\n## The match scorer\n"
        "`scorer.json` turns the evidence on a pair into the probability of a match. It was "
        "trained by `python -m pearljoin_train scorer` on joins made from the names that the "
        "encoder was not trained on, of the sources above that are names. On "
        f"{len(report['held_out'])} lists kept out of its training: expected calibration error "
        f"{figures['calibration_error']:.3f} over {figures['n_rows']:,} rows; at a precision "
        f"target of 0.9, macro precision {at['precision']:.3f} and recall {at['recall']:.3f}.\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train card", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="model folder")
    parser.add_argument(
        "--scores", type=Path, nargs="*", default=[], help="what evaluate --json wrote"
    )
    parser.add_argument("--scorer", type=Path, help="what scorer --report wrote")
    options = parser.parse_args(arguments)
    try:
        config = json.loads((options.folder / "config.json").read_text(encoding="utf-8"))
        size = sum((options.folder / name).stat().st_size for name in config["files"])
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"--folder wants a model folder. Got {str(options.folder)!r}: {error}. "
            "Hint: make one by `python -m pearljoin_train export`."
        ) from error
    scorer = json.loads(options.scorer.read_text(encoding="utf-8")) if options.scorer else None
    runs = [read_run(path) for path in options.scores]
    write_text(options.folder / CARD, model_card(config, size, runs=runs, scorer=scorer))
    return 0
