"""The rules of augmentation and their mixture: total, deterministic, and in their shares."""

import gzip
from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from pearljoin import InputError, WeightedWordEncoder
from pearljoin_train.augment import (
    CHARACTER_RULES,
    Aliases,
    Mixture,
    Synonyms,
    drop_letter,
    insert_letter,
    misspell,
    press_neighbour,
    read_aliases,
    swap_letters,
    swap_words,
)

TABLE = Synonyms({"new york": ["NYC"], "times": ["papers"], "a": ["one"], "é": ["e"]})
NAMES = Aliases([("The New York Times", "NYT"), ("Köln", "Cologne"), ("é", "ê")])
MIXTURE = Mixture(synonyms=TABLE, paraphrases=NAMES)
RULES = (*CHARACTER_RULES, misspell, swap_words, TABLE, NAMES, MIXTURE.view)

PIECES = [
    "a", "New", "York", "É", "e\u0301", "\u0301", "\u200d", "👩\u200d🚀", "🇫🇷", "👍🏽", "東京",
    "서울", "한", "שלום", "مرحبا", "नमस्ते", "\u202e", "ǅ", "ß", "ﬁ", "İ", " ", "\u3000", "\t",
    "\x1c", "1984", "²", "Ⅷ", "II", "-", "_", "\x00", "\U0001d49c", "\ud800",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(), st.lists(st.sampled_from(PIECES)).map("".join), st.text(alphabet="ab ", max_size=6)
)


def chances(seed: int) -> tuple[Random, np.random.Generator]:
    return Random(seed), np.random.default_rng(seed)


class TestEveryRule:
    @given(text=TEXTS, seed=st.integers(0, 2**32))
    def test_is_total_and_empties_nothing(self, text: str, seed: int) -> None:
        for rule in RULES:
            for rng in chances(seed):
                changed = rule(text, rng)
                assert isinstance(changed, str)
                assert bool(changed.strip()) == bool(text.strip())
                assert changed or not text

    @given(text=TEXTS, seed=st.integers(0, 2**32))
    def test_gives_the_same_for_the_same_seed(self, text: str, seed: int) -> None:
        for rule in RULES:
            for one, other in zip(chances(seed), chances(seed), strict=True):
                assert rule(text, one) == rule(text, other)

    @pytest.mark.parametrize("rule", RULES)
    def test_leaves_a_text_without_letters(self, rule) -> None:
        assert {rule(text, Random(seed)) for text in ("", " ", "1984") for seed in range(20)} == {
            "", " ", "1984",
        }  # fmt: skip


class TestCharacters:
    @given(text=TEXTS, seed=st.integers(0, 2**32))
    def test_one_word_changes_and_no_other(self, text: str, seed: int) -> None:
        for rule in CHARACTER_RULES:
            before, after = text.split(), rule(text, Random(seed)).split()
            assert len(before) == len(after)
            assert sum(one != other for one, other in zip(before, after, strict=True)) <= 1

    @given(word=st.text(alphabet="abcxyzABC", min_size=2, max_size=9), seed=st.integers(0, 999))
    def test_a_misspelling_is_one_edit_away(self, word: str, seed: int) -> None:
        for rule in CHARACTER_RULES:
            changed = rule(word, Random(seed))
            assert OSA.distance(word, changed) == (changed != word)
        assert OSA.distance(word, misspell(word, Random(seed))) == (set(word) != {"C"})

    def test_every_possible_edit_is_drawn(self) -> None:
        def drawn(rule, text: str) -> set[str]:
            return {rule(text, Random(seed)) for seed in range(2_000)}

        assert drawn(swap_letters, "aab c") == {"aba c"} | {"aab c"}
        assert drawn(swap_letters, "ab cd") == {"ba cd", "ab dc"}
        assert drawn(drop_letter, "abc d") == {"bc d", "ac d", "ab d", "abc d"}
        assert drawn(press_neighbour, "q") == {"w", "a"}
        assert drawn(press_neighbour, "ы") == set("фвцуяч")
        assert drawn(press_neighbour, "ε") == set("ςρσδ")
        assert drawn(press_neighbour, "東") == {"東"}
        assert {len(text) for text in drawn(insert_letter, "ab")} == {3}
        assert len(drawn(insert_letter, "ab")) == 3 * 26 - 2

    def test_the_keys_beside_s(self) -> None:
        pressed = {press_neighbour("S", Random(seed)) for seed in range(500)}
        assert pressed == set("ADWEZX")

    @pytest.mark.parametrize("text", ["1984", "covid19", "Henry VIII", "2009 2010", "²3", "MMXX"])
    def test_numbers_are_not_misspelt(self, text: str) -> None:
        changed = {misspell(text, Random(seed)) for seed in range(200)}
        assert all(after.split()[-1] == text.split()[-1] for after in changed)

    def test_marks_stay_on_their_letters(self) -> None:
        word = "e\u0301a\u0308o"
        assert {swap_letters(word, Random(seed)) for seed in range(50)} == {
            "a\u0308e\u0301o", "e\u0301oa\u0308",
        }  # fmt: skip
        assert {drop_letter(word, Random(seed)) for seed in range(50)} == {
            "a\u0308o", "e\u0301o", "e\u0301a\u0308",
        }  # fmt: skip

    @pytest.mark.parametrize("word", ["東京", "नमस्ते", "שלום", "👩\u200d🚀x"])
    def test_what_is_inserted_is_of_the_words_own_letters(self, word: str) -> None:
        for seed in range(50):
            assert set(insert_letter(word, Random(seed))) == set(word)


