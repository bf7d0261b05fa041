"""What is installed: version, bundled models and whether they are whole, extras, devices."""

from __future__ import annotations

import json
import platform
import re
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import pearljoin as pj
from pearljoin._encoders import bundled_names
from pearljoin._encoders.load import gpu_is_there
from pearljoin._encoders.model_folder import CONFIG, read_folder

__all__ = ["show"]

MODELS = Path(pj.__file__).parent / "_models"
REQUIREMENT = re.compile(r"^([\w.-]+).*extra == ['\"]([\w-]+)['\"]")
COLLECTIONS = {"all", "dev", "docs", "gpu"}
"""Extras that gather others, serve work on the package itself, or (gpu) show as a device."""


def show() -> bool:
    """Print it all on standard output.

    Returns
    -------
    sound
        Whether all bundled models are whole.
    """
    models = [MODELS / name for name in bundled_names()[1:]]
    problems = {folder: _problem(folder) for folder in models}
    rows = [("version", pj.__version__), ("python", platform.python_version())]
    rows += [(f"model {folder.name}", problems[folder] or _describe(folder)) for folder in models]
    rows += [(f"extra {extra}", state) for extra, state in sorted(_extras().items())]
    rows += [("devices", "cpu, cuda" if gpu_is_there() else "cpu")]
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*map(Text, row))
    console = Console()
    # Lines are not broken where another program reads them.
    (console if console.is_terminal else Console(width=1_000)).print(table)
    return not any(problems.values())


def _problem(folder: Path) -> str | None:
    """What is wrong with a bundled model; None if every file has its sha256."""
    try:
        read_folder(folder).verify()
    except pj.ModelError as error:
        return f"unusable: {error}"
    return None


def _describe(folder: Path) -> str:
    config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    licence = config.get("base_licence", "not stated")
    return f"{config['dim']} columns, licence {licence}, sha256 of every file as recorded"


def _extras() -> dict[str, str]:
    """Whether what each extra brings is installed, by the package's own metadata."""
    try:
        requirements = metadata.requires("pearljoin") or []
    except metadata.PackageNotFoundError:  # run from a checkout that is not installed
        requirements = []
    missing: dict[str, list[str]] = {}
    for found in filter(None, map(REQUIREMENT.match, requirements)):
        package, extra = found.groups()
        if extra not in COLLECTIONS:
            missing.setdefault(extra, []).extend([] if _installed(package) else [package])
    return {
        extra: f"lacks {', '.join(packages)}" if packages else "installed"
        for extra, packages in missing.items()
    }


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True
