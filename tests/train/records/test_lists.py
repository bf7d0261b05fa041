"""Which names records are made of."""

from dataclasses import fields

import pytest

from pearljoin_train.data import DataMissingError
from pearljoin_train.data.splits import is_held_out, part_of
from pearljoin_train.records.lists import SOURCES, forms, read_lists, split_of, words

COMMON = {"nicknames", "concepts", "artefacts"}
"""Lists of words rather than of names, which both splits have."""


@pytest.fixture(scope="module")
def validation(data_folder):
    return read_lists("validation", data_folder)


def names_of(lists) -> dict[str, set[str]]:
    return {field.name: set(getattr(lists, field.name)) for field in fields(lists)}


def test_no_list_is_empty(lists, validation) -> None:
    for split in (lists, validation):
        assert [role for role, names in names_of(split).items() if not names] == []


def test_training_and_validation_share_no_name(lists, validation) -> None:
    training, held_back = names_of(lists), names_of(validation)
    for role in set(training) - COMMON:
        assert training[role].isdisjoint(held_back[role]), role
    assert training["concepts"] == held_back["concepts"]


def test_names_are_the_scorers_and_of_an_open_licence(lists, validation) -> None:
    for split in (lists, validation):
        for role in set(SOURCES.values()) - {"people"}:
            names = names_of(split)[role]
            assert {part_of(name) for name in names} == {"scorer"}
            assert not any(name.endswith((" Closed", " Known")) for name in names)


def test_held_out_sources_are_validation(lists, validation, data_folder) -> None:
    # Job titles come from a source that is held out and from one that is not.
    assert is_held_out("onet_job_titles")
    assert not is_held_out("esco_occupations")
    assert len(validation.jobs) > 2 * len(lists.jobs) * 0.2
    shares = [split_of("unlocode", f"name {at}") == "validation" for at in range(4000)]
    assert abs(sum(shares) / 4000 - 0.2) < 0.03
    assert {split_of("onet_job_titles", f"name {at}") for at in range(50)} == {"validation"}


def test_funds_are_no_companies(lists, validation) -> None:
    assert "Acme World ETF" not in {*lists.companies, *validation.companies}


def test_titles_are_whole_clauses(lists) -> None:
    assert any(clause.endswith("The Moon Is Low") for clause in lists.clauses)
    assert not any("Said" in clause or clause.startswith("And ") for clause in lists.clauses)


def test_missing_data_is_an_error(tmp_path) -> None:
    with pytest.raises(DataMissingError, match="alias_pairs"):
        read_lists("training", tmp_path)


def test_short_lists() -> None:
    assert words("companies", "trades")[11] == "Dental Care"
    assert forms("places", "features")[2] == ("mountain", "mount", "MT")
    assert forms("music", "genres")[0][:2] == ("Rock", "Pop")