class TestTokens:
    def test_swapping(self) -> None:
        swapped = {swap_words(" New  York York City ", Random(seed)) for seed in range(50)}
        assert swapped == {"York New York City", "New York City York"}
        assert swap_words(" Paris ", Random(0)) == " Paris "
        assert swap_words("a a", Random(0)) == "a a"

    def test_the_papers_example(self) -> None:
        assert TABLE("New York newspaper", Random(0)) == "NYC newspaper"

    def test_capitals_are_kept(self) -> None:
        assert TABLE("the TIMES", Random(0)) == "the PAPERS"
        assert TABLE("the Times", Random(0)) == "the Papers"
        assert TABLE.for_lower_case()("the Times", Random(0)) == "the Times"
        assert TABLE.for_lower_case()("the times", Random(0)) == "the papers"

    def test_function_words_stay(self) -> None:
        assert TABLE("a man", Random(0)) == "a man"

    @given(st.dictionaries(st.text(), st.lists(st.text())))
    def test_nothing_is_its_own_synonym(self, table: dict[str, list[str]]) -> None:
        synonyms = Synonyms(table)
        for word in table:
            folded = " ".join(word.casefold().split())
            assert folded not in {other.casefold() for other in synonyms.of(word)}
            assert "" not in synonyms.of(word)

    def test_both_tables(self) -> None:
        both = Synonyms({"car": ["auto"]}) | Synonyms({"Car": ["auto", "vehicle"], "x": ["y"]})
        assert both.of("CAR") == ("auto", "vehicle")
        assert len(both) == 2

    def test_wordnet(self, tmp_path: Path) -> None:
        path = tmp_path / "synsets.tsv.gz"
        rows = ["synset\tlexfile\tmembers\thypernyms\tdefinition"]
        rows += ["1\tnoun\tcar|auto|motor car\t\t", "2\tnoun\tcar|railcar\t\t", "3\tn\tsole\t\t"]
        path.write_bytes(gzip.compress("\n".join(rows).encode()))
        synonyms = Synonyms.from_wordnet(path)
        assert synonyms.of("car") == ("auto", "motor car", "railcar")
        assert synonyms.of("auto") == ("car", "motor car")
        assert synonyms.of("sole") == ()
        assert Synonyms.from_wordnet(path, most_senses=1).of("car") == ()
        assert Synonyms.from_wordnet(path, most_senses=1).of("railcar") == ("car",)

    def test_neighbours_by_brute_force(self) -> None:
        rng = np.random.default_rng(0)
        words = [f"{at}w" for at in range(10, 70)]
        table = dict(zip(words, rng.normal(size=(60, 3)), strict=True))
        encoder = WeightedWordEncoder(table, weights=[1.0], verbose=False).fit(words)
        synonyms = Synonyms.from_vectors(words, encoder, threshold=0.9, most=3)
        for word, vector in table.items():
            cosines = {
                other: vector @ theirs / np.linalg.norm(vector) / np.linalg.norm(theirs)
                for other, theirs in table.items()
                if other != word
            }
            near = sorted(cosines, key=lambda other: -cosines[other])
            expected = [other for other in near if cosines[other] >= 0.9][:3]
            assert list(synonyms.of(word)) == expected

    def test_neighbours_of_one_stem_are_left_out(self) -> None:
        words = ["bath", "bathgate", "bathe", "wash", "ba", "bat", "shower"]
        encoder = WeightedWordEncoder({key: [1.0] for key in words}, weights=[1.0], verbose=False)
        synonyms = Synonyms.from_vectors(words, encoder.fit(words))
        assert synonyms.of("bath") == ("shower", "wash")
        assert synonyms.of("wash") == ("ba", "bat", "bath", "bathe", "bathgate", "shower")

    @pytest.mark.parametrize(("threshold", "most"), [(0.0, 3), (1.1, 3), (0.5, 0)])
    def test_options_out_of_range(self, threshold: float, most: int) -> None:
        with pytest.raises(InputError, match="Neighbours need a cosine"):
            Synonyms.from_vectors([], WeightedWordEncoder(), threshold=threshold, most=most)


