"""The figures of the README and of the overview are those of the kept results."""

from pathlib import Path

import pytest

from benchmarks import overview

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", [overview.README, overview.PAGE], ids=lambda path: path.name)
def test_the_table_is_that_of_the_results(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert overview.with_table(text, overview.readme_table()) == text


def test_the_table_is_short_and_names_who_is_better() -> None:
    rows = overview.readme_table().splitlines()[2:]
    assert 3 <= len(rows) <= 6
    for row in rows:
        assert row.count("**") == 2, row


def test_means_are_over_the_sets_that_both_were_measured_on() -> None:
    (ours, theirs), sets = overview.compared("pearljoin", "splink-0.5", linkage=False)
    assert "affiliations" not in sets  # not offered by Splink
    assert len(sets) == 11
    own = overview.records_f1("pearljoin")
    assert ours == pytest.approx(sum(own[name] for name in sets) / 11)
    assert 0 < theirs <= 100


def test_a_table_takes_the_place_of_the_old_one() -> None:
    page = f"before\n{overview.BEGIN}\nold\n{overview.END}\nafter\n"
    assert overview.with_table(page, "new") == page.replace("old", "new")
