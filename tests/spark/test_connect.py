"""Joins through Spark Connect are those of one machine."""

from collections.abc import Iterator
from typing import Any

import pytest
from spark_laws import JoinLaws


class TestConnect(JoinLaws):
    @pytest.fixture(scope="class")
    @classmethod
    def spark(cls, remote: Any) -> Iterator[Any]:
        with pytest.MonkeyPatch.context() as patch:
            # As SparkSession.builder.remote() sets it, which refuses a process that has started a
            # classic session, as other tests have.
            patch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
            yield remote
