"""WeightedWordEncoder: the paper's equations by hand, every pooling, every edge of the text."""

import pickle
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn_checks import WITHOUT_DATA, check_estimator

import pearljoin as pj
from pearljoin._encoders import Encoder, load_encoder
from pearljoin._errors import InputError, ModelError
from pearljoin._weighted_words import WeightedWordEncoder
from pearljoin._word_vectors import DocumentFrequencies, RankWeights, TokenTable

# In 8 documents: rare is in 1, some in 3, most in 7, so ln 4, ln 2 and 0.
COUNTS = ({"rare": 1, "some": 3, "most": 7}, 8)
TABLE = {
    "rare": [1.0, 0.0, 0.0],
    "some": [0.0, 2.0, 0.0],
    "most": [0.0, 0.0, -4.0],
    "0": [9.0, 9.0, 9.0],
}
WEIGHTS = [1.0, 0.5, 0.25, 0.125, 0.0]


def _dense(row) -> np.ndarray:
    return np.ravel(row if isinstance(row, np.ndarray) else row.toarray())


def encoder(**options):
    options = {"document_frequencies": COUNTS, "weights": WEIGHTS, "verbose": False} | options
    return WeightedWordEncoder(options.pop("vectors", TABLE), **options).fit([])


class TestEquations:
    def test_idf_is_that_of_equation_1(self) -> None:
        idf = DocumentFrequencies(*COUNTS).idf(["rare", "some", "most", "unseen"])
        np.testing.assert_allclose(idf, np.log([4, 2, 1, 8]), rtol=1e-6)

    def test_words_are_weighted_by_rank_of_idf_and_averaged(self) -> None:
        # Three words of five weights stand at places 1, 3 and 5: weights 1, 0.25 and 0.
        found = encoder().transform(["Most SOME, rare!"])
        np.testing.assert_allclose(found, [[1 / 3, 0.25 * 2 / 3, 0.0]], rtol=1e-6)

    def test_weights_are_interpolated_between_the_two_they_stand_between(self) -> None:
        weights = RankWeights.load([8.0, 4.0, 0.0])
        # Four words: places 1, 5/3, 7/3 and 3.
        found = weights.at(np.arange(4), np.full(4, 4))
        np.testing.assert_allclose(found, [8.0, 8 - 4 * 2 / 3, 4 - 4 / 3, 0.0], rtol=1e-6)

    def test_as_many_words_as_weights_take_the_weights_themselves(self) -> None:
        found = RankWeights.load(WEIGHTS).at(np.arange(5), np.full(5, 5))
        np.testing.assert_array_equal(found, np.float32(WEIGHTS))

    def test_more_words_than_weights_are_interpolated_too(self) -> None:
        found = RankWeights.load([1.0, 0.0]).at(np.arange(5), np.full(5, 5))
        np.testing.assert_allclose(found, [1.0, 0.75, 0.5, 0.25, 0.0])

    def test_vectors_are_linear_in_the_weights(self) -> None:
        texts = ["rare some most", "some", "", "most most rare some some rare some"]
        parts = encoder().transform_ranks(texts, len(WEIGHTS))
        assert parts.shape == (4, 5, 3)
        np.testing.assert_allclose(WEIGHTS @ parts, encoder().transform(texts), rtol=1e-6)

    def test_encode_scales_the_same_vectors_to_unit_length(self) -> None:
        texts = ["rare some most", "some", "most most rare"]
        vectors = encoder().transform(texts)
        expected = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        np.testing.assert_allclose(encoder().encode(texts), expected, rtol=1e-6)


