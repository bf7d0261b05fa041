"""The word pieces of a static model in training: one vector each, added up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from pearljoin.ngrams import PieceTable

__all__ = ["PhraseTokens"]


class PhraseTokens(nn.Module):
    """A phrase's unit vector from its word pieces; the formula is `PieceTable`'s.

    Parameters
    ----------
    tokenizer
        Splits phrases into word pieces.
    table
        float32 of shape (n_tokens, dim): the vectors to begin with.
    """

    def __init__(self, tokenizer: Tokenizer, table: np.ndarray) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self.table = nn.EmbeddingBag.from_pretrained(
            torch.from_numpy(table.astype(np.float32)), freeze=False, mode="sum"
        )

    @property
    def dim(self) -> int:
        """Number of columns of the vectors."""
        return self.table.embedding_dim

    def collate(self, phrases: Sequence[str]) -> dict[str, Tensor]:
        """Return phrases as tensors, the arguments of `forward`."""
        tokens, starts = tokenise(self._tokenizer, phrases)
        return {"tokens": torch.from_numpy(tokens), "starts": torch.from_numpy(starts[:-1])}

    def forward(self, tokens: Tensor, starts: Tensor) -> Tensor:
        """Return the phrases' vectors, float (n_phrases, dim), of length 1 or 0."""
        return functional.normalize(self.table(tokens, starts))

    def part(self) -> PieceTable:
        """Return what runs in a model folder."""
        return PieceTable(self.table.weight.detach().cpu().numpy().astype(np.float32))


def tokenise(tokenizer: Tokenizer, phrases: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return phrases' word pieces, end to end, and where each phrase begins, and the end."""
    encodings = tokenizer.encode_batch_fast(list(phrases), add_special_tokens=False)
    listed = [encoding.ids for encoding in encodings]
    starts = np.concatenate([[0], np.cumsum([len(ids) for ids in listed])]).astype(np.int64)
    return np.array([token for ids in listed for token in ids], dtype=np.int64), starts
