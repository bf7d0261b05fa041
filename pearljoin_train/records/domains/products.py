"""Products: siblings by model number, titles of two sellers, descriptions, prices that differ."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

import numpy as np

from pearljoin_train.augment.products import Products
from pearljoin_train.records.domains.companies import coin
from pearljoin_train.records.domains.domain import Domain, Move, Thing, column
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.descriptions import DescriptionStyle
from pearljoin_train.records.values.names import CategoryStyle, NameStyle
from pearljoin_train.records.values.numbers import PriceStyle, WeightStyle
from pearljoin_train.records.values.slips import (
    cut_off,
    drop_word,
    join_words,
    misspell,
    punctuate,
    swap_words,
)
from pearljoin_train.records.values.style import Style

__all__ = ["ProductOffers"]

Spec: TypeAlias = tuple[tuple[str, ...], int, int]
"""Wordings of a fact, and two numbers that they hold."""


class TitleStyle(Style[dict[str, str]]):
    """Titles of products: as the maker writes them, or as a seller does."""

    text_slips = (misspell, misspell, drop_word, swap_words, join_words, cut_off, punctuate)

    def __init__(self, rng: Random, products: Products) -> None:
        super().__init__(rng)
        self._products = products
        self._makers_share = rng.choice((0.0, 0.0, 0.5, 1.0))
        rng.random()  # not used; without it, other tables would be made of a seed

    def write(self, value: dict[str, str], rng: Random) -> str:
        """Write a title."""
        if rng.random() < self._makers_share:
            return self._products.write(value)
        # A seller may leave out all that a product has.
        return self._products.rewrite(value) or self._products.write(value)


class ProductOffers(Domain):
    """Offers of shops: title, brand, description, price, and article numbers."""

    name = "products"
    core = ("title",)
    moves = (
        Move("brand", "title", "{source} {target}"),
        Move("brand", "title", "{source} {target}"),
        Move("model", "title", "{target} {source}"),
        Move("title", "description", "{source}. {target}"),
        Move("price", "description", "{target} Price: {source}"),
    )

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        listed = {name.split()[0] for name in lists.companies}
        makers = sorted(
            name for name in listed if name.isascii() and name.isalpha() and 2 < len(name) < 11
        )
        coined = [coin(rng) for _ in range(50)]
        names = rng.sample(makers, min(len(makers), 200)) + coined
        self._products = Products(names, np.random.default_rng(rng.getrandbits(64)))
        self._price_spread = rng.choice((0.0, 0.03, 0.15, 0.4))
        self._definitions = lists.artefacts
        additions = rng.sample(words("products", "praise"), 3)
        self.columns = {
            "title": column("title name product_name product", "name", self._title_style),
            "brand": column("brand manufacturer maker", "name", CategoryStyle),
            "model": column("modelno model mpn part_number", "code", CodeStyle),
            "description": column(
                "description details features long_description",
                "description",
                lambda rng: DescriptionStyle(rng, additions),
            ),
            "price": column("price list_price cost", "price", PriceStyle),
            "category": column("category department group", "category", CategoryStyle),
            "weight": column("weight shipweight item_weight", "quantity", WeightStyle),
            "ean": column("ean upc gtin barcode", "code", CodeStyle),
            "colour": column("colour color", "category", NameStyle),
        }

    def _title_style(self, rng: Random) -> Style[dict[str, str]]:
        return TitleStyle(rng, self._products)

    def things(self, n: int, twins: float = 1.0) -> list[Thing]:
        """Return products, siblings after each other; a share of `twins` of these is kept."""
        found: list[Thing] = []
        while len(found) < n:
            made = self._products.make(n - len(found))
            previous: Thing | None = None
            for product in made:
                is_sibling = previous is not None and previous["title"]["line"] == product["line"]
                if is_sibling and self._rng.random() >= twins:
                    continue
                previous = self._complete(product, previous if is_sibling else None)
                found.append(previous)
        return found

    def _new(self) -> Thing:
        return self._complete(self._products.make(1)[0], None)

    def _near(self, thing: Thing) -> Thing:
        # `Products` makes siblings itself, and `things` keeps them in order.
        return self._complete({**thing["title"], "version": str(self._rng.randint(2, 9))}, thing)

    def _complete(self, product: dict[str, str], sibling: Thing | None) -> Thing:
        """Give a product all other values, most of them near those of a sibling."""
        rng = self._rng
        maker = product["maker"]
        if sibling is None:
            price = 10 ** rng.uniform(0.7, 3.3)
            category = rng.choice(forms("products", "categories"))
            weight = 10 ** rng.uniform(-1, 1.5)
            specs = [
                (patterns, rng.randint(1, 64), rng.randint(2, 90))
                for patterns in rng.sample(forms("products", "features"), rng.randint(1, 6))
            ]
        else:
            price = sibling["true_price"] * rng.choice((1.0, 1.1, 1.25, 0.8))
            category, weight, specs = sibling["category"], sibling["weight"], [*sibling["specs"]]
            at = rng.randrange(len(specs))
            specs[at] = (specs[at][0], rng.randint(1, 64), specs[at][2])
        return {
            "title": product,
            "brand": (maker, maker.upper(), f"{maker} Inc."),
            "model": product["code"] or None,
            "specs": specs,
            "description": self._facts(product, specs),
            "true_price": price,
            "price": _ending(price, rng),
            "category": category,
            "weight": weight,
            "ean": fill("############", rng),
            "colour": (product["colour"],) if product["colour"] else None,
        }

    def _facts(self, product: dict[str, str], specs: Sequence[Spec]) -> list[tuple[str, ...]]:
        """Word what is known of a product, each fact in several ways."""
        maker, line, kind = product["maker"], product["line"], product["kind"]
        facts: list[tuple[str, ...]] = [
            (f"{maker} {line} {kind}", f"the {line} {kind} by {maker}", f"{kind} {line}"),
        ]
        if product["code"]:
            facts.append(
                (f"model {product['code']}", product["code"], f"Model no. {product['code']}")
            )
        if product["colour"]:
            facts.append(
                (f"colour: {product['colour']}", product["colour"], f"in {product['colour']}")
            )
        if kind in self._definitions:
            facts.append((self._definitions[kind],))
        for patterns, a, b in specs:
            facts.append(tuple(pattern.format(a=a, b=b) for pattern in patterns))
        return facts

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a product as one shop offers it: at its own price, in its own category."""
        seen = dict(thing)
        if self._price_spread:
            factor = rng.lognormvariate(0.0, self._price_spread)
            seen["price"] = _ending(thing["true_price"] * factor, rng)
        if rng.random() < 0.1:
            seen["category"] = rng.choice(forms("products", "categories"))
        return seen


def _ending(price: float, rng: Random) -> float:
    """Return a price as shops like it."""
    ending: float = rng.choice((0.99, 0.95, 0.0, 0.49))
    return max(0.49, int(price) + ending)
