"""`python -m benchmarks.peers install [NAME]...`: make the peers' environments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.peers.client import Peer, PeerError, peer_names
from benchmarks.peers.install import install


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code, 1 where a peer could not be installed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("install", help="make the environments of peers, by default all")
    make.add_argument("names", nargs="*", metavar="NAME", help=", ".join(peer_names()))
    commands.add_parser("list", help="say which peers are installed")
    options = parser.parse_args(arguments)
    if options.command == "list":
        for name in peer_names():
            print(f"{name:<18}{'installed' if Peer(name).installed else 'absent'}")
        return 0
    unknown = [name for name in options.names if name not in peer_names()]
    if unknown:
        parser.error(f"There is no peer {unknown[0]!r}. Hint: one of {', '.join(peer_names())}.")
    failed = [name for name in options.names or peer_names() if not _installed(name)]
    return 1 if failed else 0


def _installed(name: str) -> bool:
    print(f"{name}: installing", file=sys.stderr, flush=True)
    try:
        versions = install(Peer(name))
    except PeerError as error:
        print(error, file=sys.stderr)
        return False
    print(f"{name}: {len(versions)} packages in {Peer(name).folder / '.venv'}")
    return True


if __name__ == "__main__":
    sys.exit(main())