class TestTexts:
    @pytest.mark.parametrize("text", ["", "  ", "?!", "unheard of"])
    def test_nothing_known_gives_zeros(self, text: str) -> None:
        for found in (encoder().transform([text]), encoder().encode([text])):
            np.testing.assert_array_equal(found, np.zeros((1, 3), dtype=np.float32))
        assert encoder().covers([text]).tolist() == [False]

    def test_one_word_takes_the_first_weight(self) -> None:
        np.testing.assert_allclose(encoder().transform(["some"]), [[0.0, 2.0, 0.0]])

    def test_unknown_words_are_left_out_before_ranks_are_given(self) -> None:
        texts = ["rare some", "rare unheard some of"]
        found = encoder().transform(texts)
        np.testing.assert_array_equal(found[0], found[1])
        assert encoder().covers(texts).tolist() == [True, False]

    def test_the_order_of_words_does_not_matter_even_among_equal_idf(self) -> None:
        table = {"one": [1.0, 0.0], "two": [0.0, 1.0], "three": [2.0, 2.0]}
        same = encoder(vectors=table, document_frequencies=({}, 5))
        found = same.transform(["one two three", "three two one", "two three one"])
        assert len(np.unique(found, axis=0)) == 1

    def test_a_repeated_word_counts_twice(self) -> None:
        found = encoder(pooling="mean").transform(["rare rare some some"])
        np.testing.assert_allclose(found, [[0.5, 1.0, 0.0]])

    def test_unknown_numbers_are_read_as_zero(self) -> None:
        np.testing.assert_allclose(encoder().transform(["1999"]), [[9.0, 9.0, 9.0]])

    def test_cased_tables_need_lowercase_off(self) -> None:
        cased = encoder(vectors={"Rare": [1.0]}, lowercase=False)
        np.testing.assert_array_equal(cased.transform(["Rare", "rare"]), [[1.0], [0.0]])

    def test_longer_than_any_trained_text(self) -> None:
        found = encoder().transform(["rare " * 1_000])
        # The mean of a straight line over equal steps is that of the interpolated weights.
        expected = np.interp(np.linspace(0, 4, 1_000), range(5), WEIGHTS).mean()
        np.testing.assert_allclose(found, [[expected, 0.0, 0.0]], rtol=1e-5)

    def test_a_vector_depends_on_its_text_alone(self) -> None:
        rng = np.random.default_rng(0)
        words = [*TABLE, "unheard"]
        texts = [" ".join(rng.choice(words, size=n)) for n in rng.integers(0, 9, size=20_000)]
        together = encoder().encode(texts)
        alone = encoder()
        for row in rng.integers(0, len(texts), size=50):
            np.testing.assert_array_equal(alone.encode([texts[row]])[0], together[row])

    def test_lone_surrogates_and_control_characters(self) -> None:
        found = encoder().transform(["rare\ud800", "rare\x00 \u202esome"])
        np.testing.assert_allclose(found[0], [1.0, 0.0, 0.0])
        np.testing.assert_allclose(found[1], [0.5, 0.0, 0.0])


class TestPoolings:
    @pytest.mark.parametrize(
        ("pooling", "expected"),
        [
            ("mean", [1 / 3, 2 / 3, -4 / 3]),
            ("max", [1.0, 2.0, 0.0]),
            ("min", [0.0, 0.0, -4.0]),
            ("min-max", [1.0, 2.0, 0.0, 0.0, 0.0, -4.0]),
            ("idf-mean", [np.log(4) / 3, 2 * np.log(2) / 3, 0.0]),
        ],
    )
    def test_by_hand(self, pooling: str, expected: list[float]) -> None:
        found = encoder(pooling=pooling).transform(["some rare most", ""])
        np.testing.assert_allclose(found[0], expected, rtol=1e-6)
        np.testing.assert_array_equal(found[1], np.zeros(len(expected)))
        assert encoder(pooling=pooling).dim == len(expected)

    @pytest.mark.parametrize(("top", "expected"), [(0.3, [1.0, 0.0, 0.0]), (0.5, [0.5, 1.0, 0.0])])
    def test_only_the_top_words_count(self, top: float, expected: list[float]) -> None:
        # 30 % and 50 % of three words, rounded up, are one and two.
        found = encoder(pooling="mean", top=top).transform(["some rare most"])
        np.testing.assert_allclose(found, [expected], rtol=1e-6)

    def test_thirty_percent_of_ten_words_are_three(self) -> None:
        found = encoder(pooling="mean", top=0.3).transform(["rare some " + "most " * 8])
        np.testing.assert_allclose(found, [[1 / 3, 2 / 3, -4 / 3]], rtol=1e-6)

    def test_tf_idf_has_a_column_a_word(self) -> None:
        found = encoder(pooling="tf-idf")
        assert found.get_feature_names_out().tolist() == ["most", "rare", "some"]
        sparse = found.transform(["some rare some unheard", "most"])
        np.testing.assert_allclose(
            sparse.toarray(), [[0, np.log(4), 2 * np.log(2)], [0, 0, 0]], rtol=1e-6
        )
        np.testing.assert_allclose(
            found.encode(["some rare some"])[0], np.array([0, 1, 1]) / np.sqrt(2), rtol=1e-6
        )


