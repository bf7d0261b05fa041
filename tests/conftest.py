"""Fixtures that every folder of tests may use."""

import errno
import os
import stat
from collections.abc import Iterator

import pytest
from frames import KINDS, FrameMaker, TrigramEncoder
from hypothesis import settings

# Read once, when the hub's library is imported: a model that is not here is missing at once, and
# is not asked for again and again of a network that a test has no use for.
os.environ["HF_HUB_OFFLINE"] = "1"

# An example that takes long on a busy machine is no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _unflushed() -> Iterator[None]:
    """Do not wait for the disk: no test cuts the power, and thousands of files are written."""

    def fsync(descriptor: int) -> None:
        # What cannot be flushed at all still fails.
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", fsync)
        yield


@pytest.fixture(params=KINDS)
def make_frame(request) -> FrameMaker:
    """Makes a table of each kind in turn from a dict of columns."""
    return FrameMaker(request.param)


@pytest.fixture
def trigrams() -> TrigramEncoder:
    return TrigramEncoder()
