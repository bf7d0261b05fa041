"""Contrasts: words of which a name has one or the other, where two things differ in little else.

*North* and *South Campus*, *Hepatitis B* and *C*, *hypo-* and *hyperthyroidism* are written nearly
alike, by letters and by what they mean, and are never one thing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = [
    "LETTER",
    "NEGATED",
    "NEGATIONS",
    "SHORTEST_STEM",
    "Contrast",
    "are_in_contrast",
    "contrasts",
]

_PREFIXES = (
    "hypo | hyper",
    "intra | inter",
    "pre | post",
    "micro | macro",
    "endo | exo ecto",
    "mono uni | bi di | tri | tetra quad | multi poly",
    "in | ex | out",
    "over | under",
    "sub | super",
    "maxi | mini",
    "ober | unter | nieder | mittel",
    "vorder | hinter",
    "gross | klein",
    "alt | neu",
    "north nord | south sud | east ost | west",
    "natrium | kalium | calcium kalzium | magnesium | ammonium | lithium",
)
"""What the same word may begin with, of which each makes another one of it. What stands for the
same is not parted by "|"."""

_SUFFIXES = (
    "strasse str | weg | gasse | platz | allee | ring | ufer | damm | steig",
    "straat | laan | weg | plein | kade | gracht | dijk",
    "gatan gata | vagen vag | torget | grand",
    "gade | vej | torv",
)
"""What the same word may end with, likewise: kinds of streets."""

_STREETS = (
    "street st str saint sankt | lane ln | road rd highway hwy | avenue ave av | drive dr | way | "
    "close | court ct | crescent cres | terrace | boulevard blvd | mews | parkway pkwy | alley | "
    "place pl | gardens gdns | grove",
    "rue | avenue av | boulevard bd | place | chemin | impasse | allee | route | quai",
    "calle | avenida avda av | plaza | paseo | carretera | camino | ronda | travesia",
    "via | viale | piazza | corso | vicolo",
    "rua | avenida av | travessa | praca | alameda | estrada",
    "ulica ul | aleja | plac",
)
"""Kinds of streets, which are in contrast beside like words alone: *Hartford CT* is no court."""

_NEGATED = (
    "organic inorganic, direct indirect, formal informal, complete incomplete, active inactive, "
    "dependent independent, secure insecure, soluble insoluble, regular irregular, legal illegal, "
    "body antibody, final semifinal, septic aseptic antiseptic, typical atypical, sexual asexual"
)
"""Words, and what negates them by other letters than those of `_NOT`: in contrast as those of one
set."""

_NOT = ("un", "non", "nicht")
"""What a word begins with that negates the rest of it."""

NEGATIONS = frozenset({"nicht", "niet"})
"""Words that negate the next one. *Not* is none: titles have *don't* as often as *do not*, and
*forget me not*; nor is *no*, which is *in the* to Portuguese, and *of* to Japanese."""

SHORTEST_STEM = 4
"""Letters of a word behind a prefix, at least."""

_LETTER = re.compile(r"(|.*\d)([a-zα-ω])")
"""A letter alone, or behind a digit."""

LETTER, NEGATED, FIRST_PREFIX, FIRST_SUFFIX, FIRST_STREET = -1, -2, 10_000, 20_000, 30_000
"""The sets of letters, of words with their negations, and the first ones of prefixes, suffixes and
kinds of streets."""

_CLOTHES = "xs, xl, xxl 2xl, xxxl 3xl, xxxxl 4xl"
"""Sizes of clothes that are no single letters, and tell things apart as these do."""

_SPELLED = (
    "alpha α a, beta β b, gamma γ g, delta δ d, epsilon ε e, zeta ζ z, kappa κ k, lambda λ l, "
    "sigma σ s, omega ω"
)
"""Greek letters by their names, and the Latin ones that are written for them. Other names of
letters are family names, too (*Chi*, *Xi*)."""


class Contrast(NamedTuple):
    """One contrast that a word may be in.

    Attributes
    ----------
    of
        The set: its number.
    stem
        What the word shares with those that it is in contrast with; "" where it shares nothing.
    value
        What it stands for. Two words of one set and stem that stand for different things contrast.
    """

    of: int
    stem: str
    value: str

    @property
    def designates(self) -> bool:
        """Whether it tells texts apart beside like words alone, as letters do."""
        return self.of == LETTER or self.of >= FIRST_STREET


def _sets_of(listed: Iterable[str], first: int) -> dict[str, list[tuple[int, str]]]:
    """By word of some sets, the number of each set that it is in, and what it stands for there."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, words in enumerate(listed, first):
        for same in words.split(" | "):
            for word in same.split():
                found[word].append((number, same))
    return found


