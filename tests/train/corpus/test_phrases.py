import pytest

from pearljoin_train.corpus.phrases import Extractor, countable
from pearljoin_train.corpus.sentence import Sentence, Span
from pearljoin_train.corpus.trees import TreeParser


def counted(text: str, max_words: int = 8) -> list[str]:
    tokens = tuple(text.split())
    tags = ("NNP",) * len(tokens)
    kept = countable(Sentence(tokens, tags, (Span(0, len(tokens), "NP"),)), max_words)
    return [kept.text(span) for span in kept.spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('" the city ,', ["the city"]),
        ("the city 's", ["the city"]),
        ("$ 50 million", ["$50 million"]),
        ("about 5 %", ["about 5%"]),
        ("a city ( big )", ["a city (big)"]),
        ("a city ( big", []),
        ("the <unk> city", []),
        ("with the", []),
        ("- --", []),
        ("one two three", ["one two three"]),
        ("one two three four", []),
    ],
)
def test_what_counts_as_a_phrase(text: str, expected: list[str]) -> None:
    assert counted(text, max_words=3 if text.startswith("one") else 8) == expected


def test_trimmed_spans_that_became_equal_count_once() -> None:
    sentence = Sentence(('"', "x", "y"), ("''", "NN", "NN"), (Span(0, 3, "NP"), Span(1, 3, "NP")))
    assert countable(sentence, 8).spans == (Span(1, 3, "NP"),)


def capitals(sentences: list[Sentence]) -> list[list[str]]:
    return [
        ["GPE" if s.tokens[span.stop - 1][0].isupper() else "OTHER" for span in s.spans]
        for s in sentences
    ]


def test_phrases_are_counted_with_their_types() -> None:
    tree = "(S (NP (DT The) (NN dog)) (VP (VBZ waits) (PP (IN in) (NP (NNP Rome)))))"
    counts = Extractor(TreeParser(), capitals, max_words=3)([tree, tree, "(NP (NNP Rome))"])  # type: ignore[arg-type]
    assert counts == {
        ("the dog", "NP", "OTHER"): 2,
        ("waits in Rome", "VP", "GPE"): 2,
        ("in Rome", "PP", "GPE"): 2,
        ("Rome", "NP", "GPE"): 3,
    }
