"""Tokens: edit similarity, prefixes and acronyms, against values worked out by hand."""

import numpy as np
from rapidfuzz.distance import OSA
from scipy.sparse import csr_matrix

from pearljoin._ragged import SparseRows
from pearljoin._text.background import bundled_background
from pearljoin._text.token_similarity import (
    EDIT_PENALTY,
    TokenShapes,
    TokenSimilarity,
    abbreviates,
    acronyms,
    compounds,
)
from pearljoin._text.tokens import TokenIndex, TokenRuns, tokenize


def runs_of(*texts: str) -> TokenRuns:
    return tokenize(list(texts))[0]


def dense(table: SparseRows) -> np.ndarray:
    return csr_matrix((table.data, table.indices, table.indptr), shape=table.shape).toarray()


def all_pairs(index: TokenIndex) -> tuple[list[tuple[str, str]], TokenSimilarity]:
    """Every pair of words, and how they compare."""
    first, second = np.indices((len(index), len(index))).reshape(2, -1)
    words = [(index.words[a], index.words[b]) for a, b in zip(first, second, strict=True)]
    return words, TokenShapes(index).compare(first, second)


def of_texts(found, runs: TokenRuns) -> list[set[str]]:
    """The tokens that are listed for each text."""
    listed: list[set[str]] = [set() for _ in range(len(runs.bounds) - 1)]
    for text, token in zip(found.text.tolist(), found.token.tolist(), strict=True):
        listed[text].add(runs.index.words[token])
    return listed


def test_both_sides_are_numbered_by_one_vocabulary_in_alphabetical_order() -> None:
    left, right = tokenize(["lima oslo", "", "oslo oslo"], ["bonn", "oslo"])
    assert left.index is right.index
    assert left.index.words == ["bonn", "lima", "oslo"]
    assert left.number.tolist() == [1, 2, 2, 2]
    assert left.bounds.tolist() == [0, 2, 2, 4]
    assert left.n_words.tolist() == [2, 0, 2]
    assert left.text.tolist() == [0, 0, 2, 2]
    assert right.number.tolist() == [0, 2]
    assert dense(left.incidence()).tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 1]]


def test_no_words_at_all_make_a_vocabulary_of_one() -> None:
    left, right = tokenize([""], [])
    assert left.incidence().shape == (1, 1)
    assert len(left.incidence().data) == 0
    assert right.incidence().shape == (0, 1)


def test_first_and_last_words_and_initials() -> None:
    runs = runs_of("bank of america", "", "oslo")
    words = [*runs.index.words, None]
    assert [words[n] for n in runs.first()] == ["bank", None, "oslo"]
    assert [words[n] for n in runs.last()] == ["america", None, "oslo"]
    assert runs.initials_by_text() == ["boa", "", "o"]


def test_some_words_only() -> None:
    runs = runs_of("the bank of america", "the of", "oslo")
    small = runs.index.among(frozenset({"the", "of"}))
    assert runs.any_of(small).tolist() == [True, True, False]
    rest = runs.only(~small)
    assert rest.bounds.tolist() == [0, 2, 2, 3]
    assert [rest.index.words[n] for n in rest.number] == ["bank", "america", "oslo"]


def test_words_that_have_a_digit_or_say_a_number() -> None:
    index = runs_of("season iv a4 3 mix").index
    numeric = {w for w, yes in zip(index.words, index.numeric, strict=True) if yes}
    assert numeric == {"iv", "a4", "3"}


def test_a_word_begins_with_every_shorter_one_that_it_starts_with() -> None:
    index = runs_of("a ab abc abd b ba 1 12 123").index
    for (word, other), begins in zip(*begun(index), strict=True):
        # Digits are no beginnings: 12 is not 123 cut short.
        wanted = word == other or (word.startswith(other) and not other[0].isdigit())
        assert begins == wanted, (word, other)


def begun(index: TokenIndex) -> tuple[list[tuple[str, str]], list[bool]]:
    words, found = all_pairs(index)
    back = dict(zip(words, found.second_begins.tolist(), strict=True))
    assert [back[other, word] for word, other in words] == found.first_begins.tolist()
    return words, found.first_begins.tolist()


def test_beginnings_of_many_words_are_those_found_one_by_one() -> None:
    random = np.random.default_rng(0)
    words = {"".join(random.choice(list("ab1"), random.integers(1, 6))) for _ in range(60)}
    for (word, other), begins in zip(*begun(runs_of(" ".join(words)).index), strict=True):
        assert begins == (word == other or (word.startswith(other) and not other[0].isdigit()))


def test_edit_similarity_is_that_of_every_pair_by_itself() -> None:
    random = np.random.default_rng(1)
    words = {"".join(random.choice(list("abcé"), random.integers(1, 12))) for _ in range(80)}
    pairs, found = all_pairs(runs_of(" ".join(words)).index)
    known = bundled_background().equivalents
    for (word, other), spelled in zip(pairs, found.spelled.tolist(), strict=True):
        edits = OSA.distance(word, other)
        wanted = max(0, 1 - EDIT_PENALTY * edits / max(len(word), len(other)))
        assert np.isclose(spelled, max(wanted, known.get(word, {}).get(other, 0))), (word, other)


