"""Fixtures that every folder of tests may use."""

import errno
import os
import stat
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from frames import KINDS, FrameMaker, TrigramEncoder
from hypothesis import settings
from repetitions import one_in

# Read once, when the hub's library is imported: a model that is not here is missing at once, and
# is not asked for again and again of a network that a test has no use for.
os.environ["HF_HUB_OFFLINE"] = "1"

# A process that a test starts would else compile all modules anew, which takes half a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

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


MOST_KEPT = 30_000
"""Texts whose vectors are kept, at most: 70 MB."""

_kept: dict[tuple[str, str], Any] = {}


@pytest.fixture(scope="module")
def kept_vectors() -> Iterator[None]:
    """Encode each text once for all tests, which join the same tables again and again.

    The vector of a text is the same whichever texts are encoded with it, bit for bit, as tests of
    the encoders show: only time is saved.
    """
    from pearljoin._encoders.onnx_encoder import OnnxEncoder

    encode = OnnxEncoder.encode_and_cover

    def kept_or_encoded(encoder: OnnxEncoder, phrases: Sequence[str]) -> tuple[Any, Any]:
        of, phrases = encoder.digest, list(phrases)
        new = list(dict.fromkeys(phrase for phrase in phrases if (of, phrase) not in _kept))
        if not phrases or len(phrases) > MOST_KEPT:
            return encode(encoder, phrases)
        if len(_kept) + len(new) > MOST_KEPT:
            _kept.clear()
            new = list(dict.fromkeys(phrases))
        for phrase, *both in zip(new, *encode(encoder, new), strict=True) if new else ():
            _kept[of, phrase] = both
        vectors, covered = zip(*(_kept[of, phrase] for phrase in phrases), strict=True)
        return np.stack(vectors), np.array(covered)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OnnxEncoder, "encode_and_cover", kept_or_encoded)
        yield


USERS = "components", "errors", "faults", "large"
ONE_SESSION = {f"tests/spark/test_{name}.py" for name in USERS}
"""Files whose tests share a session of Spark, which takes twenty seconds of a processor to start
and to warm up."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give files of one session to one process, where whole files are given to each."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class LoadSessionScheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return "tests/spark" if file in ONE_SESSION else file

    return LoadSessionScheduling(config, log)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with two kinds of tables that differ much; one that is about kinds, with all.

    Tests take turns in which two they have, and `make test-thorough` runs the rest of each.
    """
    if "make_frame" in metafunc.fixturenames:
        first = zlib.crc32(metafunc.function.__name__.encode()) % 3
        about = metafunc.definition.get_closest_marker("every_kind")
        kinds = KINDS if about else one_in(KINDS, 3, first)
        metafunc.parametrize("make_frame", kinds, indirect=True)


@pytest.fixture
def make_frame(request) -> FrameMaker:
    """Makes a table of a kind from a dict of columns."""
    return FrameMaker(request.param)


@pytest.fixture
def trigrams() -> TrigramEncoder:
    return TrigramEncoder()
