"""Weight averaging of a tuned model and its base (PEARL, section 3.4).

``python -m pearljoin_train average --base NAME --tuned FOLDER --share 0.5 --out FOLDER``

The base may itself be tuned, from the same start: two runs, each good at something else. Language
models are averaged; the tuned model's character part stays as it is, or is left behind, to be made
anew for the average, with ``--alone``.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError
from pearljoin_train.common.facts import read_facts, write_facts
from pearljoin_train.models.base import MINILM, find_base
from pearljoin_train.models.characters import FOLDER

__all__ = ["averaged", "main"]


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train average", description=__doc__)
    parser.add_argument("--base", default=MINILM, help=f"{MINILM} or a Hugging Face folder")
    parser.add_argument("--tuned", type=Path, required=True, help="folder of the tuned model")
    parser.add_argument("--share", type=float, default=0.5, help="of the base, 0 to 1")
    parser.add_argument(
        "--alone",
        action="store_true",
        help="write the language model alone, without a character part",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write, not there yet")
    options = parser.parse_args(arguments)
    if options.out.exists():
        raise InputError(f"There is something at {options.out} already. Hint: another --out.")
    base_folder = find_base(options.base).folder
    base = load_file(base_folder / "model.safetensors")
    tuned = load_file(find_base(str(options.tuned)).folder / "model.safetensors")
    lost = (base_folder / FOLDER).is_dir() and not (options.tuned / FOLDER).is_dir()
    if lost and not options.alone:
        raise InputError(
            f"Only the base has a character part, which would be lost. Got {options.base!r}. "
            "Hint: average the language models with --alone, and give the average n-grams."
        )
    weights = averaged(_full(base), _full(tuned), options.share)
    halves = {k: w.half() if w.is_floating_point() else w for k, w in weights.items()}
    base_facts, tuned_facts = read_facts(base_folder), read_facts(options.tuned)
    facts = _joined(base_facts, tuned_facts, options.share) if base_facts or tuned_facts else {}
    gone = (FOLDER,) if options.alone else ()
    if options.alone:
        facts.pop("ngrams", None)
    with atomic_folder(options.out, made=False, keep=True, what="model") as partial:
        shutil.copytree(options.tuned, partial, ignore=lambda *_: gone)
        save_file(halves, partial / "model.safetensors", metadata={"format": "pt"})
        if facts:
            write_facts(partial, facts)
    return 0


def _joined(base: dict[str, Any], tuned: dict[str, Any], share: float) -> dict[str, Any]:
    """Return the facts of an average: the tuned model's, the base's share, earlier runs."""
    base_share = share * _base_share(base) + (1 - share) * _base_share(tuned)
    tuned_run, *runs = [
        _run(facts) for facts in (tuned, *tuned.get("others", []), base, *base.get("others", []))
    ]
    # A run may have come into both.
    earlier_runs = [
        run for at, run in enumerate(runs) if "config" in run and run not in (tuned_run, *runs[:at])
    ]
    joined = {**tuned, "base_share": base_share}
    joined.pop("others", None)
    return {**joined, "others": earlier_runs} if earlier_runs else joined


def _run(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a model's last run."""
    return {key: facts[key] for key in facts if key not in ("others", "ngrams", "base_share")}


def _base_share(facts: dict[str, Any]) -> float:
    """Return the untrained base's share of a model; 1 without facts of training."""
    # Averaged before, it has some of the base in it already.
    average = facts["config"]["average"] if "config" in facts else 1.0
    return float(facts.get("base_share", average))


def _full(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: w.float() if w.is_floating_point() else w for name, w in weights.items()}


def averaged(
    base: Mapping[str, Tensor], tuned: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Return ``share * base + (1 - share) * tuned``, weight by weight.

    Only what both have is averaged: a type head that the base never had stays as it was tuned, and
    so does what is not a floating-point number.

    Parameters
    ----------
    base, tuned
        Weights by name.
    share
        Of the base, in [0, 1]; 0.5 in the paper.

    Raises
    ------
    InputError
        If the share is out of range or a weight has another shape.

    Examples
    --------
    >>> averaged({"w": torch.zeros(1)}, {"w": torch.ones(1), "new": torch.ones(1)}, 0.25)
    {'w': tensor([0.7500]), 'new': tensor([1.])}
    """
    if not 0 <= share <= 1:
        raise InputError(f"The base's share is out of range. Got {share}. Hint: from 0 to 1.")
    result = {}
    for name, weight in tuned.items():
        before = base.get(name)
        if before is None or not weight.is_floating_point():
            result[name] = weight
            continue
        if before.shape != weight.shape:
            raise InputError(
                f"The two models differ in shape. Got {tuple(before.shape)} and "
                f"{tuple(weight.shape)} for {name}. Hint: average a model with its own base."
            )
        result[name] = torch.lerp(weight, before.to(weight.device), share)
    return result