def test_spellings_are_as_far_as_slips_allow() -> None:
    index = runs_of("california califronia oslo serial123456 serial123457").index
    spelled = dict(zip(*(part for part in (all_pairs(index)[0], all_pairs(index)[1].spelled)),
                       strict=True))  # fmt: skip
    assert np.isclose(spelled["california", "califronia"], 0.7)
    assert np.isclose(spelled["califronia", "california"], 0.7)
    assert spelled["oslo", "california"] == 0
    # Numbers are no spellings of each other.
    assert spelled["serial123456", "serial123457"] == 0
    assert all(spelled[word, word] == 1 for word in index.words)


def test_a_text_without_spaces_is_no_word_that_is_misspelled() -> None:
    index = runs_of(f"{'ab' * 32} {'ab' * 32}c {'ab' * 31} {'ab' * 31}c").index
    words, found = all_pairs(index)
    spelled = dict(zip(words, found.spelled, strict=True))
    assert spelled["ab" * 31, "ab" * 31 + "c"] > 0.9
    assert spelled["ab" * 32, "ab" * 32 + "c"] == 0


def test_words_that_are_written_for_each_other_are_similar() -> None:
    background = bundled_background().equivalents
    assert 0 < background["bob"]["robert"] == background["robert"]["bob"] < 1
    words, found = all_pairs(runs_of("bob robert oslo").index)
    spelled = dict(zip(words, found.spelled.tolist(), strict=True))
    assert np.isclose(spelled["bob", "robert"], background["bob"]["robert"])
    assert np.isclose(spelled["robert", "bob"], background["bob"]["robert"])
    assert spelled["bob", "oslo"] == spelled["oslo", "robert"] == 0


def test_what_two_words_are_depends_on_no_other_word() -> None:
    few = runs_of("bob robert smith smyth").index
    many = runs_of("aa bob cc robert smith smyth zz " + " ".join(f"w{n}" for n in range(50))).index
    for word in few.words:
        for other in few.words:
            one, two = (
                TokenShapes(index).compare(
                    np.array([index.place[word]]), np.array([index.place[other]])
                )
                for index in (few, many)
            )
            assert [part.tolist() for part in one] == [part.tolist() for part in two]


def test_initials_are_one_letter_of_a_longer_word() -> None:
    index = runs_of("j john jane k").index
    shapes, place = TokenShapes(index), index.place
    pairs = [("j", "john"), ("jane", "j"), ("j", "k"), ("john", "jane"), ("k", "john"), ("j", "j")]
    first, second = (np.array([place[pair[at]] for pair in pairs]) for at in (0, 1))
    assert shapes.is_initial(first, second).tolist() == [True, True, False, False, False, False]


def test_numerals_and_letters_are_short_for_nothing() -> None:
    index = runs_of("i ii univ u 12").index
    short = dict(zip(index.words, abbreviates(index).tolist(), strict=True))
    assert short == {"i": False, "ii": False, "univ": True, "u": False, "12": True}


def test_initials_of_words_in_a_row_are_said_with_and_without_small_words() -> None:
    runs = runs_of("bank of new york", "bny bony bo ny by nyb")
    assert of_texts(acronyms(runs), runs) == [{"bny", "bony", "bo", "ny"}, set()]


def test_words_in_two_and_as_one_say_each_other() -> None:
    left = ["data base", "pcworld", "j p morgan", "1 1", "wh 1000xm4", "", "base data"]
    right = ["database", "pc world", "jp morgan", "11", "wh1000xm4", "base"]
    runs = tokenize(left, right)
    words = runs[0].index.words
    found = [compounds(one) for one in runs]
    whole = [of_texts(one, side) for one, side in zip(found, runs, strict=True)]
    assert whole[0] == [{"database"}, set(), {"jp"}, set(), {"wh1000xm4"}, set(), set()]
    assert whole[1] == [set(), {"pcworld"}, set(), set(), set(), set()]
    for one in found:
        for token, first, second in zip(one.token, one.first, one.second, strict=True):
            assert words[token] == words[first] + words[second]


def test_two_numbers_are_not_joined() -> None:
    left, right = ["unit 2 1st avenue", "season 7", "wh 1000xm4"], ["21st avenue", "season7", "17"]
    runs = tokenize(left, [*right, "wh1000xm4", "1 7"])
    found = [of_texts(compounds(one), one) for one in runs]
    assert found == [[set(), {"season7"}, {"wh1000xm4"}], [set()] * 5]


def test_lone_words_are_not_joined() -> None:
    for texts in (["ab", "a", "b"], [""], []):
        assert [len(compounds(one).token) for one in tokenize(texts, ["ab"])] == [0, 0]
    # Nor are the last word of a text and the first of the next.
    assert len(compounds(tokenize(["x a", "b y"], ["ab"])[0]).token) == 0


def test_the_order_of_texts_is_nothing() -> None:
    texts = ["bank of america", "bnk of amerika", "the bank", "boa"]
    one, other = runs_of(*texts), runs_of(*texts[::-1])
    assert one.index.words == other.index.words
    assert of_texts(acronyms(one), one) == of_texts(acronyms(other), other)[::-1]
