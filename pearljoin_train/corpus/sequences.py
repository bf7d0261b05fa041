"""Sequence models over words: a part-of-speech tagger and a chunker, conditional random fields.

The features are those common since Sha and Pereira (2003); CRFsuite's averaged perceptron learns
them in seconds, and the model file it writes holds numbers only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pearljoin._atomic import atomic_file
from pearljoin._errors import ModelError
from pearljoin._optional import require

__all__ = ["SequenceModel", "chunk_features", "tag_features", "train_sequences"]

PASSES = 10
EDGE = "|"
REPEATED = re.compile(r"(.)\1+")
Features = list[list[str]]


def tag_features(words: Sequence[str]) -> Features:
    """Describe each word to the tagger: itself, its ends and shape, and its neighbours."""
    low = [EDGE, EDGE, *(word.lower() for word in words), EDGE, EDGE]
    return [_word_features(words[place], low[place : place + 5]) for place in range(len(words))]


def _word_features(word: str, window: list[str]) -> list[str]:
    second_before, before, low, after, second_after = window
    features = [
        f"w={low}",
        f"s={_shape(word)}",
        f"p={low[:2]}",
        f"-1={before}",
        f"+1={after}",
        f"-2={second_before}",
        f"+2={second_after}",
        f"-1e={before[-3:]}",
        f"+1e={after[-3:]}",
    ]
    return features + [f"e{n}={low[-n:]}" for n in (1, 2, 3, 4) if len(low) > n]


def _shape(word: str) -> str:
    return REPEATED.sub(r"\1", "".join(map(_kind, word)))


def _kind(sign: str) -> str:
    if sign.isalpha():
        return "X" if sign.isupper() else "x"
    return "d" if sign.isdigit() else sign


def chunk_features(words: Sequence[str], tags: Sequence[str]) -> Features:
    """Describe each word to the chunker: words and tags two to each side, and their pairs."""
    low = [EDGE, EDGE, *(word.lower() for word in words), EDGE, EDGE]
    tag = [EDGE, EDGE, *tags, EDGE, EDGE]
    features = []
    for place in range(2, len(words) + 2):
        a, b, c, d, e = tag[place - 2 : place + 3]
        v, w, x, y, z = low[place - 2 : place + 3]
        words_near = [f"-2={v}", f"-1={w}", f"w={x}", f"+1={y}", f"+2={z}"]
        tags_near = [f"t-2={a}", f"t-1={b}", f"t={c}", f"t+1={d}", f"t+2={e}"]
        pairs = [f"w-={w}_{x}", f"w+={x}_{y}", f"t-={b}_{c}", f"t+={c}_{d}"]
        triples = [f"t--={a}_{b}_{c}", f"t++={c}_{d}_{e}", f"t-+={b}_{c}_{d}"]
        features.append([*words_near, *tags_near, *pairs, *triples])
    return features


def train_sequences(examples: Iterable[tuple[Features, list[str]]], path: Path) -> None:
    """Learn a sequence model and write it to a file, whole or not at all."""
    trainer = _crfsuite().Trainer(algorithm="ap", verbose=False)
    for features, labels in examples:
        trainer.append(features, labels)
    trainer.set_params({"max_iterations": PASSES})
    with atomic_file(path, parents=True) as temporary:
        trainer.train(str(temporary))


class SequenceModel:
    """A trained sequence model that labels all items of a sequence jointly."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ModelError(
                f"There is no sequence model. Got: {str(path)!r}. Hint: train one by "
                "`python -m pearljoin_train corpus models`."
            )
        self.path = path
        self._tagger: Any = _crfsuite().Tagger()
        self._tagger.open(str(path))

    def __call__(self, features: Features) -> list[str]:
        """Return one label for each item."""
        labels: list[str] = self._tagger.tag(features)
        return labels

    def __reduce__(self) -> tuple[type[SequenceModel], tuple[Path]]:
        return SequenceModel, (self.path,)


def _crfsuite() -> Any:
    return require("pycrfsuite", extra="train", purpose="The chunker")
