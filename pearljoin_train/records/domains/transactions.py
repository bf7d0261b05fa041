"""Payments seen by a bank and in the books: dates some days apart, amounts with fees."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from pearljoin_train.records.domains.companies import LEGAL_END, Companies
from pearljoin_train.records.domains.domain import Domain, Move, Thing, column
from pearljoin_train.records.lists import OpenLists, forms, words
from pearljoin_train.records.values.codes import CodeStyle, fill
from pearljoin_train.records.values.dates import DateStyle, draw_date
from pearljoin_train.records.values.names import Case, CategoryStyle
from pearljoin_train.records.values.numbers import PriceStyle
from pearljoin_train.records.values.slips import abbreviate, cut_off, drop_word, misspell
from pearljoin_train.records.values.style import Style, skewed

__all__ = ["Transactions"]


class MemoStyle(Style[dict[str, str]]):
    """Memos in the pattern of one bank or one ledger; some mix a few, and cut at a width."""

    text_slips = (misspell, drop_word, abbreviate, cut_off)

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._case = Case(rng)
        patterns = words("transactions", "memos")
        self._patterns = [rng.choice(patterns) for _ in range(rng.choice((1, 1, 3)))]
        self._width = rng.choice((0, 0, 0, 22, 30))

    def write(self, value: dict[str, str], rng: Random) -> str:
        """Write a memo."""
        text = self._case(rng.choice(self._patterns).format(**value))
        return text[: self._width].rstrip() if self._width else text


class Transactions(Domain):
    """Payments to merchants, many of them monthly."""

    name = "transactions"
    core = ("memo", "amount", "date")
    moves = (Move("reference", "memo", "{target} {source}"),)
    NEAR_RATES = (0.0, 0.1, 0.3, 0.6)

    def __init__(self, lists: OpenLists, rng: Random) -> None:
        super().__init__(lists, rng)
        companies = Companies(lists, rng)
        n_merchants = rng.choice((10, 60, 300))
        self._merchants = [
            (LEGAL_END.sub("", thing["name"][0]), thing["town"])
            for thing in companies.things(n_merchants)
        ]
        self._delay = rng.choice((0, 1, 3, 7))
        self._fee_rate = rng.choice((0.0, 0.0, 0.05, 0.3))
        self._fee = rng.choice((0.25, 1.0, 1.5))
        self._start = rng.randint(2000, 2022)
        self._span = rng.choice((0, 1, 4))
        self.columns = {
            "memo": column("memo description text payee", "name", MemoStyle),
            "date": column("date transaction_date booked value_date", "date", DateStyle),
            "amount": column("amount value total", "price", PriceStyle),
            "kind": column("type method", "category", CategoryStyle),
            "account": column("account card_no", "code", CodeStyle),
            "reference": column("reference ref invoice_no", "code", CodeStyle),
        }
        self._accounts = [fill("####-####", rng) for _ in range(rng.choice((1, 4, 30)))]

    def _new(self) -> Thing:
        rng = self._rng
        merchant, town = skewed(self._merchants, rng)
        amount = round(10 ** rng.uniform(0.3, 3.5), 2)
        if rng.random() < 0.3:
            amount = float(round(amount, -1) or 5.0)
        reference = fill("######", rng)
        return {
            "memo": {
                "merchant": merchant,
                "town": town.names[0],
                "region": town.region[-1],
                "reference": reference,
                "card": fill("####", rng),
            },
            "date": draw_date(self._start, self._start + self._span, rng),
            "amount": amount,
            "kind": (rng.choice(forms("transactions", "kinds")[0]),),
            "account": rng.choice(self._accounts),
            "reference": reference,
        }

    def _near(self, thing: Thing) -> Thing:
        """Return the next month's payment, or another at the same merchant or of the amount."""
        rng = self._rng
        other = self._new()
        way = rng.random()
        memo = {**thing["memo"], "reference": other["reference"]}
        if way < 0.4:
            date = thing["date"] + timedelta(days=rng.choice((1, 7, 28, 30, 31)))
            return {**thing, "date": date, "memo": memo, "reference": other["reference"]}
        if way < 0.8:
            date = thing["date"] + timedelta(days=rng.randint(0, 5))
            return {**other, "memo": memo, "date": date, "account": thing["account"]}
        return {**other, "amount": thing["amount"], "date": thing["date"]}

    def observe(self, thing: Thing, rng: Random) -> Thing:
        """Return a payment as one side booked it: some days later, with a fee."""
        seen = dict(thing)
        if self._delay:
            days = int(self._delay * rng.random() ** 2 + 0.5)
            seen["date"] = thing["date"] + timedelta(days=days)
        if rng.random() < self._fee_rate:
            sign = rng.choice((1, -1))
            seen["amount"] = max(0.01, round(thing["amount"] + sign * self._fee, 2))
        return seen
