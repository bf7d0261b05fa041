"""Training data of the chunker: tagged, chunked and parsed English."""

from __future__ import annotations

import re
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pearljoin_train.corpus.sentence import Sentence
from pearljoin_train.corpus.trees import bracketed, parse_tree
from pearljoin_train.data import DataDamagedError

__all__ = ["Chunked", "Tagged", "brown", "conll2000", "treebank"]

Tagged = tuple[list[str], list[str]]
"""The words and the Penn Treebank tags of a sentence."""
Chunked = tuple[list[str], list[str], list[str]]
"""And its chunk marks: B-NP, I-NP, ..., O."""

QUOTES = {"``": '"', "''": '"'}


def brown(archive: Path) -> Iterator[Tagged]:
    """Read the Brown corpus, its tags turned into the Penn Treebank's as well as they can be.

    Sentences with foreign words, cited words or tag pairs that cannot be split are left out.
    """
    for line in _lines(archive, r"brown/c[a-r]\d\d"):
        pairs = [_penn(*item.rsplit("/", 1)) for item in line.split()]
        known = [pair for group in pairs if group is not None for pair in group]
        if known and all(group is not None for group in pairs):
            words, tags = zip(*known, strict=True)
            yield list(words), _base_forms(list(tags))


@cache
def _penn_by_brown() -> dict[str, str]:
    text = Path(__file__).with_name("brown_to_penn.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _penn(word: str, tag: str) -> list[tuple[str, str]] | None:
    """Return the word with its tag, as two where the treebank writes two, or None if unknown."""
    table = _penn_by_brown()
    word = QUOTES.get(word, word)
    is_title = "-tl" in tag
    tag = tag if tag == "--" else re.sub(r"(?<=.)-.*", "", tag)
    if tag == "*":
        return [(word, "RB")]
    if tag.endswith("*"):
        return _two(word, "n't", table.get(tag[:-1]), "RB")
    if "+" in tag:
        first, second = tag.split("+", 1)
        return _two(word, word[word.rfind("'") :], table.get(first), table.get(second))
    if tag.endswith("$") and tag not in table:
        ending = "'s" if word.endswith("'s") else "'"
        return _two(word, ending, _named(table.get(tag[:-1]), word, is_title), "POS")
    penn = _named(table.get(tag), word, is_title)
    return None if penn is None else [(word, penn)]


def _two(
    word: str, ending: str, first: str | None, second: str | None
) -> list[tuple[str, str]] | None:
    if first is None or second is None or not ending or not word.endswith(ending) or word == ending:
        return None
    return [(word[: -len(ending)], first), (ending, second)]


def _named(penn: str | None, word: str, is_title: bool) -> str | None:
    # "County/nn-tl" is a name in the treebank.
    if is_title and word[0].isupper() and penn in {"NN", "NNS", "JJ"}:
        return "NNPS" if penn == "NNS" else "NNP"
    return penn


def _base_forms(tags: list[str]) -> list[str]:
    # Brown has one tag for infinitive and present: after to or a modal, adverbs between, it is VB.
    verb = "VBP"
    for place, tag in enumerate(tags):
        if tag in {"TO", "MD"}:
            verb = "VB"
        elif tag in {"VB", "VBP"}:
            tags[place], verb = verb, "VBP"
        elif tag != "RB":
            verb = "VBP"
    return tags


def treebank(archive: Path) -> Iterator[Sentence]:
    """Read the parsed sentences of the Penn Treebank sample, in file order."""
    with zipfile.ZipFile(archive) as opened:
        for name in sorted(opened.namelist()):
            if name.endswith(".mrg"):
                text = opened.read(name).decode("utf-8")
                yield from (parse_tree(tree) for tree in bracketed(text.splitlines()))


def conll2000(archive: Path, part: str) -> Iterator[Chunked]:
    """Read the chunked sentences of CoNLL-2000, part "train" or "test"."""
    sentence: list[tuple[str, ...]] = []
    for line in [*_lines(archive, rf"conll2000/{part}\.txt"), ""]:
        if line.strip():
            sentence.append(tuple(line.split()))
        elif sentence:
            words, tags, chunks = (list(column) for column in zip(*sentence, strict=True))
            yield [QUOTES.get(word, word) for word in words], tags, chunks
            sentence = []


def _lines(archive: Path, pattern: str) -> Iterator[str]:
    with zipfile.ZipFile(archive) as opened:
        names = sorted(name for name in opened.namelist() if re.fullmatch(pattern, name))
        if not names:
            raise DataDamagedError(archive, f"no file in it is named like {pattern}")
        for name in names:
            yield from opened.read(name).decode("utf-8").splitlines()
