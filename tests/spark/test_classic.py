"""Joins on a classic session of Spark are those of one machine."""

from typing import Any

import pytest
from spark_laws import JoinLaws

# The same laws hold through Spark Connect, and large joins run on a classic session in any case.
pytestmark = pytest.mark.thorough


class TestClassic(JoinLaws):
    @pytest.fixture(scope="class")
    @classmethod
    def spark(cls, classic: Any) -> Any:
        return classic
