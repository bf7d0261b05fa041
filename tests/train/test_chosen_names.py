"""The list of given names that ships: what Faker's locales give, and which words are left out."""

import pytest

from pearljoin._text.given_names import is_given_name
from pearljoin_train.common.commands import run_command
from pearljoin_train.scorer import given_names
from pearljoin_train.scorer.given_names import FEWEST_SEEN, choose_given_names, read_locales


def test_words_that_are_rather_family_names_are_left_out() -> None:
    locales = [
        ({"anna", "kelly", "li", "van der", "scott"}, {"kelly", "scott"}),
        ({"scott"}, set()),
    ]
    assert choose_given_names(locales, []) == ["anna", "scott"]
    # As many people as are asked for have it as their last word: a family name.
    assert choose_given_names(locales, ["walter scott"] * FEWEST_SEEN) == ["anna"]


@pytest.fixture(scope="module")
def locales() -> list[tuple[set[str], set[str]]]:
    return list(read_locales())


def test_faker_has_names_of_many_locales(locales) -> None:
    assert len(locales) > 50
    chosen = choose_given_names(locales, [])
    assert {"anna", "giuseppe", "thiago", "наталья"} <= set(chosen)
    # What ships was chosen from an earlier Faker, and with names of people beside it.
    assert sum(map(is_given_name, chosen)) > 0.9 * len(chosen)


@pytest.mark.parametrize("dry_run", [True, False])
def test_the_command_writes_the_list(dry_run, locales, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(given_names, "read_locales", lambda: iter(locales))
    monkeypatch.setattr(given_names, "read_alias_pairs", lambda: iter(()))
    out = tmp_path / "names.txt"
    options = ["--dry-run"] if dry_run else []
    assert run_command("given-names", ["--out", str(out), *options]) == 0
    assert out.exists() != dry_run
    if dry_run:
        assert "locales" in capsys.readouterr().out
    else:
        assert "anna" in out.read_text(encoding="utf-8").splitlines()