class TestUnknownWords:
    def test_an_encoder_gives_them_vectors_of_the_usual_length(self) -> None:
        class Fixed:
            dim = 3

            def encode(self, words):
                return np.tile(np.float32([0.0, 0.6, 0.8]), (len(words), 1))

        found = encoder(unknown=Fixed()).transform(["unheard"])
        # The table's vectors have lengths 1, 2, 4 and 9 * sqrt(3), of median 3.
        np.testing.assert_allclose(found, [[0.0, 1.8, 2.4]], rtol=1e-6)

    def test_an_encoder_of_words_is_asked_for_each_unknown_word_once(self) -> None:
        class Characters:
            """Hashes letters; knows nothing of words with a z in them."""

            def __init__(self) -> None:
                self.asked: list[str] = []

            def encode_words(self, words: list[str]) -> np.ndarray:
                self.asked += words
                counts = [[word.count(letter) for letter in "abc"] for word in words]
                return np.array(counts) * [["z" not in word] for word in words]

        characters = Characters()
        one = encoder(unknown=characters, pooling="mean")
        found = one.transform(["abb", "rare abb cab", "zac", "zac rare"])
        np.testing.assert_allclose(found[0], 3 * np.array([1, 2, 0]) / np.sqrt(5), rtol=1e-6)
        third = 3 / np.sqrt(3)
        np.testing.assert_allclose(
            found[1], (np.array([1.0, 0, 0]) + found[0] + third) / 3, rtol=1e-6
        )
        np.testing.assert_array_equal(found[2:], [[0, 0, 0], [1, 0, 0]])
        assert one.covers(["abb", "zac"]).tolist() == [True, False]
        one.transform(["abb zac cab"])
        assert characters.asked == ["abb", "cab", "zac"]

    def test_an_encoder_that_fails_leaves_nothing_behind(self) -> None:
        class Failing:
            def encode_words(self, words: list[str]) -> np.ndarray:
                return np.array([[np.nan, 0, 1] if word == "bad" else [0, 0, 1] for word in words])

        one = encoder(unknown=Failing())
        with pytest.raises(InputError, match="Got NaN or infinity for 'bad'"):
            one.transform(["good bad"])
        np.testing.assert_allclose(one.transform(["good"]), [[0, 0, 3]], rtol=1e-6)

    def test_an_encoder_of_another_dimension_is_refused(self) -> None:
        class Wrong:
            def encode(self, words):
                return np.ones((len(words), 2), dtype=np.float32)

        with pytest.raises(InputError, match="Got an array of shape"):
            encoder(unknown=Wrong()).transform(["unheard"])

    def test_characters_place_a_misspelling_by_its_word(self) -> None:
        rng = np.random.default_rng(0)
        letters = list("abcdefghijklmnopqrstuvwxyz")
        table = {"".join(rng.choice(letters, 8)): rng.standard_normal(16) for _ in range(300)}
        words = list(table)
        misspelt = [word[:6] + "x" + word[6:] for word in words]
        found = encoder(vectors=table, unknown="characters", pooling="mean")
        near = found.encode(misspelt) @ found.encode(words).T
        assert (near.argmax(axis=1) == np.arange(len(words))).mean() > 0.95
        assert encoder(vectors=table).encode(misspelt[:1]).any() == np.False_

    def test_what_is_not_an_encoder_is_refused(self) -> None:
        for guess in (
            "guess",
            b"skip",
            7,
            type("Class", (), {"encode": lambda self, words: words}),
        ):
            with pytest.raises(InputError, match="unknown must be 'skip', 'characters'"):
                encoder(unknown=guess)


