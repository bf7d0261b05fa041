"""The n-gram encoder of a model folder: words, n-grams, and untrusted files."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from zlib import crc32

import numpy as np
import pytest
from encoder_samples import BUNDLED
from hypothesis import given
from hypothesis import strategies as st

from pearljoin import load_encoder
from pearljoin._encoders.ngrams import NgramPart, word_grams
from pearljoin._errors import ModelError

BUCKETS = 64
NAMES = ["Uppsala University", "New York", "Zürich ZÜRICH", "", "🎉 !", "東京都", "a\ud800b"]


@pytest.fixture(scope="module")
def part() -> NgramPart:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(BUCKETS, 5)).astype(np.float32)
    return NgramPart(table, rng.normal(size=BUCKETS).astype(np.float32), 0.5)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_ngrams_of_a_word_are_its_pieces_and_its_whole() -> None:
    found = word_grams(["Ab"], BUCKETS)
    pieces = ["<ab>", "<a", "ab", "b>", "<ab", "ab>", "<ab>"]
    assert found.grams.tolist() == [crc32(piece.encode()) % BUCKETS for piece in pieces]


def test_a_phrase_is_the_sum_of_its_weighted_words(part: NgramPart) -> None:
    def word(text: str) -> np.ndarray:
        grams = word_grams([text], BUCKETS).grams
        return unit(part.table[grams].sum(0)) * np.exp(part.gates[grams].mean())

    found = part.encode(["new york new"])[0]
    total = 2 * word("new") + word("york")
    np.testing.assert_allclose(found, total / np.sqrt(1 + total @ total), atol=1e-6)


def test_words_that_say_little_make_a_short_phrase() -> None:
    table = np.ones((BUCKETS, 2), np.float32)
    quiet, loud = (
        NgramPart(table, np.full(BUCKETS, gate, np.float32), 1.0) for gate in (-3.0, 3.0)
    )
    assert np.linalg.norm(quiet.encode(["the plan"])) < 0.1
    assert 0.99 < np.linalg.norm(loud.encode(["the plan"])) < 1


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Zürich", "zurich"),
        ("O'Casey & Co.", "o casey co"),
        ("A_B", "b a"),
        ("Acme™", "acmetm"),
        ("№ 5", "no 5"),
        ("İzmir", "izmir"),
    ],
)
def test_case_accents_punctuation_and_order_are_gone(part: NgramPart, one: str, two: str) -> None:
    np.testing.assert_allclose(*part.encode([one, two]), atol=1e-6)


def test_vowel_signs_do_not_part_words() -> None:
    assert len(word_grams(["हिन्दी भाषा"], BUCKETS).words) == 2
    assert len(word_grams(["ภาษาไทย"], BUCKETS).words) == 1


def test_long_columns_are_read_in_parts(part: NgramPart, monkeypatch) -> None:
    phrases = [f"name {n % 7} of {n}" for n in range(50)]
    whole = part.encode(phrases)
    monkeypatch.setattr("pearljoin._encoders.ngrams._CHARACTERS_AT_ONCE", 40)
    assert np.array_equal(part.encode(phrases), whole)


def test_a_long_text_takes_no_time(part: NgramPart) -> None:
    text = "".join(chr(97 + n % 26) + " " * (n % 5 == 0) for n in range(10**6))
    assert np.array_equal(part.encode([text]), part.encode([text[:4096]]))


def test_a_phrase_without_a_word_has_zeros(part: NgramPart) -> None:
    assert not part.encode(["", "   "]).any()
    assert part.encode(["🎉"]).any()
    assert part.encode([]).shape == (0, 5)


@given(st.lists(st.text(max_size=40), max_size=8), st.integers(0, 100))
def test_any_text_in_any_company_has_one_vector(phrases: list[str], seed: int) -> None:
    rng = np.random.default_rng(0)
    part = NgramPart(rng.normal(size=(9, 3)).astype(np.float32), np.zeros(9, np.float32), 1.0)
    order = np.random.default_rng(seed).permutation(len(phrases))
    together = part.encode([*phrases, "and others"])
    assert np.isfinite(together).all()
    for row in order:
        assert np.array_equal(part.encode([phrases[row]])[0], together[row])


def test_the_bytes_hold_the_part_in_8_bits(part: NgramPart) -> None:
    back = NgramPart.from_bytes(part.to_bytes(), "it")
    assert back.share == part.share
    np.testing.assert_array_equal(back.gates, part.gates)
    assert np.abs(back.table - part.table).max() <= np.abs(part.table).max() / 250


class Bomb:
    def __reduce__(self):
        return (print, ("exploded",))


def packed(compressed: bool = False, **changes: object) -> bytes:
    arrays: dict[str, object] = {
        "codes": np.ones((4, 2), np.int8),
        "scales": np.ones(4, np.float32),
        "gates": np.zeros(4, np.float32),
        "share": np.float32(0.5),
    }
    content = io.BytesIO()
    save = np.savez_compressed if compressed else np.savez
    save(content, **{**arrays, **changes})
    return content.getvalue()


def damaged(part: bytes, instead: bytes) -> bytes:
    """An archive whose first array has another header, and a checksum that fits it."""
    content = io.BytesIO(packed())
    with zipfile.ZipFile(content) as archive:
        arrays = {name: archive.read(name) for name in archive.namelist()}
    assert part in arrays["codes.npy"]
    assert len(part) == len(instead)
    arrays["codes.npy"] = arrays["codes.npy"].replace(part, instead)
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        for name, array in arrays.items():
            archive.writestr(name, array)
    return changed.getvalue()


def encrypted(content: bytes) -> bytes:
    """An archive whose entries say that they are encrypted."""
    changed = bytearray(content)
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = content.find(mark)
        while at >= 0:
            changed[at + offset] |= 1
            at = content.find(mark, at + 1)
    return bytes(changed)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 no archive",
        packed()[:-30],
        packed(compressed=True, codes=np.zeros((10**6, 8), np.int8)),
        packed(codes=np.array([[Bomb()]], dtype=object)),
        packed(codes=np.ones((4, 2))),
        packed(codes=np.ones(4, np.int8)),
        packed(codes=np.ones((0, 2), np.int8), scales=np.ones(0, np.float32)),
        packed(scales=np.ones(3, np.float32)),
        packed(scales=np.full(4, np.nan, np.float32)),
        packed(gates=np.full(4, 1e9, np.float32)),
        packed(gates=np.zeros(4)),
        packed(share=np.float32(0)),
        packed(share=np.float32(np.nan)),
        packed(share=np.array(["x"])),
        packed(share=np.array("0.5")),
        damaged(b"(4, 2), }", b"(4, 9E9)}"),
        damaged(b"{'descr': '|i1'", b"{'descr': ('   "),
        damaged(b"\x93NUMPY", b"\x92NUMPY"),
        packed().replace(b"PK\x01\x02-\x03-", b"PK\x01\x02-\x03\xff"),
        encrypted(packed()),
    ],
)
def test_a_file_that_is_no_part_is_refused(content: bytes) -> None:
    with pytest.raises(ModelError, match=r"it is no n-gram part\. Got: .*Hint"):
        NgramPart.from_bytes(content, "it")


@pytest.fixture
def folder_with(copy_of_bundled):
    """A model folder: the bundled graph with another n-gram part."""
    folder, write = copy_of_bundled
    config = json.loads((BUNDLED / "config.json").read_text())

    def make(content: bytes, dim: int):
        (folder / "ngrams.npz").unlink(missing_ok=True)
        (folder / "ngrams.npz").write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        return write(dim=dim, files={**config["files"], "ngrams.npz": digest})

    return make


def test_its_columns_come_behind_the_transformers(folder_with, part: NgramPart) -> None:
    encoder = load_encoder(folder_with(part.to_bytes(), 384 + 5))
    vectors = encoder.encode(NAMES)
    assert vectors.shape == (len(NAMES), encoder.dim) == (len(NAMES), 389)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    read = NgramPart.from_bytes(part.to_bytes(), "it")
    spelled = part.share * read.encode(NAMES)
    lengths = np.sqrt(1 + np.linalg.norm(spelled, axis=1, keepdims=True) ** 2)
    np.testing.assert_allclose(vectors[:, 384:], spelled / lengths, atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(vectors[:, :384] * lengths, axis=1), 1, atol=1e-6)


def test_a_part_that_leaves_no_column_is_refused(folder_with, part: NgramPart) -> None:
    with pytest.raises(ModelError, match=r"too wide for the model\. Got 5 columns of 5"):
        load_encoder(folder_with(part.to_bytes(), 5)).encode(["x"])


def test_a_damaged_part_is_refused(folder_with, part: NgramPart) -> None:
    folder = folder_with(part.to_bytes(), 389)
    (folder / "ngrams.npz").write_bytes(part.to_bytes()[:-1])
    with pytest.raises(ModelError, match=r"ngrams\.npz' is damaged or was changed"):
        load_encoder(folder)
