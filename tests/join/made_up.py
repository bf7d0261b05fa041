"""Synthetic names, people and products, with duplicates that contain errors."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ONSETS = [
    "b",
    "br",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "v",
]
VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "ou"]
CODAS = ["", "n", "r", "l", "s", "ck", "nd", "rt", "m", "th"]
NOUNS = ["headphones", "speaker", "camera", "printer", "router", "monitor", "keyboard", "kettle"]
NOUNS += ["blender", "toaster", "vacuum cleaner", "hard drive", "memory card", "phone case", "tv"]
TRAITS = ["wireless", "black", "white", "portable", "compact", "digital", "stereo", "pro", "mini"]
TRAITS += ["bluetooth", "usb", "slim", "outdoor", "rechargeable", "4k", "silver", "deluxe"]


@dataclass(frozen=True)
class Tables:
    """Two tables and the row pairs that mean the same thing."""

    left: pd.DataFrame
    right: pd.DataFrame
    keys: list[str]
    gold: set[tuple[int, int]]


def people(
    n: int, *, seed: int = 0, answered: float = 0.7, typo: float = 0.15, missing: float = 0.1
) -> Tables:
    """People with first name, surname, birth date and city; names and cities are Zipf-common."""
    rng = np.random.default_rng(seed)
    first, last, towns = (words(rng, size) for size in (120, 400, 60))
    start = dt.date(1940, 1, 1)

    def person() -> dict:
        return {
            "first": zipf(rng, first),
            "last": zipf(rng, last),
            "born": start + dt.timedelta(days=int(rng.integers(0, 24_000))),
            "city": zipf(rng, towns),
        }

    def careless(one: dict) -> dict:
        record = dict(one)
        for name in ("first", "last", "city"):
            if rng.random() < typo:
                record[name] = misspelt(rng, record[name])
        if rng.random() < 0.05:
            record["first"] = record["first"][:1]
        if rng.random() < 0.03:
            record["first"], record["last"] = record["last"], record["first"]
        if rng.random() < 0.1:
            record["city"] = zipf(rng, towns)
        if rng.random() < 0.1:
            born = record["born"]
            swapped = born.day <= 12 and rng.random() < 0.5
            record["born"] = (
                born.replace(day=born.month, month=born.day)
                if swapped
                else born + dt.timedelta(days=int(rng.choice([-10, -1, 1, 10, 365])))
            )
        return {k: None if rng.random() < missing else v for k, v in record.items()}

    return paired(rng, n, person, careless, answered)


def products(n: int, *, seed: int = 0, answered: float = 0.7, missing: float = 0.15) -> Tables:
    """Products with brand, title and price; a reference has many of one brand and kind."""
    rng = np.random.default_rng(seed)
    brands = words(rng, 40)

    def product() -> dict:
        brand, noun = zipf(rng, brands), str(rng.choice(NOUNS))
        traits = rng.choice(TRAITS, size=rng.integers(1, 4), replace=False).tolist()
        model = f"{LETTERS[rng.integers(26)]}{LETTERS[rng.integers(26)]}{rng.integers(10, 999)}"
        title = " ".join([brand, model, *traits, noun])
        price = float(np.round(np.exp(rng.normal(4, 0.8)), 2))
        return {"brand": brand, "title": title, "price": price}

    def careless(one: dict) -> dict:
        tokens = one["title"].split()
        if rng.random() < 0.5:
            tokens = tokens[1:]  # the brand has a column of its own
        if rng.random() < 0.25:
            tokens = [token for token in tokens if not any(c.isdigit() for c in token)] or tokens
        kept = [token for token in tokens if rng.random() > 0.15] or tokens
        if rng.random() < 0.3:
            kept = list(rng.permutation(kept))
        title = " ".join(kept)
        record = {
            "brand": misspelt(rng, one["brand"]) if rng.random() < 0.1 else one["brand"],
            "title": misspelt(rng, title) if rng.random() < 0.2 else title,
            "price": float(np.round(one["price"] * np.exp(rng.normal(0, 0.08)), 2)),
        }
        gone = {"brand": missing, "price": missing, "title": 0.02}
        return {k: None if rng.random() < gone[k] else v for k, v in record.items()}

    return paired(rng, n, product, careless, answered)


def paired(rng, n, make, careless, answered) -> Tables:
    """A reference of `n` things, and `n` careless notes of which a share has an answer there."""
    right = [make() for _ in range(n)]
    chosen = rng.permutation(n)[: int(answered * n)]
    left = [careless(right[row]) for row in chosen] + [
        careless(make()) for _ in range(n - len(chosen))
    ]
    order = rng.permutation(n)
    gold = {(at, int(chosen[row])) for at, row in enumerate(order) if row < len(chosen)}
    tables = pd.DataFrame([left[row] for row in order]), pd.DataFrame(right)
    return Tables(*tables, list(right[0]), gold)


def words(rng, n: int) -> list[str]:
    """Distinct made-up names of two syllables or three."""
    found: dict[str, None] = {}
    while len(found) < n:
        parts = [
            rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS)
            for _ in range(rng.integers(2, 4))
        ]
        found["".join(parts)] = None
    return list(found)


def zipf(rng, values: list[str]) -> str:
    """One of the values, the first ones most often."""
    weights = 1 / np.arange(2, len(values) + 2)
    return values[int(rng.choice(len(values), p=weights / weights.sum()))]


def misspelt(rng, text: str) -> str:
    """One letter left out, put in, changed, or swapped with the next."""
    at, letter = int(rng.integers(len(text))), LETTERS[rng.integers(26)]
    return [
        text[:at] + text[at + 1 :] or text,
        text[:at] + letter + text[at:],
        text[:at] + letter + text[at + 1 :],
        text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
    ][int(rng.integers(4))]


def names_of_syllables(n: int, first: Iterable[str] = ()) -> list[str]:
    """Make `n` different names of two words, which begin with some that are given."""
    rng = np.random.default_rng(0)
    parts = ["ran", "sto", "mer", "lin", "vak", "dol", "pex", "nor", "tig", "hub", "sal", "wen"]
    found = dict.fromkeys(first)
    while len(found) < n:
        found["".join(rng.choice(parts, 2)) + " " + "".join(rng.choice(parts, 2))] = None
    return list(found)
