"""A local Spark session to try joins on, with a clear word where Java is missing.

Any other session will do: `fuzzy_join`, `match`, `Matcher` and `find_duplicates` take its frames as
they are. What they do there is set in its configuration: see the guide to Spark.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pearljoin._optional import require

__all__ = ["check_java", "local_session"]


def check_java() -> None:
    """Check that Java is there, which Spark runs on; Spark Connect does without.

    Raises
    ------
    MissingExtraError
        If it is missing, or too old.
    """
    require("pyspark", extra="spark", purpose="a Spark session")
    from pearljoin._spark.java import check_java as check

    check()


@contextmanager
def local_session(master: str = "local[*]", **settings: Any) -> Iterator[Any]:
    """Start a Spark session on this machine, and stop it at the end.

    One that runs in this process already is taken as it is, and left running.

    Parameters
    ----------
    master
        Where to run: ``"local[*]"``, or ``"local-cluster[2,1,1024]"`` for two worker processes of
        one core and 1,024 MiB each.
    **settings
        Entries of the configuration, with ``__`` for ``.``:
        ``spark__sql__shuffle__partitions=4``.

    Yields
    ------
    session
        A ``SparkSession``.

    Raises
    ------
    MissingExtraError
        If pyspark or Java is missing.
    """
    require("pyspark", extra="spark", purpose="a Spark session")
    from pearljoin._spark.java import start_local

    chosen = {name.replace("__", "."): value for name, value in settings.items()}
    session, is_new = start_local(master, chosen)
    try:
        yield session
    finally:
        if is_new:
            session.stop()
