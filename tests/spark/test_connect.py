"""Joins through Spark Connect are those of one machine."""

from collections.abc import Iterator
from typing import Any

import pytest
from spark_laws import JoinLaws, assert_same

import pearljoin as pj


class TestConnect(JoinLaws):
    @pytest.fixture(scope="class")
    @classmethod
    def spark(cls, remote: Any) -> Iterator[Any]:
        with pytest.MonkeyPatch.context() as patch:
            # As SparkSession.builder.remote() sets it, which refuses a process that has started a
            # classic session, as other tests have.
            patch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
            yield remote

    @pytest.mark.thorough
    def test_a_reference_that_stays_on_the_cluster(
        self, spark: Any, frames: Any, tables: Any
    ) -> None:
        spark.conf.set("spark.pearljoin.largestReference", "1")
        try:
            found = pj.match(*frames, on="name", by="land")
        finally:
            spark.conf.unset("spark.pearljoin.largestReference")
        assert_same(found.join("full"), pj.match(*tables, on="name", by="land").join("full"))
        found.unpersist()
