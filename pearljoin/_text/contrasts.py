"""Contrasts: words of which a name has one or the other, where two things differ in little else.

*North* and *South Campus*, *Hepatitis B* and *C*, *hypo-* and *hyperthyroidism* are written nearly
alike, by letters and by what they mean, and are never one thing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Set
from typing import NamedTuple

__all__ = ["LETTER", "Contrast", "are_in_contrast", "contrasts"]

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
    "northbound nb | southbound sb | eastbound eb | westbound wb",
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
    "elementary primary | middle junior intermediate | high secondary",
    "junior | senior",
    "undergraduate | graduate postgraduate",
    "bachelor bachelors | master masters",
    "beginner beginners basic introductory | intermediate | advanced",
    "theoretical | experimental | applied",
    "analog analogue | digital",
    "positive | negative",
    "maximum max | minimum min | average mean",
    "with mit avec con | without ohne sans sin senza",
    "wired | wireless",
    "raw | cooked",
    "full | half | quarter",
    "single | double twin | triple | quadruple",
    "odd | even",
    "hot warm | cold",
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
    " | carbonate | acetate | citrate",
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
    "ober | unter | nieder",
    "gross | klein",
    "alt | neu",
    "nord | sud | ost | west",
)
"""What the same word may begin with, of which each makes another one of it; likewise."""

_NEGATED = (
    "organic inorganic, direct indirect, formal informal, complete incomplete, active inactive, "
    "dependent independent, secure insecure, known unknown, limited unlimited, paid unpaid, "
    "licensed unlicensed, registered unregistered, employed unemployed, official unofficial, "
    "regular irregular, legal illegal, profit nonprofit, metal nonmetal, ferrous nonferrous, "
    "smoking nonsmoking, alcoholic nonalcoholic, fiction nonfiction, linear nonlinear, "
    "invasive noninvasive, renewable nonrenewable, armed unarmed, sweetened unsweetened, "
    "leaded unleaded, finished unfinished, furnished unfurnished, stable unstable, "
    "resident nonresident, verbal nonverbal, toxic nontoxic, stop nonstop, body antibody, "
    "specified unspecified, displaced nondisplaced, traumatic nontraumatic, "
    "complicated uncomplicated, controlled uncontrolled, ruptured unruptured, "
    "saturated unsaturated, soluble insoluble, coated uncoated, treated untreated, "
    "scented unscented, bleached unbleached, shielded unshielded, insulated uninsulated, "
    "final semifinal, septic aseptic antiseptic, typical atypical, sexual asexual"
)
"""Words, and what negates them: these are in contrast as those of one set."""

SHORTEST_STEM = 4
"""Letters of a word behind a prefix, at least."""

_LETTER = re.compile(r"(|.*\d)([a-zα-ω])")
"""A letter alone, or behind a digit."""

LETTER = -1
"""The set of letters."""

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


def _sets_of(listed: Iterable[str], first: int) -> dict[str, list[tuple[int, str]]]:
    """By word of some sets, the number of each set that it is in, and what it stands for there."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, words in enumerate(listed, first):
        for same in words.split(" | "):
            for word in same.split():
                found[word].append((number, same))
    return found


_LISTED = [*_SETS, *(pair.replace(" ", " | ") for pair in _NEGATED.split(", "))]
_OF_WORD = _sets_of(_LISTED, 0)
_OF_PREFIX = _sets_of(_PREFIXES, len(_LISTED))
_BEGUN = re.compile("|".join(sorted(_OF_PREFIX, key=len, reverse=True)))
_GREEK = {
    word: letters[-1] for letters in map(str.split, _SPELLED.split(", ")) for word in letters[:2]
}
"""The letter that a Greek one, or its name, is compared as."""


def contrasts(words: Iterable[str]) -> dict[str, list[Contrast]]:
    """Find the contrasts that words are in, each by itself.

    Parameters
    ----------
    words
        Distinct normalised words.

    Returns
    -------
    found
        By word, for those that are in any.

    Examples
    --------
    >>> contrasts(["5b", "house"])
    {'5b': [Contrast(of=-1, stem='5', value='b')]}
    """
    found = {}
    for word in words:
        # Most words are told by this, and nothing more is asked of them.
        if word in _OF_WORD or word in _GREEK or len(word) == 1 or word[-2].isdigit():
            found[word] = _of_word(word)
        elif _BEGUN.match(word):
            found[word] = _of_beginnings(word)
    return {word: some for word, some in found.items() if some}


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
    listed = [Contrast(of, "", value) for of, value in _OF_WORD.get(word, ())]
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
