"""Averaging a tuned model's weights with its base's (PEARL, section 3.4; Wortsman et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from pearljoin._errors import InputError

__all__ = ["averaged"]


def averaged(
    base: Mapping[str, Tensor], tuned: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Return ``share * base + (1 - share) * tuned``, weight by weight.

    Only what both have, as language models, is averaged: a type head or a character part that the
    base never had stays as it was tuned, and so does what is not a floating-point number.

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
