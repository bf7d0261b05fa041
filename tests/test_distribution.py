"""A wheel that is built here holds all that the quick start needs, and runs from another folder."""

import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

import pearljoin

ROOT = Path(__file__).parent.parent
QUICK_START = """
import pandas as pd
import pearljoin as pj

left = pd.DataFrame({"company": ["York Uni", "Volkswagen", "Some other place"]})
right = pd.DataFrame({"legal_name": ["University of York", "Volkswagen AG", "Kyoto University"]})
joined = pj.fuzzy_join(left, right, left_on="company", right_on="legal_name")
print(pj.__file__)
print(joined["legal_name"].fillna("-").tolist())
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
@pytest.mark.thorough
def test_the_wheel_runs_the_quick_start_in_an_environment_of_its_own(
    built: Path, tmp_path: Path
) -> None:
    (wheel,) = built.glob("pearljoin-*-py3-none-any.whl")
    assert wheel.stat().st_size < 40 * 2**20
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = next(environment.glob("lib/python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # The libraries that pearljoin needs come from here: `make dist` fetches them anew instead.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    done = subprocess.run(
        [environment / "bin" / "python", "-I", "-c", QUICK_START],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    home, names = done.stdout.splitlines()
    assert Path(home).is_relative_to(packages)
    assert names == "['University of York', 'Volkswagen AG', '-']"


@pytest.mark.slow
def test_the_source_distribution_builds_and_tests(built: Path) -> None:
    (source,) = built.glob("pearljoin-*.tar.gz")
    with tarfile.open(source) as archive:
        held = {re.sub(r"^[^/]+/", "", name) for name in archive.getnames()}
    needed = {"pyproject.toml", "LICENSE", "NOTICE", "CITATION.cff", "Makefile", "docs/conf.py",
              "tests/conftest.py", "examples/official.csv", "pearljoin/py.typed"}  # fmt: skip
    assert needed <= held
    assert not any(name.startswith(("site/", "runs/", "docs/generated/")) for name in held)


def test_citation_and_changelog_name_the_version_and_its_date() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    told = dict(re.findall(r"^(version|date-released): (\S+)$", citation, re.MULTILINE))
    assert told["version"] == pearljoin.__version__
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", changelog, re.MULTILINE)
    assert headings[:2] == ["[Unreleased]", f"[{told['version']}] - {told['date-released']}"]
