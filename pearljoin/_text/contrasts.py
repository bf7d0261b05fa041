"""Contrasts: words of which a name has one or the other, so that two things differ in nothing else.

*North* and *South Campus*, *Hepatitis B* and *C*, *hypo-* and *hyperthyroidism* are written nearly
alike, by letters and by what they mean, and are never one thing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from pearljoin._text.lexicon import GREEK_LETTERS

__all__ = ["LETTER", "Contrast", "contrasts"]

_SETS = (
    "north northern nord norte northeast northeastern northwest northwestern"
    " | south southern sud sur sul southeast southeastern southwest southwestern"
    " | east eastern ost est este leste northeast northeastern southeast southeastern"
    " | west western ouest oeste northwest northwestern southwest southwestern | central",
    "upper ober | middle | lower unter",
    "superior | inferior",
    "great greater grand gross | little lesser petit petite klein small",
    "major | minor",
    "old alt vieux viejo vecchio | new neu nouveau nuevo nuovo",
    "men mens man male gentlemen | women womens woman female ladies | boys boy | girls girl"
    " | children kids | mixed unisex",
    "father | mother | son | daughter | brother | sister | uncle | aunt",
    "grandfather | grandmother",
    "grandson | granddaughter",
    "stepfather | stepmother",
    "husband | wife | widow",
    "king | queen",
    "prince | princess",
    "left links | right rechts",
    "front | back rear",
    "inner | outer",
    "interior | exterior",
    "internal | external",
    "indoor | outdoor",
    "inside | outside",
    "inbound | outbound",
    "incoming | outgoing",
    "import imports | export exports",
    "input | output",
    "increase | decrease",
    "ascending | descending",
    "gross | net",
    "income | expense expenses",
    "revenue | cost costs",
    "assets | liabilities",
    "debit | credit",
    "buyer | seller",
    "buy | sell",
    "purchase purchases | sale sales",
    "employer | employee",
    "landlord | tenant",
    "plaintiff | defendant",
    "public | private",
    "domestic | international | foreign",
    "rural | urban",
    "wholesale | retail",
    "residential | commercial | industrial",
    "civil | criminal",
    "primary | secondary | tertiary",
    "elementary primary | middle | high secondary",
    "junior | senior",
    "undergraduate | graduate postgraduate",
    "bachelor bachelors | master masters",
    "beginner beginners basic introductory | intermediate | advanced",
    "theoretical | experimental | applied",
    "analog analogue | digital",
    "positive | negative",
    "maximum max | minimum min | average mean",
    "full | half | quarter",
    "single | double twin | triple | quadruple",
    "odd | even",
    "hot | cold warm",
    "wet | dry",
    "sweet | sour | salted | unsalted",
    "light | dark",
    "day | night",
    "morning | afternoon | evening | midnight | noon",
    "spring | summer | autumn fall | winter",
    "january | february | march | april | may | june | july | august | september | october"
    " | november | december",
    "monday mon | tuesday tue | wednesday wed | thursday thu | friday fri | saturday sat"
    " | sunday sun",
    "black | white | red | blue | green | yellow | orange | purple violet | pink | brown"
    " | grey gray | beige | silver | gold golden",
    "gold | silver | bronze | platinum | diamond",
    "arrivals arrival | departures departure",
    "acute | chronic",
    "benign | malignant",
    "systolic | diastolic",
    "proximal | distal",
    "medial | lateral",
    "anterior | posterior",
    "dorsal | ventral",
    "arterial | venous",
    "congenital | acquired",
    "anode | cathode",
    "tablet tablets | capsule capsules | syrup | cream | ointment | gel | injection | drops"
    " | suppository suppositories",
    "hydrogen | helium | lithium | carbon | nitrogen | oxygen | fluorine | sodium | magnesium"
    " | aluminium aluminum | silicon | sulfur sulphur | chlorine | potassium | calcium | titanium"
    " | chromium | manganese | iron | cobalt | nickel | copper | zinc | bromine | silver | tin"
    " | iodine | barium | tungsten | gold | mercury | lead | uranium | ammonium",
    "fluoride | chloride | bromide | iodide | oxide | dioxide | peroxide | hydroxide"
    " | sulfide sulphide | sulfite sulphite | sulfate sulphate | nitrite | nitrate | phosphate"
    " | carbonate | bicarbonate | acetate | citrate",
    "methyl | ethyl | propyl | butyl",
    "methane | ethane | propane | butane",
    "methanol | ethanol | propanol | butanol",
    "dog dogs canine | cat cats feline",
    "chicken | beef | pork | lamb | turkey | duck | tuna | salmon",
    "vanilla | chocolate | strawberry | raspberry | blueberry | cherry | banana | lemon | lime"
    " | orange | apple | peach | mango | coconut | caramel | hazelnut",
    "butter | margarine",
    "violin | viola | cello",
    "soprano | alto | tenor | baritone | bass",
    "piano | organ | harp | flute | oboe | clarinet | bassoon | trumpet | trombone",
)
"""Each a set of words; those that stand for the same are not parted by "|"."""

_PREFIXES = (
    "hypo hyper",
    "intra inter",
    "pre post",
    "micro macro",
    "endo exo ecto",
    "mono bi di tri tetra",
    "uni bi multi",
    "in ex out",
    "over under",
    "sub super",
    "maxi mini",
    "ober unter nieder",
    "gross klein",
    "alt neu",
    "nord sud ost west",
)
"""What the same word may begin with, of which each makes another one of it."""

_NEGATIONS = ("in", "un", "non", "dis", "im", "ir", "il", "under", "anti", "semi")
"""What makes another word of one that stands without."""

SHORTEST_STEM = 4
"""Letters of a word behind a prefix, at least."""

_LETTER = re.compile(r"(|.*\d)([a-zα-ω])")
"""A letter alone, or behind a digit."""

LETTER, NEGATION = -1, -2
"""The set of letters, and that of a word and its negation."""


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


_OF_WORD: dict[str, list[Contrast]] = defaultdict(list)
for _number, _words in enumerate(_SETS):
    for _same in _words.split(" | "):
        for _word in _same.split():
            _OF_WORD[_word].append(Contrast(_number, "", _same))
for _word, _letter in GREEK_LETTERS.items():
    _OF_WORD[_word].append(Contrast(LETTER, "", _letter))

_OF_PREFIX = [
    (len(_SETS) + number, prefix)
    for number, prefixes in enumerate(_PREFIXES)
    for prefix in prefixes.split()
]
_BEGUN = re.compile("|".join([*(prefix for _, prefix in _OF_PREFIX), *_NEGATIONS]))


def contrasts(words: Collection[str]) -> dict[str, list[Contrast]]:
    """Find the contrasts that words are in.

    Parameters
    ----------
    words
        Distinct normalised words, a set or a dictionary. A negation counts where the word that it
        negates is one of them.

    Returns
    -------
    found
        By word, for those that are in any.

    Examples
    --------
    >>> contrasts({"5b"}), contrasts({"house"})
    ({'5b': [Contrast(of=-1, stem='5', value='b')]}, {})
    >>> contrasts({"organic", "inorganic"})["organic"]
    [Contrast(of=-2, stem='organic', value='')]
    """
    found = {word: list(_OF_WORD[word]) for word in words if word in _OF_WORD}
    for word in words:
        # Most words are told by this, and nothing more is asked of them.
        if _BEGUN.match(word):
            for one, contrast in _of_beginnings(word, words):
                found.setdefault(one, []).append(contrast)
        elif len(word) > 1 and not word[-2].isdigit():
            continue
        designates = _LETTER.fullmatch(word)
        if designates is not None:
            found.setdefault(word, []).append(Contrast(LETTER, *designates.groups()))
    return found


def _of_beginnings(word: str, words: Collection[str]) -> Iterator[tuple[str, Contrast]]:
    """Contrasts of a word by its prefixes, and of the word that it negates."""
    for of, prefix in _OF_PREFIX:
        if word.startswith(prefix) and len(word) >= len(prefix) + SHORTEST_STEM:
            yield word, Contrast(of, word[len(prefix) :], prefix)
    for prefix in _NEGATIONS:
        stem = word.removeprefix(prefix)
        if stem != word and len(stem) >= SHORTEST_STEM and stem in words:
            yield word, Contrast(NEGATION, stem, prefix)
            yield stem, Contrast(NEGATION, stem, "")
