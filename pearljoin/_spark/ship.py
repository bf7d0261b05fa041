"""Fitted references on their way to the workers, which open each once."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import uuid
import zipfile
from collections import OrderedDict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from pyspark import SparkFiles

from pearljoin._decision.thresholds import FixedThreshold
from pearljoin._encoders import bundled_names
from pearljoin._errors import InputError
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.save_matcher import load_matcher, save_matcher
from pearljoin._fitted.saved_table import restore_table, saved_table
from pearljoin._matcher import Matcher
from pearljoin._options import MatchOptions
from pearljoin._spark.settings import Settings
from pearljoin._tables.keys import KeyOptions
from pearljoin._version import __version__

__all__ = ["Shipment", "open_matcher", "ship"]

MATCHER, MODEL = "matcher", "model"
"""Folders inside what is shipped: the saved matcher, and the encoder's where it is no bundled one.
"""

MOST_OPEN = 2
"""References that a worker keeps open."""


class Shipment(NamedTuple):
    """Where workers find a fitted reference.

    Attributes
    ----------
    name
        Names its content: the same reference has the same name.
    folder
        Where it is, for drivers and workers that share a path; None where it is an artifact of the
        session.
    encoder
        The encoder, where that is an object; it travels with the tasks.
    version
        Of the package that wrote it.
    one_table
        Whether it is a table whose rows are compared among themselves.
    """

    name: str
    folder: str | None = None
    encoder: Any = None
    version: str = __version__
    one_table: bool = False


_shipped: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def ship(session: Any, keys: KeyOptions, fitted: FittedTable, settings: Settings) -> Shipment:
    """Save a fitted reference, and send it to the executors of a session.

    Parameters
    ----------
    session, settings
        The session, and what it is set to.
    keys
        The arguments that named its columns.
    fitted
        The reference.

    Returns
    -------
    shipment
        Where workers find it.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    made = Path(tempfile.mkdtemp(dir=_scratch()))
    try:
        encoder, one = _write(made, keys, fitted), fitted.one_table
        name = f"pearljoin-{'table-' if one else ''}{_digest(made, encoder)}"
        if settings.shared_path is not None:
            # Each driver has folders of its own, and removes them when it ends.
            target = Path(settings.shared_path) / f"{name}-{_driver()}"
            return Shipment(name, _move(made, target), encoder, one_table=one)
        known = _shipped.setdefault(session, set())
        if name not in known:
            session.addArtifacts(_zipped(made, name), archive=True)
            known.add(name)
        return Shipment(name, None, encoder, one_table=one)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _write(folder: Path, keys: KeyOptions, fitted: FittedTable) -> Any:
    """Write a reference to a folder; return the encoder, where that is no file."""
    options = fitted.options
    given, encoder = options.encoder, None
    bundled = isinstance(given, str) and given in (*bundled_names(), "auto")
    if isinstance(given, str | os.PathLike) and os.path.isdir(given) and not bundled:
        shutil.copytree(given, folder / MODEL)
        given = None
    elif not bundled:
        # The one that was fitted, where a vectoriser came unfitted; None without a text column.
        encoder = fitted.learned().reference.encoder
        given = None
    sent = _settled(options, given)
    save_matcher(folder / MATCHER, saved_table(keys, fitted)._replace(options=sent))
    return encoder


def _settled(options: MatchOptions, encoder: Any) -> MatchOptions:
    """Options for a worker: it draws no display, and the driver chooses the threshold."""
    return replace(options, encoder=encoder, verbose=False, threshold=FixedThreshold(0.0))


def _digest(folder: Path, encoder: Any) -> str:
    if encoder is not None:
        return uuid.uuid4().hex[:24]
    sums = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            sums.update(str(path.relative_to(folder)).encode())
            with path.open("rb") as file:
                sums.update(hashlib.file_digest(file, "sha256").digest())
    return sums.hexdigest()[:24]


def _move(made: Path, target: Path) -> str:
    """Put a folder into its place on a shared path, whole or not at all."""
    if target.is_dir():
        return str(target)
    beside = target.with_name(f".{target.name}-{uuid.uuid4().hex}")
    try:
        shutil.copytree(made, beside)
        try:
            beside.rename(target)
        except OSError:
            # Another driver has put the same content there meanwhile.
            if not target.is_dir():
                raise
    except OSError as error:
        raise InputError(
            "The fitted reference cannot be written to the folder that "
            f"spark.pearljoin.sharedPath names. Got: {error}. Hint: name one that the driver may "
            "write to."
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    atexit.register(shutil.rmtree, target, ignore_errors=True)
    return str(target)


@cache
def _driver() -> str:
    """Name this process, in folders that others may see."""
    return uuid.uuid4().hex[:12]


def _zipped(folder: Path, name: str) -> str:
    """Put a folder into an archive, which executors fetch from the driver and unpack once."""
    archive = _scratch() / f"{name}.zip"
    # Vectors hardly get smaller.
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, path.relative_to(folder))
    return str(archive)


@cache
def _scratch() -> Path:
    """A folder for archives, which executors may fetch as long as this process lives."""
    folder = Path(tempfile.mkdtemp(prefix="pearljoin-spark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_open: OrderedDict[str, Matcher] = OrderedDict()


def open_matcher(shipment: Shipment) -> Matcher:
    """Open a reference in a worker, or find it open; large arrays are mapped, not read.

    Raises
    ------
    ModelError
        If it is damaged.
    InputError
        If another version of the package wrote it.
    """
    if shipment.version != __version__:
        raise InputError(
            f"The reference was fitted by another version of pearljoin. Got {shipment.version}, "
            f"and {__version__} on this executor. Hint: install one version everywhere."
        )
    if shipment.name not in _open:
        root = Path(shipment.folder or SparkFiles.get(f"{shipment.name}.zip"))
        model = root / MODEL
        encoder = str(model) if model.is_dir() else shipment.encoder
        _open[shipment.name] = _load(root / MATCHER, encoder, one_table=shipment.one_table)
        while len(_open) > MOST_OPEN:
            _open.popitem(last=False)
    _open.move_to_end(shipment.name)
    return _open[shipment.name]


def _load(folder: Path, encoder: Any, *, one_table: bool) -> Matcher:
    if not one_table:
        return Matcher.load(folder, encoder=encoder)
    saved = load_matcher(folder, encoder)
    matcher = Matcher._of(saved.keys, saved.options)
    matcher._fitted = restore_table(saved, one_table=True)
    return matcher
