"""Domains of records: what their things are, their near twins, and how sources see them."""

from pearljoin_train.records.domains.companies import Companies
from pearljoin_train.records.domains.domain import Column, ColumnKind, Domain, Move, Thing
from pearljoin_train.records.domains.music import Music
from pearljoin_train.records.domains.organisations import Organisations
from pearljoin_train.records.domains.papers import Papers
from pearljoin_train.records.domains.people import People
from pearljoin_train.records.domains.places import Places
from pearljoin_train.records.domains.products import ProductOffers
from pearljoin_train.records.domains.transactions import Transactions

__all__ = ["DOMAINS", "Column", "ColumnKind", "Domain", "Move", "Thing"]

DOMAINS: dict[str, type[Domain]] = {
    domain.name: domain
    for domain in (
        People,
        Companies,
        Organisations,
        Papers,
        ProductOffers,
        Places,
        Music,
        Transactions,
    )
}
"""Each domain by its name."""