@cache
def _sets_of_words() -> dict[str, list[tuple[int, str]]]:
    """By word, the sets that it is in, as of `_sets_of`."""
    lines = Path(__file__).with_name("contrasts.txt").read_text("utf-8").splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]
    found = _sets_of([*listed, *(pair.replace(" ", " | ") for pair in _NEGATED.split(", "))], 0)
    for word, sets in _sets_of(_STREETS, FIRST_STREET).items():
        found[word] += sets
    return found


_OF_PREFIX = _sets_of(_PREFIXES, FIRST_PREFIX)
_BEGUN = re.compile("|".join(sorted(_OF_PREFIX, key=len, reverse=True)))
_OF_SUFFIX = _sets_of(_SUFFIXES, FIRST_SUFFIX)
_ENDINGS = tuple(sorted(_OF_SUFFIX, key=len, reverse=True))
_GREEK = {
    word: letters[-1] for letters in map(str.split, _SPELLED.split(", ")) for word in letters[:2]
}
"""The letter that a Greek one, or its name, is compared as."""
_SIZES = {word: same.split()[0] for same in _CLOTHES.split(", ") for word in same.split()}


def contrasts(words: Set[str], negated: Iterable[str] = ()) -> dict[str, list[Contrast]]:
    """Find the contrasts that words are in.

    Parameters
    ----------
    words
        Normalised words. A word is in contrast with its negation where both are among
        these: whether two words are does not depend on others.
    negated
        Words of which a negation is known beside these.

    Returns
    -------
    found
        By word, for those that are in any.

    Examples
    --------
    >>> contrasts({"5b", "house"})
    {'5b': [Contrast(of=-1, stem='5', value='b')]}
    >>> contrasts({"sterile", "unsterile", "under"})["unsterile"]
    [Contrast(of=-2, stem='sterile', value='not')]
    """
    found: dict[str, list[Contrast]] = defaultdict(list)
    plain = set(negated)
    listed = _sets_of_words()
    for word in words:
        # Most words are told by this, and nothing more is asked of them.
        if word in listed or word in _GREEK or len(word) == 1 or word[-2].isdigit():
            found[word] += _of_word(word)
        elif word in _SIZES:
            found[word].append(Contrast(LETTER, "", _SIZES[word]))
        elif _BEGUN.match(word):
            found[word] += _of_beginnings(word)
        if word.endswith(_ENDINGS):
            found[word] += _of_ending(word)
        if word.startswith(_NOT):
            for stem in _stems(word):
                if stem in words:
                    found[word].append(Contrast(NEGATED, stem, "not"))
                    plain.add(stem)
    for word in plain:
        found[word].append(Contrast(NEGATED, word, ""))
    return {word: some for word, some in found.items() if some}


def _stems(word: str) -> Iterator[str]:
    """What a word may be the negation of."""
    for prefix in _NOT:
        if word.startswith(prefix) and len(word) >= len(prefix) + SHORTEST_STEM:
            yield word[len(prefix) :]


def are_in_contrast(words: Set[str], others: Set[str]) -> bool:
    """Tell whether words of one text are in contrast with words of another.

    Parameters
    ----------
    words, others
        Normalised words; what both have says nothing.

    Examples
    --------
    >>> are_in_contrast({"north", "gate"}, {"south", "gate"}), are_in_contrast({"north"}, {"gate"})
    (True, False)
    """
    found = contrasts(words ^ others)
    told, instead = (
        [each for word in some & found.keys() for each in found[word]] for some in (words, others)
    )
    return any(
        (one.of, one.stem) == (two.of, two.stem) and one.value != two.value
        for one in told
        for two in instead
    )


def _of_word(word: str) -> list[Contrast]:
    listed = [Contrast(of, "", value) for of, value in _sets_of_words().get(word, ())]
    designates = _LETTER.fullmatch(_GREEK.get(word, word))
    if designates is not None:
        stem, letter = designates.groups()
        listed.append(Contrast(LETTER, stem, _GREEK.get(letter, letter)))
    return listed + _of_beginnings(word)


def _of_beginnings(word: str) -> list[Contrast]:
    """The contrasts of a word by what it begins with."""
    begun = (prefix for prefix in _OF_PREFIX if word.startswith(prefix))
    return [
        Contrast(of, word[len(prefix) :], value)
        for prefix in begun
        if len(word) >= len(prefix) + SHORTEST_STEM
        for of, value in _OF_PREFIX[prefix]
    ]


def _of_ending(word: str) -> list[Contrast]:
    """The contrasts of a word by what it ends with: the longest of the endings."""
    suffix = next(filter(word.endswith, _ENDINGS))
    stem = word.removesuffix(suffix)
    if len(stem) < SHORTEST_STEM:
        return []
    return [Contrast(of, stem, value) for of, value in _OF_SUFFIX[suffix]]
