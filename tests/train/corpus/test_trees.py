from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin._errors import InputError
from pearljoin_train.corpus.phrase_types import LEXICAL_TYPES
from pearljoin_train.corpus.sentence import Span
from pearljoin_train.corpus.trees import bracketed, parse_tree
from pearljoin_train.data import DataMissingError, find


def spans_of(text: str) -> list[tuple[str, str]]:
    tree = parse_tree(text)
    return [(span.lexical, " ".join(tree.tokens[span.start : span.stop])) for span in tree.spans]


def test_traces_and_functions_are_left_out() -> None:
    text = """( (S (NP-SBJ-1 (NP (NNP Rome) (POS 's)) (NN dog))
                  (VP (VBZ waits) (S (NP-SBJ (-NONE- *-1)) (ADVP-TMP|PRT (RB now))))) )"""
    assert sorted(spans_of(text)) == [
        ("ADVP", "now"),
        ("NP", "Rome 's"),
        ("NP", "Rome 's dog"),
        ("VP", "waits now"),
    ]
    assert parse_tree(text).tags == ("NNP", "POS", "NN", "VBZ", "RB")


def test_escapes_and_punctuation_tags() -> None:
    tree = parse_tree(r"(NP (-LRB- -LRB-) (NN and\/or) (-RRB- -RRB-) (. .) (: --))")
    assert tree.tokens == ("(", "and/or", ")", ".", "--")
    assert tree.tags == ("(", "NN", ")", ".", ":")


def test_same_words_and_type_count_once() -> None:
    assert spans_of("(NP (NP (NP (NN x))))") == [("NP", "x")]


def test_trees_may_span_lines_and_share_them() -> None:
    lines = ["", "(S (NP (NN a))", "  (VP (VB b))) (NP (NN c))", "(X", "(NN d))"]
    assert list(bracketed(lines)) == ["(S (NP (NN a)) (VP (VB b)))", "(NP (NN c))", "(X (NN d))"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["(NP (NN a)"], "1 brackets that never close"),
        (["(NP (NN a))", ")"], "outside every bracket, line 2"),
        (["just words"], "Got: 'just' outside"),
    ],
)
def test_broken_brackets(lines: list[str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        list(bracketed(lines))


def test_a_word_needs_a_tag() -> None:
    with pytest.raises(InputError, match=r"write \(TAG word\)"):
        parse_tree("((NN a) word)")


@dataclass
class Node:
    label: str
    children: list["Node"] = field(default_factory=list)
    word: str = ""

    def text(self) -> str:
        inner = self.word or " ".join(child.text() for child in self.children)
        return f"({self.label} {inner})"

    def words(self) -> list[str]:
        return [self.word] if self.word else [w for c in self.children for w in c.words()]

    def spans(self, start: int = 0) -> set[Span]:
        size = len(self.words())
        own = {Span(start, start + size, self.label)} if self.label in LEXICAL_TYPES else set()
        for child in self.children:
            own |= child.spans(start)
            start += len(child.words())
        return own


leaves = st.builds(lambda word: Node("NN", word=word), st.text(alphabet="abé-'", min_size=1))
nodes = st.recursive(
    leaves,
    lambda inner: st.builds(
        Node, st.sampled_from([*LEXICAL_TYPES, "S"]), st.lists(inner, min_size=1, max_size=4)
    ),
    max_leaves=12,
)


@given(nodes)
def test_any_tree_is_read_back(node: Node) -> None:
    (text,) = bracketed(node.text().replace(") (", ")\n(").splitlines())
    tree = parse_tree(text)
    assert list(tree.tokens) == node.words()
    assert set(tree.spans) == node.spans()


@pytest.mark.data
def test_the_treebank_reads_as_nltk_reads_it() -> None:
    nltk = pytest.importorskip("nltk")
    import zipfile

    from pearljoin_train.corpus.lexicons import treebank

    try:
        archive = find("lexicon/treebank.zip")
    except DataMissingError:
        pytest.skip("the data folder is not here")
    ours = list(treebank(archive))
    theirs = []
    with zipfile.ZipFile(archive) as opened:
        for name in sorted(name for name in opened.namelist() if name.endswith(".mrg")):
            text = "(" + opened.read(name).decode() + ")"
            theirs += list(nltk.Tree.fromstring(text, remove_empty_top_bracketing=False))
    assert len(ours) == len(theirs) == 3914
    for sentence, tree in zip(ours, theirs, strict=True):
        words = [tag for _, tag in tree.pos() if tag != "-NONE-"]
        assert len(sentence.tokens) == len(words)
        expected = {
            (subtree.label().split("-")[0].split("=")[0].split("|")[0], size)
            for subtree in tree.subtrees()
            if (size := sum(tag != "-NONE-" for _, tag in subtree.pos()))
        }
        found = {(span.lexical, span.stop - span.start) for span in sentence.spans}
        assert found == {pair for pair in expected if pair[0] in LEXICAL_TYPES}
