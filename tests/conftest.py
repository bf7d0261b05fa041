"""Fixtures that every folder of tests may use."""

import pytest
from frames import KINDS, FrameMaker, TrigramEncoder


@pytest.fixture(params=KINDS)
def make_frame(request) -> FrameMaker:
    """Makes a table of each kind in turn from a dict of columns."""
    return FrameMaker(request.param)


@pytest.fixture
def trigrams() -> TrigramEncoder:
    return TrigramEncoder()
