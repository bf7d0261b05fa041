"""Given names: which words are known for such, and which are of different people.

Three lists ship: given names of many languages, made by ``python -m pearljoin_train given-names``;
names of Japan, India, Indonesia, Korea and Africa that it lacks, written by hand; and the forms of
one name, short ones and those of other languages, a line for each.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from string import ascii_lowercase

from pearljoin._text.background import bundled_background
from pearljoin._text.token_similarity import are_one_edit_apart, jaro_winkler, may_be_spellings

__all__ = [
    "are_forms",
    "are_other_names",
    "is_given_name",
    "is_pinyin",
    "may_be_given_name",
    "may_be_initial",
    "sound_alike",
]

SHORTEST, SHORT = 2, 4
"""Letters of a name that is no initial, at least; and of one of which a letter makes another name,
at most: *Mark* and *Mary* are two."""

ALIKE = 0.75
"""Jaro-Winkler similarity from which a word that is not known may be a name with slips of writing.
One pair of names in seventy has more."""

GENDERED = {"a", "o"}
"""Last letters in which names of a woman and of a man differ, as *Maria* and *Mario* do."""

NAMES_KEPT = 65_536
"""Pairs of names whose comparison is kept for the next lookup."""

_SOUNDS = (
    *(("ph", "f"), ("th", "t"), ("sch", "s"), ("sh", "s"), ("ch", "k"), ("ck", "k"), ("kh", "k")),
    *(("gh", "g"), ("dh", "d"), ("zh", "z"), ("c", "k"), ("q", "k"), ("x", "ks"), ("w", "v")),
    *(("z", "s"), ("y", "i"), ("j", "i"), ("ei", "e"), ("ai", "e"), ("ou", "u"), ("oo", "u")),
)
"""Letters that are written for each other in names, in the order in which they are replaced."""

_SYLLABLE = (
    "(?:(?:[bpmfdtnlgkhrzcs]|[zcs]h)?(?:ai?|ang?|ao|ei?|eng?|ou?|ong)"
    "|(?:[bpmfdtnlgkhrzcs]|[zcs]h)(?:i|u|uai?|uang?|ui|un|uo)"
    "|[bpmdtnljqx]i(?:ang?|ao?|e|ng?|ong|u)?|[jqxy]u(?:an|e|n)?"
    "|y(?:ang?|ao?|e|i|ing?|o|ong|ou)|w(?:ang?|ai?|ei|eng?|o|u))"
)
_CHINESE = re.compile(_SYLLABLE + "{1,2}")
"""Chinese given names in Latin letters (pinyin), of which no list has more than a few: one or two
syllables."""


def is_given_name(word: str) -> bool:
    """Tell whether a word is known for a given name.

    Examples
    --------
    >>> is_given_name("alice"), is_given_name("hall")
    (True, False)
    """
    return word in _listed() or word in _forms()


@lru_cache(maxsize=NAMES_KEPT)
def may_be_given_name(word: str) -> bool:
    """Tell whether a word is known for a given name, or is one with a slip behind its first letter.

    Examples
    --------
    >>> may_be_given_name("patrcia"), may_be_given_name("coach")
    (True, False)
    """
    if is_given_name(word):
        return True
    return len(word) >= SHORT and any(
        is_given_name(near)
        for at in range(1, len(word) + 1)
        for near in _with_slip(word[:at], word[at:])
    )


def _with_slip(before: str, after: str) -> Iterator[str]:
    """Make words that differ from one between its parts: a letter less, more, other, or two turned.

    Yields
    ------
    word
        Such a word.
    """
    for letter in ascii_lowercase:
        yield before + letter + after
        yield before + letter + after[1:]
    yield before + after[1:]
    yield before + after[1:2] + after[:1] + after[2:]


def is_pinyin(word: str) -> bool:
    """Tell whether a word may be a Chinese given name in Latin letters.

    Examples
    --------
    >>> is_pinyin("xiaoming"), is_pinyin("peter")
    (True, False)
    """
    return _CHINESE.fullmatch(word) is not None


def sound_alike(one: str, other: str) -> bool:
    """Tell whether two names sound the same, roughly.

    Examples
    --------
    >>> sound_alike("minjun", "minjoon"), sound_alike("alice", "peter")
    (True, False)
    """
    return _sound(one) == _sound(other)


def are_forms(one: str, other: str) -> bool:
    """Tell whether one of two words is a form of the other as a given name, or its initials.

    Parameters
    ----------
    one, other
        Normalised words.

    Examples
    --------
    >>> are_forms("bob", "robert"), are_forms("r", "robert"), are_forms("alice", "alise")
    (True, True, False)
    >>> are_forms("bob", "bob")
    False
    """
    short, long = sorted((one, other), key=len)
    return one != other and (_are_initials(short, long) or _are_listed(one, other))


@lru_cache(maxsize=NAMES_KEPT)
def are_other_names(one: str, other: str) -> bool:
    """Tell whether two given names are of different people, as a rule.

    Spellings and forms of a name are not, nor initials.

    Parameters
    ----------
    one, other
        Normalised words.

    Examples
    --------
    >>> are_other_names("alice", "peter"), are_other_names("mark", "mary")
    (True, True)
    >>> are_other_names("mario", "maria")
    True
    >>> are_other_names("bob", "robert"), are_other_names("hans", "johannes")
    (False, False)
    >>> are_other_names("sofia", "sophia"), are_other_names("alise", "alice")
    (False, False)
    >>> are_other_names("j", "john"), are_other_names("", "john")
    (False, False)
    """
    short, long = sorted((one, other), key=len)
    if len(short) < SHORTEST or _are_initials(short, long) or _are_listed(one, other):
        return False
    are_known = is_given_name(one), is_given_name(other)
    if not (one + other).isascii() and not all(are_known):
        return False  # perhaps one name in two scripts
    sounds = sorted((_sound(one), _sound(other)), key=len)
    if sounds[0] == sounds[1] or sorted(one) == sorted(other):
        return False
    if all(are_known) or _are_chinese(one, other):
        if one[:-1] == other[:-1] and {one[-1], other[-1]} == GENDERED:
            return True
        # Of known names a slip of writing is less likely than another name.
        is_slip = are_one_edit_apart(one, other) or are_one_edit_apart(*sounds)
        return len(long) <= SHORT or not is_slip
    if len(short) > SHORTEST and short in long:
        return False
    if len(long) <= SHORT and one[0] != other[0]:
        return True
    return jaro_winkler(*sounds) < ALIKE and not may_be_spellings(short, long)


def may_be_initial(initial: str, name: str) -> bool:
    """Tell whether an initial may be that of a given name, in one of its forms and by its sound.

    Parameters
    ----------
    initial, name
        A letter, and a normalised word; another initial has to be the same letter.

    Examples
    --------
    >>> may_be_initial("b", "william"), may_be_initial("k", "catherine")
    (True, True)
    >>> may_be_initial("e", "oliver"), may_be_initial("k", "c")
    (False, False)
    """
    if initial.isascii() != name.isascii():
        return True  # perhaps one name in two scripts
    if len(name) == 1:
        return initial == name
    return not _initials_of(name).isdisjoint({initial, _sound(initial)})


@lru_cache(maxsize=NAMES_KEPT)
def _initials_of(name: str) -> frozenset[str]:
    """Letters that a given name may begin with, in one of its forms and by how these sound."""
    forms = {name, *bundled_background().equivalents.get(name, ())}
    for line in _forms().get(name, ()):
        forms.update(_forms_by_line()[line])
    letters = {letter for form in forms for letter in (form[:1], _sound(form)[:1])}
    # *Jekaterina* is *Ekaterina*, and *Umar* is *Omar*.
    letters |= {form[1] for form in forms if form[:2] in ("je", "ye", "yu", "ju")}
    return frozenset(letters | ({"o", "u"} if letters & {"o", "u"} else set()))


def _are_chinese(one: str, other: str) -> bool:
    """Whether two words are Chinese given names in Latin letters.

    *Nile* may be that too; beside *Nilo*, which is listed, it is a slip of writing.
    """
    is_listed = is_given_name(one) or is_given_name(other)
    may_be_slip = one[0] == other[0] and (is_listed or are_one_edit_apart(one, other))
    return not may_be_slip and is_pinyin(one) and is_pinyin(other)


def _are_initials(short: str, long: str) -> bool:
    """Whether a name is an initial, or of two letters that may be, as *JP* and *AJ* are."""
    if len(short) < SHORTEST:
        return short != "" and long.startswith(short)
    known = is_given_name(short) or not is_given_name(long)
    return len(short) <= SHORTEST and short[0] == long[0] and not known


def _are_listed(one: str, other: str) -> bool:
    """Whether two words are listed as forms of one name."""
    forms = _forms()
    is_listed = not forms.get(one, frozenset()).isdisjoint(forms.get(other, ()))
    return is_listed or other in bundled_background().equivalents.get(one, ())


@lru_cache(maxsize=NAMES_KEPT)
def _sound(name: str) -> str:
    """Write a name as it sounds, roughly: letters that are written for each other as one."""
    for written, letter in _SOUNDS:
        name = name.replace(written, letter)
    first, rest = name[:1], name[1:].replace("h", "")
    found = [first]
    found += [
        letter for before, letter in zip(first + rest, rest, strict=False) if letter != before
    ]
    return "".join(found)


@cache
def _listed() -> frozenset[str]:
    """The given names that ship with the package, normalised."""
    return frozenset(f"{_read('given_names.txt')} {_read('more_given_names.txt')}".split())


@cache
def _forms_by_line() -> list[list[str]]:
    """The forms of one name, a line for each, normalised."""
    return [names.split() for names in _read("name_forms.txt").splitlines()]


@cache
def _forms() -> Mapping[str, frozenset[int]]:
    """By name, which lines of forms of one name have it."""
    found: dict[str, set[int]] = defaultdict(set)
    for line, names in enumerate(_forms_by_line()):
        for name in names:
            found[name].add(line)
    return {name: frozenset(lines) for name, lines in found.items()}


def _read(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
