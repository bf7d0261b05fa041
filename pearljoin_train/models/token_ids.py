"""Token ids of texts of any length, end to end, and padded batches of some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import torch
from torch import Tensor

__all__ = ["DeviceTokens", "TokenIds"]


@dataclass(frozen=True, slots=True)
class TokenIds:
    """Token ids of n texts, special tokens among them, without padding.

    Attributes
    ----------
    ids
        int32 of shape (n_tokens,): the ids, text after text.
    starts
        int64 of shape (n + 1,): where each text begins, and the end.

    Examples
    --------
    >>> tokens = TokenIds.of([[1, 5, 2], [1, 2]])
    >>> tokens.lengths.tolist(), tokens.take(np.array([1, 1])).ids.tolist()
    ([3, 2], [1, 2, 1, 2])
    """

    ids: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> np.ndarray:
        """Return each text's number of tokens, int64 of shape (n,)."""
        return np.diff(self.starts)

    @classmethod
    def of(cls, listed: Sequence[Sequence[int]]) -> TokenIds:
        """Join lists of ids, one a text."""
        starts = np.zeros(len(listed) + 1, dtype=np.int64)
        np.cumsum([len(ids) for ids in listed], out=starts[1:])
        joined = np.fromiter(chain.from_iterable(listed), dtype=np.int32, count=int(starts[-1]))
        return cls(joined, starts)

    @classmethod
    def made(
        cls, tokenizer: Any, texts: Sequence[str], *, prefix: str = "", max_tokens: int = 32
    ) -> TokenIds:
        """Tokenise texts, cut to `max_tokens`.

        Parameters
        ----------
        tokenizer
            One of transformers'.
        texts
            Any number.
        prefix, max_tokens
            See `Config`.
        """
        if not len(texts):
            return cls.of([])
        found = tokenizer(
            [prefix + text for text in texts], truncation=True, max_length=max_tokens,
            return_attention_mask=False, return_token_type_ids=False,
        )  # fmt: skip
        return cls.of(found["input_ids"])

    def take(self, rows: np.ndarray) -> TokenIds:
        """Return some texts' ids, in the order asked for."""
        lengths = self.lengths[rows]
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=starts[1:])
        at = np.arange(starts[-1]) + np.repeat(self.starts[:-1][rows] - starts[:-1], lengths)
        return TokenIds(self.ids[at], starts)

    @classmethod
    def joined(cls, parts: Iterable[TokenIds]) -> TokenIds:
        """Put texts after texts."""
        every = list(parts)
        lengths = np.concatenate([np.zeros(1, dtype=np.int64), *(p.lengths for p in every)])
        ids = [part.ids for part in every]
        return cls(np.concatenate(ids) if ids else np.zeros(0, np.int32), np.cumsum(lengths))


class DeviceTokens:
    """Token ids that are on a device, of which padded batches are made there.

    The ids go over once, end to end and from pinned memory, instead of padded batch by batch.

    Parameters
    ----------
    tokens
        The ids.
    device
        Where they go.
    padding
        The id that fills what is shorter.
    """

    def __init__(self, tokens: TokenIds, device: torch.device, padding: int) -> None:
        self.lengths = tokens.lengths
        self._padding = padding
        # A place more, so that a position after the last text is one of the array's.
        ids = np.append(tokens.ids, np.int32(padding))
        self._ids = sent(torch.from_numpy(ids), device)
        self._starts = sent(torch.from_numpy(tokens.starts), device)

    def padded(self, rows: np.ndarray) -> dict[str, Tensor]:
        """Return some texts' ``input_ids`` and ``attention_mask``, int64 (n_rows, longest)."""
        device = self._ids.device
        at = sent(torch.from_numpy(np.asarray(rows, dtype=np.int64)), device)
        starts, ends = self._starts[at], self._starts[at + 1]
        places = starts[:, None] + torch.arange(int(self.lengths[rows].max()), device=device)
        mask = places < ends[:, None]
        ids = self._ids[places.clamp(max=len(self._ids) - 1)].long()
        return {
            "input_ids": ids.masked_fill(~mask, self._padding),
            "attention_mask": mask.long(),
        }


def sent(tensor: Tensor, device: torch.device) -> Tensor:
    """Return a tensor on a device; to a GPU it goes from pinned memory, beside other work."""
    if device.type != "cuda":
        return tensor.to(device)
    return (tensor if tensor.is_pinned() else tensor.pin_memory()).to(device, non_blocking=True)
