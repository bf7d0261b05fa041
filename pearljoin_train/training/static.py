"""Distil a static model: word pieces whose sum stands for a language model's vector.

The teacher's vectors of many names are made once. Its language model's part is projected on the
directions that hold most of it, and a vector for each word piece learns to add up to that
(distillation of the vectors themselves, Reimers and Gurevych 2020). Beside it, other names of one
thing are to be nearest to each other among their list's neighbours, by the final similarity: that
of the word pieces and the teacher's n-grams, which are static already and stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.models.tokens import PhraseTokens, tokenise
from pearljoin_train.training.batches import positive_mask
from pearljoin_train.training.losses import nt_xent
from pearljoin_train.training.neighbours import leaves

__all__ = ["AliasRows", "StaticConfig", "Taught", "distil"]

SHRINKAGE = 1.0
"""Phrases by which a rare word piece begins near the mean."""
COMMON = 0.7
"""Share of the mean vector that a word piece does not begin with: every phrase has it anyway."""


@dataclass(frozen=True, kw_only=True)
class StaticConfig:
    """Settings of a static model.

    Attributes
    ----------
    dim
        Columns of the word pieces' vectors.
    share
        Greatest length of the n-grams' part, where that of the word pieces has length 1.
    epochs, batch
        Passes over the phrases, and phrases of a step.
    contrast
        Weight of the contrastive loss, where that of the distillation is 1.
    lists, rows, neighbours
        Lists of a step, names of each, and how many that lie together are drawn together.
    names_a_source
        Phrases of a source at most.
    corrupted
        Phrases that are learned with typing errors, too.
    temperature, learning_rate, seed
        Of the contrastive loss; of Adam; of everything drawn.
    """

    dim: int = 160
    share: float = 0.8
    epochs: int = 3
    batch: int = 4_096
    contrast: float = 0.1
    lists: int = 4
    rows: int = 128
    neighbours: int = 8
    names_a_source: int = 30_000
    corrupted: int = 40_000
    temperature: float = 0.07
    learning_rate: float = 3e-2
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("dim", "epochs", "batch", "lists", "rows", "neighbours", "names_a_source"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1. Got {getattr(self, name)}.")
        for name, least, most in (
            ("share", 1e-6, 10),
            ("contrast", 0, 100),
            ("corrupted", 0, 1e9),
            ("temperature", 1e-6, 10),
            ("learning_rate", 1e-9, 10),
        ):
            if not least <= getattr(self, name) <= most:
                got = getattr(self, name)
                raise InputError(f"{name} must be from {least} to {most}. Got {got}.")


@dataclass(frozen=True, slots=True)
class Taught:
    """Phrases and what the teacher says of them.

    Attributes
    ----------
    phrases
        Distinct phrases.
    meanings (n, dim) float32
        The language model's unit vectors.
    spelled (n, n_spelled) float32
        The n-grams' part that stands beside them, no longer than the share.
    """

    phrases: list[str]
    meanings: np.ndarray
    spelled: np.ndarray


@dataclass(frozen=True, slots=True)
class AliasRows:
    """Names of one list, and other names of each, as rows of `Taught`.

    Attributes
    ----------
    names
        int64 of shape (n,): row of each name.
    aliases
        For each name the rows of its other names, at least one.
    """

    names: np.ndarray
    aliases: list[list[int]]

    def __len__(self) -> int:
        return len(self.names)


def principal_directions(vectors: np.ndarray, dim: int) -> np.ndarray:
    """Return the directions that hold most of unit vectors: (n_columns, dim), orthonormal."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(directions[:, ::-1][:, :dim])


def first_table(
    tokens: np.ndarray, starts: np.ndarray, targets: np.ndarray, n_tokens: int
) -> np.ndarray:
    """Return vectors to begin with: of each word piece the mean target, rare ones longer.

    Parameters
    ----------
    tokens, starts
        The phrases' word pieces, end to end, and where each phrase begins, and the end.
    targets
        float32 of shape (n_phrases, dim), unit rows.
    n_tokens
        Size of the vocabulary.
    """
    lengths = np.diff(starts)
    share = np.repeat(1 / np.maximum(lengths, 1), lengths)
    row = np.repeat(np.arange(len(lengths)), lengths)
    mean = targets.mean(axis=0)
    table = np.tile(SHRINKAGE * mean, (n_tokens, 1))
    order = np.argsort(tokens, kind="stable")
    bounds = np.searchsorted(tokens[order], np.arange(n_tokens + 1))
    for token, (start, stop) in enumerate(pairwise(bounds.tolist())):
        uses = order[start:stop]
        table[token] += share[uses] @ targets[row[uses]]
    weights = np.bincount(tokens, weights=share, minlength=n_tokens) + SHRINKAGE
    idf = np.log(len(lengths) / (1 + np.bincount(tokens, minlength=n_tokens)))
    scale = np.maximum(idf, 1) / idf.max()
    found: np.ndarray = ((table / weights[:, None] - COMMON * mean) * scale[:, None]).astype(
        np.float32
    )
    return found


