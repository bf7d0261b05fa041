"""A classifier of names by entity type: hashed character n-grams, linear model.

It sees a name alone, without its sentence, so it is weaker than a tagger of running text; but it
needs no download, runs at thousands of names a second, and its file holds numbers only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_union

from pearljoin._atomic import atomic_file
from pearljoin._errors import ModelError
from pearljoin_train.corpus.phrase_types import TYPED_ENTITIES, entity_of, fine_type
from pearljoin_train.data import find
from pearljoin_train.data.alias_pairs import ALIAS_PAIRS, read_alias_pairs, read_fields

__all__ = ["NameClassifier", "TypedName", "classifier_scores", "typed_names"]

TypedName = tuple[str, str, str]
"""A name, its entity type, and the source that says so."""

FEATURES = 2**18
# A list must not drown the others, nor a type the rest.
NAMES_A_SOURCE = 12_000
NAMES_A_TYPE = 25_000
# Class A, and GeoNames, which is open upstream.
LICENCE = "A"
OTHER_SOURCES = frozenset({"geonames_cities15000"})
CLASS_A_TYPED = (
    "mtlbio_",
    "crossner_",
    "btc",
    "wnut17",
    "wikigold",
    "gum",
    "litbank",
    "sec_filings",
)
# The grammar and the short lists know these better.
LISTED = frozenset({"DATE", "LANGUAGE", "NORP", "MONEY"})
# Abbreviated as no text writes it, and common nouns.
LEFT_OUT = frozenset({"financedatabase_companies", "oewn_synonyms"})


def typed_names(folder: Path | None = None) -> list[TypedName]:
    """Read the names that the classifier learns from.

    Parameters
    ----------
    folder
        The data folder; by default the one in force.

    Returns
    -------
    names
        Names with a capital letter, each once, from the lists of licence class A and GeoNames; at
        most 12,000 a source and type, and 25,000 a type. In file order, thinned evenly.

    Raises
    ------
    DataMissingError, DataDamagedError
        If the lists are not there, or a line has not all its fields.
    """
    by_group: dict[tuple[str, str], dict[str, None]] = {}
    for name, entity, source in _candidates(folder):
        if name != name.lower() and entity not in LISTED:
            by_group.setdefault((entity, source), {})[name] = None
    by_type: dict[str, dict[str, str]] = {}
    for (entity, source), names in by_group.items():
        group = by_type.setdefault(entity, {})
        group |= dict.fromkeys(_thinned(list(names), NAMES_A_SOURCE), source)
    return [
        (name, entity, group[name])
        for entity, group in by_type.items()
        for name in _thinned(list(group), NAMES_A_TYPE)
    ]


def _candidates(folder: Path | None) -> Iterator[TypedName]:
    for phrase, label, _, source in read_fields(find(TYPED_ENTITIES, folder), 4):
        if source.startswith(CLASS_A_TYPED):
            yield from _typed(phrase, source, label)
    for pair in read_alias_pairs(find(ALIAS_PAIRS, folder)):
        is_open = pair.licence == LICENCE or pair.source in OTHER_SOURCES
        if is_open and not pair.benchmarks and pair.source not in LEFT_OUT:
            yield from _typed(pair.name, pair.source, pair.kind)


def _typed(name: str, source: str, label: str) -> Iterator[TypedName]:
    fine = fine_type(source, label, name)
    if fine is not None:
        yield name, entity_of(fine), source


def _thinned(names: list[str], limit: int) -> list[str]:
    step = max(1.0, len(names) / limit)
    return [names[int(place * step)] for place in range(min(limit, len(names)))]


def _vectorizer() -> Any:
    """Return the features: n-grams of characters within words, and whole words."""
    characters = HashingVectorizer(
        analyzer="char_wb", ngram_range=(1, 5), n_features=FEATURES, lowercase=False
    )
    words = HashingVectorizer(
        analyzer="word", ngram_range=(1, 2), n_features=FEATURES, token_pattern=r"\S+"
    )
    whole = HashingVectorizer(analyzer=_whole, n_features=FEATURES)
    return make_union(characters, words, whole)


def _whole(name: str) -> list[str]:
    return [name]


def _weights(types: Sequence[str]) -> NDArray[np.float64]:
    # By the root of a type's rarity: unweighted, types of few names are hardly ever given.
    numbers = Counter(types)
    most = max(numbers.values())
    return np.array([(most / numbers[kind]) ** 0.5 for kind in types])


@dataclass(frozen=True)
class NameClassifier:
    """A linear model over hashed n-grams of a name.

    Attributes
    ----------
    types
        The entity types it knows.
    weights
        float16 of shape (features, n_types).
    bias
        float32 of shape (n_types,).
    """

    types: tuple[str, ...]
    weights: NDArray[np.float16]
    bias: NDArray[np.float32]

    @classmethod
    def learn(cls, names: Iterable[TypedName], *, seed: int = 0) -> NameClassifier:
        """Learn from typed names."""
        texts, types, _ = zip(*names, strict=True)
        model = SGDClassifier(loss="log_loss", alpha=2e-6, max_iter=12, tol=None, random_state=seed)
        model.fit(_vectorizer().transform(texts), types, sample_weight=_weights(types))
        return cls(
            tuple(str(kind) for kind in model.classes_),
            np.ascontiguousarray(model.coef_.T, dtype=np.float16),
            model.intercept_.astype(np.float32),
        )

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the entity type of each name."""
        if not names:
            return []
        scores = _vectorizer().transform(names) @ self.weights.astype(np.float32) + self.bias
        return [self.types[best] for best in np.argmax(scores, axis=1)]

    def save(self, path: Path) -> None:
        """Write the model to an .npz file, whole or not at all."""
        with atomic_file(path, parents=True) as temporary, temporary.open("wb") as file:
            np.savez_compressed(
                file, types=np.array(self.types), weights=self.weights, bias=self.bias
            )

    @classmethod
    def load(cls, path: Path) -> NameClassifier:
        """Read a model that `save` wrote."""
        if not path.is_file():
            raise ModelError(
                f"There is no classifier of names. Got: {str(path)!r}. Hint: train one by "
                "`python -m pearljoin_train corpus models`."
            )
        with np.load(path, allow_pickle=False) as held:
            types = tuple(str(kind) for kind in held["types"])
            return cls(types, held["weights"], held["bias"])


def classifier_scores(
    model: NameClassifier, names: Sequence[TypedName]
) -> dict[str, tuple[float, int]]:
    """Measure a classifier.

    Returns
    -------
    scores
        Recall (0 to 1) and number of names by type; under "accuracy" those of all of them.
    """
    found = model([name for name, _, _ in names])
    hits = [kind == guess for (_, kind, _), guess in zip(names, found, strict=True)]
    scores = {"accuracy": (float(np.mean(hits)), len(hits))}
    for kind in sorted({kind for _, kind, _ in names}):
        of_kind = [hit for hit, (_, true, _) in zip(hits, names, strict=True) if true == kind]
        scores[kind] = (float(np.mean(of_kind)), len(of_kind))
    return scores