class TestTransformer:
    def test_document_frequencies_come_from_the_fitted_column(self) -> None:
        fitted = WeightedWordEncoder(TABLE, verbose=False).fit(["rare most", "most most"])
        assert fitted.document_frequencies_ == DocumentFrequencies({"rare": 1, "most": 2}, 2)

    def test_not_fitted(self) -> None:
        with pytest.raises(NotFittedError, match="Hint: call fit"):
            WeightedWordEncoder(TABLE).transform(["rare"])

    def test_numbers_are_texts_and_any_iterable_is_a_column(self) -> None:
        found = encoder().transform(text for text in ["rare", 1999, float("nan")])
        np.testing.assert_array_equal(found, [[1, 0, 0], [9, 9, 9], [0, 0, 0]])

    def test_no_texts(self) -> None:
        assert encoder().transform([]).shape == (0, 3)
        assert encoder().encode([]).dtype == np.float32

    def test_clone_pipeline_and_feature_names(self) -> None:
        copy = clone(WeightedWordEncoder(TABLE, top=0.5, weights=WEIGHTS))
        assert copy.get_params()["top"] == 0.5
        pipeline = make_pipeline(copy, Normalizer()).fit(["rare some", "some most"])
        np.testing.assert_allclose(pipeline.transform(["some"]), [[0.0, 1.0, 0.0]])
        framed = encoder().set_output(transform="pandas")
        assert list(framed.transform(pd.Series(["rare"], name="n")).columns) == [
            "weightedwordencoder_0", "weightedwordencoder_1", "weightedwordencoder_2",
        ]  # fmt: skip

    def test_a_clone_shares_what_is_large(self) -> None:
        class Words:
            def encode_words(self, words: list[str]) -> np.ndarray:
                return np.ones((len(words), 3), dtype=np.float32)

        original = WeightedWordEncoder(TABLE, unknown=Words(), document_frequencies=COUNTS)
        copy = clone(original.set_output(transform="pandas"))
        assert copy.vectors is TABLE
        assert copy.unknown is original.unknown
        assert copy.document_frequencies is COUNTS
        assert copy.fit([]).transform(["rare"]).columns[0] == "weightedwordencoder_0"

    @pytest.mark.parametrize("name", WITHOUT_DATA)
    def test_scikit_learns_checks_that_need_no_data(self, name: str) -> None:
        check_estimator(name, WeightedWordEncoder(TABLE))

    def test_frames_as_output_are_for_transform_alone(self) -> None:
        framed = encoder().set_output(transform="pandas")
        assert isinstance(framed.transform(["rare"]), pd.DataFrame)
        np.testing.assert_array_equal(framed.encode(["rare"]), [[1.0, 0.0, 0.0]])
        found = pj.match(["rare some"], ["most", "some rare"], encoder=framed, threshold=0.0)
        assert found.matches().right.tolist() == [1]

    def test_ranks_below_one_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"at least one rank\. Got n_ranks=0"):
            encoder().transform_ranks(["rare"], 0)

    def test_options_set_after_fit_wait_for_the_next_fit(self) -> None:
        fitted = encoder(pooling="mean")
        before = fitted.transform(["rare some"])
        fitted.set_params(pooling="tf-idf")
        np.testing.assert_array_equal(fitted.transform(["rare some"]), before)
        assert fitted.fit([]).transform(["rare some"]).shape == (1, 3)
        assert not isinstance(fitted.transform(["rare some"]), np.ndarray)

    def test_a_pickle_gives_the_same_vectors(self) -> None:
        texts = ["rare some", "most"]
        copy = pickle.loads(pickle.dumps(encoder()))
        np.testing.assert_array_equal(copy.encode(texts), encoder().encode(texts))

    def test_is_an_encoder_once_fitted(self) -> None:
        assert isinstance(encoder(), Encoder)
        assert not hasattr(WeightedWordEncoder(TABLE), "encode")

    def test_unfitted_it_is_cloned_and_fitted_on_both_columns(self) -> None:
        unfitted = WeightedWordEncoder(TABLE, weights=WEIGHTS, verbose=False)
        corpus = ["rare some", "some most", "most", "most rare some"]
        loaded = load_encoder(unfitted, corpus=corpus)
        expected = clone(unfitted).fit(corpus).encode(corpus)
        np.testing.assert_allclose(loaded.encode(corpus), expected, rtol=1e-6)
        assert not hasattr(unfitted, "document_frequencies_")

    def test_in_a_join(self) -> None:
        # "ltd" is everywhere, so it weighs least, and what is left tells the rows apart.
        right = ["Acme Tools Ltd", "Orion Foods Ltd", "Zenith Air Ltd"]
        left = ["The Orion Foods", "Zenith Air", "Tools by Acme"]
        found = pj.match(left, right, encoder=WeightedWordEncoder(), threshold=0.0).matches()
        assert dict(zip(found.left.tolist(), found.right.tolist(), strict=True)) == {
            0: 1, 1: 2, 2: 0,
        }  # fmt: skip

    def test_options_are_checked(self) -> None:
        with pytest.raises(InputError, match=r"no such pooling\. Got 'median'"):
            encoder(pooling="median")
        with pytest.raises(InputError, match=r"did you mean 'weighted'\? Use one of 'weighted', "):
            encoder(pooling="weihgted")
        for top in (0.0, 1.1, float("nan"), "0.3", None):
            with pytest.raises(InputError, match="above 0 and at most 1"):
                encoder(top=top)

        for size in (-1, None, 1.5):
            with pytest.raises(InputError, match="cache_size is a number of words"):
                encoder(cache_size=size)

    def test_many_chunks_give_what_one_does(self) -> None:
        texts = ["rare some", "some " * 30_000, "", "most"] * 40
        for pooling in ("weighted", "tf-idf"):
            one = encoder(pooling=pooling)
            whole = one.transform(texts)
            parts = [one.transform([text]) for text in texts[:4]]
            for row, part in enumerate(parts * 40):
                np.testing.assert_array_equal(_dense(whole[row]), _dense(part))
        assert encoder().covers(texts).tolist() == [True, True, False, True] * 40

    def test_a_small_cache_changes_nothing(self) -> None:
        texts = ["rare some", "most", "some 7", "rare"]
        small = encoder(cache_size=1)
        found = [small.encode([text])[0] for text in texts]
        np.testing.assert_array_equal(found, encoder().encode(texts))

    def test_several_threads_share_one(self) -> None:
        table = {f"word{i}": np.eye(50)[i % 50] * (i + 1) for i in range(5_000)}
        shared = encoder(vectors=table)
        texts = [f"word{i} word{(7 * i) % 5_000}" for i in range(5_000)]
        expected = encoder(vectors=table).encode(texts)
        found: dict[int, np.ndarray] = {}

        def work(part: int) -> None:
            found[part] = np.concatenate([shared.encode([t]) for t in texts[part::4]])

        threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for part in range(4):
            np.testing.assert_array_equal(found[part], expected[part::4])


