"""Batches of aliases, paraphrases, typed entities and ordinary phrases.

A batch is a function of the seed and of its number alone, so a resumed run draws what an
uninterrupted one would have drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pearljoin_train.augment import Mixture, misspell
from pearljoin_train.augment.corruption import corrupt_name
from pearljoin_train.augment.editions import Editions
from pearljoin_train.common.config import Config
from pearljoin_train.data.splits import fold
from pearljoin_train.models.token_ids import TokenIds
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.training.base_vectors import VectorRows
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.neighbours import leaves

__all__ = ["Batch", "Batches", "Streams", "corrupt_view", "positive_mask", "positive_pairs"]


@dataclass(frozen=True, slots=True)
class Batch:
    """The texts of one step.

    Attributes
    ----------
    first, second
        The two views of each of n rows.
    types (n,) int64
        Number of each row's type, `UNKNOWN` where not known.
    pairs (2, m) int64
        Pairs of rows that may be the same thing, and so are no negatives of each other: in both
        orders, each row with itself among them.
    negatives
        Further texts, each a negative of every row.
    general (g,) int64
        The rows of ordinary phrases, whose similarities should stay the base model's.
    teacher (g, d) float32
        The teacher's unit vectors of the general rows; None where there is no teacher.
    tokens
        Token ids of the first views, the second and the negatives; None where they are still to be
        made.
    """

    first: list[str]
    second: list[str]
    types: np.ndarray
    pairs: np.ndarray
    negatives: list[str]
    general: np.ndarray
    teacher: np.ndarray | None
    tokens: TokenIds | None = None

    @property
    def texts(self) -> list[str]:
        """Return everything that is encoded."""
        return [*self.first, *self.second, *self.negatives]

    @property
    def same(self) -> np.ndarray:
        """Return `pairs` as a table, (n, n) bool."""
        table = np.zeros((len(self.first), len(self.first)), dtype=bool)
        table[self.pairs[0], self.pairs[1]] = True
        return table


@dataclass(frozen=True, slots=True)
class Streams:
    """The sources of each kind of row, with the base model's vectors.

    Attributes
    ----------
    aliases, paraphrases, typed, general
        The sources.
    vectors
        float32 of shape (n_phrases, dim) by source: unit vectors by which neighbours are found.
    mixture
        How views are made.
    negatives
        Mined hard negatives.
    teacher
        Vectors of the general source, whose similarities should stay; those of `vectors` where
        there are none.
    """

    aliases: Sequence[Examples]
    paraphrases: Sequence[Examples]
    typed: Examples | None
    general: Examples | None
    vectors: Mapping[str, VectorRows]
    mixture: Mixture
    negatives: HardNegatives | None = None
    teacher: VectorRows | None = None


class Batches:
    """Draws batch number `step` of a config from its streams."""

    def __init__(self, streams: Streams, config: Config) -> None:
        self._streams = streams
        self._config = config
        self._leaves = lru_cache(maxsize=len(streams.vectors))(self._make_leaves)
        self._alias_chances = _chances(streams.aliases)
        self._paraphrase_chances = _chances(streams.paraphrases)
        self._typed_chances = _balanced(streams.typed)

    def batch(self, step: int) -> Batch:
        """Return the batch of a step."""
        config, streams = self._config, self._streams
        rng = np.random.default_rng([config.seed, step])
        parts: list[tuple[Examples, np.ndarray]] = []
        if config.alias_rows and streams.aliases:
            n_sources = min(config.alias_sources, len(streams.aliases))
            chosen = rng.choice(
                len(streams.aliases), n_sources, replace=False, p=self._alias_chances
            )
            for at, size in zip(chosen, _shares(config.alias_rows, n_sources), strict=True):
                parts.append(self._grouped(streams.aliases[at], size, step, rng))
        if config.paraphrase_rows and streams.paraphrases:
            at = rng.choice(len(streams.paraphrases), p=self._paraphrase_chances)
            parts.append(self._grouped(streams.paraphrases[at], config.paraphrase_rows, step, rng))
        if config.typed_rows and streams.typed is not None:
            drawn = rng.choice(len(streams.typed), config.typed_rows, p=self._typed_chances)
            parts.append((streams.typed, drawn))
        n_before = sum(len(at) for _, at in parts)
        teacher = None
        if config.general_rows and streams.general is not None:
            part = self._grouped(streams.general, config.general_rows, step, rng)
            parts.append(part)
            taught = streams.teacher
            if taught is None:
                taught = streams.vectors.get(part[0].source)
            if config.distil_weight and taught is not None:
                teacher = taught[part[1]]
        return self._views(parts, n_before, teacher, rng)

    def _views(
        self,
        parts: list[tuple[Examples, np.ndarray]],
        n_before: int,
        teacher: np.ndarray | None,
        rng: np.random.Generator,
    ) -> Batch:
        phrases = [source.phrases[at] for source, rows in parts for at in rows]
        aliases = [source.aliases[at] for source, rows in parts for at in rows]
        types = np.concatenate([source.types[rows] for source, rows in parts])
        first: list[str] = []
        second: list[str] = []
        for number, (phrase, names) in enumerate(zip(phrases, aliases, strict=True)):
            first_view, second_view = self._two_views(phrase, names, rng)
            # A general row's first view stays the phrase itself, which the teacher has read.
            if rng.random() < 0.5 and number < n_before:
                first_view, second_view = second_view, first_view
            first.append(first_view)
            second.append(second_view)
        start = 0
        for source, rows in parts:
            rows_of_part = range(start, start + len(rows))
            start += len(rows)
            named = any(source is each for each in self._streams.aliases)
            if named and rng.random() < self._config.edition_rate:
                for row, written in _editions(rows_of_part, source, first, second, rng):
                    first[row], second[row] = written
                    phrases[row], aliases[row], types[row] = written[0], (), UNKNOWN
        drawn: list[str] = []
        if self._streams.negatives is not None and self._config.negatives:
            for phrase in phrases:
                drawn.extend(self._streams.negatives.draw(phrase, rng, self._config.negatives))
        return Batch(
            first,
            second,
            types,
            positive_pairs(phrases, aliases, first, second),
            _unknown_to(drawn, [*first, *second, *phrases], aliases),
            np.arange(n_before, len(phrases)),
            teacher,
        )

    def _two_views(
        self, phrase: str, names: Sequence[str], rng: np.random.Generator
    ) -> tuple[str, str]:
        config = self._config
        if names and rng.random() < config.phrase_rate:
            other = names[int(rng.integers(len(names)))]
            if rng.random() < config.noise_rate:
                return phrase, corrupt_view(other, rng)
            return phrase, other
        return phrase, self._streams.mixture.view(phrase, rng)

    def _grouped(
        self, source: Examples, size: int, step: int, rng: np.random.Generator
    ) -> tuple[Examples, np.ndarray]:
        """Draw rows of a source in groups of neighbours; the last group is cut."""
        if self._config.neighbours == 1 or source.source not in self._streams.vectors:
            return source, rng.choice(len(source), min(size, len(source)), replace=False)
        groups = self._leaves(source.source, step // self._config.tree_age)
        # A group may be only half full, so twice as many as full ones would do.
        needed = 2 * -(-size // self._config.neighbours)
        chosen = rng.choice(len(groups), min(needed, len(groups)), replace=False)
        return source, np.concatenate([groups[at] for at in chosen])[:size]

    def _make_leaves(self, source: str, age: int) -> list[np.ndarray]:
        rng = np.random.default_rng([self._config.seed, age, len(source), ord(source[0])])
        vectors = self._streams.vectors[source]
        window = self._config.first_window * 4**age
        rows = np.arange(len(vectors))
        if 0 < window < len(rows):
            rows = np.sort(rng.choice(len(rows), window, replace=False))
        return [rows[group] for group in leaves(vectors[rows], self._config.neighbours, rng)]


def corrupt_view(name: str, rng: np.random.Generator) -> str:
    """Return a name misspelt or corrupted, half of the time each."""
    return misspell(name, rng) if rng.random() < 0.5 else corrupt_name(name, rng)


def _editions(
    rows: range, source: Examples, first: list[str], second: list[str], rng: np.random.Generator
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Turn the rows of a source, two by two, into two editions of one name.

    Years, numbers or last words tell the two apart, and nothing else does, so that they are the
    hardest negatives of each other.
    """
    kind = str(rng.choice(["editions", "branches"]))
    editions = Editions(kind, source.phrases, rng)
    for row in rows[: len(rows) // 2 * 2 : 2]:
        first_view, second_view = first[row], second[row]
        for at, edition in enumerate(editions.draw(2)):
            yield (
                row + at,
                (editions.write(0, first_view, edition), editions.write(1, second_view, edition)),
            )


def _chances(sources: Sequence[Examples]) -> np.ndarray:
    """Return each source's sampling probability: by the square root of its size."""
    sizes = np.sqrt([len(source) for source in sources])
    return np.asarray(sizes / max(sizes.sum(), 1.0))


def _balanced(examples: Examples | None) -> np.ndarray | None:
    """Return each row's sampling probability: types by the square root of their size."""
    if examples is None:
        return None
    counts = np.bincount(examples.types, minlength=1)
    weights = 1 / np.sqrt(counts[examples.types])
    return np.asarray(weights / weights.sum())


def _shares(total: int, parts: int) -> list[int]:
    return [total * (at + 1) // parts - total * at // parts for at in range(parts)]


def positive_pairs(
    phrases: Sequence[str],
    aliases: Sequence[tuple[str, ...]],
    first: Sequence[str],
    second: Sequence[str],
) -> np.ndarray:
    """Find false negatives: rows that share a text or are known aliases; see `Batch.pairs`."""
    found = {(row, row) for row in range(len(phrases))}
    rows_of: dict[str, list[int]] = {}
    for row, texts in enumerate(zip(phrases, first, second, strict=True)):
        for text in {fold(text) for text in texts}:
            rows_of.setdefault(text, []).append(row)
    for row, names in enumerate(aliases):
        for text in _known(phrases[row], names, first[row], second[row]):
            for other in rows_of.get(text, ()):
                found |= {(row, other), (other, row)}
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2).T


def positive_mask(
    phrases: Sequence[str],
    aliases: Sequence[tuple[str, ...]],
    first: Sequence[str],
    second: Sequence[str],
) -> np.ndarray:
    """Return `positive_pairs` as a table, (n, n) bool."""
    same = np.zeros((len(phrases), len(phrases)), dtype=bool)
    same[tuple(positive_pairs(phrases, aliases, first, second))] = True
    return same


def _known(*texts: str | Sequence[str]) -> Iterator[str]:
    for text in texts:
        if isinstance(text, str):
            yield fold(text)
        else:
            yield from map(fold, text)


def _unknown_to(
    negatives: list[str], texts: list[str], aliases: list[tuple[str, ...]]
) -> list[str]:
    """Leave out the negatives that are a text, or a name of one of the rows, of the batch."""
    known = {fold(name) for names in aliases for name in names} | {fold(text) for text in texts}
    return [text for text in dict.fromkeys(negatives) if fold(text) not in known]
