"""Making a peer's environment from its requirements file."""

from __future__ import annotations

import json
import subprocess
import sys
import venv

from benchmarks.peers.client import Peer, PeerError
from pearljoin._atomic import write_text

__all__ = ["install"]


def install(peer: Peer) -> dict[str, str]:
    """Make the environment anew and install the peer's requirements into it.

    Where there is a ``no-deps.txt``, what it lists is installed after that, without the packages
    that it asks for.

    Returns
    -------
    versions
        The installed packages, by name; also kept in ``.venv/installed.json``, whose presence
        says that the environment is complete.

    Raises
    ------
    PeerError
        If pip fails; the message holds the end of what it wrote.
    """
    folder = peer.folder / ".venv"
    venv.create(folder, clear=True, with_pip=True)
    pip = [str(peer.python), "-m", "pip", "--disable-pip-version-check"]
    _pip_install(peer, pip, "-r", str(peer.folder / "requirements.txt"))
    bare = peer.folder / "no-deps.txt"
    if bare.exists():
        _pip_install(peer, pip, "--no-deps", "-r", str(bare))
    listed = subprocess.run(
        [*pip, "list", "--format", "json"], capture_output=True, text=True, check=True
    )
    versions = {row["name"].lower(): row["version"] for row in json.loads(listed.stdout)}
    text = json.dumps(versions, indent=1, sort_keys=True)
    write_text(folder / "installed.json", text + "\n")
    return versions


def _pip_install(peer: Peer, pip: list[str], *arguments: str) -> None:
    done = subprocess.run(
        [*pip, "install", "--quiet", *arguments],
        stdout=sys.stderr,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise PeerError(
            f"Installing the peer {peer.name!r} failed. Got: {done.stderr.strip()[-1500:]} "
            "Hint: look whether its requirements can be had for this Python."
        )
