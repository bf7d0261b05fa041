"""Static encoders: sums of word pieces and n-grams, and folders that are not what they say."""

import copy
import hashlib
import io
import json
import pickle
import shutil
import string
from functools import cache, partial

import numpy as np
import pytest
from encoder_samples import BUNDLED, NAMES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from pearljoin import ModelError, load_encoder
from pearljoin._encoders.ngrams import NgramPart
from pearljoin._encoders.piece_table import PieceTable
from pearljoin._encoders.static_encoder import StaticEncoder
from pearljoin._encoders.tokenizer import PhraseTokenizer

N_TOKENS, DIM, BUCKETS = 30_522, 6, 512
# Form feeds are blanks to Python, and nothing to the package.
PRINTABLE = string.printable.replace("\x0b", "").replace("\x0c", "")
ODD = ["", " ", "🎉", "東京都", "lone \ud800", "x" * 5_000, "a " * 900]


@cache
def tokenizer_of(content: bytes) -> PhraseTokenizer:
    return PhraseTokenizer(content, max_length=128, prefix="", where="it")


@cache
def package_of(content: bytes) -> Tokenizer:
    return Tokenizer.from_str(content.decode())


def config_of(contents: dict[str, bytes], **changes) -> str:
    config = json.loads((BUNDLED / "config.json").read_text())
    config |= {"name": "tiny", "dim": DIM + 4, "architecture": {}}
    config["files"] = {n: hashlib.sha256(c).hexdigest() for n, c in contents.items()}
    return json.dumps(config | changes)


@pytest.fixture(scope="module")
def tables() -> tuple[PieceTable, NgramPart]:
    rng = np.random.default_rng(0)
    normal = partial(rng.normal, size=(BUCKETS, 4))
    tokens = PieceTable(rng.normal(size=(N_TOKENS, DIM)).astype(np.float32))
    gates = rng.normal(size=BUCKETS).astype(np.float32)
    return tokens, NgramPart(normal().astype(np.float32), gates, 0.5)


@pytest.fixture
def folder(tmp_path, tables):
    contents = {
        "tokenizer.json": (BUNDLED / "tokenizer.json").read_bytes(),
        "tokens.npz": tables[0].to_bytes(),
        "ngrams.npz": tables[1].to_bytes(),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "config.json").write_text(config_of(contents))
    return tmp_path


def written_anew(folder, name: str, content: bytes) -> None:
    """Put another file in place, with its checksum."""
    (folder / name).write_bytes(content)
    names = ("tokenizer.json", "tokens.npz", "ngrams.npz")
    (folder / "config.json").write_text(config_of({n: (folder / n).read_bytes() for n in names}))


