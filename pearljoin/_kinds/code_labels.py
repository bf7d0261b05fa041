"""What stands beside a code and is no part of it: "ISBN", "https://doi.org/", "(pbk.)"."""

from __future__ import annotations

import re

__all__ = ["LABELS", "cut_label", "is_standard_code"]

_NAMES = "isbn issn ismn ean upc gtin asin doi pmid pmcid arxiv orcid isni sku mpn iban"
LABELS = frozenset(name[:2] for name in [*_NAMES.upper().split(), "HTTPS", "DX", "NO", "NR", "PP"])
"""With what a code with a label begins: two letters."""

MOST_LABELS = 3
"""Labels before one code that are cut: "DOI: https://doi.org/doi:10.1000/182"."""

_LABEL = re.compile(
    rf"(?:{'|'.join(_NAMES.split())})"
    r"(?:(?:-?1[03])?(?:\s?[:#]\s*|\s+)(?=\S)|-1[03]-(?=\d)|[-_.]?(?=\d))"
    r"|(?:n[or]\.|№|pp\.|pp\s)\s*(?=\d)|n[or]\s+(?=\d{1,4}$)",  # "NO 974 760 673" is a company
    re.IGNORECASE,
)
_NOTED_ISBN = re.compile(r"((?:\d[- ]?){9,12}[\dX])\s*\([^()]*\)", re.IGNORECASE)
"""As in a library's catalogue: "0306406152 (pbk.)"."""

_SITE = re.compile(r"(?:https?://)?(?:(?:dx\.)?doi|orcid)\.org/(?=\S)", re.IGNORECASE)
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?:\s?[A-Z\d]{4}){2,7}(?:\s?[A-Z\d]{1,3})?")
_HEXADECIMAL = re.compile(
    r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"  # UUID, hashes, and addresses of network cards
    r"|[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|[\da-f]{2}(?:[:-][\da-f]{2}){5}",
    re.IGNORECASE,
)
_SPACED_ISBN = re.compile(r"97[89]\s\d{1,5}\s\d{1,7}\s\d{1,7}\s\d")
_GROUPS = re.compile(r"(?:\d{2,5}[ -]){2,}\d{2,5}")
"""Numbers of accounts, cards and companies."""


def cut_label(text: str) -> str:
    """Cut what names the kind of a code, the site that resolves it, and a note behind an ISBN.

    Examples
    --------
    >>> cut_label("ISBN-13: 978-3-16-148410-0"), cut_label("https://doi.org/10.1000/182")
    ('978-3-16-148410-0', '10.1000/182')
    >>> [cut_label(text) for text in ("SKU 124", "SKU-124", "SKUNK-1", "No. 5")]
    ['124', '124', 'SKUNK-1', '5']
    """
    for _ in range(MOST_LABELS):
        found = _LABEL.match(text) or _SITE.match(text)
        if found is None:
            break
        text = text[found.end() :]
    noted = _NOTED_ISBN.fullmatch(text)
    return text if noted is None else noted[1]


def is_standard_code(text: str) -> bool:
    """Tell whether a text, without its label, is a DOI, IBAN, ISBN, UUID, hash or groups of digits.

    Examples
    --------
    >>> is_standard_code("10.1000/xyz"), is_standard_code("DE89 3704 0044 0532 0130 00")
    (True, True)
    """
    forms = (_DOI, _IBAN, _SPACED_ISBN, _GROUPS, _HEXADECIMAL)
    return any(form.fullmatch(text) for form in forms)
