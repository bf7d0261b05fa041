"""Invoices of ten suppliers, no two of which are the same."""

import numpy as np
import pandas as pd

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
