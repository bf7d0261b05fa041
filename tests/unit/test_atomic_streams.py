"""A pipe or a terminal in place of a file is written to, and not replaced."""

import os
import threading
from pathlib import Path

import pytest

from pearljoin._atomic import atomic_file


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    with atomic_file(pipe) as temporary:
        temporary.write_bytes(b"a,b\n")
    reader.join(timeout=20)
    assert read == [b"a,b\n"]
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no terminals of one's own")
def test_a_terminal_is_written_to() -> None:
    # One of our own, so that nothing is lost if it were replaced.
    main, terminal = os.openpty()
    name = os.ttyname(terminal)
    with atomic_file(name) as temporary:
        temporary.write_bytes(b"shown")
    assert Path(name).is_char_device()
    assert os.read(main, 100) == b"shown"
    os.close(main)
    os.close(terminal)
