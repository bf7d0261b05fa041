"""How numbers, dates and the like are written makes no difference to records of several columns."""

from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj

SUPPLIERS = {
    "Müller Bau GmbH": "MUELLER BAU", "Schmidt & Söhne KG": "Schmidt u. Soehne",
    "Hetzner Online GmbH": "Hetzner", "DHL Paket GmbH": "DHL PAKET", "Würth AG": "Wuerth Adolf",
}  # fmt: skip


def invoices() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Payments some days after their invoices, row by row, and the invoices."""
    rng = np.random.default_rng(2)
    names = [*SUPPLIERS] * 10
    total = rng.uniform(10, 3000, len(names)).round(2)
    day = [date(2024, 1, 1) + timedelta(int(n)) for n in rng.integers(0, 300, len(names))]
    paid = [
        one + timedelta(int(n)) for one, n in zip(day, rng.integers(5, 30, len(names)), strict=True)
    ]
    right = pd.DataFrame({"supplier": names, "total": total, "date": pd.to_datetime(day)})
    payee = [SUPPLIERS[name] for name in names]
    left = pd.DataFrame({"payee": payee, "amount": total, "booked": pd.to_datetime(paid)})
    return left, right


@pytest.fixture(scope="module")
def plain() -> pj.Matches:
    left, right = invoices()
    return pj.match(left, right, left_on=list(left), right_on=list(right)).matches()


@pytest.mark.parametrize(
    ("column", "write"),
    [
        ("amount", lambda amount: f"{amount:.2f}".replace(".", ",")),
        ("amount", lambda amount: f"{amount:,.2f}"),
        ("amount", lambda amount: -amount),
        ("booked", lambda day: f"{day:%d.%m.%Y}"),
        ("booked", lambda day: f"{day:%d %b %Y}"),
    ],
)
def test_scores_are_those_of_plain_values(
    plain: pj.Matches, column: str, write: Callable[[object], object]
) -> None:
    left, right = invoices()
    keys = {"left_on": list(left), "right_on": list(right)}
    assert plain.left.tolist() == plain.right.tolist()
    assert len(plain) > 45
    written = left.assign(**{column: left[column].map(write)})
    found = pj.match(written, right, **keys).matches()
    assert found.left.tolist() == plain.left.tolist()
    assert found.right.tolist() == plain.right.tolist()
    np.testing.assert_allclose(found.score, plain.score, atol=0.01)