class TestAliases:
    def test_both_directions_and_only_what_is_asked_for(self) -> None:
        assert NAMES("nyt", Random(0)) == "The New York Times"
        few = Aliases([("Köln", "Cologne"), ("Bonn", "bonn")], only=["KÖLN", "Bonn"])
        assert few.of("köln") == ("Cologne",)
        assert few.of("Cologne") == few.of("Bonn") == ()
        assert len(few) == 1

    def test_reading(self, tmp_path: Path) -> None:
        path = tmp_path / "pairs.tsv.gz"
        rows = [
            "name\talias\tkind\tsource\tlicence\tin_benchmark",
            "a\tb\tk\tcities\tA\t", "c\td\tk\tcities\tB\t", "e\tf\tk\tcities\tA\tbird",
            "g\th\tk\tppdb_lexical\tA\t", "i\tj\tk\tppdb_lexical\tA\tturney",
        ]  # fmt: skip
        path.write_bytes(gzip.compress("\n".join(rows).encode()))
        assert list(read_aliases(path)) == [("a", "b")]
        assert list(read_aliases(path, licences="AB")) == [("a", "b"), ("c", "d")]
        assert list(read_aliases(path, sources=["ppdb_lexical"])) == [("g", "h")]
        assert list(read_aliases(path, without=())) == [("a", "b"), ("g", "h")]


class TestMixture:
    def test_shares(self) -> None:
        n = 20_000
        rng = Random(7)
        drawn = Counter(MIXTURE.draw("The New York Times", rng)[0] for _ in range(n))
        weights = {
            "character": 0.1, "synonym": 0.3, "paraphrase": 0.5, "word_swap": 0.05,
            "unchanged": 0.05,
        }  # fmt: skip
        assert drawn.keys() == weights.keys()
        for method, weight in weights.items():
            assert abs(drawn[method] / n - weight) < 4 * sqrt(weight * (1 - weight) / n)

    def test_what_has_nothing_to_give_is_drawn_again(self) -> None:
        n = 20_000
        rng = Random(7)
        drawn = Counter(MIXTURE.draw("Zebra", rng)[0] for _ in range(n))
        assert drawn.keys() == {"character", "unchanged"}
        assert abs(drawn["character"] / n - 2 / 3) < 4 * sqrt(2 / 9 / n)

    def test_or_leaves_the_text(self) -> None:
        n = 20_000
        strict = Mixture(synonyms=TABLE, paraphrases=NAMES, otherwise="unchanged")
        rng = Random(7)
        drawn = Counter(strict.draw("Zebra", rng)[0] for _ in range(n))
        assert abs(drawn["character"] / n - 0.1) < 4 * sqrt(0.09 / n)
        assert drawn["character"] + drawn["unchanged"] == n

    def test_a_method_of_weight_0_is_off(self) -> None:
        mixture = Mixture(synonym=0, paraphrase=0, word_swap=0, unchanged=0, synonyms=TABLE)
        rng = Random(0)
        assert {mixture.draw("New York", rng)[0] for _ in range(500)} == {"character"}

    def test_view_is_what_was_drawn(self) -> None:
        for seed in range(50):
            drawn = MIXTURE.draw("The New York Times", Random(seed))[1]
            assert MIXTURE.view("The New York Times", Random(seed)) == drawn

    def test_bad_weights(self) -> None:
        with pytest.raises(InputError, match="0 or more, and not all 0"):
            Mixture(character=-1, synonyms=TABLE, paraphrases=NAMES)
        with pytest.raises(InputError, match="0 or more, and not all 0"):
            Mixture(0, 0, 0, 0, 0)
        with pytest.raises(InputError, match=r"nothing to draw from.*synonyms=None"):
            Mixture(paraphrases=NAMES)
