"""Half of the answers are taken away, by the rule and by nothing else."""

import pytest

from benchmarks.autofj.open_world import is_removed, open_world
from pearljoin_train.data.autofj import AutoFJTable, load_table

# The first byte that `printf %s TITLE | sha256sum` prints. The last title tells UTF-8 (be) from
# Latin-1 (1f).
FIRST_BYTES = {"Paris": 0x5D, "London": 0xEC, "Rome": 0xD0, "Madrid": 0xE9, "Éire": 0xBE}


@pytest.mark.parametrize(("title", "first"), FIRST_BYTES.items())
def test_a_title_is_removed_where_its_first_byte_is_even(title, first):
    assert is_removed(title) == (first % 2 == 0)


def test_only_matched_titles_go_and_the_queries_stay(data):
    table = load_table("Cities", data)
    rest = open_world(table)
    assert rest.reference == ("Paris", "Berlin")
    assert rest.reference_ids == ("1", "3")
    assert rest.queries == table.queries
    assert rest.gold == (("1", "1"),)
    assert rest.answers == {"Paris (city)": frozenset({"Paris"})}


def test_an_unmatched_title_stays_whatever_its_sum():
    table = AutoFJTable("T", ("London", "Rome"), ("0", "1"), ("Londres",), ("9",), (("0", "9"),))
    assert is_removed("Rome")
    assert open_world(table).reference == ("Rome",)
    assert open_world(table).gold == ()


def test_every_row_of_a_removed_title_goes():
    table = AutoFJTable(
        "T", ("London", "London", "Paris"), ("0", "1", "2"), ("Londres",), ("9",), (("0", "9"),)
    )
    assert open_world(table).reference_ids == ("2",)