class TestWeights:
    def test_the_shipped_ones_fall_from_rank_to_rank(self) -> None:
        for name in ("names", "text"):
            values = RankWeights.load(name).values
            assert values.argmax() == 0
            # From the first third to the second to the last they fall.
            thirds = [part.mean() for part in np.array_split(values, 3)]
            assert thirds == sorted(thirds, reverse=True)

    def test_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.json"
        path.write_text('{"weights": [1, 0.5]}')
        np.testing.assert_array_equal(RankWeights.load(path).values, [1.0, 0.5])

    @pytest.mark.parametrize(
        "given",
        [[], [[1.0]], ["a"], [np.nan, 1.0], [0.0, 0.0], [np.inf], 1.0, [1j], [True], [1e300]],
    )
    def test_what_is_not_a_row_of_numbers_is_refused(self, given) -> None:
        with pytest.raises(InputError, match="Rank weights must be"):
            RankWeights.load(given)

    def test_no_such_file(self) -> None:
        with pytest.raises(InputError, match=r"No rank weights could be read. Got 'nowhere.json'"):
            RankWeights.load("nowhere.json")


class TestDocumentFrequencies:
    def test_what_is_written_is_read(self, tmp_path: Path) -> None:
        counted = DocumentFrequencies.from_texts(["The cat", "the the dog", ""])
        assert counted == DocumentFrequencies({"the": 2, "cat": 1, "dog": 1}, 3)
        counted.write(tmp_path / "df.tsv")
        assert (tmp_path / "df.tsv").read_text() == "3\nthe\t2\ncat\t1\ndog\t1\n"
        assert DocumentFrequencies.read(tmp_path / "df.tsv") == counted
        found = encoder(document_frequencies=tmp_path / "df.tsv")
        assert found.document_frequencies_ == counted

    def test_the_form_that_gensim_writes(self, tmp_path: Path) -> None:
        (tmp_path / "dictionary.txt").write_text("2\n0\tcat\t1\n1\tthe\t2\n")
        read = DocumentFrequencies.read(tmp_path / "dictionary.txt")
        assert read == DocumentFrequencies({"cat": 1, "the": 2}, 2)

    @pytest.mark.parametrize("content", ["", "cat\t1\n", "3\ncat\n", "3\ncat\tmany\n"])
    def test_another_form_is_refused(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "df.tsv").write_text(content)
        with pytest.raises(InputError, match="is not a file of document frequencies"):
            DocumentFrequencies.read(tmp_path / "df.tsv")

    def test_impossible_counts_are_refused(self) -> None:
        with pytest.raises(InputError, match="between 1 and the number of documents"):
            DocumentFrequencies({"cat": 4}, 3)

    @pytest.mark.parametrize(
        "given",
        [7, ("cat", 3), ({"cat": 1},), ({"cat": 1}, "many"), ({}, float("inf")), [{}, 2, 3]],
    )
    def test_what_is_no_pair_of_counts_and_documents_is_refused(self, given) -> None:
        with pytest.raises(InputError, match="Document frequencies must be a file, or a pair"):
            encoder(document_frequencies=given)

    def test_a_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="cannot be read"):
            DocumentFrequencies.read(tmp_path / "nothing.tsv")


