"""A run of so many minutes: trains, measures, and packs what it made."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from pearljoin._atomic import write_text
from pearljoin._errors import InputError
from pearljoin_train.common.environment import commit, machine
from pearljoin_train.common.facts import write_facts
from pearljoin_train.models.phrase_model import PhraseModel, load_phrase_model
from pearljoin_train.portable.curves import curves_figure
from pearljoin_train.portable.evaluation import measure_in_time
from pearljoin_train.portable.inputs import Inputs
from pearljoin_train.portable.pieces import is_pack, write_pieces
from pearljoin_train.training.clock import Clock
from pearljoin_train.training.development import Development
from pearljoin_train.training.run import LOG, Run

__all__ = ["reserve_seconds", "timed_run"]


RESERVE_SHARE, LEAST_RESERVE = 0.15, 5.0
RUN, RESULT = "run", "result"
TIMED = 2_048
"""Phrases encoded to measure the speed."""


def reserve_seconds(minutes: float, reserve: float | None) -> float:
    """Return the seconds kept for what follows the training.

    Parameters
    ----------
    minutes
        Of the whole run.
    reserve
        Minutes asked for; None: 15 % of the whole, 5 seconds at least.
    """
    return max(LEAST_RESERVE, RESERVE_SHARE * 60 * minutes) if reserve is None else 60 * reserve


def timed_run(
    inputs: Inputs,
    out: Path,
    *,
    device: str,
    clock: Clock,
    tasks: Sequence[str] = (),
) -> dict[str, Any] | None:
    """Train until the time is over, measure, and write the result in pieces.

    Parameters
    ----------
    inputs
        What is trained on.
    out
        Gets ``run/`` with checkpoints and the log, ``run.log``, and at the end ``result/``:
        pieces of at most 16 MiB, of the model in Hugging Face's layout, its log, curves and
        report; and ``report.json`` and ``curves.png`` beside it. The same call goes on with it.
    device
        "cpu", "cuda" or "auto".
    clock
        The run's minutes.
    tasks
        Sets of the benchmark to measure on, as long as there is time.

    Returns
    -------
    report
        Scores, steps, seconds, speed and memory; None where the sitting was over before the end.

    Raises
    ------
    InputError
        If `out` holds the result of a run that has ended, or a checkpoint of another run.
    """
    if is_pack(out / RESULT):
        raise InputError(f"The run in {out} has ended. Hint: give another --out.")
    out.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(out / "run.log", encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        return _logged_run(inputs, out, device, clock, tasks)
    finally:
        LOG.removeHandler(handler)
        handler.close()


def _logged_run(
    inputs: Inputs, out: Path, device: str, clock: Clock, tasks: Sequence[str]
) -> dict[str, Any] | None:
    config = inputs.config
    run = Run(
        config, inputs.streams, out / RUN, device=device, clock=clock, tokenise=inputs.tokenise
    )
    place = run.trainer.model.encoder.device
    if place.type == "cuda":
        torch.cuda.reset_peak_memory_stats(place)
    base = load_phrase_model(config.replace(characters="")).to(place).eval()
    development = None if inputs.split is None else Development(config, base, inputs.split)
    run.measure = None if development is None else development
    LOG.info(
        "%s, %d rows a step, step %d of at most %d, %.0f s to train in",
        _device_name(place), config.rows, run.trainer.done, config.steps, clock.left(),
    )  # fmt: skip
    before = run.trainer.done
    began = time.monotonic()
    ended = run.steps()
    seconds = time.monotonic() - began
    n_steps = run.trainer.done - before
    LOG.info("%d steps in %.0f s, %d in all", n_steps, seconds, run.trainer.done)
    if not ended:
        LOG.info("the sitting is over: the same command goes on")
        return None
    model = run.write().eval()
    report = {
        "steps": run.trainer.done,
        "steps_a_second": round(n_steps / max(seconds, 1e-9), 3),
        "phrases_trained_a_second": round(2 * config.rows * n_steps / max(seconds, 1e-9)),
        "phrases_encoded_a_second": _encoding_speed(model, inputs),
        "peak_bytes": torch.cuda.max_memory_allocated(place) if place.type == "cuda" else None,
        "device": _device_name(place),
        "torch": torch.__version__,
        "commit": commit(),
        "machine": machine(),
        "development": None if development is None else _both(development, base, model),
        "benchmark": measure_in_time(
            model, tasks, clock.left_in_all, folder=inputs.data, told=LOG.info
        ),
        "seconds": round(clock.spent(), 1),
    }
    _write_result(out, model, report)
    return report


def _both(development: Development, base: PhraseModel, model: PhraseModel) -> dict[str, Any]:
    return {"before": development(base), "after": development(model)}


def _encoding_speed(model: PhraseModel, inputs: Inputs) -> int:
    """Return the phrases that the model encodes in a second, tokenising among it."""
    phrases = [text for source in inputs.streams.aliases for text in source.phrases][:TIMED]
    model.encode(phrases[:64])
    began = time.monotonic()
    model.encode(phrases)
    return round(len(phrases) / max(time.monotonic() - began, 1e-9))


def _write_result(out: Path, model: PhraseModel, report: dict[str, Any]) -> None:
    curves = curves_figure(out / RUN / "log.jsonl")
    curves.savefig(out / "curves.png", dpi=140)
    write_text(out / "report.json", json.dumps(report, indent=1) + "\n")
    LOG.info("average of seven %s, %.0f s", report["benchmark"]["average7"], report["seconds"])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        content = Path(scratch)
        shutil.copytree(out / RUN / "model", content / "model")
        shutil.copyfile(out / RUN / "log.jsonl", content / "log.jsonl")
        for name in ("curves.png", "report.json", "run.log"):
            shutil.copyfile(out / name, content / name)
        facts = json.loads((content / "model" / "training.json").read_text(encoding="utf-8"))
        write_facts(content / "model", {**facts, "device": report["device"]})
        write_pieces(content, out / RESULT, {"holds": "result", "report": report})


def _device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
