"""Joins and clusters of Spark frames: the library's matching inside `mapInArrow`.

Found by `pearljoin._tables.distributed`, whose `Engine` these functions are.
"""

from pearljoin._spark.dedupe import find_duplicates
from pearljoin._spark.frames import collect, is_frame
from pearljoin._spark.match import match, match_fitted

__all__ = ["collect", "find_duplicates", "is_frame", "match", "match_fitted"]
