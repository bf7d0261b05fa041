"""Averaged word vectors, as the paper's GloVe and FastText rows: read from files, or trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pearljoin import Encoder, InputError, ModelError, WeightedWordEncoder
from pearljoin_train.word_weights.texts import novels, wikipedia_sentences, wikitext
from pearljoin_train.word_weights.vectors import SKIPGRAM, trained_table

__all__ = ["averaged", "trained_on_text", "vectors_from_file"]


def averaged(vectors: Any, *, subwords: bool = False) -> Encoder:
    """Return the encoder whose vectors are means of word vectors.

    Parameters
    ----------
    vectors
        A file, a gensim ``KeyedVectors`` or a mapping, as `WeightedWordEncoder` takes them.
    subwords
        Whether unknown words get vectors from their n-grams, as FastText's binary files allow.

    Examples
    --------
    >>> encoder = averaged({"red": [1.0, 0.0], "apple": [0.0, 1.0]})
    >>> encoder.encode(["red apple", "pear"]).round(3).tolist()
    [[0.7070000171661377, 0.7070000171661377], [0.0, 0.0]]
    """
    unknown: Literal["characters", "skip"] = "characters" if subwords else "skip"
    # A mean needs no document frequencies, so an empty count stands in for them.
    encoder = WeightedWordEncoder(
        vectors, pooling="mean", document_frequencies=({}, 1), unknown=unknown, verbose=False
    )
    return encoder.fit([])


def vectors_from_file(path: str) -> Encoder:
    """Return averaged word vectors of a GloVe, word2vec or FastText file, text or binary.

    Raises
    ------
    ModelError
        If the file is not there or cannot be read.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise ModelError(
            f"There is no file of word vectors. Got {str(file)!r}. Hint: fetch GloVe or FastText "
            "vectors and give the file's path after the colon."
        )
    try:
        with file.open("rb") as opened:
            is_fasttext_model = opened.read(4) == FASTTEXT_MAGIC
        return averaged(str(file), subwords=is_fasttext_model)
    except InputError as error:
        raise ModelError(f"The word vectors in {str(file)!r} cannot be read. {error}") from error


FASTTEXT_MAGIC = (793712314).to_bytes(4, "little")
"""What FastText's own binary files start with; they hold n-grams, other formats do not."""


def trained_on_text() -> Encoder:
    """Return averaged skip-gram vectors trained on the data folder's running text, and cached."""
    texts = [words for article in wikitext() for words in article.paragraphs]
    texts += wikipedia_sentences()
    texts += [words for article in novels() for words in article.paragraphs]
    return averaged(trained_table(SKIPGRAM, texts))