def test_a_static_encoder_is_named_for_what_it_is() -> None:
    with pytest.raises(ModelError, match=r"'pearl-nano' has no table.*vectors='pearl-mini'"):
        WeightedWordEncoder(vectors="pearl-nano").fit(["New York"])


class TestTokenTable:
    def test_every_word_that_can_be_spelt_has_a_vector(self) -> None:
        bundled = WeightedWordEncoder(verbose=False).fit(["New York City", "New York", "Oslo"])
        assert bundled.dim == 384
        assert bundled.covers(["New York", "zzyzxqq", "😀"]).tolist() == [True, True, False]
        vectors = bundled.encode(["New York City", "city of New York", "Oslo"])
        assert vectors[0] @ vectors[1] > 0.8 > vectors[0] @ vectors[2]

    def test_rows_are_those_of_the_graph(self) -> None:
        onnx = pytest.importorskip("onnx")
        from tokenizers import Tokenizer

        from pearljoin._encoders.model_folder import MODELS

        folder = next(path.parent for path in sorted(MODELS.glob("*/model.onnx")))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        size = tokenizer.get_vocab_size()
        arrays = {
            tensor.name: onnx.numpy_helper.to_array(tensor)
            for tensor in onnx.load(folder / "model.onnx").graph.initializer
            if list(tensor.dims[:1]) == [size]
        }
        table = max(arrays.values(), key=lambda array: array.size)
        (scale,) = (array for array in arrays.values() if array is not table)
        content = [(folder / name).read_bytes() for name in ("tokenizer.json", "model.onnx")]
        found, known = TokenTable(content[0], content[1], "the folder").lookup(
            ["york", "pearljoin"]
        )
        for vector, word in zip(found, ("york", "pearljoin"), strict=True):
            ids = tokenizer.encode(word, add_special_tokens=False).ids
            expected = (table[ids] * scale.reshape(-1, 1)[ids]).mean(axis=0)
            np.testing.assert_allclose(vector, expected, rtol=1e-5, atol=1e-6)
        assert known.all()

    def test_a_graph_without_a_table_is_refused(self) -> None:
        from pearljoin._encoders.model_folder import MODELS

        folder = next(path.parent for path in sorted(MODELS.glob("*/tokenizer.json")))
        with pytest.raises(ModelError, match="No token table was found in the folder"):
            TokenTable((folder / "tokenizer.json").read_bytes(), b"", "the folder")
