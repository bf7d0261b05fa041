"""Train the hashed n-gram encoder beside a frozen language model.

The language model stays as it is: its vectors of the names are made once, by its 8-bit graph, and
the n-grams learn what they lack. A batch is a few hundred names of a few lists, in groups of
neighbours, each to be distinguished from the rest of its list by the final similarity: the language
model's and the n-grams' together. Among ordinary phrases that similarity should stay the language
model's, which makes the n-grams of ordinary words short. Minutes on a processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from pearljoin import Encoder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin_train.models.characters import concatenated
from pearljoin_train.models.ngrams import PhraseNgrams
from pearljoin_train.training.batches import corrupt_view, positive_mask
from pearljoin_train.training.examples import Examples
from pearljoin_train.training.losses import distillation, nt_xent
from pearljoin_train.training.neighbours import leaves

__all__ = ["NamePairs", "NgramConfig", "OrdinaryPhrases", "train_ngrams"]

COOLDOWN = 0.6
"""Last part of the steps, in which the learning rate falls to zero."""
TREE_AGE = 200
"""Steps for which a list's groups of neighbours stay as they are."""


@dataclass(frozen=True, kw_only=True)
class NgramConfig:
    """Settings of the n-grams.

    Attributes
    ----------
    buckets, dim
        Rows and columns of the table; their product is its size in bytes.
    share
        Greatest length of the n-grams' part of a vector, where the language model's has length 1.
    kept_share
        The same in the model that is written: below the one trained with, ordinary phrases are left
        to the language model more.
    ordinary, distil_weight
        Ordinary phrases in each batch, and the weight of the loss that keeps their similarities.
    alone
        Weight of the loss of the n-grams by themselves, in [0, 1]; the rest is the loss of both
        together.
    steps, sources, rows
        Batches; lists in each; names of each list.
    neighbours
        Names of a list that lie together are drawn together, in groups of this size.
    source_cap
        Names of a list at most.
    noise_rate
        Share of aliases that are corrupted, in [0, 1].
    temperature, learning_rate, seed
        Of the contrastive loss; of Adam; of everything drawn.
    """

    buckets: int = 32_768
    dim: int = 192
    share: float = 1.0
    kept_share: float = 0.8
    ordinary: int = 256
    distil_weight: float = 20.0
    alone: float = 0.3
    steps: int = 2_400
    sources: int = 6
    rows: int = 128
    neighbours: int = 8
    source_cap: int = 8_000
    noise_rate: float = 0.15
    temperature: float = 0.1
    learning_rate: float = 3e-3
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (
            "buckets", "dim", "ordinary", "steps", "sources", "rows", "neighbours", "source_cap",
        )  # fmt: skip
        for name in counts:
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be at least 1. Got {getattr(self, name)}.")
        if not 0 <= self.distil_weight <= 1_000:
            raise InputError(f"distil_weight must be from 0 to 1000. Got {self.distil_weight}.")
        for name in ("alone", "noise_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} must be from 0 to 1. Got {getattr(self, name)}.")
        for name, most in (
            ("share", 10),
            ("kept_share", 10),
            ("temperature", 10),
            ("learning_rate", 10),
        ):
            if not 0 < getattr(self, name) <= most:
                raise InputError(
                    f"{name} must be above 0, and at most {most}. Got {getattr(self, name)}."
                )


@dataclass(frozen=True, slots=True)
class NamePairs:
    """Names of one list, an alias of each, and their unit vectors.

    Attributes
    ----------
    names, aliases
        The names, and one alias of each, which may be corrupted.
    all_aliases
        All aliases of each, so that two rows of one entity are not negatives.
    name_vectors, alias_vectors (n, dim) float32
        The language model's unit vectors of them.
    """

    names: list[str]
    aliases: list[str]
    all_aliases: list[tuple[str, ...]]
    name_vectors: np.ndarray
    alias_vectors: np.ndarray

    @classmethod
    def of(
        cls, examples: Examples, encoder: Encoder, rng: np.random.Generator, noise_rate: float = 0.0
    ) -> NamePairs:
        """Draw one other name of each phrase that has one, and encode both."""
        rows = [row for row, aliases in enumerate(examples.aliases) if aliases]
        names = [examples.phrases[row] for row in rows]
        all_aliases = [examples.aliases[row] for row in rows]
        aliases = [_written(str(rng.choice(every)), rng, noise_rate) for every in all_aliases]
        return cls(names, aliases, all_aliases, encoder.encode(names), encoder.encode(aliases))


