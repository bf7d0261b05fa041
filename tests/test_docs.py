"""Every code example in the README, the docs and the docstrings runs and shows what it says."""

import ast
import doctest
import importlib
import pkgutil
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pearljoin
from pearljoin._cli import main

ROOT = Path(__file__).parent.parent
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def module_names() -> list[str]:
    found = pkgutil.walk_packages(pearljoin.__path__, prefix="pearljoin.")
    return ["pearljoin", *(m.name for m in found if not m.name.endswith("__main__"))]


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("name", module_names())
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(name)
    monkeypatch.chdir(tmp_path)
    failed = doctest.testmod(module, optionflags=OPTIONS).failed
    assert failed == 0


# A block that is shown, or one that the documentation runs when it is built.
PYTHON = re.compile(r"^```(?:python|\{run\})[^\n]*\n(.*?)^```\s*?$", re.MULTILINE | re.DOTALL)
# What the block above it prints.
OUTPUT = re.compile(r"\s*^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def pages_with_code() -> list[str]:
    folders = ("docs", "docs/howto", "docs/coming-from", "docs/research")
    found = [path for folder in folders for path in (ROOT / folder).glob("*.md")]
    pages = ["README.md", *sorted(path.relative_to(ROOT).as_posix() for path in found)]
    return [page for page in pages if PYTHON.search(read(page))]


PAGES = [
    # It measures one setting after another.
    pytest.param(page, marks=pytest.mark.thorough) if "which-settings" in page else page
    for page in pages_with_code()
]


@pytest.fixture
def quick_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start Spark, where code does, with settings for small tables."""
    settings = runpy.run_path(str(ROOT / "docs" / "_ext" / "quick_spark.py"))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", settings["ARGUMENTS"])


@pytest.mark.parametrize(
    ("left", "right"),
    [("Burma", ["Bhutan", "Myanmar", "Barbados"]), ("attorney", ["baker", "lawyer", "nurse"])],
)
def test_what_the_readme_says_of_the_encoder_holds(left: str, right: list[str]) -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"*{right[1]}* for *{left}*" in readme
    assert pearljoin.match([left], right).matches().right.tolist() == [1]


def test_the_readme_has_code() -> None:
    blocks = PYTHON.findall(read("README.md"))
    assert len(blocks) >= 7
    # Each of the public entrances is shown at its defaults.
    for name in ("Matcher", "FuzzyJoiner", "deduplicate"):
        shown = [block for block in blocks if f"pj.{name}(" in block]
        assert shown, name
        assert not any("threshold=" in block for block in shown), name


@pytest.mark.usefixtures("kept_vectors", "quick_spark")
@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run_in_order_and_print_what_is_shown(
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    text = read(page)
    names: dict[str, object] = {"__name__": "__page__"}
    for block in PYTHON.finditer(text):
        # Blank lines before the block make a traceback show the page's own line numbers.
        padding = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(padding + block.group(1), page, "exec"), names)
        printed = capsys.readouterr().out
        shown = OUTPUT.match(text, block.end())
        if shown is not None:
            check = doctest.OutputChecker().check_output(shown.group(1), printed, OPTIONS)
            assert check, f"{page} shows\n{shown.group(1)}\nand the code prints\n{printed}"


@pytest.mark.usefixtures("kept_vectors")
def test_command_lines_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of both pages in turn; one that both show runs once."""
    (tmp_path / "examples").mkdir()
    for table in (ROOT / "examples").glob("*.csv"):  # only the beginning of each: soon encoded
        first = table.read_text(encoding="utf-8").splitlines(keepends=True)[:100]
        (tmp_path / "examples" / table.name).write_text("".join(first), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands: dict[str, None] = {}
    for page in ("README.md", "docs/command-line.md"):
        lines = "".join(CONSOLE.findall(read(page))).splitlines()
        shown = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        assert [command for command in shown if command.startswith("pearljoin ")], page
        commands.update(dict.fromkeys(shown))
    for command in commands:
        run_in_shell(command) if set(command) & set("|>") else run_here(command)


def run_here(command: str) -> None:
    """Run a command in this process, which knows the vectors of texts that it has encoded."""
    program, *words = shlex.split(command)
    assert program == "pearljoin"
    assert main(words) == 0, command


def run_in_shell(command: str) -> None:
    """Run a command with pipes."""
    # A shell's function, so that nothing need be installed.
    program = f'pearljoin() {{ {shlex.quote(sys.executable)} -m pearljoin "$@"; }}'
    done = subprocess.run(
        ["sh", "-c", f"{program}\n{command}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stderr}"
    assert "Traceback" not in done.stderr


GALLERY = sorted((ROOT / "docs" / "gallery").glob("*.py"))
SLOW = ("12_large_tables", "14_spark")
ENTRANCES = {"fuzzy_join", "match", "Matcher", "FuzzyJoiner", "deduplicate", "find_duplicates"}
TUNING = {"threshold", "precision", "weights", "encoder", "k"}


def test_there_are_recipes() -> None:
    assert len(GALLERY) >= 14


@pytest.mark.usefixtures("kept_vectors", "quick_spark")
@pytest.mark.parametrize(
    "script",
    [
        # The pages run them as well, when they are built.
        pytest.param(path, marks=pytest.mark.thorough) if path.stem in SLOW else path
        for path in GALLERY
    ],
    ids=lambda path: path.stem,
)
def test_recipes_run_at_default_settings_and_draw(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    for call in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and ast.unparse(call.func).removeprefix("pj.") in ENTRANCES:
            assert not {keyword.arg for keyword in call.keywords} & TUNING, ast.unparse(call)
    plt.close("all")
    monkeypatch.chdir(script.parent)
    try:
        runpy.run_path(str(script))
        assert plt.get_fignums(), "a recipe without a picture"
    finally:
        plt.close("all")
