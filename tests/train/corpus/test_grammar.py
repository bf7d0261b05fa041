import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin_train.corpus.grammar import RULES, number_type
from pearljoin_train.corpus.lists import listed_type
from pearljoin_train.corpus.phrase_types import ENTITY_TYPES


@pytest.mark.parametrize(
    ("kind", "phrases"),
    [
        ("CARDINAL", ["twenty-five", "more than 300", "about a dozen", "1,500.50", "one-third"]),
        ("DATE", ["1999", "in the late 1990s", "May 21 , 1990", "21 May 1990", "two years ago"]),
        ("DATE", ["the 19th century", "last week", "on Monday", "during the summer of 1940"]),
        ("TIME", ["10:30 p.m.", "at noon", "five o'clock", "two and a half hours", "Monday night"]),
        ("MONEY", ["$4.5 million", "$ 50 million", "ten dollars", "€ 15 - 25", "5 pence"]),
        ("PERCENT", ["5 percent", "50 %", "32.6%", "20 to 30 per cent"]),
        ("ORDINAL", ["first", "the second", "21st", "the twenty-first"]),
        ("QUANTITY", ["between 1500 to 2000 ft", "60 cm", "100 square miles", "some 65 km north"]),
    ],
)
def test_numbers_and_their_like(kind: str, phrases: list[str]) -> None:
    assert [number_type(phrase) for phrase in phrases] == [kind] * len(phrases)


@pytest.mark.parametrize(
    "phrase",
    [
        "two dogs",
        "many",
        "the second half",
        "half",
        "several",
        "Boeing 747",
        "the",
        "",
        "score",
        "in",
    ],
)
def test_ordinary_phrases_have_no_number_type(phrase: str) -> None:
    assert number_type(phrase) is None


@given(st.text(max_size=40))
def test_any_text_has_a_known_type_or_none(phrase: str) -> None:
    assert number_type(phrase) in {None, *RULES}
    assert listed_type(phrase) in {None, *ENTITY_TYPES}


def test_long_texts_of_number_words_take_no_time() -> None:
    start = time.process_time()
    for word in ["in the ", "one hundred and ", "1,000 ", "twenty-five to ", "last next "]:
        assert number_type(word * 200 + "dogs") is None
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("phrase", "kind"),
    [
        ("in French", "LANGUAGE"),
        ("French", "NORP"),
        ("the Germans", "NORP"),
        ("of Catholics", "NORP"),
        ("Swahili", "LANGUAGE"),
        ("the English language", "LANGUAGE"),
        ("the Bill of Rights", "LAW"),
        ("under the Companies Act 1985", "LAW"),
        ("the Treaty of Utrecht", "LAW"),
        ("the First Amendment", "LAW"),
        ("the Battle of Hastings", "EVENT"),
        ("Lake Victoria", "LOC"),
        ("the Cascade Range", "LOC"),
        ("Kobe Airport", "FAC"),
        ("University of California", "ORG"),
        ("Charter", None),
        ("an Act", None),
        ("the French cook", None),
        ("the lake", None),
    ],
)
def test_listed_types(phrase: str, kind: str | None) -> None:
    assert listed_type(phrase) == kind
