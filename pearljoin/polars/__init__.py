"""``df.pearljoin`` on polars tables, lazy ones too; importing this registers it.

Examples
--------
>>> import polars as pl
>>> import pearljoin.polars
>>> df = pl.DataFrame({"name": ["NY Times", "Le Monde"]})
>>> df.pearljoin.join(pl.DataFrame({"paper": ["The New York Times"]}))["paper"].to_list()
['The New York Times', None]
"""

from __future__ import annotations

from typing import Generic, TypeVar, Unpack

import polars as pl

import pearljoin as pj
from pearljoin._options import DeduplicateArguments, JoinArguments
from pearljoin._typing import TableLike

__all__ = ["PearljoinNamespace"]

PolarsTable = TypeVar("PolarsTable", pl.DataFrame, pl.LazyFrame)


@pl.api.register_dataframe_namespace("pearljoin")
@pl.api.register_lazyframe_namespace("pearljoin")
class PearljoinNamespace(Generic[PolarsTable]):
    """What pearljoin does with a polars table.

    Parameters
    ----------
    table
        The table; of a lazy one, results are lazy too.
    """

    def __init__(self, table: PolarsTable) -> None:
        self._table: PolarsTable = table

    def join(self, right: TableLike, **options: Unpack[JoinArguments]) -> PolarsTable:
        """Join with another table, as `pearljoin.fuzzy_join` does; this one is the left table."""
        return pj.fuzzy_join(self._table, right, **options)

    def deduplicate(self, **options: Unpack[DeduplicateArguments]) -> PolarsTable:
        """Number the rows that name the same thing alike, as `pearljoin.deduplicate` does."""
        return pj.deduplicate(self._table, **options)
