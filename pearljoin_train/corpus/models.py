"""Train the chunker and the classifier of names, and evaluate them on held-out data."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from pearljoin_train.corpus.chunker import Chunker, chunk_spans
from pearljoin_train.corpus.entities import ListedTypes
from pearljoin_train.corpus.lexicons import QUOTES, Chunked, Tagged, brown, conll2000, treebank
from pearljoin_train.corpus.names import (
    NameClassifier,
    TypedName,
    classifier_scores,
    typed_names,
)
from pearljoin_train.corpus.phrase_types import LEXICAL_TYPES
from pearljoin_train.corpus.phrases import countable
from pearljoin_train.corpus.sentence import Sentence, Span
from pearljoin_train.corpus.sequences import (
    SequenceModel,
    chunk_features,
    tag_features,
    train_sequences,
)
from pearljoin_train.data import cache_folder, find

__all__ = [
    "Scores",
    "default_folder",
    "load_chunker",
    "load_names",
    "train_chunker",
    "train_names",
]

TAGGER, CHUNKER, NAMES = "tagger.crfsuite", "chunker.crfsuite", "names.npz"
Scores = dict[str, tuple[float, int]]
"""What was measured: a share from 0 to 1, and of how many."""

# The last tenth of the treebank sample, and one name in twenty, are measured on and never learned.
HELD_OUT_SENTENCES = 10
HELD_OUT_NAMES = 20
# A list that no other is made from, left out of a second run: names of Wikipedia articles.
UNSEEN_SOURCE = "wikigold"


def default_folder() -> Path:
    """Return where trained models are kept: beside the cached data."""
    return cache_folder().parent / "corpus_models"


def load_chunker(folder: Path) -> Chunker:
    """Load the chunker of a folder.

    Raises
    ------
    ModelError
        If it has not been trained.
    """
    return Chunker(SequenceModel(folder / TAGGER), SequenceModel(folder / CHUNKER))


def load_names(folder: Path) -> ListedTypes:
    """Load the entity types of a folder.

    Raises
    ------
    ModelError
        If they have not been trained.
    """
    return ListedTypes(NameClassifier.load(folder / NAMES))


def train_chunker(folder: Path, data: Path | None = None) -> Scores:
    """Train tagger and chunker, write them, and measure them.

    The tagger learns from the Brown corpus and nine tenths of the treebank sample. The chunker
    learns from CoNLL-2000, tagged by that tagger, which has not seen it: so it learns what to make
    of the tagger's mistakes.

    Parameters
    ----------
    folder
        Where the models go.
    data
        The data folder; by default the one in force.

    Returns
    -------
    scores
        "tags": accuracy on the held-out treebank. "chunks": F1 on the test part of CoNLL-2000.
        "NP precision", "NP recall" and so on: composed phrases of up to 8 words against the
        constituents of the held-out treebank.
    """
    parsed = list(treebank(find("lexicon/treebank.zip", data)))
    cut = len(parsed) - len(parsed) // HELD_OUT_SENTENCES
    tagged: list[Tagged] = [*brown(find("lexicon/brown.zip", data)), *map(_tagged, parsed[:cut])]
    train_sequences(((tag_features(words), tags) for words, tags in tagged), folder / TAGGER)
    tagger = SequenceModel(folder / TAGGER)

    chunked = conll2000(find("lexicon/conll2000.zip", data), "train")
    examples = (
        (chunk_features(words, tagger(tag_features(words))), chunks) for words, _, chunks in chunked
    )
    train_sequences(examples, folder / CHUNKER)
    chunker = load_chunker(folder)
    test = list(conll2000(find("lexicon/conll2000.zip", data), "test"))
    return {
        "tags": _tag_accuracy(tagger, parsed[cut:]),
        "chunks": _chunk_f1(chunker, test),
    } | _constituents(chunker, parsed[cut:])


def _tagged(sentence: Sentence) -> Tagged:
    return [QUOTES.get(word, word) for word in sentence.tokens], list(sentence.tags)


def _tag_accuracy(tagger: SequenceModel, sentences: Iterable[Sentence]) -> tuple[float, int]:
    hits = [
        guess == tag
        for words, tags in map(_tagged, sentences)
        for guess, tag in zip(tagger(tag_features(words)), tags, strict=True)
    ]
    return sum(hits) / len(hits), len(hits)


def _chunk_f1(chunker: Chunker, sentences: Iterable[Chunked]) -> tuple[float, int]:
    right = found = true = 0
    for words, _, marks in sentences:
        tags = chunker.tagger(tag_features(words))
        guessed = set(chunk_spans(chunker.chunker(chunk_features(words, tags))))
        known = set(chunk_spans(marks))
        right, found, true = right + len(guessed & known), found + len(guessed), true + len(known)
    return 2 * right / (found + true), true


def _constituents(chunker: Chunker, sentences: Sequence[Sentence]) -> Scores:
    right: Counter[str] = Counter()
    found: Counter[str] = Counter()
    true: Counter[str] = Counter()
    for sentence in sentences:
        known = _spans(sentence)
        guessed = _spans(chunker.parse(_tagged(sentence)[0]))
        right.update(span.lexical for span in known & guessed)
        found.update(span.lexical for span in guessed)
        true.update(span.lexical for span in known)
    scores: Scores = {}
    for kind in LEXICAL_TYPES:
        scores[f"{kind} precision"] = (right[kind] / max(found[kind], 1), found[kind])
        scores[f"{kind} recall"] = (right[kind] / max(true[kind], 1), true[kind])
    return scores


def _spans(sentence: Sentence) -> set[Span]:
    return set(countable(sentence, max_words=8).spans)


def train_names(folder: Path, data: Path | None = None) -> Scores:
    """Train the classifier of names, write it, and measure it.

    Returns
    -------
    scores
        Accuracy and recall by type on one name in twenty, held out of the model that is written;
        and under "wikigold ..." those of a second model on a source of which it has seen no name.
    """
    names = typed_names(data)
    seen = [name for name in names if not _is_held_out(name)]
    model = NameClassifier.learn(seen)
    model.save(folder / NAMES)
    scores = classifier_scores(model, [name for name in names if _is_held_out(name)])
    unseen = [name for name in names if name[2] == UNSEEN_SOURCE]
    if not unseen:
        return scores
    without = NameClassifier.learn([name for name in seen if name[2] != UNSEEN_SOURCE])
    elsewhere = classifier_scores(without, unseen)
    return scores | {f"{UNSEEN_SOURCE} {kind}": score for kind, score in elsewhere.items()}


def _is_held_out(name: TypedName) -> bool:
    return zlib.crc32(name[0].encode()) % HELD_OUT_NAMES == 0