def _written(name: str, rng: np.random.Generator, noise_rate: float) -> str:
    return corrupt_view(name, rng) if rng.random() < noise_rate else name


@dataclass(frozen=True, slots=True)
class OrdinaryPhrases:
    """Phrases that are no names, and the language model's unit vectors, (n, dim) float32."""

    phrases: list[str]
    vectors: np.ndarray


def train_ngrams(
    lists: Sequence[NamePairs], config: NgramConfig, ordinary: OrdinaryPhrases | None = None
) -> PhraseNgrams:
    """Train a bag of n-grams beside a language model that stays as it is.

    Parameters
    ----------
    lists
        Names, each to be distinguished from the rest of its list.
    config
        The settings. The same lists and config give the same bag.
    ordinary
        Phrases whose similarities should stay as they are.
    """
    if not any(names.names for names in lists):
        raise InputError("There is no name to train on. Hint: give lists with other names.")
    torch.manual_seed(config.seed)
    bag = PhraseNgrams(config.buckets, config.dim)
    bag.weigh([name for names in lists for name in names.names])
    optimiser = torch.optim.Adam(bag.parameters(), lr=config.learning_rate)
    sizes = np.sqrt([len(names.names) for names in lists])
    chances = sizes / sizes.sum()
    rng = np.random.default_rng(config.seed)
    groups: dict[int, list[np.ndarray]] = {}
    steps = range(config.steps)
    for step in progress(steps, total=len(steps), label="n-grams", unit="step", verbose=None):
        for parameters in optimiser.param_groups:
            left = (config.steps - step) / (COOLDOWN * config.steps)
            parameters["lr"] = config.learning_rate * min(1.0, left)
        if step % TREE_AGE == 0:
            groups.clear()
        losses = []
        n_sources = min(config.sources, len(lists))
        for at in rng.choice(len(lists), n_sources, replace=False, p=chances):
            if at not in groups:
                groups[at] = leaves(lists[at].name_vectors, config.neighbours, rng)
            order = rng.permutation(len(groups[at]))
            rows = np.concatenate([groups[at][group] for group in order])[: config.rows]
            losses.append(_loss(bag, lists[at], rows, config))
        loss = torch.stack(losses).mean()
        if ordinary is not None and config.distil_weight:
            drawn = rng.choice(len(ordinary.phrases), config.ordinary)
            loss = loss + config.distil_weight * _moved(bag, ordinary, drawn, config)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    return bag


def _loss(bag: PhraseNgrams, names: NamePairs, rows: np.ndarray, config: NgramConfig) -> Tensor:
    """Contrastive loss of some names of a list: of both parts together, and of the n-grams."""
    first = [names.names[row] for row in rows]
    second = [names.aliases[row] for row in rows]
    all_aliases = [names.all_aliases[row] for row in rows]
    spelled = bag(**bag.collate([*first, *second]))
    vectors = np.concatenate([names.name_vectors[rows], names.alias_vectors[rows]])
    meanings = torch.from_numpy(vectors)
    both = concatenated(meanings, spelled, config.share)
    same = torch.from_numpy(positive_mask(first, all_aliases, first, second))
    n = len(rows)
    together, alone = (
        nt_xent(views[:n], views[n:], same, config.temperature)
        for views in (both, functional.normalize(spelled))
    )
    return (1 - config.alone) * together + config.alone * alone


def _moved(
    bag: PhraseNgrams, ordinary: OrdinaryPhrases, rows: np.ndarray, config: NgramConfig
) -> Tensor:
    """Return the divergence of ordinary phrases' similarities from the language model's."""
    spelled = bag(**bag.collate([ordinary.phrases[row] for row in rows]))
    meanings = torch.from_numpy(ordinary.vectors[rows])
    both = concatenated(meanings, spelled, config.share)
    return distillation(both, meanings, config.temperature)
