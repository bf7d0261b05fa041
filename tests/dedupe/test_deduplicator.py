"""Deduplicator: rows added later, ids that stay, removal, merges, save and load."""

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of
from hypothesis import given, settings
from hypothesis import strategies as st

import pearljoin as pj
from pearljoin._clusters import linkage

FITTED = ["Univ. of Oxford", "MIT", "University of Oxford", "Harvard University", "ETH Zurich"]
LATER = [
    "Oxford University",
    "ETH Zürich",
    "MIT",
    "Massachusetts Institute of Technology",
    "Univ of Oxford",
    "Sorbonne",
    "La Sorbonne",
    None,
    "Sorbonne",
]


def listed(deduplicator: pj.Deduplicator, lowest: float = 0.0) -> list[tuple]:
    """Pairs as (id, id, probability)."""
    found = columns_of(deduplicator.pairs(lowest))
    return list(zip(found["left_id"], found["right_id"], found["score"], strict=True))


def pairs_by_name(deduplicator: pj.Deduplicator) -> dict:
    return {
        frozenset((one, other)): round(chance, 5) for one, other, chance in listed(deduplicator)
    }


@pytest.fixture(scope="module")
def fitted() -> pd.DataFrame:
    return pd.DataFrame({"key": [f"f{n}" for n in range(5)], "name": FITTED})


@pytest.fixture(scope="module")
def all_at_once(fitted: pd.DataFrame) -> dict:
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(fitted)
    deduplicator.add(pd.DataFrame({"key": [f"a{n}" for n in range(9)], "name": LATER}))
    return pairs_by_name(deduplicator)


@settings(max_examples=12)
@given(st.permutations(range(9)), st.sets(st.integers(1, 8)))
def test_batches_and_order_give_the_same_pairs(fitted, all_at_once, order, cuts) -> None:
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(fitted)
    before = deduplicator.clusters().tolist()
    for batch in np.split(np.array(order), sorted(cuts)):
        more = pd.DataFrame({"key": [f"a{n}" for n in batch], "name": [LATER[n] for n in batch]})
        added = deduplicator.add(more)
        assert deduplicator.clusters()[-len(batch) :].tolist() == added.tolist()
        # No row that stood changes its cluster.
        assert deduplicator.clusters()[: len(before)].tolist() == before
        before = deduplicator.clusters().tolist()
    assert pairs_by_name(deduplicator) == all_at_once


def test_batches_of_several_columns_give_the_same_pairs() -> None:
    table = pd.DataFrame({"name": FITTED, "city": ["Oxford", "Boston", "Oxford", "Boston", "Zug"]})
    # Many more cities than there were: what a column counts is learned in fit alone.
    more = pd.DataFrame(
        {"name": LATER, "city": ["Oxfort", None, *(f"Place {n}" for n in range(7))]}
    )
    found = []
    for step in (1, 4, 9):
        deduplicator = pj.Deduplicator(on=["name", "city"]).fit(table)
        for start in range(0, 9, step):
            deduplicator.add(more[start : start + step])
        # Before they are rounded for the table.
        left, right, scores = (part.tolist() for part in deduplicator._fitted().row_pairs(0.0))
        found.append(dict(zip(zip(left, right, strict=True), scores, strict=True)))
        assert len(found[-1]) == len(deduplicator.pairs(0.0))
    for other in found[1:]:
        assert other.keys() == found[0].keys()
        # What float32 products of other shapes may differ by.
        assert max(abs(p - found[0][pair]) for pair, p in other.items()) <= 1e-6


def test_rows_join_clusters_or_found_new_ones() -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    assert deduplicator.clusters().tolist() == [0, 1, 0, 2, 3]
    added = deduplicator.add(LATER)
    assert added[[0, 1, 2, 4]].tolist() == [0, 3, 1, 0]
    # Equal rows of one batch share a new cluster, and a row without a key is alone.
    assert added[5] == added[8] >= 4
    assert np.sum(deduplicator.clusters() == added[7]) == 1
    assert deduplicator.ids == list(range(14))
    assert repr(deduplicator).startswith("<Deduplicator: 14 rows in ")


def test_every_kind_of_table(make_frame: FrameMaker) -> None:
    table = make_frame({"key": [1, 2], "name": ["MIT", "Harvard"], "n": [5, 6]})
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(table)
    deduplicator.add(make_frame({"key": [7], "name": ["MIT"]}))
    found = columns_of(deduplicator.table())
    assert found == {
        "key": [1, 2, 7],
        "name": ["MIT", "Harvard", "MIT"],
        "n": [5, 6, None],
        "cluster": [0, 1, 0],
    }
    assert columns_of(deduplicator.pairs(0.9)) == {
        **{"left_row": [0], "right_row": [2], "left_id": [1], "right_id": [7]},
        **{"left": ["MIT"], "right": ["MIT"], "score": [1.0], "same_cluster": [1]},
    }
    rest = columns_of(deduplicator.remove([2]).pairs(0.9))
    assert (rest["left_row"], rest["right_row"], rest["right_id"]) == ([0], [1], [7])


