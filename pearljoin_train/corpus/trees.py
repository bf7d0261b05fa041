"""Bracketed parses, as the Penn Treebank, the Berkeley parser and others write them.

`(S (NP (DT the) (NN join)) (VP (VBZ works)))`: read one tree at a time, and turned into tokens,
tags and constituents of the five lexical types. Traces and what holds nothing else are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pearljoin._errors import InputError
from pearljoin_train.corpus.phrase_types import LEXICAL_TYPES
from pearljoin_train.corpus.sentence import Sentence, Span

__all__ = ["TreeParser", "bracketed", "parse_tree"]

SIGNS = re.compile(r"[()]|[^\s()]+")
TRACE = "-NONE-"
ESCAPES = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
# NP-SBJ-1, NP=2 and NP|PRP are NPs; -LRB- is a tag of its own.
FUNCTION = re.compile(r"(?<=.)[-=|].*")


def bracketed(lines: Iterable[str]) -> Iterator[str]:
    """Cut a text into trees, which may run over lines or stand several on one.

    Parameters
    ----------
    lines
        The lines of a file; lines outside every bracket are skipped if blank.

    Yields
    ------
    tree
        The text of one outermost bracket.

    Raises
    ------
    InputError
        If the brackets do not match, or a word stands outside them.

    Examples
    --------
    >>> list(bracketed(["(NP (DT the)", "(NN join))", "(NP (NN x)) (NP (NN y))"]))
    ['(NP (DT the) (NN join))', '(NP (NN x))', '(NP (NN y))']
    """
    signs: list[str] = []
    depth = 0
    for number, line in enumerate(lines, start=1):
        for sign in SIGNS.findall(line):
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if depth < 0 or (depth == 0 and sign != ")"):
                raise InputError(
                    f"Not a bracketed parse. Got: {sign!r} outside every bracket, line {number}. "
                    "Hint: give parses such as (S (NP (NNP Rome)) (VP (VBZ waits))), or leave out "
                    "--parser brackets to read plain text."
                )
            signs.append(sign)
            if depth == 0:
                yield _joined(signs)
                signs.clear()
    if depth:
        raise InputError(
            f"Not a bracketed parse. Got: {depth} brackets that never close. "
            "Hint: is the file cut off?"
        )


def _joined(signs: list[str]) -> str:
    return " ".join(signs).replace("( ", "(").replace(" )", ")")


class TreeParser:
    """The `Parser` of texts that are parsed already."""

    def __call__(self, text: str) -> list[Sentence]:
        """Read one tree."""
        return [parse_tree(text)]


def parse_tree(text: str) -> Sentence:
    """Read one tree.

    Parameters
    ----------
    text
        One outermost bracket, e.g. from `bracketed`. An outer bracket without a label is fine.

    Returns
    -------
    sentence
        Its words and part-of-speech tags without traces, and a span for every constituent of a
        lexical type that holds a word; of constituents with the same words and type, one.

    Raises
    ------
    InputError
        If a bracket holds a word without a tag.

    Examples
    --------
    >>> tree = parse_tree("(S (NP-SBJ (NNP Rome)) (VP (VBZ waits) (NP (-NONE- *))))")
    >>> tree.tokens, [(span.lexical, tree.text(span)) for span in tree.spans]
    (('Rome', 'waits'), [('NP', 'Rome'), ('VP', 'waits')])
    """
    tokens: list[str] = []
    tags: list[str] = []
    spans: dict[Span, None] = {}
    open_brackets: list[tuple[str, int]] = []
    signs = SIGNS.findall(text)
    place = 0
    while place < len(signs):
        sign = signs[place]
        if sign == "(":
            has_label = place + 1 < len(signs) and signs[place + 1] not in "()"
            label = signs[place + 1] if has_label else ""
            open_brackets.append((label, len(tokens)))
            place += 2 if has_label else 1
            continue
        if not open_brackets or (sign != ")" and not open_brackets[-1][0]):
            raise InputError(f"Not a bracketed parse. Got: {text[:80]!r}. Hint: write (TAG word).")
        label, start = open_brackets[-1]
        if sign != ")":
            if label != TRACE:
                tokens.append(ESCAPES.get(sign, sign.replace("\\/", "/").replace("\\*", "*")))
                tags.append(ESCAPES.get(label, label))
        else:
            open_brackets.pop()
            kind = FUNCTION.sub("", label)
            if kind in LEXICAL_TYPES and start < len(tokens):
                spans.setdefault(Span(start, len(tokens), kind))
        place += 1
    return Sentence(tuple(tokens), tuple(tags), tuple(spans))
