import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin_train.corpus.sentence import Sentence, Span, join_tokens
from pearljoin_train.corpus.tokens import sentences, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("It doesn't cost $1,500.", "It does n't cost $ 1,500 ."),
        ("the U.S., Mr. Guppy's dogs'", "the U.S. , Mr. Guppy 's dogs '"),
        ("AT&T fell 5.5% at 10:30 p.m.", "AT&T fell 5.5 % at 10:30 p.m."),
        ("in the 1960s (the 21st ...)", "in the 1960s ( the 21st ... )"),
        ("a 20-year-old of 1990's", "a 20-year-old of 1990 's"),
        ("O’Brien can’t", "O'Brien ca n't"),
        ("well-known <unk> é", "well-known <unk> é"),
        ("", ""),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens.split()


@given(st.text(max_size=60))
def test_tokens_keep_every_sign(text: str) -> None:
    kept = "".join("".join(tokenize(text)).split())
    assert kept == "".join(text.replace("’", "'").split())


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ('"Who?" he said. Mr. Guppy left.', ['" Who ? " he said .', "Mr. Guppy left ."]),
        ("It was 5. It was 6.", ["It was 5 .", "It was 6 ."]),
        ("the end . the start", ["the end . the start"]),
        (" = Homarus gammarus = ", ["Homarus gammarus"]),
        ("a guest @-@ star of 1 @,@ 000 films", ["a guest-star of 1,000 films"]),
        ("a life - size statue of 1878 – 79", ["a life-size statue of 1878–79"]),
        ("", []),
    ],
)
def test_sentences(paragraph: str, expected: list[str]) -> None:
    assert [" ".join(tokens) for tokens in sentences(paragraph)] == expected


@given(st.text(alphabet="aA .?!\"')1", max_size=40))
def test_sentences_lose_no_token(paragraph: str) -> None:
    cut = [token for tokens in sentences(paragraph) for token in tokens]
    assert cut == tokenize(paragraph)


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        ("the city 's mayor", "the city's mayor"),
        ("does n't", "doesn't"),
        ("US$ 50 million ( 10 % )", "US$50 million (10%)"),
        ("May 21 , 1990", "May 21, 1990"),
        ("the dogs ' tails", "the dogs' tails"),
    ],
)
def test_phrases_are_written_as_one_writes_them(tokens: str, text: str) -> None:
    assert join_tokens(tokens.split()) == text


def test_the_first_word_loses_its_capital_unless_it_is_a_name() -> None:
    def first(tokens: str, tags: str) -> str:
        sentence = Sentence(tuple(tokens.split()), tuple(tags.split()), ())
        return sentence.text(Span(0, len(sentence.tokens), "NP"))

    assert first("The city", "DT NN") == "the city"
    assert first("A city", "DT NN") == "a city"
    assert first("Rome", "NNP") == "Rome"
    assert first("I", "PRP") == "I"
    assert first("DNA tests", "NN NNS") == "DNA tests"
