"""Phrases tokenised as one text have the ids that each has alone."""

import json
from functools import cache

import numpy as np
import pytest
from encoder_samples import BUNDLED, NAMES
from tokenizers import Tokenizer

from pearljoin._encoders.joined_pieces import JoinedPieces
from pearljoin._encoders.tokenizer import PhraseTokenizer

CONTENT = (BUNDLED / "tokenizer.json").read_bytes()
ODD = [
    "", " ", "a  b", " x ", "a\tb  c\n", "İstanbul's (old-town) £5.00", "東京都 x", "[CLS] a",
    "a[SEP]b", "[SEP]", "[", "x]", "\x1c", "a\x1cb c", "a\u200bb \u0301c", "x" * 300, "a " * 200,
    "[MASK]", " [PAD] ", "\xa0a\xa0b", "ß É", "##ing", "a ##ing", "\x00", "\ufffd", "😀 a😀b",
]  # fmt: skip
LETTERS = list("ab [](){}CLSEP\t\n\x1c\xa0é\u0301東😀#'.-0 9")


def drawn(n):
    rng = np.random.default_rng(5)
    return ["".join(rng.choice(LETTERS, rng.integers(0, 30))) for _ in range(n)]


@cache
def plain(longest):
    tokenizer = Tokenizer.from_str(CONTENT.decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer


def alone(text, longest, prefix):
    return plain(longest).encode(prefix + text).ids


@pytest.mark.parametrize(
    ("longest", "prefix"), [(128, ""), (12, ""), (64, "query: "), (6, "a name of a company: ")]
)
def test_a_phrase_has_the_ids_that_it_has_alone(longest, prefix):
    tokenizer = PhraseTokenizer(CONTENT, max_length=longest, prefix=prefix, where="it")
    texts = [*NAMES, *ODD, *drawn(600)]
    found = tokenizer(texts)
    for start, size, text in zip(found.starts, found.lengths, texts, strict=True):
        assert found.ids[start : start + size].tolist() == alone(text, longest, prefix), text


def test_what_is_cut_unknown_or_empty_is_not_covered():
    tokenizer = PhraseTokenizer(CONTENT, max_length=6, prefix="", where="it")
    texts = ["one two three", "one two three four", "one two three four five", "", "[", "😀"]
    assert tokenizer(texts).covered.tolist() == [True, True, False, False, True, False]


def test_no_phrases():
    found = PhraseTokenizer(CONTENT, max_length=6, prefix="", where="it")([])
    assert found.ids.shape == (0,)


def of(change, prefix=""):
    raw = json.loads(CONTENT)
    change(raw)
    return JoinedPieces.of(Tokenizer.from_str(json.dumps(raw)), raw, prefix, 128)


def test_only_where_the_pieces_of_a_word_hang_on_nothing_else():
    assert of(lambda raw: None) is not None
    assert of(lambda raw: None, "query: ") is not None
    assert of(lambda raw: None, "query:") is None
    assert of(lambda raw: raw.update(normalizer=None)) is None
    for name in ("pad", "a[", "x[SEP]", "[SEP]b", "[a b]"):
        assert of(lambda raw, name=name: raw["added_tokens"][0].update(content=name)) is None
    assert of(lambda raw: raw["model"].update(unk_token="[SEP]")) is None
    separator = next(t for t in json.loads(CONTENT)["added_tokens"] if t["content"] == "[SEP]")
    at = json.loads(CONTENT)["added_tokens"].index(separator)
    assert of(lambda raw: raw["added_tokens"][at].update(lstrip=True)) is None
