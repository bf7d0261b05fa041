"""Every code example in the README and in the docstrings runs and shows what it says."""

import doctest
import importlib
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pearljoin

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/quickstart.md")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

# Only with an optional package that the dev extra leaves out.
OPTIONAL = {"pearljoin._spark": "pyspark", "pearljoin._report": "jinja2"}


def module_names() -> list[str]:
    found = pkgutil.walk_packages(pearljoin.__path__, prefix="pearljoin.")
    return ["pearljoin", *(m.name for m in found if not m.name.endswith("__main__"))]


def load(name: str) -> ModuleType:
    for prefix, package in OPTIONAL.items():
        if name.startswith(prefix):
            pytest.importorskip(package)
    return importlib.import_module(name)


@pytest.mark.parametrize("name", module_names())
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(name)
    monkeypatch.chdir(tmp_path)
    failed = doctest.testmod(module, optionflags=OPTIONS).failed
    assert failed == 0


def blocks(page: str, language: str) -> list[tuple[int, str]]:
    """Find the fenced blocks of one language, each with the line on which it starts."""
    text = (ROOT / page).read_text(encoding="utf-8")
    fence = re.compile(rf"^```{language}\b[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, m.start()) + 2, m.group(1)) for m in fence.finditer(text)]


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run_in_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = blocks(page, "python")
    assert found
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for line, source in found:
        # Blank lines before the block make a traceback show the page's own line numbers.
        exec(compile("\n" * (line - 1) + source, page, "exec"), names)


def test_command_lines_run(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    commands = [
        line for _, block in blocks("README.md", "console") for line in block.splitlines() if line
    ]
    assert commands
    for command in commands:
        program, *arguments = shlex.split(command.removeprefix("$ "))
        assert program == "pearljoin"
        done = subprocess.run(
            [sys.executable, "-m", "pearljoin", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stderr}"
