"""What stands beside a code and is no part of it: "ISBN", "https://doi.org/", "Invoice"."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["LABELS", "Document", "cut_label", "is_standard_code", "read_document"]

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

_DOCUMENTS = {
    "invoice": "invoice inv rechnung rech rechn re rg rn rnr facture fact fac factura fattura "
    "fatura faktura bill",
    "order": "order ord bestellung auftrag commande cde pedido ordine",
    "customer": "customer cust kunde kunden kd client cliente",
    "contract": "contract contrat contrato contratto vertrag",
}
_KINDS_OF_LABELS = {label: kind for kind, labels in _DOCUMENTS.items() for label in labels.split()}
_DOCUMENT = re.compile(
    r"([a-z]+)[\s.:#_/-]*(?:(?:number|nummer|num|nr|no|n)\b[\s.:#°º-]*|#\s*)?"
    r"(\d+(?:[\s._/-]\d+)*)",
    re.IGNORECASE,
)
"""What its number is of, a word for number, and the number in blocks."""

SHORTEST_NUMBER = 3
"""Digits of the last block of a number, at least."""


class Document(NamedTuple):
    """Of what a number is, and its blocks of digits without zeros before them."""

    kind: str
    blocks: tuple[str, ...]

    def is_part_of(self, other: Document) -> bool:
        """Whether the other number has these blocks at its end, as of a year before them."""
        return self.kind == other.kind and other.blocks[-len(self.blocks) :] == self.blocks


def read_document(text: str) -> Document | None:
    """Read the number of an invoice, an order, a customer or a contract; None for other codes.

    Examples
    --------
    >>> read_document("Rechnung Nr. 2024-0137"), read_document("INV-137")
    (Document(kind='invoice', blocks=('2024', '137')), Document(kind='invoice', blocks=('137',)))
    >>> read_document("KDL-40"), read_document("Invoice of May")
    (None, None)
    """
    found = _DOCUMENT.fullmatch(text.strip())
    kind = None if found is None else _KINDS_OF_LABELS.get(found[1].lower())
    if found is None or kind is None:
        return None
    blocks = re.findall(r"\d+", found[2])
    if len(blocks[-1]) < SHORTEST_NUMBER:
        return None
    return Document(kind, tuple(block.lstrip("0") for block in blocks))


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
