"""Columns of people: whether names are of people rather than of places, ships, firms or products.

Many things are named after people, so that a given name alone says little: what stands before it,
as in *San Jose* and *Hotel Maria*, or behind it, as in *Karl Street* and *Ruby Ring*, says more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

from pearljoin._text.given_names import is_given_name, is_pinyin
from pearljoin._text.lexicon import FAMILY_FIRST

__all__ = ["RANKS", "Words", "are_names_of_people", "is_initial", "name_share"]

Words: TypeAlias = tuple[str, ...]
"""Words of a person's name, given names first if that is known; none where nobody is named."""

N_WORDS, MOST_OF_PEOPLE = range(2, 5), 0.6
"""Words of a name that looks like one of a person, and share of such names in a column of people.
Lists of people have .8 and more, those of artists .4, of companies, places and titles up to .1."""

OFTEN, FEW = 1 / 3, 2
"""Share of the different names that begin with one word, from which it is no given name, as *Rosa*
of roses is none; and names that may begin so in any column."""

_RANKS = (
    "king queen prince princess duke duchess baron baroness count countess emperor tsar "
    "pope papst papa papstin konig konigin kaiser kaiserin prinz prinzessin graf grafin freiherr "
    "herzog roi reine rey reina saint st ste sta sto sankt san santa santo sant sao sint szent "
    "sister brother father mother general private chief cardinal sheikh sheik imam mullah swami "
    "uncle aunt grandma grandpa"
)
RANKS = frozenset(_RANKS.split())
"""Words before a name that are of many who have it, or of places named after them; some are given
names too. Titles that are never given names are taken off when names are read."""

_BEFORE = (
    "hotel hostel pension villa casa chateau schloss castle gasthof gasthaus ristorante restaurant "
    "cafe bar club pub fort mount mont monte port puerto porto cape cabo lake lago lac isla ile "
    "bad new los las the rue via avenida calle plaza piazza place camp hurricane "
    "storm typhoon uss hms rms ms mv ss sms"
)
_BEHIND = (
    "street straße strasse road rd avenue ave drive boulevard blvd alley allee gasse platz weg "
    "square court bridge river creek bay harbor harbour beach island springs falls airport station "
    "palace aquarium museum stadium arena theatre theater library hospital clinic church cathedral "
    "chapel abbey city county town village borough school high elementary college university "
    "academy institute gymnasium schule stiftung foundation trust fund association society gmbh "
    "ltd inc llc corp company co group bank hotel inn restaurant cafe bakery pharmacy shop store "
    "stores market guitars motors foods controls pumps tea oil soap honey jam juice seeds leaves "
    "root beads ring rings necklace bracelet pendant earrings vase comb lamp chair table shirt "
    "dress shoes jacket perfume wine beer whiskey album song film "
    "alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho "
    "illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan "
    "minnesota mississippi missouri nebraska nevada ohio oklahoma oregon pennsylvania tennessee "
    "texas utah vermont wisconsin wyoming usa canada australia england scotland italy spain "
    "germany france bulgaria brazil mexico"
)
BEFORE, BEHIND = RANKS | frozenset(_BEFORE.split()), frozenset(_BEHIND.split())
"""Words that a name of a thing begins with, and ends with; hardly a family is called so."""


def name_share(names: Sequence[Words]) -> float:
    """Share of names that have several words and begin, or end, with a given name.

    Words that stand before names of things, and many different names' first word, are none.

    Examples
    --------
    >>> name_share([("rosa", "quinn"), ("leo", "hall"), ("acme", "ltd"), ()])
    0.5
    >>> name_share([("hotel", "maria"), ("san", "antonio"), ("xiaoming", "wang")])
    0.3333333333333333
    """
    several = [words for words in names if len(words) > 1 and not _is_of_thing(words)]
    first = Counter(words[0] for words in set(several))
    most = max(FEW, OFTEN * first.total())
    begin = sum(
        words[0] in FAMILY_FIRST
        or (is_given_name(words[0]) and first[words[0]] <= most)
        or (words[-1] in FAMILY_FIRST and all(map(is_pinyin, words[:-1])))
        for words in several
    )
    end = sum(is_given_name(words[-1]) for words in several)
    return max(begin, end) / max(1, len(names))


def _is_of_thing(words: Words) -> bool:
    return words[0] in BEFORE or words[-1] in BEHIND


def are_names_of_people(names: Sequence[Words]) -> bool:
    """Tell whether names are of people: of two to four words, the first or last a given name.

    Examples
    --------
    >>> are_names_of_people([("rosa", "quinn"), ("leo", "hall"), ("e", "hall")])
    True
    >>> are_names_of_people([("rosa", "quinn"), ("acme", "ltd"), ("nova", "pumps")])
    False
    """
    # With initials alone they say neither.
    whole = [name if len(name) in N_WORDS else () for name in names if not _is_short(name)]
    named = [() if any(map(str.isdigit, "".join(name))) else name for name in whole]
    # Of a few names one more that is none is thought, for chance.
    return name_share([*named, ()]) >= MOST_OF_PEOPLE


def _is_short(name: Words) -> bool:
    """Whether a name has an initial in the place of the given name."""
    return len(name) > 1 and is_initial(name[0])


def is_initial(word: str) -> bool:
    """Tell whether a word is a single letter of a script that has capitals: others write names so.

    Examples
    --------
    >>> is_initial("r"), is_initial("誠")
    (True, False)
    """
    return len(word) == 1 and word.upper() != word.lower()
