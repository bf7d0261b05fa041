"""What works with the oldest and the newest supported libraries; run by `make test-lowest` too.

It uses nothing of the other tests, whose tables need newer libraries.
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pearljoin as pj

ROOT = Path(__file__).parent.parent
LEFT = {"name": ["York Uni", "Volkswagen", "Some other place"], "n": [1, 2, 3]}
RIGHT = {"legal": ["University of York", "Volkswagen AG", "Kyoto University"], "id": [10, 20, 30]}
FOUND = [10, 20, None]

MAKERS = {
    "pandas": pd.DataFrame,
    "pandas-nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas-arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "polars-lazy": pl.LazyFrame,
    "pyarrow": pa.table,
}


def cells(table, column):
    """The cells of a column as Python values, None where one is missing."""
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if isinstance(table, pd.DataFrame):
        return [None if pd.isna(cell) else cell for cell in table[column]]
    return table[column].to_pylist() if isinstance(table, pa.Table) else table[column].to_list()


@pytest.mark.parametrize("right", MAKERS)
@pytest.mark.parametrize("left", MAKERS)
def test_tables_of_every_kind_join(left, right) -> None:
    one, other = MAKERS[left](LEFT), MAKERS[right](RIGHT)
    joined = pj.fuzzy_join(one, other, left_on="name", right_on="legal")
    assert type(joined) is type(one)
    assert cells(joined, "id") == FOUND
    assert cells(joined, "n") == [1, 2, 3]


def test_duplicates_and_golden_records() -> None:
    table = pd.DataFrame({"name": ["M.I.T.", "Volkswagen AG", "MIT", "Volkswagen"]})
    result = pj.find_duplicates(table, on="name")
    assert result.clusters().tolist() == [0, 1, 0, 1]
    assert result.golden({"name": "longest"})["name"].tolist() == ["M.I.T.", "Volkswagen AG"]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_a_saved_matcher_answers_as_before(kind: str, tmp_path: Path) -> None:
    make = MAKERS[kind]
    matcher = pj.Matcher(left_on="name", right_on="legal").fit(make(RIGHT))
    matcher.save(tmp_path / "matcher")
    again = pj.Matcher.load(tmp_path / "matcher")
    assert cells(again.match(make(LEFT)).join(), "id") == FOUND
    assert cells(matcher.match(make(LEFT)).join(), "id") == FOUND


def test_a_join_in_a_pipeline() -> None:
    joiner = pj.FuzzyJoiner(pd.DataFrame(RIGHT), left_on="name", right_on="legal")
    assert cells(joiner.fit_transform(pd.DataFrame(LEFT)), "id") == FOUND
    vectors = pj.PhraseEncoder(n_components=2, random_state=0).fit_transform(LEFT["name"])
    assert vectors.shape == (3, 2)


def test_the_command_line(tmp_path: Path) -> None:
    for name, columns in (("left", LEFT), ("right", RIGHT)):
        pl.DataFrame(columns).write_csv(tmp_path / f"{name}.csv")
    words = "join left.csv right.csv --left-on name --right-on legal --out out.parquet --quiet"
    done = subprocess.run(
        [sys.executable, "-m", "pearljoin", *words.split()],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert pl.read_parquet(tmp_path / "out.parquet")["id"].to_list() == FOUND


def lower_bounds() -> dict[str, str]:
    """The lowest versions in pyproject.toml of what `make test-lowest` installs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [*project["dependencies"], *extras["cli"], *extras["spark"]]
    named += [one for one in extras["train"] if one.startswith("pandas")]
    pairs = [re.fullmatch(r"([\w.-]+)(?:>=([\d.]+))?", one) for one in named]
    return {found[1]: found[2] for found in pairs if found}


def test_the_lowest_versions_are_those_that_are_declared() -> None:
    lines = (ROOT / "constraints-lowest.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    declared = lower_bounds()
    assert set(declared) <= set(pinned)
    for name, lowest in declared.items():
        assert (pinned[name] + ".0.0").startswith(lowest), name


def test_the_versions_stated_in_the_readme_are_those_declared() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| (Python|pandas|polars) \| ([\d.]+) \|", readme, re.M))
    declared = lower_bounds()
    assert stated == {"Python": "3.11", "pandas": declared["pandas"], "polars": declared["polars"]}
