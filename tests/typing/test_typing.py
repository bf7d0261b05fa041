"""mypy and pyright read code as users write it: right lines pass, wrong ones are flagged."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CODE = HERE / "user_code.py"
WRONG = {
    number
    for number, line in enumerate(CODE.read_text(encoding="utf-8").splitlines(), start=1)
    if line.endswith("# wrong")
}

MYPY = f"""
[mypy]
strict = true
python_version = 3.11
mypy_path = {ROOT}:{HERE / "stubs"}
explicit_package_bases = true
[mypy-pearljoin.*]
follow_imports = silent
[mypy-faiss.*,sklearn.*,onnxruntime.*,tqdm.*,transformers.*,sparse_dot_topn.*]
follow_imports = skip
ignore_missing_imports = true
"""


def assert_flagged(found: dict[int, str]) -> None:
    """Every line that is marked, and no other, has a message of the type checker."""
    assert {line: found[line] for line in found.keys() - WRONG} == {}
    assert sorted(WRONG - found.keys()) == []


def test_lines_are_marked() -> None:
    assert len(WRONG) >= 30


@pytest.mark.thorough
def test_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "mypy.ini").write_text(MYPY, encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "user_code"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", tmp_path / "mypy.ini",
         "--cache-dir", cache, CODE],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    errors = re.findall(r"^(.*):(\d+): error: (.*)$", done.stdout, re.MULTILINE)
    assert {Path(file).name for file, _, _ in errors} == {CODE.name}, done.stdout
    assert_flagged({int(line): message for _, line, message in errors})


def test_pyright(tmp_path: Path) -> None:
    # It is pyright with a node of its own, so that it runs where nothing can be fetched.
    pytest.importorskip("basedpyright")
    config = {
        "include": [str(CODE)],
        "stubPath": str(HERE / "stubs"),
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "standard",
        "pythonVersion": "3.11",
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--outputjson", "--project", tmp_path,
         "--pythonpath", sys.executable],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] == 1
    errors = [found for found in report["generalDiagnostics"] if found["severity"] == "error"]
    assert {Path(found["file"]).name for found in errors} == {CODE.name}
    assert_flagged({e["range"]["start"]["line"] + 1: e["message"] for e in errors})
