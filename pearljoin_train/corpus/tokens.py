"""Plain text to sentences of tokens, in the manner of the Penn Treebank."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["sentences", "tokenize"]

TOKEN = re.compile(
    r"""
      (?:[A-Za-z]\.){2,}                      # U.S.
    | [^\W\d_]+(?=n['’]t\b)                    # the "do" of don't
    | n['’]t\b
    | ['’](?:s|re|ve|ll|d|m)\b
    | \d+(?:[-–.,:/]\d+)*(?:st|nd|rd|th|s)?(?![-–'’&/]?\w)   # 1,500.5  10:30  1960s  1878–79
    | <\w+>                                   # <unk>
    | [^\W_]+(?:[-–'’&/.][^\W_]+)*\.?
    | \.{2,} | -{2,}
    | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
ABBREVIATED = (
    "mr mrs ms dr prof st sr jr rev hon gen col capt lt sgt maj sen rep gov messrs mme mlle "
    "vs no nos vol vols fig figs ed eds pp etc al approx dept est inc ltd co corp bros ft mt "
    "jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e cf ca"
)
ABBREVIATIONS = frozenset(ABBREVIATED.split())
CLOSERS = frozenset("\"'”’)]»") | {"''"}
# Texts that are cut into tokens already write "guest @-@ starring", "1 @,@ 000" or "life - size".
CUT_APART = re.compile(r" ?@([-,.])@ ?|(?<=[a-z]) (-) (?=[a-z])|(?<=\d) ([-–]) (?=\d)")
HEADING = re.compile(r"^[\s=]+|[\s=]+$")


def tokenize(text: str) -> list[str]:
    """Cut text into words and signs; clitics stand apart, full stops end a token only sometimes.

    Examples
    --------
    >>> tokenize("It doesn't cost $1,500 in the U.S., Mr. Guppy's friend said.")[:8]
    ['It', 'does', "n't", 'cost', '$', '1,500', 'in', 'the']
    """
    tokens: list[str] = []
    for found in TOKEN.findall(text.replace("’", "'")):
        tokens += _split(found)
    return tokens


def _split(token: str) -> Iterator[str]:
    if len(token) > 1 and token[-1] == "." and not set(token) <= {"."} and not _keeps_stop(token):
        yield from _split(token[:-1])
        yield "."
        return
    clitic = CLITIC.search(token)
    if clitic and clitic.start() > 0:
        yield token[: clitic.start()]
        yield clitic.group()
    else:
        yield token


def _keeps_stop(token: str) -> bool:
    stem = token[:-1].lower()
    return stem in ABBREVIATIONS or "." in stem or (len(stem) == 1 and token[0].isupper())


def sentences(paragraph: str) -> Iterator[list[str]]:
    """Cut a paragraph into sentences of tokens.

    A sentence ends after . ? or ! and the quotes that close behind it, if what follows begins with
    a capital, a number or a quote.

    Examples
    --------
    >>> [" ".join(s) for s in sentences('"Who?" he said. Mr. Guppy left. 3 stayed.')]
    ['" Who ? " he said .', 'Mr. Guppy left .', '3 stayed .']
    """
    text = HEADING.sub("", CUT_APART.sub(r"\1\2\3", paragraph))
    tokens = tokenize(text)
    start, place = 0, 0
    while place < len(tokens):
        if tokens[place] in {".", "?", "!"}:
            while place + 1 < len(tokens) and tokens[place + 1] in CLOSERS:
                place += 1
            follower = tokens[place + 1 : place + 2]
            if follower and not follower[0][0].islower() and follower[0][0] not in ",;:-–—.?!":
                yield tokens[start : place + 1]
                start = place + 1
        place += 1
    if start < len(tokens):
        yield tokens[start:]
