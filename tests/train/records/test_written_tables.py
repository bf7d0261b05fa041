"""Written tables: what is committed of them, and how they are compared."""

import pandas as pd
import pytest

import pearljoin as pj
from pearljoin_train.record_scorer.evidence import compute_evidence
from pearljoin_train.records.written_tables import AREAS, WrittenTable, read_written


@pytest.fixture(scope="module")
def written() -> list[WrittenTable]:
    return list(read_written())


def test_there_are_many_of_every_area(written) -> None:
    counts = pd.Series([each.domain for each in written]).value_counts()
    assert set(counts.index) == set(AREAS)
    assert counts.min() >= 30
    assert len({(each.domain, each.name) for each in written}) == len(written)


def test_no_two_things_are_alike_in_all_columns(written) -> None:
    for each in written:
        rows = each.table.assign(thing=each.clusters).drop_duplicates()
        assert not rows.duplicated(list(each.table)).any(), each.name


def test_in_some_nothing_is_written_twice_in_others_most_is(written) -> None:
    shares = pd.Series([1 - len(set(each.clusters)) / len(each.clusters) for each in written])
    assert (shares == 0).mean() > 0.25
    assert (shares > 0.2).mean() > 0.25
    assert shares.between(0, 0.2, inclusive="neither").mean() > 0.25


def test_tables_of_some_numbers_of_columns_are_read(written) -> None:
    single = list(read_written(most_columns=1))
    several = list(read_written(fewest_columns=2))
    assert {each.table.shape[1] for each in single} == {1}
    assert min(each.table.shape[1] for each in several) == 2
    assert len(single) + len(several) == len(written)


def test_they_are_compared_by_the_columns_that_are_compared_by_default() -> None:
    """A number of each row's own is no key, as it is none for a user who names no column."""
    table = pd.DataFrame(
        {
            "id": [17, 12, 30, 41],
            "name": ["Acme Corp", "Acme Corporation", "Borg Ltd", "Cern SA"],
            "city": ["Rome", "Rome", "Oslo", "Bern"],
        }
    )
    found = compute_evidence(
        WrittenTable("business", "firms", table, [0, 0, 1, 2]), pj.load_encoder("pearl-nano")
    )
    assert found is not None
    assert found.kinds == ("name", "name")
    assert found.is_match.sum() == found.n_answerable == 1


def test_where_a_user_must_name_columns_all_are_compared() -> None:
    table = pd.DataFrame({"block": [204] * 6, "row": [1, 1, 1, 2, 2, 2], "seat": [1, 2, 3] * 2})
    with pytest.raises(pj.InputError):
        pj.find_duplicates(table)
    made = WrittenTable("series", "seats", table, [*range(6)])
    found = compute_evidence(made, pj.load_encoder("pearl-nano"))
    assert found is not None
    assert len(found.kinds) == 3
    assert not found.is_match.any()


def test_values_are_those_of_the_file() -> None:
    """Codes keep their zeros, and years beside missing ones are no fractions."""
    texts = pd.DataFrame({"plot": ["0071", "0112"], "year": ["1886", None]}, dtype=str)
    made = WrittenTable("places", "plots", texts, [0, 1])
    assert made.rows() == [("0071", "1886"), ("0112", None)]
    assert made.table["plot"].tolist() == [71, 112]


def test_some_files_have_codes_with_zeros(written) -> None:
    values = (str(value) for each in written for value in each.rows()[0])
    assert any(value.startswith("00") for value in values)
