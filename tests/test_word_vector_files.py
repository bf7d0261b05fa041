"""Files of word vectors: every format read back by value, and every damage named."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from pearljoin._errors import InputError
from pearljoin._weighted_words import WeightedWordEncoder
from pearljoin._word_vectors import load as load_module
from pearljoin._word_vectors import load_word_table
from pearljoin._word_vectors.fasttext import NgramRules

WORDS = ["the", "été", "x"]
MATRIX = np.array([[1.5, -2.0, 0.25], [0.0, 3.0, 1e-3], [7.0, 8.0, 9.0]], dtype=np.float32)


def text_rows() -> str:
    rows = zip(WORDS, MATRIX, strict=True)
    return "".join(f"{word} {' '.join(map(repr, row.tolist()))}\n" for word, row in rows)


def binary(line_feeds: bool) -> bytes:
    end = b"\n" if line_feeds else b""
    rows = zip(WORDS, MATRIX, strict=True)
    return b"3 3\n" + b"".join(w.encode() + b" " + row.tobytes() + end for w, row in rows)


FILES = {
    "word2vec text": f"3 3\n{text_rows()}".encode(),
    "word2vec text, gzipped": gzip.compress(f"3 3\n{text_rows()}".encode()),
    "word2vec binary": binary(line_feeds=True),
    "word2vec binary, as gensim writes it": binary(line_feeds=False),
    "GloVe": text_rows().encode(),
    "FastText .vec": f"3 3\n{text_rows()}".replace("\n", " \n").encode(),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_every_format_gives_the_vectors(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "vectors").write_bytes(content)
    found, known = load_word_table(tmp_path / "vectors").lookup([*WORDS, "absent"])
    np.testing.assert_array_equal(found, [*MATRIX, [0, 0, 0]])
    assert known.tolist() == [True, True, True, False]


@pytest.mark.parametrize("block", [1, 7, 16, 1000])
def test_binary_rows_may_lie_anywhere_in_the_blocks_read(tmp_path, monkeypatch, block) -> None:
    monkeypatch.setattr(load_module, "BLOCK", block)
    (tmp_path / "vectors").write_bytes(binary(line_feeds=True))
    found, known = load_word_table(tmp_path / "vectors").lookup(WORDS)
    np.testing.assert_array_equal(found, MATRIX)
    assert known.all()


def test_more_words_than_are_made_room_for_at_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((5_000, 4)).astype(np.float32)
    rows = b"".join(f"w{i} ".encode() + row.tobytes() for i, row in enumerate(matrix))
    (tmp_path / "vectors.bin").write_bytes(b"5000 4\n" + rows)
    table = load_word_table(tmp_path / "vectors.bin")
    found, known = table.lookup([f"w{i}" for i in range(5_001)])
    np.testing.assert_array_equal(found[:-1], matrix)
    assert known.tolist() == [True] * 5_000 + [False]
    assert len(table.matrix) == 5_000


def test_the_encoder_takes_a_path(tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_bytes(FILES["GloVe"])
    encoder = WeightedWordEncoder(str(tmp_path / "vectors.txt"), pooling="mean").fit(["the"])
    np.testing.assert_allclose(encoder.transform(["The x"]), [(MATRIX[0] + MATRIX[2]) / 2])


def test_glove_words_may_hold_spaces_and_the_first_of_two_counts(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("a 1 2\n. . . 3 4\na 5 6\n")
    found, known = load_word_table(tmp_path / "glove.txt").lookup(["a", ". . ."])
    np.testing.assert_array_equal(found, [[1, 2], [3, 4]])
    assert known.all()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "neither two counts nor a word and its numbers"),
        (b"3 3", "cut short"),
        (b"0 3\n", "holds no words"),
        (b"2 0\na\nb\n", "vectors have 0 numbers"),
        (binary(True)[:-9], "cut short"),
        (b"4 3\n" + text_rows().encode(), "names 4 words and holds 3"),
        (b"a 1 2 3\nb 1 2\n", "line of 2 numbers where 3 are due"),
        (b"a 1 nan\nb 1 2\n", "not finite"),
        (b"1 2\na 1 x\n", "cut short"),
        (b"\x80\x04\x95", "a pickle, which could run code"),
        (gzip.compress(FILES["GloVe"], mtime=0)[:-12], "cannot be read"),
        (b"<html>no vectors here</html>\n", "neither two counts"),
    ],
)
def test_damage_is_named(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "vectors").write_bytes(content)
    with pytest.raises(InputError, match=problem):
        load_word_table(tmp_path / "vectors")


class TestObjects:
    @pytest.mark.parametrize(
        ("given", "problem"),
        [
            ({}, "at least one word"),
            ({"a": [1.0], "b": [1.0, 2.0]}, "vectors of one length"),
            ({"a": [[1.0]]}, "vectors of one length"),
            ({"a": []}, "vectors of one length"),
            ({1984: [1.0], "b": [1.0]}, "are strings"),
            ({"a": ["x", "y"]}, "holds rows of numbers"),
            ({"a": [np.inf]}, "must be finite"),
            ({"a": [1e300]}, "must be finite"),
            (7, "cannot be read from this. Got int".replace(".", r"\.")),
            ("nowhere.bin", "no word vectors of this name"),
        ],
    )
    def test_what_is_no_table_is_refused(self, given, problem: str) -> None:
        with pytest.raises(InputError, match=problem):
            load_word_table(given)

    def test_gensim_keyed_vectors_and_models(self) -> None:
        gensim = pytest.importorskip("gensim.models")
        vectors = gensim.KeyedVectors(vector_size=3)
        vectors.add_vectors(WORDS, MATRIX)
        found, _ = load_word_table(vectors).lookup(WORDS)
        np.testing.assert_array_equal(found, MATRIX)
        model = gensim.Word2Vec([["a", "b"]] * 5, vector_size=4, min_count=1, seed=1)
        np.testing.assert_array_equal(load_word_table(model).lookup(["b"])[0][0], model.wv["b"])


def fasttext_bytes(buckets: int = 50, quantised: bool = False) -> bytes:
    """A FastText model of two words, with n-grams of 3 to 4 characters."""
    settings = struct.pack("<12id", 3, 5, 5, 1, 5, 1, 1, 1, buckets, 3, 4, 100, 1e-4)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 9, 0) for word in WORDS[:2])
    head = struct.pack("<ii", 793712314, 12) + settings + struct.pack("<3i2q", 2, 2, 0, 99, -1)
    rows = np.arange((2 + buckets) * 3, dtype="<f4").reshape(-1, 3)
    matrix = struct.pack("<2q", *rows.shape) + rows.tobytes()
    return head + entries + struct.pack("<?", quantised) + matrix + b"\0" * 30


class TestFastText:
    def test_a_word_is_the_mean_of_its_row_and_its_ngrams(self, tmp_path: Path) -> None:
        (tmp_path / "model.bin").write_bytes(fasttext_bytes())
        found, known = load_word_table(tmp_path / "model.bin").lookup(["the", "unheard"])
        # <th the he> <the the>
        rows = [0, *(2 + row for row in NgramRules(3, 4, 50).rows("the"))]
        assert len(rows) == 6
        np.testing.assert_allclose(found[0], 3 * np.mean(rows) + np.arange(3), rtol=1e-6)
        assert known.tolist() == [True, False]

    def test_unknown_words_come_from_their_ngrams(self, tmp_path: Path) -> None:
        (tmp_path / "model.bin").write_bytes(fasttext_bytes())
        encoder = WeightedWordEncoder(
            tmp_path / "model.bin", unknown="characters", pooling="mean"
        ).fit(["unheard"])
        rows = [2 + row for row in NgramRules(3, 4, 50).rows("unheard")]
        expected = 3 * np.mean(rows) + np.arange(3)
        np.testing.assert_allclose(encoder.transform(["unheard"])[0], expected, rtol=1e-6)

    def test_the_hash_is_fasttexts(self) -> None:
        # FNV-1a of "<a>", whose reference value is computed step by step.
        value = 2166136261
        for byte in b"<a>":
            value = ((value ^ byte) * 16777619) % 2**32
        assert NgramRules(3, 3, 2**31).rows("a") == [value % 2**31]

    @pytest.mark.parametrize(
        ("content", "problem"),
        [
            (fasttext_bytes()[:200], "cut short"),
            (fasttext_bytes(quantised=True), "quantised"),
            (fasttext_bytes().replace(b"\x0c\0\0\0", b"\x63\0\0\0", 1), "version 99"),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path: Path, content: bytes, problem: str) -> None:
        (tmp_path / "model.bin").write_bytes(content)
        with pytest.raises(InputError, match=problem):
            load_word_table(tmp_path / "model.bin")

    def test_gensim_writes_and_reads_the_same_model(self, tmp_path: Path) -> None:
        gensim = pytest.importorskip("gensim.models.fasttext")
        model = gensim.FastText(
            [["straße", "house", "horse"]] * 9, vector_size=8, min_count=1, bucket=200, seed=1
        )
        gensim.save_facebook_model(model, str(tmp_path / "model.bin"))
        table = load_word_table(tmp_path / "model.bin")
        words = ["straße", "horse"]
        np.testing.assert_allclose(table.lookup(words)[0], model.wv[words], rtol=1e-5, atol=1e-7)
        unheard = ["horses", "straßen"]
        np.testing.assert_allclose(table.compose(unheard), model.wv[unheard], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(
            load_word_table(model).compose(unheard), model.wv[unheard], rtol=1e-6
        )
