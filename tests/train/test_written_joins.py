"""Joins of one column made of written tables: what is asked for, and what answers it."""

from collections import defaultdict

import pandas as pd
import pytest

from pearljoin_train.records.written_tables import WrittenTable, read_written
from pearljoin_train.scorer.written_joins import TOLD_APART, WORD, make_written_joins


@pytest.fixture(scope="module")
def joins():
    return list(make_written_joins(list(read_written())[::9], a_table=2, seed=1))


def made_of(table: pd.DataFrame, clusters: list[int], n: int = 30):
    written = WrittenTable("made", "table", table, clusters)
    return list(make_written_joins([written], a_table=n, seed=0))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def test_written_tables_give_many_joins(joins) -> None:
    assert len(joins) > 80
    assert len({join.source for join in joins}) > 10
    answered = [bool(answer) for join in joins for answer in join.answers]
    assert 0.6 < sum(answered) / len(answered) < 0.95


def test_sides_hold_each_text_once_and_answers_stand_in_the_reference(joins) -> None:
    for join in joins:
        assert len(set(join.left)) == len(join.left) == len(join.answers)
        assert len({letters(text) or text for text in join.right}) == len(join.right)
        for text, answer in zip(join.left, join.answers, strict=True):
            assert answer <= set(join.right)
            same = {right for right in join.right if letters(right) == letters(text) != ""}
            assert same <= answer


def test_most_texts_have_one_answer(joins) -> None:
    several = [len(answer) > 1 for join in joins for answer in join.answers if answer]
    assert sum(several) / len(several) < 1 - TOLD_APART


def test_a_join_depends_on_the_table_and_the_seed_alone() -> None:
    tables = list(read_written())[:6]
    first = list(make_written_joins(tables, a_table=2, seed=1))
    turned = list(make_written_joins(reversed(tables), a_table=2, seed=1))
    assert sorted(turned, key=repr) == sorted(first, key=repr)
    few = list(make_written_joins(tables[:3], a_table=2, seed=1))
    assert few == first[: len(few)]
    one = list(make_written_joins(tables, a_table=1, seed=1))
    assert one == [join for join in first if join in one]
    assert list(make_written_joins(tables, a_table=2, seed=1)) == first
    assert list(make_written_joins(tables, a_table=2, seed=2)) != first


def test_an_answer_is_another_row_of_the_thing() -> None:
    names = [f"{kind} {colour}" for kind in ("Bolt", "Nut", "Washer", "Hook", "Ring")
             for colour in ("red", "blue", "black")]  # fmt: skip
    clusters = [*range(len(names))] * 2
    short = [f"{name.split()[0][:3]}. {name.split()[1]}" for name in names]
    table = pd.DataFrame({"article": [*names, *short]})
    owner = dict(zip([*map(letters, [*names, *short])], clusters, strict=True))
    joins = made_of(table, clusters)
    assert joins
    seen = defaultdict(int)
    for join in joins:
        for text, answer in zip(join.left, join.answers, strict=True):
            if letters(text) in owner:
                assert {owner[letters(right)] for right in answer} <= {owner[letters(text)]}
                seen["answered" if answer else "absent"] += 1
    assert seen["answered"] > 50
    assert seen["absent"] > 10


@pytest.mark.parametrize(
    "table",
    [
        {"number": range(100, 120)},
        {"status": ["open", "closed"] * 10},
        {"name": [f"item {at}" if at < 4 else None for at in range(20)]},
    ],
    ids=["no words", "tells nothing apart", "mostly missing"],
)
def test_columns_that_tell_no_things_apart_make_no_join(table) -> None:
    assert made_of(pd.DataFrame(table), list(range(20))) == []


def test_a_column_of_words_may_be_beside_others() -> None:
    rooms = ["Kitchen", "Office", "Workshop", "Gallery"]
    table = pd.DataFrame({"room": rooms * 5, "floor": [at // 4 for at in range(20)]})
    joins = made_of(table, list(range(20)))
    assert joins
    for join in joins:
        assert all(any(map(str.isdigit, text)) for text in join.right)


def test_numbers_that_change_are_in_no_text() -> None:
    """The price of a thing is another one in each row; its year is the same."""
    kinds = [f"{kind} {what}" for kind in ("Oak", "Elm", "Ash", "Fir", "Yew") for what in
             ("chair", "table", "shelf")]  # fmt: skip
    table = pd.DataFrame(
        {
            "name": kinds * 2,
            "year": [1900 + at for at in range(len(kinds))] * 2,
            "price": [f"{50_000 + at} EUR" for at in range(2 * len(kinds))],
        }
    )
    texts = [
        text
        for join in made_of(table, [*range(len(kinds))] * 2)
        for text in [*join.left, *join.right]
    ]
    assert any("19" in text for text in texts)
    assert not any("500" in text for text in texts)


def test_texts_without_a_word_are_not_asked_for(joins) -> None:
    assert all(WORD.search(text) for join in joins for text in join.left)


def test_texts_without_blanks_between_words_are_left_out() -> None:
    towns = ["东京", "大阪", "京都", "神户", "札幌", "仙台", "广岛", "福冈", "长崎", "横滨"]
    table = pd.DataFrame({"name": [f"Hotel {town} Garden" for town in towns]})
    assert made_of(table, list(range(len(towns)))) == []
    few = pd.DataFrame({"name": [*table["name"][:1], *(f"Hotel Number{at}x" for at in range(30))]})
    joins = made_of(few, list(range(31)))
    assert joins
    assert not any("东京" in text for join in joins for text in join.left)
