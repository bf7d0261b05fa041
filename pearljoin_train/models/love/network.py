"""LOVE: a word's vector from its characters and word pieces (Chen, Varoquaux, Suchanek 2022)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from pearljoin._errors import InputError
from pearljoin_train.models.love.vocabulary import LONGEST_WORD, PADDING

__all__ = ["Love", "LoveConfig"]

LONGEST_INPUT = 2 * LONGEST_WORD + 3
"""A word's characters, as many pieces, and the three special entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoveConfig:
    """The shape of a `Love`; the default is the published one.

    Attributes
    ----------
    vocabulary_size
        Entries of the embedding table.
    dim
        Numbers in a word's vector: those of the imitated table.
    attention_dim
        Numbers in a query or key of the self-attention.
    scale
        Attention scores are divided by the size of a key to this power. 0.5 is the formula of the
        paper, 0.25 what its code does; no difference was measured (docs/training/love.md).
    transposed
        Normalise over queries and transpose, as the published code does, instead of normalising
        over keys. Both are the same family of functions: it exchanges queries and keys.
    dropout
        Share of the attention layer's output dropped in training.
    embedding_std
        Standard deviation of the embeddings before training. The published code leaves it at 1,
        where most of what rare pieces say is chance.
    """

    vocabulary_size: int = 21_257
    dim: int = 300
    attention_dim: int = 32
    scale: float = 0.5
    transposed: bool = False
    dropout: float = 0.1
    embedding_std: float = 0.1

    def __post_init__(self) -> None:
        """Check that a network of this shape can be built."""
        sizes = (self.vocabulary_size, self.dim, self.attention_dim)
        if min(sizes) < 1 or not 0.0 <= self.dropout < 1.0:
            raise InputError(
                "A character encoder needs sizes of at least 1 and a dropout from 0 to below 1. "
                f"Got sizes {sizes} and dropout {self.dropout}. Hint: leave them as they are."
            )


class Love(nn.Module):
    """From a word's characters and pieces to its vector: one layer of two attentions.

    Self-attention and positional attention, whose queries and keys are sinusoids of the position,
    read the same embeddings side by side; what they find is joined and projected back, normalised
    and added to the embeddings, which are then summed (section 4.2).

    Parameters
    ----------
    config
        Its shape.
    """

    positions: Tensor

    def __init__(self, config: LoveConfig) -> None:
        super().__init__()
        dim = config.dim
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, dim, padding_idx=PADDING)
        with torch.no_grad():
            self.embedding.weight.mul_(config.embedding_std)
        self.query = nn.Linear(dim, config.attention_dim)
        self.key = nn.Linear(dim, config.attention_dim)
        self.positional = nn.Linear(dim, dim)
        self.merge = nn.Linear(2 * dim, dim)
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("positions", sinusoids(LONGEST_INPUT, dim), persistent=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Return words' vectors.

        Parameters
        ----------
        ids
            int64 of shape (n_words, length), as `LoveVocabulary.encode` makes it.

        Returns
        -------
        vectors
            float of shape (n_words, dim), unit rows; zeros for a row of padding alone.
        """
        mask = ids != PADDING
        values = self.embedding(ids)  # (n_words, length, dim)
        query, key = functional.relu(self.query(values)), functional.relu(self.key(values))
        position = self.positions[: ids.shape[1]].to(values.dtype)
        content = self._attend(query, key, values, mask)
        order = functional.relu(self.positional(self._attend(position, position, values, mask)))
        merged = functional.relu(self.merge(torch.cat([content, order], dim=-1)))
        values = values + self.dropout(self.norm(merged))
        summed = values.masked_fill(~mask[:, :, None], 0.0).sum(dim=1)  # (n_words, dim)
        return functional.normalize(summed, dim=-1)

    def _attend(self, query: Tensor, key: Tensor, values: Tensor, mask: Tensor) -> Tensor:
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** self.config.scale
        scores = scores.expand(len(values), -1, -1)
        lowest = torch.finfo(scores.dtype).min
        if self.config.transposed:
            weights = scores.masked_fill(~mask[:, :, None], lowest).softmax(dim=1).transpose(1, 2)
        else:
            weights = scores.masked_fill(~mask[:, None, :], lowest).softmax(dim=2)
        found: Tensor = weights @ values
        return found


def sinusoids(length: int, dim: int) -> Tensor:
    """Return fixed position encodings.

    Returns
    -------
    positions
        float32 of shape (length, dim): sines in the even columns, cosines in the odd ones, of
        wavelengths from 2π to 20,000π (Vaswani et al. 2017, section 3.5). The product of two rows
        depends on their distance alone.
    """
    step = torch.arange(0, dim, 2, dtype=torch.float32) / dim
    angles = torch.arange(length, dtype=torch.float32)[:, None] * 10_000.0**-step
    found = torch.zeros(length, dim)
    found[:, 0::2] = angles.sin()
    found[:, 1::2] = angles.cos()[:, : dim // 2]
    return found


def build(config: LoveConfig, seed: int) -> Love:
    """Return a network with random weights, the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Love(config)


def n_parameters(module: Any) -> int:
    """Count a module's trainable numbers."""
    return sum(parameter.numel() for parameter in module.parameters())
