"""Names of people in parts: given names, particles, family name, generation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from pearljoin._text.lexicon import GENERATIONS
from pearljoin._text.normalise import mend, normalise

__all__ = ["ENDINGS", "PARTICLES", "Part", "PersonName", "read_person"]

Part: TypeAlias = Literal["full", "given", "middle", "family"]
"""What a column of people holds."""

_SALUTATIONS = (
    "mr mrs ms miss mx dr prof professor sir dame lord lady rev hon frau herr sra srta dra "
    "monsieur madame mme mlle master sgt capt pastor msgr dipl ing dott med"
)
_TITLES = (
    "lt lieutenant cpt captain col colonel cmdr commander commodore gen adm admiral brigadier "
    "sergeant cpl corporal pvt coach president senator sen governor gov congressman congresswoman "
    "councillor councilman alderman ambassador minister chancellor mayor secretary sheriff officer "
    "inspector detective reverend fr bishop archbishop rabbi shri smt hr hrn frl fraulein mag "
    "signor signora signore sig dhr mevr mevrouw meneer herrn avv avvocato lic engr atty adv nurse"
)
SALUTATIONS = frozenset(_SALUTATIONS.split())
TITLES = SALUTATIONS | frozenset(_TITLES.split())
"""Words before a name. Of the salutations none is a given name; of the others, such as *Gen* and
*Col*, some are: alone in a column of given names they are taken for these."""

_DEGREES = "phd md mba msc bsc dds esq qc kc obe mbe cpa"
DEGREES = frozenset(_DEGREES.split())

_PARTICLES = (
    "van von vom vander vanden der den de del della delle degli di da do dos das du des la le lo "
    "los las ter ten zu zur af av el al bin ibn bint ben y e i et und"
)
PARTICLES = frozenset(_PARTICLES.split())
"""Words before a family name by which it is not sorted. Some are given names too, and initials:
they count as particles after another word only."""

MOST_INITIALS = 3
"""Capitals in a row that may be initials."""

ENDINGS = GENERATIONS | DEGREES
"""What may follow a name."""

_VOWELS = frozenset("aeiouy")
_DOTS = re.compile(r"\.(?=\S)")
_QUOTED = re.compile(r"[\"“”(\[].{0,100}?[\"“”)\]]")
"""Bounded: signs that open and are never closed would take the square of their number."""


class PersonName(NamedTuple):
    """A name in parts, normalised.

    Attributes
    ----------
    given
        Given names and initials, each letter of joined initials apart.
    particles
        As in "van der".
    family
        Words of the family name.
    generation
        "jr", "sr", "ii" and so on; "" without one.
    """

    given: tuple[str, ...]
    particles: tuple[str, ...]
    family: tuple[str, ...]
    generation: str = ""


def read_person(cells: Sequence[str | None], parts: Sequence[Part]) -> PersonName | None:
    """Read the name of a person.

    Parameters
    ----------
    cells
        A cell of each column.
    parts
        What each column holds.

    Returns
    -------
    name
        The name; None where no cell has a letter.

    Examples
    --------
    >>> read_person(["Dr. Ludwig van Beethoven"], ["full"])
    PersonName(given=('ludwig',), particles=('van',), family=('beethoven',), generation='')
    >>> read_person(["Smith, JA, Jr."], ["full"])
    PersonName(given=('j', 'a'), particles=(), family=('smith',), generation='jr')
    >>> read_person(["J. R. R.", "Tolkien"], ["given", "family"])
    PersonName(given=('j', 'r', 'r'), particles=(), family=('tolkien',), generation='')
    """
    present = [cell for cell in cells if cell is not None]
    mixed = any(character.islower() for cell in present for character in cell)
    given: list[str] = []
    family: list[str] = []
    for cell, part in zip(cells, parts, strict=True):
        if cell is None:
            continue
        if part == "full":
            before, after = _split_full(cell, mixed)
            given += before
            family += after
        else:
            (family if part == "family" else given).extend(_words(cell, mixed))
    return _arranged(given, family, is_full="full" in parts)


def _split_full(text: str, mixed: bool) -> tuple[list[str], list[str]]:
    """Split a full name into given names (with particles) and family name."""
    head, _, tail = text.partition(",")
    first, rest = _words(head, mixed), _words(tail, mixed, leads=False)
    if not set(rest) <= ENDINGS:
        return rest, first
    words = [*first, *rest]
    ends = [word for word in words if word in ENDINGS]
    core = [word for word in words if word not in ENDINGS]
    if not core:
        return [], words
    if len(core) > 1 and len(core[0]) > 1 and all(len(word) == 1 for word in core[1:]):
        return [*core[1:], *ends], core[:1]  # "Smith J A", as in indexes of papers
    # The family name is the last word, with the particles before it.
    start = len(core) - 1
    while start > 1 and core[start - 1] in PARTICLES and len(core[start - 1]) > 1:
        start -= 1
    return [*core[:start], *ends], core[start:]


def _words(text: str, mixed: bool, *, leads: bool = True) -> list[str]:
    """Words of a part of a name, normalised; joined initials ("JR", "J.R.") become letters.

    Parameters
    ----------
    text
        The part.
    mixed
        Whether the name has small letters, so that capitals say something.
    leads
        Whether the name starts here, where capitals may also be a family name ("LI Wei").
    """
    spaced = _DOTS.sub(". ", _QUOTED.sub(" ", mend(text)).replace(",", " ") or text)
    bare = [word.strip(".;") for word in spaced.split()]
    for at, word in enumerate(bare):
        is_initials = mixed and 1 < len(word) <= MOST_INITIALS and word.isalpha() and word.isupper()
        if is_initials and leads and at == 0:
            is_initials = _VOWELS.isdisjoint(word.casefold())
        if is_initials and word.casefold() not in ENDINGS:
            bare[at] = " ".join(word)
    return normalise(" ".join(bare)).split()


def _arranged(given: list[str], family: list[str], *, is_full: bool) -> PersonName | None:
    """Take titles, degrees, generation and particles out of the words of a name."""
    generation = ""
    if not set(given) | set(family) <= ENDINGS:
        generation = next((word for word in [*family, *given] if word in GENERATIONS), "")
        given, family = ([w for w in words if w not in ENDINGS] for words in (given, family))
    while given and len(given) + len(family) > 1:
        alone = not is_full and len(given) == 1
        if given[0] not in (SALUTATIONS if alone else TITLES):
            break
        given = given[1:]
    if not family:
        given, family = given[:-1], given[-1:]
    if not any(character.isalpha() for word in [*given, *family] for character in word):
        return None
    is_particle = [at > 0 and len(w) > 1 and w in PARTICLES for at, w in enumerate(given)]
    particles = [word for word, is_one in zip(given, is_particle, strict=True) if is_one]
    kept = [word for word, is_one in zip(given, is_particle, strict=True) if not is_one]
    while len(family) > 1 and family[0] in PARTICLES:
        particles.append(family[0])
        family = family[1:]
    generation = {"junior": "jr", "senior": "sr"}.get(generation, generation)
    return PersonName(tuple(kept), tuple(particles), tuple(family), generation)
