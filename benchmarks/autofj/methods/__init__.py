"""Every method by name."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.autofj.methods._protocol import Method, MethodAbsentError, Outcome, Rule
from pearljoin._errors import InputError

__all__ = ["Method", "MethodAbsentError", "Outcome", "Rule", "make_method", "method_names"]


def _jaccard() -> Method:
    from benchmarks.autofj.methods import lexical

    return lexical.Lexical("string-distance", lexical.jaccard, ("scikit-learn", "numpy"))


def _tfidf_chars() -> Method:
    from benchmarks.autofj.methods import lexical

    fit = lexical.tfidf(analyzer="char_wb", ngram_range=(2, 4))
    return lexical.Lexical("tfidf-chars", fit, ("scikit-learn", "numpy"))


def _tfidf_words() -> Method:
    from benchmarks.autofj.methods import lexical

    # Words of one letter too: scikit-learn leaves them out by default, and initials tell apart.
    fit = lexical.tfidf(token_pattern=r"(?u)\b\w+\b")
    return lexical.Lexical("tfidf-words", fit, ("scikit-learn", "numpy"))


def _rapidfuzz() -> Method:
    from benchmarks.autofj.methods import lexical

    return lexical.Lexical("rapidfuzz", lexical.rapidfuzz_ratio, ("rapidfuzz", "numpy"))


def _pearljoin(name: str = "pearljoin", encoder: str = "default") -> Method:
    from benchmarks.autofj.methods.ours import PearljoinJoin

    return PearljoinJoin(name, encoder)


def _encoder(name: str = "pearljoin-encoder", spec: str = "default") -> Method:
    from benchmarks.autofj.methods.encoders import EncoderCosine

    return EncoderCosine(name, spec)


def _minilm() -> Method:
    from benchmarks.autofj.methods.encoders import EncoderCosine, minilm_folder

    return EncoderCosine("minilm-float32", minilm_folder)


def _weighted_words() -> Method:
    import pearljoin as pj
    from benchmarks.autofj.methods.encoders import FittedCosine

    return FittedCosine("weighted-words", pj.WeightedWordEncoder())


def _peer(name: str, rule: Rule, *packages: str) -> Callable[[], Method]:
    def make() -> Method:
        from benchmarks.autofj.methods.peer import PeerMethod

        return PeerMethod(name, rule, packages)

    return make


_METHODS: dict[str, Callable[[], Method]] = {
    "pearljoin": _pearljoin,
    "pearljoin-encoder": _encoder,
    "minilm-float32": _minilm,
    "weighted-words": _weighted_words,
    "string-distance": _jaccard,
    "tfidf-chars": _tfidf_chars,
    "tfidf-words": _tfidf_words,
    "rapidfuzz": _rapidfuzz,
    "skrub": _peer("skrub", "accepts all", "skrub", "scikit-learn", "numpy", "pandas"),
    "autofj": _peer("autofj", "precision target", "autofj", "pandas", "numpy"),
    "linktransformer": _peer(
        "linktransformer", "accepts all", "linktransformer", "sentence-transformers", "torch"
    ),
    "string_grouper": _peer(
        "string_grouper", "fixed threshold", "string_grouper", "scikit-learn", "numpy", "pandas"
    ),
    "polyfuzz": _peer("polyfuzz", "accepts all", "polyfuzz", "scikit-learn", "numpy", "pandas"),
}


def method_names() -> list[str]:
    """Return the names of the methods that a run without ``--method`` tries."""
    return list(_METHODS)


def make_method(name: str) -> Method:
    """Make a method.

    Parameters
    ----------
    name
        One of `method_names`; or ``encoder:NAME``, the cosine of any encoder that
        `pearljoin.load_encoder` knows; or ``pearljoin:NAME``, our join over that encoder.

    Raises
    ------
    InputError
        If there is no such method.
    """
    kind, _, spec = name.partition(":")
    if spec and kind == "encoder":
        return _encoder(name, spec)
    if spec and kind == "pearljoin":
        return _pearljoin(name, spec)
    if name not in _METHODS:
        known = ", ".join([*_METHODS, "encoder:NAME", "pearljoin:NAME"])
        raise InputError(f"There is no method of that name. Got {name!r}. Hint: one of {known}.")
    return _METHODS[name]()
