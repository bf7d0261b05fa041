"""The methods that need no model, each on titles whose answer can be seen."""

from types import SimpleNamespace

import numpy as np
import pytest

import pearljoin as pj
from benchmarks.autofj.methods import make_method, method_names
from benchmarks.autofj.methods.lexical import Lexical, accept_all, jaccard, trigrams
from pearljoin._errors import InputError

REFERENCE = ["Rome, Italy", "Paris, France", "Lima, Peru"]
QUERIES = ["Paris (France)", "Lima (Peru)", "Rome (Italy)"]


@pytest.mark.parametrize("name", ["string-distance", "tfidf-chars", "tfidf-words", "rapidfuzz"])
def test_a_similarity_finds_the_near_title_and_accepts_every_row(name):
    outcome = make_method(name).run(QUERIES, REFERENCE, 0.9)
    assert outcome.best.tolist() == [1, 2, 0]
    assert outcome.pairs == [(0, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize("name", ["string-distance", "tfidf-chars", "tfidf-words", "rapidfuzz"])
def test_equal_scores_go_to_the_title_that_stands_first(name):
    outcome = make_method(name).run(["Rome"], ["Paris", "Rome", "Rome"], 0.9)
    assert outcome.best.tolist() == [1]


def test_jaccard_by_hand():
    # abcd: {abc, bcd}; abce: {abc, bce}: 1 shared of 3. xy is its own only gram.
    compare = jaccard(["ABCD", "xy"], ["abce", "xy", "abcd"])
    expected = [[1 / 3, 0, 1], [0, 1, 0]]
    np.testing.assert_allclose(compare(["ABCD", "xy"], []), expected, rtol=1e-6)


def test_trigrams_of_short_and_empty_strings():
    assert trigrams("ab") == ["ab"]
    assert trigrams("") == [""]


def test_queries_are_compared_in_blocks(monkeypatch):
    monkeypatch.setattr("benchmarks.autofj.methods.lexical.QUERIES_AT_ONCE", 2)
    outcome = Lexical("string-distance", jaccard, ()).run(QUERIES, REFERENCE, 0.9)
    assert outcome.best.tolist() == [1, 2, 0]


def test_a_query_without_a_best_title_makes_no_pair():
    outcome = accept_all([2, -1], [0.5, 0.0])
    assert outcome.pairs == [(0, 2)]
    assert outcome.best.dtype == np.int64


class LettersEncoder:
    """Counts of a to z, in unit rows."""

    dim = 26

    def __init__(self):
        self.asked: list[str] = []

    def encode(self, phrases):
        self.asked += phrases
        counts = np.array([[p.lower().count(chr(97 + i)) for i in range(26)] for p in phrases])
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


def test_an_encoder_encodes_each_distinct_phrase_once(monkeypatch):
    encoder = LettersEncoder()
    monkeypatch.setattr(pj, "load_encoder", lambda spec: encoder, raising=False)
    method = make_method("encoder:letters")
    outcome = method.run(["emor", "emor"], ["paris", "rome", "rome"], 0.9)
    assert outcome.best.tolist() == [1, 1]
    assert outcome.score.tolist() == pytest.approx([1.0, 1.0])
    method.run(["emor"], ["paris"], 0.9)
    assert sorted(encoder.asked) == ["emor", "paris", "rome"]
    assert method.name == "encoder:letters"


def test_vectors_are_kept_in_a_folder_between_runs(monkeypatch, tmp_path):
    encoder = LettersEncoder()
    monkeypatch.setattr(pj, "load_encoder", lambda spec: encoder, raising=False)
    for _ in range(2):
        method = make_method("encoder:letters")
        method.vectors = tmp_path / "vectors"
        assert method.run(["emor"], ["paris", "rome"], 0.9).best.tolist() == [1]
    assert sorted(encoder.asked) == ["emor", "paris", "rome"]


class MadeUpResult:
    """What `pearljoin.match` returns, as far as the benchmark looks at it."""

    def matches(self, threshold=None):
        rows = {0.0: ([0, 2], [1, 0], [0.9, 0.1]), None: ([0], [1], [0.9])}[threshold]
        left, right = (np.array(each, dtype=np.int64) for each in rows[:2])
        return SimpleNamespace(left=left, right=right, score=np.array(rows[2], dtype=np.float32))


def test_our_join_is_decided_twice_from_one_match(monkeypatch):
    asked = []

    def match(left, right, **options):
        asked.append((left, right, options["precision"], options["encoder"]))
        return MadeUpResult()

    monkeypatch.setattr(pj, "match", match, raising=False)
    outcome = make_method("pearljoin").run(("a", "b", "c"), ("x", "y"), 0.8)
    assert asked == [(["a", "b", "c"], ["x", "y"], 0.8, "default")]
    assert outcome.best.tolist() == [1, -1, 0]
    assert outcome.score.tolist() == pytest.approx([0.9, 0.0, 0.1])
    assert outcome.pairs == [(0, 1)]


def test_names():
    assert {"pearljoin", "pearljoin-encoder", "skrub", "autofj"} <= set(method_names())
    assert [make_method(name).name for name in method_names()] == method_names()
    with pytest.raises(InputError, match=r"no method of that name. Got 'nope'. Hint: one of pearl"):
        make_method("nope")
