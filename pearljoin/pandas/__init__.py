"""``df.pearljoin`` on pandas tables; importing this registers it.

Examples
--------
>>> import pandas as pd
>>> import pearljoin.pandas
>>> df = pd.DataFrame({"name": ["NY Times", "Le Monde"]})
>>> df.pearljoin.join(pd.DataFrame({"paper": ["The New York Times"]}))["paper"].tolist()
['The New York Times', nan]
"""

from __future__ import annotations

from typing import Unpack

import pandas as pd

import pearljoin as pj
from pearljoin._options import DeduplicateArguments, JoinArguments
from pearljoin._typing import TableLike

__all__ = ["PearljoinAccessor"]


@pd.api.extensions.register_dataframe_accessor("pearljoin")
class PearljoinAccessor:
    """What pearljoin does with a pandas table.

    Parameters
    ----------
    table
        The table.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self._table = table

    def join(self, right: TableLike, **options: Unpack[JoinArguments]) -> pd.DataFrame:
        """Join with another table, as `pearljoin.fuzzy_join` does; this one is the left table."""
        joined: pd.DataFrame = pj.fuzzy_join(self._table, right, **options)
        return joined

    def deduplicate(self, **options: Unpack[DeduplicateArguments]) -> pd.DataFrame:
        """Number the rows that name the same thing alike, as `pearljoin.deduplicate` does."""
        clustered: pd.DataFrame = pj.deduplicate(self._table, **options)
        return clustered
