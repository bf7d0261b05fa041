"""Tokens: edit similarity, prefixes and acronyms, against values worked out by hand."""

import numpy as np
from scipy.sparse import csr_matrix

from pearljoin._text.token_similarity import (
    acronyms,
    best_of,
    compounds,
    edit_similarity,
    prefixes,
)
from pearljoin._text.tokens import TokenIndex, TokenRuns, tokenize


def runs_of(*texts: str) -> TokenRuns:
    return tokenize(list(texts))[0]


def tokens_of(table: csr_matrix, index: TokenIndex, row: int) -> dict[str, float]:
    """Words of one row of a table."""
    found = table[[row]].tocoo()
    return {index.words[at]: value for at, value in zip(found.col, found.data, strict=True)}


def test_both_sides_are_numbered_by_one_vocabulary_in_alphabetical_order() -> None:
    left, right = tokenize(["lima oslo", "", "oslo oslo"], ["bonn", "oslo"])
    assert left.index is right.index
    assert left.index.words == ["bonn", "lima", "oslo"]
    assert left.number.tolist() == [1, 2, 2, 2]
    assert left.bounds.tolist() == [0, 2, 2, 4]
    assert left.n_words.tolist() == [2, 0, 2]
    assert left.text.tolist() == [0, 0, 2, 2]
    assert right.number.tolist() == [0, 2]
    assert left.incidence().toarray().tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 1]]


def test_no_words_at_all_make_a_vocabulary_of_one() -> None:
    left, right = tokenize([""], [])
    assert left.incidence().shape == (1, 1)
    assert left.incidence().nnz == 0
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
    table = prefixes(index)
    begun = {word: set(tokens_of(table, index, n)) for n, word in enumerate(index.words)}
    assert begun["abc"] == {"a", "ab", "abc"}
    assert begun["abd"] == {"a", "ab", "abd"}
    assert begun["ba"] == {"b", "ba"}
    assert begun["b"] == {"b"}
    # Digits are no beginnings: 12 is not 123 cut short.
    assert begun["123"] == {"123"}
    assert begun["12"] == {"12"}


def test_beginnings_of_many_words_are_those_found_one_by_one() -> None:
    random = np.random.default_rng(0)
    words = {"".join(random.choice(list("ab1"), random.integers(1, 6))) for _ in range(200)}
    index = runs_of(" ".join(words)).index
    table = prefixes(index)
    for number, word in enumerate(index.words):
        shorter = {o for o in words if word.startswith(o) and not word[0].isdigit()}
        assert set(tokens_of(table, index, number)) == shorter | {word}


def test_initials_of_words_in_a_row_are_said_with_and_without_small_words() -> None:
    runs = runs_of("bank of new york", "bny bony bo ny by nyb")
    assert set(tokens_of(acronyms(runs), runs.index, 0)) == {"bny", "bony", "bo", "ny"}


def test_words_in_two_and_as_one_say_each_other() -> None:
    left = ["data base", "pcworld", "j p morgan", "1 1", "wh 1000xm4", "", "base data"]
    right = ["database", "pc world", "jp morgan", "11", "wh1000xm4", "base"]
    runs = tokenize(left, right)
    words = runs[0].index.words
    found = [
        [{words[word] for word in one[text].indices} for text in range(one.shape[0])]
        for one in compounds(*runs)
    ]
    assert found[0] == [{"database"}, {"pc", "world"}, {"jp"}, set(), {"wh1000xm4"}, set(), set()]
    assert found[1] == [{"data", "base"}, {"pcworld"}, {"j", "p"}, set(), {"wh", "1000xm4"}, set()]
    assert all((one.data == 1).all() for one in compounds(*runs))


def test_two_numbers_are_not_joined() -> None:
    left, right = ["unit 2 1st avenue", "season 7", "wh 1000xm4"], ["21st avenue", "season7", "17"]
    found = compounds(*tokenize(left, [*right, "wh1000xm4", "1 7"]))
    assert np.diff(found[0].indptr).tolist() == [0, 1, 1]
    assert np.diff(found[1].indptr).tolist() == [0, 2, 0, 2, 0]


def test_a_word_covered_by_two_others_counts_once() -> None:
    runs = tokenize(["data base", "data work"], ["database datawork"])
    place, covered = runs[0].index.place, compounds(*runs)[1].toarray()
    assert covered[0, [place["data"], place["base"], place["work"]]].tolist() == [1, 1, 1]


def test_lone_words_are_not_joined() -> None:
    for texts in (["ab", "a", "b"], [""], []):
        assert [one.nnz for one in compounds(*tokenize(texts, ["ab"]))] == [0, 0]
    # Nor are the last word of a text and the first of the next.
    assert compounds(*tokenize(["x a", "b y"], ["ab"]))[0].nnz == 0


def test_spellings_are_as_far_as_slips_allow() -> None:
    index = runs_of("california califronia oslo serial123456 serial123457").index
    table = edit_similarity(index)
    place = index.place
    assert np.isclose(table[place["california"], place["califronia"]], 0.7)
    assert np.isclose(table[place["califronia"], place["california"]], 0.7)
    assert table[place["oslo"], place["california"]] == 0
    assert table[place["serial123456"], place["serial123457"]] == 0
    assert table.diagonal().tolist() == [1] * len(index)


def test_a_text_without_spaces_is_no_word_that_is_misspelled() -> None:
    index = runs_of(f"{'ab' * 32} {'ab' * 32}c {'ab' * 31} {'ab' * 31}c").index
    table, place = edit_similarity(index), index.place
    assert table[place["ab" * 31], place["ab" * 31 + "c"]] > 0.9
    assert table[place["ab" * 32], place["ab" * 32 + "c"]] == 0


def test_a_text_says_a_word_as_its_best_word_does() -> None:
    has = csr_matrix(np.array([[1, 1, 0], [0, 0, 0]], dtype=np.float32))
    alike = csr_matrix(np.array([[1, 0, 0.3], [0, 1, 0.6], [0.3, 0.6, 1]], dtype=np.float32))
    found = best_of(has, alike).toarray()
    assert np.allclose(found, [[1, 1, 0.6], [0, 0, 0]])


def test_the_order_of_texts_is_nothing() -> None:
    texts = ["bank of america", "bnk of amerika", "the bank", "boa"]
    one, other = runs_of(*texts), runs_of(*texts[::-1])
    assert one.index.words == other.index.words
    assert (edit_similarity(one.index) != edit_similarity(other.index)).nnz == 0
    assert np.array_equal(acronyms(one).toarray(), acronyms(other).toarray()[::-1])
