"""Comparison of e-mail addresses."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.protocol import (
    Comparer,
    Kind,
    Levels,
    Parsed,
    Texts,
    Values,
    Within,
    read_each,
    text_array,
)
from pearljoin._kinds.spelling import ALIKE, edits, jaro_winkler, same
from pearljoin._text.normalise import cut_marks
from pearljoin._typing import BoolVector, IntVector

__all__ = ["EmailComparer", "ParsedEmails", "read_email"]

LONGEST = 300
"""Characters of an address and what stands beside it: some 254 are an address's (RFC 5321)."""

_ADDRESS = re.compile(r"(?:.*<)?\s*(?:mailto:)?([^\s@<>,;]+)@([^\s@<>,;]+?)\.?\s*>?", re.IGNORECASE)
_MARKED = re.compile(
    r"([^\s@<>,;()]+)(?:@|\s?[(\[]at[)\]]\s?)([^\s@<>,;()]+?)[.,;]*", re.IGNORECASE
)
_BEFORE = re.compile(r"^e-?mail\s?:\s*", re.IGNORECASE)
_BEHIND = re.compile(r"\s*\([^()@]*\)$|\s*[;,|/\n]\s*[^\s@]+@[^@]*$")
"""A note behind an address, and one more address."""

_GOOGLE = frozenset(["gmail.com", "googlemail.com"])


def read_email(text: str) -> tuple[str, str] | None:
    """Read user and domain of an e-mail address, in lower case; None for another text.

    The tag of a subaddress (RFC 5233) is left out, and the dots of a Gmail user, which do not count
    there. "(at)" is "@". Of two addresses the first is read.

    Examples
    --------
    >>> read_email("Jo Smith <Jo.Smith+news@GoogleMail.com>")
    ('josmith', 'gmail.com')
    """
    found = _ADDRESS.fullmatch(text) or _MARKED.fullmatch(text)
    if found is None and len(text) <= LONGEST:
        bare = _BEHIND.sub("", _BEFORE.sub("", text))
        found = _ADDRESS.fullmatch(bare) or _MARKED.fullmatch(bare)
    if found is None:
        return None
    user, domain = (
        unicodedata.normalize("NFKC", cut_marks(part)).casefold() for part in found.groups()
    )
    user = user.partition("+")[0] or user
    if domain in _GOOGLE:
        user, domain = user.replace(".", "") or user, "gmail.com"
    return user, domain


@dataclass(frozen=True, eq=False)
class ParsedEmails(Parsed):
    """E-mail addresses in two parts.

    Attributes
    ----------
    user, domain
        str of shape (n_values,): the parts before and after "@"; "" for null.
    """

    user: Texts
    domain: Texts


class EmailComparer(Comparer[ParsedEmails]):
    """Compares e-mail addresses by user and domain.

    The levels are those of Splink's EmailComparison, and two more: one character off, and the same
    domain. "Near" is a Jaro-Winkler similarity of 0.88. Users that differ in their first letter
    alone, which is seldom mistyped, have other given names: *j.roberts*, *e.roberts*.
    """

    kind: ClassVar[Kind] = "email"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "same domain",
        "near user",
        "near user, same domain",
        "same user",
        "one character off",
        "equal",
    )

    def read(self, values: Values) -> ParsedEmails:
        """Read addresses; text without a user and a domain around one "@" is unparsable.

        Examples
        --------
        >>> EmailComparer().read(["Ann@example.org", "ann at example"]).canonical
        array(['ann@example.org', None], dtype=object)
        """
        found, n_unparsable = read_each(cell_texts(values), read_email)
        parts = [address or ("", "") for address in found]
        return ParsedEmails(
            text_array(address and "@".join(address) for address in found),
            n_unparsable,
            text_array(user for user, _ in parts),
            text_array(domain for _, domain in parts),
        )

    def _compare_unequal(
        self, left: ParsedEmails, right: ParsedEmails, left_at: IntVector, right_at: IntVector
    ) -> tuple[Levels, Within]:
        users = left.user[left_at], right.user[right_at]
        domains = left.domain[left_at], right.domain[right_at]
        same_domain = same(*domains)
        likeness = jaro_winkler(*users)
        others = _have_other_initials(*users)
        near = (likeness >= ALIKE) & ~others
        slip = (edits(left.canonical[left_at], right.canonical[right_at]) == 1) & ~others
        level = np.select(
            [slip, same(*users), near & same_domain, near, same_domain],
            [5, 4, 3, 2, 1],
            0,
        )
        return level.astype(np.int8), (likeness + jaro_winkler(*domains)) / 2


def _have_other_initials(left: Texts, right: Texts) -> BoolVector:
    """Mark users whose first letters differ, and nothing else."""
    pairs = zip(left.tolist(), right.tolist(), strict=True)
    found = (
        one[:1] != other[:1] and one[1:] == other[1:] and one[:1].isalpha() and other[:1].isalpha()
        for one, other in pairs
    )
    return np.fromiter(found, dtype=bool, count=len(left))
