"""A folder as one archive in pieces small enough to copy, with the checksum of each.

The archive is a zip file cut into pieces of equal size; ``pack.json`` lists them. Nothing in it is
run: a pack from a stranger is data.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pearljoin._atomic import atomic_folder, write_text
from pearljoin._errors import InputError

__all__ = ["MANIFEST", "is_pack", "read_manifest", "unpack_folder", "write_pieces"]

MANIFEST = "pack.json"
FORMAT = 1
MOST_BYTES = 16 * 1024**2
"""Of a piece."""


def write_pieces(
    content: Path, out: Path, facts: Mapping[str, Any], *, most_bytes: int = MOST_BYTES
) -> dict[str, Any]:
    """Write a folder's files as pieces into another folder, whole or not at all.

    Parameters
    ----------
    content
        What is packed, subfolders too.
    out
        The folder to write, not there yet.
    facts
        What the manifest says besides.
    most_bytes
        Of a piece, at least 1.

    Returns
    -------
    manifest
        What ``pack.json`` holds: ``format``, ``pieces`` (name, bytes, sha256) and the facts.

    Raises
    ------
    InputError
        If something is at `out`.
    """
    if out.exists():
        raise InputError(f"There is something at {out} already. Hint: another --out.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with atomic_folder(out, made=True, keep=True, what="pack") as partial:
        archive = partial / "archive.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as written:
            for path in sorted(path for path in content.rglob("*") if path.is_file()):
                written.write(path, path.relative_to(content).as_posix())
        pieces: list[dict[str, Any]] = []
        with archive.open("rb") as whole:
            while chunk := whole.read(most_bytes):
                name = f"piece-{len(pieces):03d}.bin"
                (partial / name).write_bytes(chunk)
                sha256 = hashlib.sha256(chunk).hexdigest()
                pieces.append({"name": name, "bytes": len(chunk), "sha256": sha256})
        archive.unlink()
        manifest = {"format": FORMAT, "pieces": pieces, **facts}
        write_text(partial / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    return manifest


def is_pack(folder: Path) -> bool:
    """Return whether a folder holds a pack's manifest."""
    return (folder / MANIFEST).is_file()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a pack.

    Raises
    ------
    InputError
        If there is none, or it is of another format.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        known = manifest["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"There is no pack in {folder}. Got: {error}. Hint: "
            "`python -m pearljoin_train pack --out FOLDER` writes one."
        ) from error
    if not known:
        raise InputError(
            f"The pack in {folder} has another format. Got {manifest['format']}, expected "
            f"{FORMAT}. Hint: write it anew with this version."
        )
    return manifest


def unpack_folder(pack: Path, out: Path) -> dict[str, Any]:
    """Put the pieces together again, checked, and write their files; returns the manifest.

    Parameters
    ----------
    pack
        The folder of the pieces.
    out
        The folder to write, not there yet.

    Raises
    ------
    InputError
        If a piece is missing or damaged, or something is at `out`.
    """
    manifest = read_manifest(pack)
    if out.exists():
        raise InputError(f"There is something at {out} already. Hint: another --out.")
    out.parent.mkdir(parents=True, exist_ok=True)
    with atomic_folder(out, made=True, keep=True, what="folder") as partial:
        archive = partial / "archive.zip"
        with archive.open("wb") as whole:
            for piece in manifest["pieces"]:
                whole.write(_checked(pack, piece))
        try:
            with zipfile.ZipFile(archive) as read:
                read.extractall(partial)  # Its names are made harmless by zipfile.
        except zipfile.BadZipFile as error:
            raise InputError(
                f"The pack in {pack} cannot be read. Got: {error}. Hint: write it anew."
            ) from error
        archive.unlink()
    return manifest


def _checked(pack: Path, piece: Mapping[str, Any]) -> bytes:
    name = Path(str(piece["name"])).name
    try:
        content = (pack / name).read_bytes()
    except OSError as error:
        raise InputError(
            f"A piece of the pack is missing. Got no {name!r} in {pack}. Hint: copy it too; "
            f"{MANIFEST} lists all."
        ) from error
    if hashlib.sha256(content).hexdigest() != piece["sha256"]:
        raise InputError(
            f"A piece of the pack is damaged. Got {name!r} of {len(content)} bytes, expected "
            f"{piece['bytes']}. Hint: copy it again."
        )
    return content
