"""Invoices of ten suppliers, and events they hold; and what takes some invoices for the same."""

import numpy as np
import pandas as pd
import pytest

from pearljoin._scoring.record_features import record_features
from pearljoin._scoring.record_networks import RecordNetworks

SUPPLIERS = [
    *("Northwind Traders", "Blue Harbor Supply", "Kessler & Sons", "Alpine Dairy", "Ota Machines"),
    *("Greenfield Paper", "Rossi Ceramics", "Baltic Timber", "Sunrise Textiles", "Vega Optics"),
]


def invoices(n: int = 200) -> pd.DataFrame:
    """Make `n` invoices, in whose supplier and account many are alike and whose dates differ."""
    rng = np.random.default_rng(3)
    days = pd.Timestamp("2023-01-02") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    return pd.DataFrame(
        {
            "supplier": rng.choice(SUPPLIERS, n),
            "date": days.strftime("%Y-%m-%d"),
            "account": rng.choice(["4400", "4930", "6815"], n),
        }
    )


def calendar(step: int) -> pd.DataFrame:
    """Events that are entered three times, and again some days later."""
    events = [
        (f"{name} evening", f"{name} Hall", pd.Timestamp(2024, 3, 1 + at % 9, 19))
        for at, name in enumerate(SUPPLIERS)
    ]
    rows = [
        (written, hall, (day + pd.Timedelta(days=later)).strftime("%d %b %Y, %H:%M"))
        for name, hall, day in events
        for written, later in ((name, 0), (name.upper(), 0), (f"{name} at {hall}", 0), (name, step))
    ]
    return pd.DataFrame(rows, columns=["event", "hall", "starts"])


def merge_related_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the network that tells invoices of one supplier apart, to see what is told of them.

    What takes its place is the network of tables of one column of text.
    """
    monkeypatch.setattr(
        RecordNetworks,
        "records_log_odds",
        lambda self, pairs, weights: self.within_log_odds(record_features(pairs, weights)),
    )
