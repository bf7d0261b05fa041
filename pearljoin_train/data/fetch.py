"""Getting the data sets that have a public home, and `python -m pearljoin_train data`."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from pearljoin._errors import InputError, PearljoinError
from pearljoin._optional import require
from pearljoin_train.data.folder import cache_folder, data_folder, verify

__all__ = ["SETS", "fetch", "main"]

AUTOFJ_PACKAGE = "autofj==0.0.6"
PEARL_REPOSITORY = "Lihuchen/pearl_benchmark"


class FetchError(InputError):
    """A data set could not be fetched."""


def fetch(name: str, folder: Path) -> None:
    """Get one data set into a data folder.

    Parameters
    ----------
    name
        A key of `SETS`.
    folder
        The data folder to fill, made where it does not exist.

    Raises
    ------
    InputError
        If there is no such set, or if its home cannot be reached or does not hold it.
    MissingExtraError
        If the set lies on the hub and huggingface_hub is not installed.
    """
    if name not in SETS:
        raise InputError(
            f"No public home is known for the data set. Got {name!r}. "
            f"Hint: one of {', '.join(SETS)}."
        )
    folder.mkdir(parents=True, exist_ok=True)
    SETS[name](folder)


def unpack_autofj(wheel: Path, folder: Path) -> int:
    """Copy the benchmark's CSV files from the package's wheel; return how many there were."""
    with zipfile.ZipFile(wheel) as archive:
        tables = [
            name
            for name in archive.namelist()
            if name.startswith("autofj/benchmark/") and name.endswith(".csv")
        ]
        for name in tables:
            target = folder / "autofj" / Path(name).parent.name / Path(name).name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
    return len(tables)


def _fetch_autofj(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        done = subprocess.run(
            [*pip, "--only-binary", ":all:", "--dest", scratch, AUTOFJ_PACKAGE],
            capture_output=True,
            text=True,
            check=False,
        )
        wheels = list(Path(scratch).glob("autofj-*.whl"))
        if done.returncode or not wheels:
            raise FetchError(
                f"The package {AUTOFJ_PACKAGE}, which carries the AutoFJ tables, could not be "
                f"downloaded. Got: {done.stderr.strip()[-500:]} "
                "Hint: check the network and pip's settings, or copy its folder "
                f"autofj/benchmark to {folder / 'autofj'}."
            )
        if not unpack_autofj(wheels[0], folder):
            raise FetchError(
                f"The package {AUTOFJ_PACKAGE} holds no tables. Got {wheels[0].name}. "
                "Hint: copy the benchmark's folders from its repository by hand."
            )


def _fetch_pearl(folder: Path) -> None:
    hub = require("huggingface_hub", extra="train", purpose="fetching the PEARL benchmark")
    target = folder / "pearl_benchmark"
    try:
        hub.snapshot_download(PEARL_REPOSITORY, repo_type="dataset", local_dir=target)
    except (OSError, hub.errors.HfHubHTTPError, hub.errors.LocalEntryNotFoundError) as error:
        raise FetchError(
            f"The data set {PEARL_REPOSITORY} could not be downloaded from the hub. "
            f"Got: {type(error).__name__}: {str(error)[:300]} Hint: check the network, or copy the "
            f"repository's files to {target}."
        ) from error
    finally:
        shutil.rmtree(target / ".cache", ignore_errors=True)


SETS: dict[str, Callable[[Path], None]] = {
    "autofj": _fetch_autofj,
    "pearl_benchmark": _fetch_pearl,
}
"""The sets with a public home, by the folder they fill."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``python -m pearljoin_train data verify|fetch``.

    Returns
    -------
    code
        0; 1 where ``verify`` finds a changed file, or a set could not be fetched. Absent files
        are reported and change no exit code.

    Raises
    ------
    DataMissingError
        If there is no data folder.
    """
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train data", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("verify", help="compare a data folder with the manifest")
    check.add_argument("--folder", type=Path, help="default: the data folder in force")
    get = commands.add_parser("fetch", help="get the sets that have a public home")
    get.add_argument("sets", nargs="*", metavar="SET", help=f"{', '.join(SETS)}; default: all")
    get.add_argument("--folder", type=Path, help="default: the user's cache")
    options = parser.parse_args(arguments)
    if options.command == "verify":
        return _verify(options.folder or data_folder())
    return _fetch_all(options.sets or list(SETS), options.folder or cache_folder())


def _verify(folder: Path, under: str = "") -> int:
    states = list(verify(folder, under))
    for state in states:
        if state.state != "ok":
            _say(f"{state.state:<8}{state.path}")
    counts = Counter(state.state for state in states)
    summary = ", ".join(f"{counts[state]} {state}" for state in ("ok", "changed", "absent"))
    _say(f"{folder}: {summary}")
    return int(counts["changed"] > 0)


def _fetch_all(names: Sequence[str], folder: Path) -> int:
    failed = False
    for name in names:
        _say(f"{name}: fetching into {folder}")
        try:
            fetch(name, folder)
        except PearljoinError as error:
            sys.stderr.write(f"error: {error}\n")
            failed = True
            continue
        _verify(folder, under=f"{name}/")
    return int(failed)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