def distil(
    taught: Taught, lists: Sequence[AliasRows], tokenizer: Tokenizer, config: StaticConfig
) -> PhraseTokens:
    """Train the word pieces' vectors.

    Parameters
    ----------
    taught
        The phrases, and what the teacher says of them.
    lists
        Names that stand for one thing; without any, the vectors are distilled alone.
    tokenizer
        Splits phrases into word pieces.
    config
        The settings. The same phrases and config give the same vectors.
    """
    if not taught.phrases:
        raise InputError("There is no phrase to learn from. Hint: give names.")
    torch.manual_seed(config.seed)
    rng = np.random.default_rng(config.seed)
    directions = principal_directions(taught.meanings, config.dim)
    targets = functional.normalize(torch.from_numpy(taught.meanings @ directions))
    tokens, starts = tokenise(tokenizer, taught.phrases)
    n_tokens = tokenizer.get_vocab_size(with_added_tokens=True)
    module = PhraseTokens(tokenizer, first_table(tokens, starts, targets.numpy(), n_tokens))
    bag = _Bag(module, torch.from_numpy(tokens), starts, torch.from_numpy(taught.spelled))
    pairs = _Pairs(taught, lists, config, rng)
    optimiser = torch.optim.Adam(module.parameters(), lr=config.learning_rate)
    n_steps = config.epochs * -(-len(targets) // config.batch)
    order = np.concatenate([rng.permutation(len(targets)) for _ in range(config.epochs)])
    steps = np.array_split(order, n_steps)
    shown = progress(steps, total=n_steps, label="distil", unit="step", verbose=None)
    for step, rows in enumerate(shown):
        for parameters in optimiser.param_groups:
            parameters["lr"] = config.learning_rate * (1 - step / n_steps)
        cosines = (bag(rows) * targets[torch.from_numpy(rows)]).sum(dim=1)
        loss = 1 - cosines.mean()
        if config.contrast and lists:
            loss = loss + config.contrast * pairs.loss(bag)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return module


class _Bag:
    """Vectors of some of the phrases, which are tokenised once."""

    def __init__(
        self, module: PhraseTokens, tokens: Tensor, starts: np.ndarray, spelled: Tensor
    ) -> None:
        self._module = module
        self._tokens = tokens
        self._starts = starts
        self._spelled = spelled

    def __call__(self, rows: np.ndarray) -> Tensor:
        """Return unit vectors of the word pieces, (n_rows, dim)."""
        sizes = self._starts[rows + 1] - self._starts[rows]
        starts = np.cumsum(sizes) - sizes
        items = np.repeat(self._starts[rows] - starts, sizes) + np.arange(sizes.sum())
        found: Tensor = self._module(
            self._tokens[torch.from_numpy(items)], torch.from_numpy(starts)
        )
        return found

    def whole(self, rows: np.ndarray) -> Tensor:
        """Return the final unit vectors, with the n-grams' columns."""
        spelled = self._spelled[torch.from_numpy(rows)]
        return functional.normalize(torch.cat([self(rows), spelled], dim=1))


class _Pairs:
    """Draws names and their other names, groups of neighbours together."""

    def __init__(
        self,
        taught: Taught,
        lists: Sequence[AliasRows],
        config: StaticConfig,
        rng: np.random.Generator,
    ) -> None:
        self._phrases = taught.phrases
        self._lists = lists
        self._config = config
        self._rng = rng
        self._groups = [leaves(taught.meanings[a.names], config.neighbours, rng) for a in lists]
        sizes = np.sqrt([len(aliases) for aliases in lists])
        self._chances = sizes / sizes.sum() if len(lists) else sizes

    def loss(self, bag: _Bag) -> Tensor:
        """Return the mean contrastive loss of some lists."""
        config = self._config
        n_lists = min(config.lists, len(self._lists))
        drawn = self._rng.choice(len(self._lists), n_lists, replace=False, p=self._chances)
        return torch.stack([self._of_list(int(at), bag) for at in drawn]).mean()

    def _of_list(self, at: int, bag: _Bag) -> Tensor:
        names, aliases = self._lists[at].names, self._lists[at].aliases
        order = self._rng.permutation(len(self._groups[at]))
        picked = np.concatenate([self._groups[at][group] for group in order])[: self._config.rows]
        first = names[picked]
        second = np.array([int(self._rng.choice(aliases[row])) for row in picked])
        one, other = ([self._phrases[row] for row in rows] for rows in (first, second))
        every = [tuple(self._phrases[alias] for alias in aliases[row]) for row in picked]
        same = torch.from_numpy(positive_mask(one, every, one, other))
        views = bag.whole(np.concatenate([first, second]))
        n = len(first)
        return nt_xent(views[:n], views[n:], same, self._config.temperature)
