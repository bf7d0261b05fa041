"""Fixtures that every folder of tests may use."""

import pytest
from frames import KINDS, FrameMaker, TrigramEncoder
from hypothesis import settings

# An example that takes long on a busy machine is no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(params=KINDS)
def make_frame(request) -> FrameMaker:
    """Makes a table of each kind in turn from a dict of columns."""
    return FrameMaker(request.param)


@pytest.fixture
def trigrams() -> TrigramEncoder:
    return TrigramEncoder()
