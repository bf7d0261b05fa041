"""The losses: NT-Xent, type loss, distillation (PEARL, section 3.4)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

__all__ = ["distillation", "nt_xent", "type_loss"]


def nt_xent(
    first: Tensor, second: Tensor, same: Tensor, temperature: float, negatives: Tensor | None = None
) -> Tensor:
    """Normalised temperature-scaled cross-entropy (Chen et al. 2020), false negatives masked.

    Each of the 2n views should be nearest to the other view of its row, among the views of the
    rows that are not the same thing, and the further negatives.

    Parameters
    ----------
    first, second (n, d)
        Unit vectors of the two views.
    same (n, n) bool
        Rows that are no negatives of each other.
    temperature
        Divides the cosines.
    negatives (m, d)
        Unit vectors of further negatives.

    Returns
    -------
    loss ()
        Mean over the views.

    Examples
    --------
    >>> views = torch.eye(2)
    >>> same = torch.eye(2, dtype=torch.bool)
    >>> round(float(nt_xent(views, views, same, 1.0)), 4)  # log(1 + 2 / e)
    0.5514
    """
    n = len(first)
    views = torch.cat([first, second])
    logits = views @ views.T / temperature
    masked = same.repeat(2, 2)
    rows = torch.arange(n, device=first.device)
    partner = torch.cat([rows + n, rows])
    positive = logits[torch.arange(2 * n, device=first.device), partner]
    logits = logits.masked_fill(masked, float("-inf"))
    if negatives is not None and len(negatives):
        logits = torch.cat([logits, views @ negatives.T / temperature], dim=1)
    everything = torch.cat([positive[:, None], logits], dim=1)
    return (torch.logsumexp(everything, dim=1) - positive).mean()


def type_loss(logits: Tensor, types: Tensor) -> Tensor:
    """Cross-entropy of the types that are known (PEARL, section 3.3); 0 where none is.

    Parameters
    ----------
    logits (n, k)
        Scores of the k types.
    types (n,) int64
        Numbers of the types; negative where not known.
    """
    known = types >= 0
    if not bool(known.any()):
        return logits.sum() * 0.0
    return functional.cross_entropy(logits[known], types[known])


def distillation(student: Tensor, teacher: Tensor, temperature: float) -> Tensor:
    """Return the divergence of a group's similarities from the teacher's.

    The Kullback-Leibler divergence of the two distributions over each row's neighbours
    (relational distillation); 0 where they agree.

    Parameters
    ----------
    student, teacher (n, d), (n, e)
        Unit vectors of the same n texts; the two dimensions need not be equal.
    temperature
        Divides the cosines.
    """
    itself = torch.eye(len(student), dtype=torch.bool, device=student.device)
    student_logits = (student @ student.T / temperature).masked_fill(itself, -1e4)
    teacher_logits = (teacher @ teacher.T / temperature).masked_fill(itself, -1e4)
    return functional.kl_div(
        functional.log_softmax(student_logits, dim=1),
        functional.log_softmax(teacher_logits, dim=1),
        log_target=True,
        reduction="batchmean",
    )
