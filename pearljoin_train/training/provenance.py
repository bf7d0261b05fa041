"""Provenance of a trained model: settings, sources, licences, time."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from pearljoin_train.common.config import Config
from pearljoin_train.common.environment import machine
from pearljoin_train.common.facts import read_facts
from pearljoin_train.training.batches import Streams

__all__ = ["run_facts"]

LONGEST_STEP = 600
"""Seconds between two lines of the log that are a step; more is a pause."""


def run_facts(config: Config, streams: Streams, log: Path) -> dict[str, Any]:
    """Return the settings, sources and duration of a run.

    Parameters
    ----------
    config, streams
        Of the run.
    log
        Its ``log.jsonl``.

    Returns
    -------
    facts
        ``config``, ``sources`` (phrases and licence of each), ``seconds`` and ``machine``; where
        the base says what it was trained on, its ``ngrams``, and it among ``earlier`` runs.
    """
    used = [
        *(streams.aliases if config.alias_rows else ()),
        *(streams.paraphrases if config.paraphrase_rows else ()),
        streams.typed if config.typed_rows else None,
        streams.general if config.general_rows else None,
    ]
    facts = {
        "config": dataclasses.asdict(config),
        "sources": {
            e.source: {"phrases": len(e), "licence": e.licence} for e in used if e is not None
        },
        "seconds": round(_seconds(log)),
        "machine": machine(),
    }
    before = read_facts(config.base)
    if "ngrams" in before and not config.characters:
        facts["ngrams"] = before["ngrams"]
    earlier = [*before.get("earlier", []), *([before] if "config" in before else [])]
    return {**facts, "earlier": earlier} if earlier else facts


def _seconds(log: Path) -> float:
    """Return the seconds that a log covers, without pauses before resumptions."""
    times: list[float] = [
        json.loads(line)["time"] for line in log.read_text(encoding="utf-8").splitlines()
    ]
    steps = (after - before for before, after in pairwise(times))
    return sum(step for step in steps if 0 < step < LONGEST_STEP)