class TestVectors:
    def test_a_phrase_is_the_sum_of_its_pieces_beside_its_ngrams(self, folder):
        encoder = load_encoder(folder)
        assert isinstance(encoder, StaticEncoder)
        tokens = PieceTable.from_bytes((folder / "tokens.npz").read_bytes(), "it").table
        ngrams = NgramPart.from_bytes((folder / "ngrams.npz").read_bytes(), "it")
        tokenizer = PhraseTokenizer(
            (BUNDLED / "tokenizer.json").read_bytes(), max_length=128, prefix="", where="it"
        )
        for name in ("New York", "Uppsala universitet"):
            pieces = tokenizer([name]).ids[1:-1]
            total = tokens[pieces].sum(axis=0)
            whole = np.append(total / np.linalg.norm(total), 0.5 * ngrams.encode([name])[0])
            expected = whole / np.linalg.norm(whole)
            np.testing.assert_allclose(encoder.encode([name])[0], expected, atol=1e-6)

    def test_words_are_tokenised_as_the_phrase_is(self):
        content = (BUNDLED / "tokenizer.json").read_bytes()
        tokenizer = tokenizer_of(content)
        texts = [*NAMES, *ODD[:5], "a\tb  c\n", "İstanbul's (old-town) £5.00", "東京都 x"]
        whole, pieces = tokenizer(texts), tokenizer.pieces(texts)
        for row in range(len(texts)):
            start, stop = pieces.starts[row], pieces.starts[row] + pieces.lengths[row]
            expected = whole.ids[whole.starts[row] + 1 :][: whole.lengths[row] - 2]
            assert pieces.ids[start:stop].tolist() == expected.tolist()

    @given(st.lists(st.text(PRINTABLE, max_size=30), max_size=20))
    def test_any_printable_text_is_tokenised_as_by_the_package(self, texts):
        content = (BUNDLED / "tokenizer.json").read_bytes()
        pieces = tokenizer_of(content).pieces(texts)
        encodings = package_of(content).encode_batch(texts, add_special_tokens=False)
        bounds = np.append(pieces.starts, len(pieces.ids))
        for row, encoding in enumerate(encodings):
            assert pieces.ids[bounds[row] : bounds[row + 1]].tolist() == encoding.ids

    def test_a_vector_does_not_depend_on_its_company(self, folder):
        names = NAMES[:70] + ODD
        whole = load_encoder(folder).encode(names)
        assert whole.shape == (len(names), DIM + 4)
        alone = load_encoder(folder)
        for row in (0, 5, 69, 73):
            assert np.array_equal(alone.encode([names[row]])[0], whole[row])
        for options in ({"batch_size": 7}, {"threads": 3}, {"batch_size": 64, "threads": 1}):
            assert np.array_equal(StaticEncoder(folder, **options).encode(names), whole)

    @given(texts=st.lists(st.text(max_size=30), max_size=10))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_words_add_up_to_what_whole_phrases_are(self, folder, texts):
        texts += ["Σας ΟΔΌΣ", "- ? -", "a - b", "½ kg (x)", "\ud800 y", "é" * 5000]
        encoder = load_encoder(folder)
        vectors, covered = encoder.encode_and_cover(texts)
        ngrams = NgramPart.from_bytes((folder / "ngrams.npz").read_bytes(), "it")
        tokens = PieceTable.from_bytes((folder / "tokens.npz").read_bytes(), "it")
        pieces = tokenizer_of((BUNDLED / "tokenizer.json").read_bytes()).pieces(texts)
        expected = np.zeros_like(vectors)
        expected[:, :DIM] = tokens.encode(pieces.ids, np.append(pieces.starts, len(pieces.ids)))
        ngrams.extend(expected, texts)
        np.testing.assert_allclose(vectors, expected, atol=1e-6)
        assert covered.tolist() == pieces.covered.tolist()

    def test_rows_are_of_unit_length_or_zero(self, folder):
        lengths = np.linalg.norm(load_encoder(folder).encode(NAMES[:50] + ODD), axis=1)
        assert np.isclose(lengths[:50], 1).all()
        assert (np.isclose(lengths, 1) | (lengths == 0)).all()
        assert lengths[50] == 0

    def test_covers_says_what_is_cut_or_unknown(self, folder):
        encoder, slow = load_encoder(folder), load_encoder("pearl-mini")
        texts = ["New York", *NAMES[:50], *ODD[:-1]]
        assert encoder.covers(texts).tolist() == slow.covers(texts).tolist()
        texts = ["", " ", "🎉", "x" * 5_000, "New York", "a " * 900]
        assert encoder.covers(texts).tolist() == [False] * 4 + [True] * 2

    def test_no_phrase(self, folder):
        encoder = load_encoder(folder)
        assert encoder.encode([]).shape == (0, DIM + 4)
        assert encoder.covers([]).shape == (0,)

    def test_pickles_and_copies_as_a_path(self, folder):
        encoder = StaticEncoder(folder, batch_size=3)
        content = pickle.dumps(encoder)
        assert len(content) < 2_000
        for other in (pickle.loads(content), copy.deepcopy(encoder)):
            assert np.array_equal(other.encode(NAMES[:5]), encoder.encode(NAMES[:5]))


class TestFolders:
    def test_a_changed_table_is_refused(self, folder):
        content = bytearray((folder / "tokens.npz").read_bytes())
        content[-100] ^= 1
        (folder / "tokens.npz").write_bytes(content)
        with pytest.raises(ModelError, match="damaged or was changed"):
            load_encoder(folder)

    @pytest.mark.parametrize(
        ("arrays", "what"),
        [
            ({"codes": np.zeros((3, 2), np.float32), "scales": np.ones(3, np.float32)}, "codes of"),
            ({"codes": np.zeros((3, 2), np.int8), "scales": np.ones(2, np.float32)}, "scales of"),
            (
                {"codes": np.zeros((3, 2), np.int8), "scales": np.full(3, np.nan, np.float32)},
                "out of range",
            ),
            ({"codes": np.zeros((3, 2), np.int8)}, "scales"),
            ({"codes": np.array([{}], dtype=object), "scales": np.ones(1, np.float32)}, "pickle"),
        ],
    )
    def test_a_table_of_another_form_is_refused(self, folder, arrays, what):
        content = io.BytesIO()
        np.savez(content, **arrays)
        written_anew(folder, "tokens.npz", content.getvalue())
        with pytest.raises(ModelError, match=f"no table of word pieces.*{what}"):
            load_encoder(folder).encode(["a"])

    def test_a_table_of_too_few_word_pieces_is_refused(self, folder):
        small = PieceTable(np.ones((100, DIM), np.float32))
        written_anew(folder, "tokens.npz", small.to_bytes())
        with pytest.raises(ModelError, match="does not fit the model"):
            load_encoder(folder).encode(["a"])

    def test_a_table_that_could_not_be_read_is_not_written(self):
        with pytest.raises(ModelError, match="cannot be kept"):
            PieceTable(np.full((3, 2), np.inf, np.float32)).to_bytes()

    def test_it_runs_on_the_cpu_only(self, folder):
        with pytest.raises(ModelError, match="runs on the CPU only"):
            load_encoder(folder, device="cuda")

    def test_the_folder_may_move_with_its_files(self, folder, tmp_path_factory):
        moved = tmp_path_factory.mktemp("moved") / "model"
        shutil.copytree(folder, moved)
        expected = load_encoder(folder).encode(NAMES[:5])
        assert np.array_equal(load_encoder(moved).encode(NAMES[:5]), expected)
