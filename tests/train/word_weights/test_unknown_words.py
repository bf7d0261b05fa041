"""A trained character encoder in a table of word vectors: misspelt words are not lost."""

from random import Random

import numpy as np
import pytest

from pearljoin import WeightedWordEncoder
from pearljoin_train.augment.character import misspell
from pearljoin_train.models.love.vocabulary import LoveVocabulary

torch = pytest.importorskip("torch")

from pearljoin_train.models.love.encoder import LoveEncoder  # noqa: E402
from pearljoin_train.models.love.network import LoveConfig, build  # noqa: E402
from pearljoin_train.models.love.targets import Targets  # noqa: E402
from pearljoin_train.models.love.training import LoveTraining, train_love  # noqa: E402

DIM = 8


@pytest.fixture(scope="module")
def table() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    letters = list("abcdefghijklmnoprstuvw")
    return {"".join(rng.choice(letters, 8)): 5 * rng.standard_normal(DIM) for _ in range(80)}


@pytest.fixture(scope="module")
def characters(table) -> LoveEncoder:
    vectors = np.array(list(table.values()), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    vocabulary = LoveVocabulary.learn(table, size=200)
    config = LoveConfig(vocabulary_size=len(vocabulary), dim=DIM, dropout=0.0)
    love = build(config, seed=0)
    training = LoveTraining(epochs=80, batch=16, learning_rate=5e-3, decay=1.0)
    train_love(love, vocabulary, Targets(list(table), vectors), training, verbose=False)
    return LoveEncoder(love, vocabulary)


def cosines_with_the_right_texts(table, unknown) -> np.ndarray:
    """Cosine of each text of two words with itself, its second word misspelt."""
    words, rng = list(table), Random(1)
    misspelt = [misspell(word, rng) for word in words]
    assert not set(words) & set(misspelt)
    encoder = WeightedWordEncoder(
        table, unknown=unknown, pooling="mean", document_frequencies=({}, 9), verbose=False
    ).fit([])
    pairs = list(zip(words[1:] + words[:1], words, misspelt, strict=True))
    right = encoder.encode([f"{known} {word}" for known, word, _ in pairs])
    found = encoder.encode([f"{known} {wrong}" for known, _, wrong in pairs])
    return np.einsum("ij,ij->i", right, found)


def test_misspelt_words_come_nearer_than_by_skipping_them(table, characters) -> None:
    skipped = cosines_with_the_right_texts(table, "skip")
    imputed = cosines_with_the_right_texts(table, characters)
    assert imputed.mean() > skipped.mean() + 0.05
    assert (imputed > skipped).mean() > 0.7


def test_a_saved_encoder_does_the_same(table, characters, tmp_path) -> None:
    characters.save(tmp_path / "characters")
    saved = LoveEncoder.load(tmp_path / "characters")
    np.testing.assert_allclose(
        cosines_with_the_right_texts(table, saved),
        cosines_with_the_right_texts(table, characters),
        atol=1e-4,
    )


def test_imputed_words_are_as_long_as_the_tables(table, characters) -> None:
    encoder = WeightedWordEncoder(
        table, unknown=characters, pooling="mean", document_frequencies=({}, 9), verbose=False
    ).fit([])
    usual = np.median(np.linalg.norm(list(table.values()), axis=1))
    lengths = np.linalg.norm(encoder.transform(["zzyzx", "quartz"]), axis=1)
    np.testing.assert_allclose(lengths, usual, rtol=1e-5)