def test_pairs_have_the_columns_of_a_result_and_ids() -> None:
    table = pd.DataFrame({"name": FITTED, "city": ["Oxford", "Boston", "Oxford", "Boston", "Zug"]})
    deduplicator = pj.Deduplicator(on=["name", "city"]).fit(table)
    found, ids = deduplicator.pairs(), ["left_id", "right_id"]
    result = deduplicator.result.pairs(0.5)
    assert len(found)
    pd.testing.assert_frame_equal(found.drop(columns=ids), result)
    assert found[ids].to_numpy().tolist() == result[["left_row", "right_row"]].to_numpy().tolist()
    assert deduplicator.pairs(1.0).columns.tolist() == found.columns.tolist()


def test_constraints_hold_for_rows_that_are_added() -> None:
    table = pd.DataFrame({"name": ["MIT", "Harvard"], "from": ["a", "a"], "land": ["x", None]})
    deduplicator = pj.Deduplicator(on="name", one_per="from", veto="land", max_size=3).fit(table)
    more = pd.DataFrame(
        {
            "name": ["MIT", "MIT", "MIT", "MIT", "Harvard"],
            "from": ["a", "b", "c", "d", "b"],
            "land": ["x", "y", "x", None, "z"],
        }
    )
    added = deduplicator.add(more)
    table = deduplicator.table()
    assert added[0] != 0
    assert (
        added[1] not in (0, added[0]) or table[table["cluster"] == added[1]]["land"].nunique() == 1
    )
    for _, members in table.groupby("cluster"):
        assert members["from"].is_unique
        assert members["land"].nunique() <= 1
        assert len(members) <= 3
    assert added[4] == 1


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of edges in each round of linkage."""
    found = []
    search = linkage._Edges.merges

    def counted(edges, *given, **how):
        found.append(len(edges.first))
        return search(edges, *given, **how)

    monkeypatch.setattr(linkage._Edges, "merges", counted)
    return found


CLUBS = pd.DataFrame({"name": ["MIT", "Harvard", "Yale"], "from": ["a", "b", "c"]})


@pytest.mark.parametrize("name", ["MIT", "Sorbonne"])
@pytest.mark.parametrize(
    ("options", "sources", "n_with_first", "largest"),
    [
        ({}, "all equal", 400, 400),
        ({"max_size": 150}, "all equal", 149, 150),
        ({"one_per": "from"}, "all equal", 0, 1),
        ({"one_per": "from"}, "all differ", 400, 400),
        ({"one_per": "from"}, "in pairs", 200, 200),
        ({"one_per": "from", "max_size": 150}, "in pairs", 149, 150),
    ],
)
def test_equal_rows_take_the_rounds_of_one(
    rounds: list[int], name: str, options: dict, sources: str, n_with_first: int, largest: int
) -> None:
    deduplicator = pj.Deduplicator(on="name", encoder="pearl-nano", **options).fit(CLUBS)
    rounds.clear()
    listed = {
        "all equal": ["a"] * 400,
        "all differ": [f"x{at}" for at in range(400)],
        "in pairs": [f"x{at // 2}" for at in range(400)],
    }[sources]
    added = deduplicator.add(pd.DataFrame({"name": name, "from": listed}))
    assert len(rounds) <= 4
    assert max(rounds) <= 402
    assert np.sum(added == 0) == (n_with_first if name == "MIT" else 0)
    assert np.bincount(added).max() <= largest
    # Clusters are filled: no more of them than constraints ask for.
    fewest = -(-400 // largest) if options != {"one_per": "from"} else max(
        listed.count(one) for one in set(listed)
    )  # fmt: skip
    assert fewest <= len(set(added.tolist())) <= fewest + 1


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from(["MIT", "Yale", "Sorbonne", None]), st.sampled_from("abc")),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from([None, 1, 2, 3]),
    st.booleans(),
    st.integers(1, 12),
)
def test_constraints_alone_part_equal_rows(rows, max_size, is_exclusive, step) -> None:
    options = {"max_size": max_size, "one_per": "from" if is_exclusive else None}
    deduplicator = pj.Deduplicator(on="name", encoder="pearl-nano", **options).fit(CLUBS)
    more = pd.DataFrame(rows, columns=["name", "from"])
    for start in range(0, len(more), step):
        before = deduplicator.clusters().tolist()
        deduplicator.add(more[start : start + step])
        assert deduplicator.clusters()[: len(before)].tolist() == before
    table = deduplicator.table()
    for _, members in table.groupby("cluster"):
        assert max_size is None or len(members) <= max_size
        assert not is_exclusive or members["from"].is_unique
        assert len(members) == 1 or members["name"].notna().all()
    for _, equal in table.dropna().groupby("name"):
        if max_size is None and not is_exclusive:
            assert equal["cluster"].nunique() == 1
        elif not is_exclusive and step >= len(more):
            # One batch fills the clusters.
            assert equal["cluster"].nunique() == -(-len(equal) // max_size)


def test_several_tables_are_fitted_as_one(make_frame: FrameMaker, tmp_path) -> None:
    tables = [
        make_frame({"name": ["MIT", "Univ. of Oxford"]}),
        make_frame({"name": ["University of Oxford", "University of Oxford"], "n": [1, 2]}),
    ]
    deduplicator = pj.Deduplicator(on="name", one_per="source")
    deduplicator.fit(tables, sources=["2022", "2023"])
    found = columns_of(deduplicator.table())
    assert found["source"] == ["2022", "2022", "2023", "2023"]
    assert found["cluster"] == [0, 1, 1, 2]
    assert (
        found["cluster"]
        == pj.find_duplicates(tables, on="name", one_per="source").clusters().tolist()
    )
    deduplicator.save(tmp_path / "saved")
    for kept in (deduplicator, pj.Deduplicator.load(tmp_path / "saved")):
        more = make_frame({"source": ["2024", "2024"], "name": ["Univ. of Oxford", "MIT"]})
        assert kept.add(more).tolist() == [1, 0]
        assert kept.remove([0, 5]).refit().clusters().tolist() == [0, 0, 1, 0]
        assert columns_of(kept.fit(tables).table())["source"] == ["0", "0", "1", "1"]


def test_lists_of_tables_that_cannot_be_used_are_told() -> None:
    table = pd.DataFrame({"name": ["MIT", "Yale"]})
    with pytest.raises(pj.InputError, match=r"sources= names the tables of a list.* for one table"):
        pj.Deduplicator(on="name").fit(table, sources=["2022"])
    with pytest.raises(pj.InputError, match=r"added as one table\. Got a list of tables\. Hint"):
        pj.Deduplicator(on="name").fit([table, table]).add([table, table])


def test_removed_rows_take_no_part() -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    deduplicator.remove([1])
    assert deduplicator.clusters().tolist() == [0, 0, 2, 3]
    assert deduplicator.ids == [0, 2, 3, 4]
    # The cluster of the row that was removed is gone, and its number is not given again.
    assert deduplicator.add(["MIT"]).tolist() == [4]
    assert deduplicator.refit().clusters().tolist() == [0, 0, 1, 2, 3]
    assert deduplicator.ids == [0, 2, 3, 4, 5]
    assert deduplicator.add(["MIT"]).tolist() == [3]
    assert deduplicator.ids[-1] == 6


@pytest.mark.parametrize("fitted_again", [True, False])
def test_a_row_that_comes_again_meets_those_that_came_meanwhile(fitted_again: bool) -> None:
    # It is a row of a record that is there already, whose pairs are not sought again.
    def table(**names: str) -> pd.DataFrame:
        return pd.DataFrame({"key": list(names), "name": list(names.values())})

    names = {f"f{at}": name for at, name in enumerate(FITTED)}
    first = {**names, "x": "La Sorbonne"} if fitted_again else names
    deduplicator = pj.Deduplicator(on="name", ids="key", threshold=0.5).fit(table(**first))
    if not fitted_again:
        deduplicator.add(table(x="La Sorbonne"))
    deduplicator.remove(["x"]).add(table(y="Sorbonne"))
    straight = pj.Deduplicator(on="name", ids="key", threshold=0.5).fit(table(**first))
    straight.add(table(y="Sorbonne", **({} if fitted_again else {"x": "La Sorbonne"})))
    deduplicator.add(table(x="La Sorbonne"))
    assert pairs_by_name(deduplicator) == pairs_by_name(straight)
    clusters = dict(zip(deduplicator.ids, deduplicator.clusters().tolist(), strict=True))
    assert clusters["x"] == clusters["y"]


def test_merges_are_reported_and_applied_when_asked() -> None:
    names = ["Kings Colege London", "Harvard", "King's College, London", "Yale"]
    deduplicator = pj.Deduplicator(cannot_link=[(0, 2)], threshold=0.5).fit(names)
    assert deduplicator.clusters().tolist() == [0, 1, 2, 3]
    (joined,) = deduplicator.add(["Kings College London"])
    (merge,) = deduplicator.merges()
    assert {merge.cluster, merge.other} == {0, 2}
    assert merge.cluster == joined
    assert merge.id == 4
    assert merge.log_odds > 0
    assert deduplicator.clusters()[:4].tolist() == [0, 1, 2, 3]
    # The two stay apart while both are there.
    assert deduplicator.apply_merges().merges() == [merge]
    assert deduplicator.clusters()[:4].tolist() == [0, 1, 2, 3]
    assert deduplicator.remove([2]).apply_merges().clusters().tolist() == [0, 1, 3, 0]
    assert deduplicator.merges() == []


SEVERAL = ["Mary Major", "M. Major-Lopez", "Bell Labs", "AT&T Bell", "Harvard", "Labs of AT&T"]


@pytest.fixture
def merging() -> pj.Deduplicator:
    """Clusters of which 0 and 1 might merge, by one row, and 2, 3 and 5, by two rows each."""
    deduplicator = pj.Deduplicator(threshold=0.5).fit(SEVERAL)
    deduplicator.add(["Mary Major-Lopez", "AT&T Bell Labs", "AT and T Bell Labs"])
    assert deduplicator.clusters().tolist() == [0, 1, 2, 3, 4, 5, 1, 3, 3]
    assert ends(deduplicator) == [(1, 0), (3, 2), (3, 5), (3, 2), (3, 5)]
    return deduplicator


def ends(deduplicator: pj.Deduplicator) -> list[tuple[int, int]]:
    return [(merge.cluster, merge.other) for merge in deduplicator.merges()]


def test_chosen_merges_are_applied_and_the_others_stay_listed(merging: pj.Deduplicator) -> None:
    first, second, *_ = merging.merges()
    assert merging.apply_merges([]).merges()[:2] == [first, second]
    merging.apply_merges([second])
    assert merging.clusters().tolist() == [0, 1, 2, 2, 4, 5, 1, 2, 2]
    # That of another row between the same clusters is done, too; the rest has the id that stays.
    assert ends(merging) == [(1, 0), (2, 5), (2, 5)]
    merging.apply_merges(merge for merge in merging.merges() if merge.other == 0)
    assert merging.clusters().tolist() == [0, 0, 2, 2, 4, 5, 0, 2, 2]
    assert merging.apply_merges().merges() == []
    assert merging.clusters().tolist() == [0, 0, 2, 2, 4, 2, 0, 2, 2]


def as_pairs(merges: list[Any]) -> list[tuple]:
    return [merge[:3] for merge in merges]


def as_mappings(merges: list[Any]) -> list[dict]:
    return [merge._asdict() for merge in merges]


@pytest.mark.parametrize("written", [as_pairs, as_mappings, list, tuple, set, iter])
def test_merges_are_chosen_however_they_are_listed(
    written: Callable[[list[Any]], Any], merging: pj.Deduplicator
) -> None:
    merging.apply_merges(written(merging.merges()[:2]))
    assert merging.clusters().tolist() == [0, 0, 2, 2, 4, 5, 0, 2, 2]


def test_merges_are_chosen_by_a_table(make_frame: FrameMaker) -> None:
    table = make_frame({"key": [f"k{n}" for n in range(6)], "name": SEVERAL})
    deduplicator = pj.Deduplicator(on="name", ids="key", threshold=0.5).fit(table)
    names = ["Mary Major-Lopez", "AT&T Bell Labs"]
    deduplicator.add(make_frame({"key": ["a", "b"], "name": names}))
    listed = [merge for merge in deduplicator.merges() if merge.id == "b"]
    assert len(listed) < len(deduplicator.merges())
    columns = [list(part) for part in zip(*listed, strict=True)]
    chosen = make_frame(dict(zip(listed[0]._fields, columns, strict=True)))
    deduplicator.apply_merges(chosen)
    assert [merge.id for merge in deduplicator.merges()] == ["a"]
    with pytest.raises(pj.InputError, match=r"There is no such merge .* Got \(3, 2, 'b'\)\. Hint"):
        deduplicator.apply_merges(chosen)
    deduplicator.reject_merges(make_frame({"other": [0], "id": ["a"], "cluster": [1]}))
    assert deduplicator.merges() == []
    assert deduplicator.apply_merges(pd.DataFrame([])).ids[-1] == "b"


@pytest.mark.parametrize("method", ["apply_merges", "reject_merges"])
@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ([(1, 0, 6), (1, 0, 7)], r"no such merge \(cluster, other, id\)\. Got \(1, 0, 7\)\. Hint"),
        ([(0, 1, 6)], r"Got \(0, 1, 6\)\. Hint: clusters may have merged.*see \.merges\(\)"),
        ((1, 0, 6, 1.2), r"entries of \.merges\(\)\. Got \(1, 0, 6, 1\.2\)\. Hint: a list of"),
        ([{"cluster": 1}], r"Got a list\. Hint: .*columns \['cluster', 'other', 'id'\]"),
        ([(1, 0, [6])], r"Got a list\. Hint"),
        (pd.DataFrame({"cluster": [1], "id": [6]}), r"Got a DataFrame\. Hint"),
        ("all", r"Got 'all'\. Hint"),
        (0, r"Got 0\. Hint"),
    ],
)
def test_merges_that_are_not_listed_change_nothing(
    chosen: Any, message: str, method: str, merging: pj.Deduplicator
) -> None:
    before = merging.clusters().tolist(), merging.merges()
    with pytest.raises(pj.InputError, match=message):
        getattr(merging, method)(chosen)
    assert (merging.clusters().tolist(), merging.merges()) == before


def test_rejected_merges_are_not_listed_again(merging: pj.Deduplicator, tmp_path) -> None:
    merging.reject_merges(merging.merges()[1:2])
    assert ends(merging) == [(1, 0), (3, 5), (3, 5)]
    # A further row between the same clusters does not bring it back, also when saved.
    merging.save(tmp_path / "saved")
    for kept in (merging, pj.Deduplicator.load(tmp_path / "saved")):
        assert kept.add(["AT & T Bell Labs"]).tolist() == [3]
        assert ends(kept) == [(1, 0), (3, 5), (3, 5), (3, 5)]
        # What joins one of both is not the other either.
        assert kept.apply_merges().clusters().tolist() == [0, 0, 2, 3, 4, 3, 0, 3, 3, 3]
        assert kept.merges() == []
        clusters = kept.refit().clusters()
        assert clusters[2] != clusters[3]
        kept.remove([7, 8, 9]).add(["AT&T Bell Labs"])
        assert all({2, 3} - set(pair) for pair in ends(kept))


def test_clusters_do_not_merge_by_way_of_a_third(merging: pj.Deduplicator) -> None:
    two, three = merging.merges()[1:3]
    # 2 is not 5; 3 may be either.
    merging.apply_merges([two]).reject_merges([(2, 5, three.id)])
    assert ends(merging) == [(1, 0)]
    again = pj.Deduplicator(threshold=0.5).fit(SEVERAL)
    again.add(["Mary Major-Lopez", "AT&T Bell Labs", "AT and T Bell Labs"])
    again.reject_merges(again.merges()[2:3])
    assert ends(again.apply_merges([two])) == [(1, 0)]
    assert again.clusters().tolist() == merging.clusters().tolist()


def test_a_saved_one_goes_on_where_it_stood(tmp_path) -> None:
    table = pd.DataFrame({"key": list("abcde"), "name": FITTED, "city": ["O", "C", "O", "C", "Z"]})
    kept = pj.Deduplicator(on=["name", "city"], ids="key", max_size=9).fit(table)
    more = pd.DataFrame(
        {"key": ["f", "g"], "name": ["Oxford University", "Yale"], "city": ["O", "N"]}
    )
    kept.add(more)
    kept.remove(["d"])
    kept.save(tmp_path / "store")
    loaded = pj.Deduplicator.load(tmp_path / "store")
    assert loaded.ids == kept.ids
    assert loaded.clusters().tolist() == kept.clusters().tolist()
    assert loaded.threshold == kept.threshold
    pd.testing.assert_frame_equal(loaded.pairs(0.0), kept.pairs(0.0))
    later = pd.DataFrame(
        {"key": ["h", "i"], "name": ["Univ Oxford", "Yale Univ."], "city": ["O", "N"]}
    )
    assert loaded.add(later).tolist() == kept.add(later).tolist()
    pd.testing.assert_frame_equal(loaded.pairs(0.0), kept.pairs(0.0))
    with pytest.raises(pj.InputError, match=r"There is no result of a fit"):
        _ = loaded.result


def test_golden_records_are_of_the_present_rows(make_frame: FrameMaker) -> None:
    table = make_frame({"name": ["MIT", "Univ. of Oxford", "University of Oxford"], "n": [1, 2, 3]})
    deduplicator = pj.Deduplicator(on="name").fit(table)
    fitted = columns_of(deduplicator.golden({"n": max}))
    assert fitted == columns_of(deduplicator.result.golden({"n": max}))
    deduplicator.remove([0])
    more = make_frame({"name": ["University of Oxford", "ETH Zurich"], "n": [4, 5]})
    assert deduplicator.add(more).tolist() == [1, 2]
    golden = columns_of(deduplicator.golden({"n": max}, provenance=True))
    assert golden["cluster"] == [1, 2]
    assert golden["n_rows"] == [3, 1]
    assert golden["name"] == ["University of Oxford", "ETH Zurich"]
    assert golden["n"] == [4, 5]
    assert golden["name_row"] == [1, 3]
    assert columns_of(deduplicator.table())["name"][3] == "ETH Zurich"


@pytest.mark.parametrize(
    "change",
    [
        lambda fitted: fitted.add(["Harvard"]),
        lambda fitted: fitted.remove([0]),
        lambda fitted: fitted.apply_merges(),
    ],
    ids=["add", "remove", "apply_merges"],
)
def test_a_result_of_other_rows_is_refused(change: Callable[[pj.Deduplicator], Any]) -> None:
    fitted = pj.Deduplicator().fit(["MIT", "Oxford Univ", "Univ. of Oxford"])
    assert len(fitted.result.clusters()) == 3
    change(fitted)
    with pytest.raises(pj.InputError, match=r"rows or clusters changed since.*\.refit\(\)"):
        _ = fitted.result
    assert len(fitted.refit().result.clusters()) == len(fitted.ids)


def test_folders_of_another_kind_are_told(tmp_path) -> None:
    pj.Deduplicator().fit(FITTED).save(tmp_path / "one")
    pj.Matcher().fit(FITTED).save(tmp_path / "other")
    with pytest.raises(pj.ModelError, match=r"holds no Matcher\. Got a Deduplicator"):
        pj.Matcher.load(tmp_path / "one")
    with pytest.raises(pj.ModelError, match=r"holds no Deduplicator\. Got a Matcher"):
        pj.Deduplicator.load(tmp_path / "other")
    np.save(tmp_path / "one" / "growth_cluster.npy", np.zeros(1))
    with pytest.raises(pj.ModelError, match=r"damaged"):
        pj.Deduplicator.load(tmp_path / "one")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["a"], r"Got 'a' twice in 'key'"),
        (["x", "x"], r"Got 'x' twice in 'key'"),
        ([None], r"Got a null in 'key'"),
    ],
)
def test_ids_that_cannot_be_used_are_told(keys: list, message: str) -> None:
    table = pd.DataFrame({"key": ["a", "b"], "name": ["MIT", "Yale"]})
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(table)
    more = pd.DataFrame({"key": keys, "name": ["Sorbonne"] * len(keys)})
    with pytest.raises(pj.InputError, match=message):
        deduplicator.add(more)
    assert deduplicator.ids == ["a", "b"]


@pytest.mark.parametrize(
    ("ids", "message"), [([9], r"Got 9, which is not"), ([0, 0], r"an id twice")]
)
def test_rows_that_cannot_be_removed_are_told(ids: list, message: str) -> None:
    deduplicator = pj.Deduplicator().fit(["MIT", "Yale"])
    with pytest.raises(pj.InputError, match=message):
        deduplicator.remove(ids)


def test_values_of_another_kind_are_refused_in_words_of_deduplication() -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    message = (
        r"^The new rows do not fit the table's columns\. Got dates for .*, which holds text\. "
        r"Hint: give text, or fit the deduplicator again\.$"
    )
    with pytest.raises(pj.InputError, match=message):
        deduplicator.add([pd.Timestamp("2024-01-01")])


def test_what_needs_a_fit_says_so() -> None:
    deduplicator = pj.Deduplicator()
    assert repr(deduplicator) == "<Deduplicator: not fitted>"
    with pytest.raises(pj.InputError, match=r"not fitted"):
        deduplicator.add(["MIT"])
    with pytest.raises(pj.InputError, match=r"needs an encoder with a match scorer"):
        pj.Deduplicator(encoder=TrigramEncoder()).fit(["MIT"])


def test_threads_that_add_lose_no_rows() -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    start = threading.Barrier(3)

    def add(batch: int) -> None:
        start.wait()
        deduplicator.add([f"{name} {batch}" for name in FITTED])

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(add, range(3)))
    assert deduplicator.ids == list(range(20))
    assert len(deduplicator.clusters()) == 20


APART = ["Zebra Inc", "University of Oxford", "Univ. of Oxford", "Harvard University", "MIT"]


def are_apart(deduplicator: pj.Deduplicator) -> bool:
    of = dict(zip(deduplicator.ids, deduplicator.clusters().tolist(), strict=True))
    return of[1] != of[2]


@pytest.fixture
def apart() -> pj.Deduplicator:
    table = pd.DataFrame({"name": APART})
    assert not are_apart(pj.Deduplicator(on="name").fit(table))
    return pj.Deduplicator(on="name", cannot_link=[(1, 2)], must_link=[(0, 4)]).fit(table)


def test_constraints_go_with_their_rows_when_fitted_again(apart: pj.Deduplicator) -> None:
    apart.remove([0]).refit()
    assert are_apart(apart)
    # MIT was to be with a row that is gone, and Harvard is no heir to it.
    assert len(set(apart.clusters().tolist())) == 4
    assert are_apart(apart.remove([3]).refit())


def test_pairs_that_must_share_a_cluster_go_with_their_rows() -> None:
    deduplicator = pj.Deduplicator(must_link=[(3, 4)]).fit(APART).remove([0]).refit()
    of = dict(zip(deduplicator.ids, deduplicator.clusters().tolist(), strict=True))
    assert of[3] == of[4]
    assert of[1] == of[2] != of[3]


def with_keys(keys: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"key": keys, "name": APART})


@pytest.mark.parametrize("keys", [list("abcde"), [1, 2, 3, 4, 0]])
@pytest.mark.parametrize("written", [list, set, np.array, "table", "own pairs"])
def test_pairs_name_ids_where_there_are_ids(keys: list[Any], written: Any, tmp_path) -> None:
    apart: Any = [(keys[1], keys[2])]
    if written == "own pairs":
        apart = pj.Deduplicator(on="name", ids="key").fit(with_keys(keys)).pairs(0.9)
        assert apart["left_id"].tolist() == [keys[1]]
    else:
        make = (
            (lambda pairs: pd.DataFrame(pairs, columns=["a", "b"]))
            if written == "table"
            else written
        )
        apart = make(apart)
    options: Any = {"on": "name", "ids": "key", "must_link": [(keys[0], keys[4])]}
    deduplicator = pj.Deduplicator(cannot_link=apart, **options).fit(with_keys(keys))
    assert deduplicator.clusters().tolist() == [0, 1, 2, 3, 0]
    deduplicator.save(tmp_path / "saved")
    loaded = pj.Deduplicator.load(tmp_path / "saved")
    for kept in (deduplicator, loaded):
        kept.remove([keys[3]]).refit()
        assert kept.clusters().tolist() == [0, 1, 2, 0]
        # Fitted on the rows in another order, pairs still mean their ids.
        assert kept.fit(with_keys(keys)[::-1]).clusters().tolist() == [0, 1, 2, 3, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cannot_link": [(0, 2)]}, r"cannot_link= names an id that is not there\. Got 0\. Hint"),
        ({"must_link": [("a", "x")]}, r"must_link= names an id .* Got 'x'\. Hint: with ids="),
        ({"must_link": [("a", ["b"])]}, r"must_link= names an id .* Got \['b'\]"),
        ({"must_link": [("a",)]}, r"The pairs cannot be read\. Got a list"),
        ({"cannot_link": [("b", "b")]}, r"apart from itself\. Got id 'b' twice"),
        (
            {"cannot_link": pd.DataFrame({"left_row": [0], "right_row": [1]})},
            r"With ids=, cannot_link= names rows by their ids\. Got columns \['left_row', 'right_",
        ),
        ({"cannot_link": pj.Matches([0], [1], [0.5])}, r"Got matches, which are row positions"),
        (
            {"cannot_link": [("b", "d")], "must_link": [("b", "c"), ("c", "d")]},
            r"must and must not share a cluster\. Got ids 'b' and 'd' in cannot_link=",
        ),
        (
            {"must_link": [("b", "c")], "veto": "name"},
            r"differ in a by= or veto= column\. Got ids 'b' and 'c' with 'univ",
        ),
    ],
)
def test_errors_of_pairs_name_ids(options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        pj.Deduplicator(on="name", ids="key", **options).fit(with_keys(list("abcde")))


def test_merges_leave_rows_apart(apart: pj.Deduplicator) -> None:
    apart.add(pd.DataFrame({"name": ["Oxford University"]}))
    assert len(apart.merges()) == 1
    apart.apply_merges()
    assert are_apart(apart)
    assert len(apart.merges()) == 1
    # Without the row that is apart, nothing speaks against it.
    assert apart.remove([1]).apply_merges().merges() == []


def test_a_saved_deduplicator_keeps_its_constraints(apart: pj.Deduplicator, tmp_path) -> None:
    apart.remove([0]).save(tmp_path / "saved")
    loaded = pj.Deduplicator.load(tmp_path / "saved").refit()
    assert are_apart(loaded)
    assert loaded.clusters().tolist() == apart.refit().clusters().tolist()


@pytest.mark.parametrize("options", [{}, {"precision": 0.95}, {"threshold": 0.8}])
def test_a_saved_deduplicator_learns_its_threshold_again(options: dict, tmp_path) -> None:
    deduplicator = pj.Deduplicator(**options).fit(FITTED)
    deduplicator.add(["Oxford University", "Sorbonne", "La Sorbonne", "Univ. Oxford"])
    deduplicator.save(tmp_path / "saved")
    loaded = pj.Deduplicator.load(tmp_path / "saved")
    before = loaded.threshold
    assert before == deduplicator.threshold
    assert loaded.refit().threshold == deduplicator.refit().threshold
    assert (loaded.threshold == before) == ("threshold" in options)


def test_ids_that_are_tuples_are_not_saved(tmp_path) -> None:
    table = pd.DataFrame({"name": ["MIT", "Harvard"], "key": [("a", 1), ("b", 2)]})
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(table)
    with pytest.raises(pj.InputError, match=r"id of type tuple cannot be saved. Got \('a', 1\)"):
        deduplicator.save(tmp_path / "saved")


@pytest.mark.parametrize("lowest", ["a", 7, None])
def test_pairs_are_listed_from_a_probability(lowest) -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    with pytest.raises(pj.InputError, match=f"number from 0 to 1. Got {lowest!r}"):
        deduplicator.pairs(lowest)


@pytest.mark.parametrize("ids", [0, None, "ab", [[0]]])
def test_rows_are_removed_by_a_list_of_ids(ids) -> None:
    deduplicator = pj.Deduplicator().fit(FITTED)
    with pytest.raises(pj.InputError, match=r"Rows are removed by a list of ids. Got .* Hint"):
        deduplicator.remove(ids)
    assert deduplicator.remove(np.array([0])).ids == [1, 2, 3, 4]


@pytest.mark.parametrize("batches", [[1, 1, 1, 1], [2, 2], [1, 3], [4]])
@pytest.mark.parametrize("limit", [{"max_size": 2}, {"one_per": "from"}])
def test_equal_rows_fill_clusters_whatever_their_batches(limit, batches: list[int]) -> None:
    names = ["Acme Foods Inc", "Acme Foods Inc", "Beta Bank", "Gamma Media", "Delta Labs"]
    table = pd.DataFrame({"name": names, "from": list("ababa")})
    grown = pj.Deduplicator(on="name", **limit).fit(table)
    more = pd.DataFrame({"name": ["Acme Foods Inc"] * 4, "from": list("abab")})
    bounds = np.cumsum([0, *batches])
    found = [grown.add(more[start:end]) for start, end in itertools.pairwise(bounds)]
    assert np.concatenate(found).tolist() == [4, 4, 5, 5]


# Splits -------------------------------------------------------------------------------------------

WRONG = {"key": ["a0", "a1"], "name": ["Oxford University Press", "University of Oxford"]}


@pytest.fixture
def with_wrong(fitted: pd.DataFrame) -> pj.Deduplicator:
    """Oxford University Press is in the cluster of the university."""
    deduplicator = pj.Deduplicator(on="name", ids="key").fit(fitted)
    assert deduplicator.add(pd.DataFrame(WRONG)).tolist() == [0, 0]
    assert deduplicator.clusters().tolist() == [0, 1, 0, 2, 3, 0, 0]
    return deduplicator


def test_rows_are_split_off_their_cluster(with_wrong: pj.Deduplicator) -> None:
    assert with_wrong.split(["a0"]) is with_wrong
    assert with_wrong.clusters().tolist() == [0, 1, 0, 2, 3, 4, 0]
    # Ids are not used again, and several rows share the new cluster.
    assert with_wrong.split(iter(["f0", "f2"])).clusters().tolist() == [5, 1, 5, 2, 3, 4, 0]
    assert with_wrong.add(pd.DataFrame({"key": ["b"], "name": ["Sorbonne"]})).tolist() == [6]


def test_a_split_stays(with_wrong: pj.Deduplicator, tmp_path) -> None:
    with_wrong.split(["a0"]).save(tmp_path / "kept")
    for deduplicator in (with_wrong, pj.Deduplicator.load(tmp_path / "kept")):
        # No merge of the two is suggested, whatever row belongs to both.
        names = ["Oxford University", "Oxford Univ. Press"]
        deduplicator.add(pd.DataFrame({"key": ["b0", "b1"], "name": names}))
        pairs = {frozenset(merge[:2]) for merge in deduplicator.merges()}
        assert frozenset((0, 4)) not in pairs
        deduplicator.apply_merges().refit()
        of = dict(zip(deduplicator.ids, deduplicator.clusters().tolist(), strict=True))
        assert of["a0"] not in {of["f0"], of["f2"], of["a1"]}


def test_equal_rows_are_split_too(make_frame: FrameMaker) -> None:
    deduplicator = pj.Deduplicator(on="name").fit(make_frame({"name": [*FITTED, FITTED[0]]}))
    assert deduplicator.split([5]).clusters().tolist() == [0, 1, 0, 2, 3, 4]
    clusters = deduplicator.refit().clusters()
    assert clusters[0] != clusters[5]


def test_a_split_row_takes_its_suggested_merges_along() -> None:
    deduplicator = pj.Deduplicator().fit(["Bell Labs", "AT&T Bell", "Harvard"])
    assert deduplicator.add(["AT&T Bell Labs"]).tolist() == [1]
    assert [merge[:3] for merge in deduplicator.merges()] == [(1, 0, 3)]
    deduplicator.split([3])
    assert [merge[:3] for merge in deduplicator.merges()] == [(3, 0, 3)]
    assert deduplicator.apply_merges().clusters().tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a9"], r"Rows are split off by their ids. Got 'a9', which is not there"),
        (["a0", "a0"], r"Rows are split off by their ids. Got an id twice"),
        ("a0", r"split off by a list of ids. Got 'a0'. Hint: split\(\[0, 3\]\)"),
        ([], r"Some of the rows of one cluster are split off. Got no rows. Hint"),
        (["f1"], r"Got all rows of \[1\]. Hint: .table\(\) shows the cluster"),
        (["a0", "f1"], r"Got some rows of \[0, 1\]"),
    ],
)
def test_what_cannot_be_split_is_told(with_wrong: pj.Deduplicator, ids, message: str) -> None:
    before = with_wrong.clusters().tolist()
    with pytest.raises(pj.InputError, match=message):
        with_wrong.split(ids)
    assert with_wrong.clusters().tolist() == before


def test_rows_that_must_link_are_not_split(fitted: pd.DataFrame) -> None:
    linked = pj.Deduplicator(on="name", ids="key", must_link=[("f2", "f1")]).fit(fitted)
    with pytest.raises(pj.InputError, match=r"must_link= holds rows together. Got \('f2', 'f1'\)"):
        linked.split(["f1"])
    linked.split(["f1", "f2"])
    assert len(set(linked.clusters()[1:3])) == 1
    linked.refit()
    assert len(set(linked.clusters()[:3])) == 2
