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


def coming_from(name: str) -> str:
    """Return a page for users of another tool, in one line."""
    return " ".join(
        (ROOT / "docs" / "coming-from" / f"{name}.md").read_text(encoding="utf-8").split()
    )


def test_pages_for_users_of_other_tools_state_the_shares_that_were_measured() -> None:
    share = {name: f"{100 * one['top1']:.1f} %" for name, one in overview.joins().items()
             if one["top1"] is not None}  # fmt: skip
    for tool in ("skrub", "rapidfuzz"):
        assert share["pearljoin"] in coming_from(tool), tool
        assert share[tool] in coming_from(tool), tool
    affiliations = [overview.records_f1(name)["affiliations"] for name in ("skrub", "pearljoin")]
    theirs, ours = (f"{f1:.0f}" for f1 in affiliations)
    assert f"an F1 of {theirs}, and pearljoin, which is too careful there, {ours}." in coming_from(
        "skrub"
    )


def test_the_page_for_users_of_autofj_states_its_joins() -> None:
    for name in ("autofj", "pearljoin"):
        for kind in ("join", "open"):
            one = overview.joins()[name][kind]
            cells = f"| {100 * one['precision']:.1f} | {100 * one['recall']:.1f} |"
            assert cells in coming_from("autofj"), (name, kind)


def test_where_splink_is_better_is_as_it_was_measured() -> None:
    ours, splink = overview.records_f1("pearljoin"), overview.records_f1("splink-0.5")
    ahead = {name: splink[name] - ours[name] for name in splink if splink[name] > ours[name]}
    # The words of docs/benchmarks_overview.md, and of docs/coming-from/splink.md.
    assert len(ahead) == 3
    assert round(ahead["cd_freedb"]) == 11
    assert round(ahead["patentsview_inventors"]) == 5
    assert round(ahead["febrl3"]) == 1
    leads = [ours[name] - splink[name] for name in splink if name not in ahead]
    assert (round(min(leads)), round(max(leads))) == (1, 47)
