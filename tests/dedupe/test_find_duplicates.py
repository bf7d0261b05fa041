"""find_duplicates: pairs, clusters, thresholds, explanations, labels, several tables."""

import math
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import FrameMaker, TrigramEncoder, columns_of, rows_of

import pearljoin as pj
from pearljoin._clusters import expected

NAMES = [
    "Univ. of Oxford",
    "Microsoft",
    "University of Oxford",
    None,
    "Mircosoft",
    "Deutsche Bank AG",
    "Microsoft",
    "Deutsche Bank",
    "Harvard",
]
CLUSTERS = [0, 1, 0, 2, 1, 3, 1, 3, 4]


@pytest.fixture(scope="module")
def result() -> pj.DedupeResult:
    return pj.find_duplicates(pd.DataFrame({"name": NAMES, "n": range(9)}), on="name")


def test_clusters_by_first_appearance(result: pj.DedupeResult) -> None:
    assert result.clusters().tolist() == CLUSTERS
    assert result.clusters().dtype == np.int64
    assert result.table("thing")["thing"].tolist() == CLUSTERS
    assert result.calibrated
    assert 0.5 <= result.threshold <= 0.9


def test_every_kind_of_table(make_frame: FrameMaker) -> None:
    table = make_frame({"name": NAMES})
    result = pj.find_duplicates(table, on="name")
    assert type(result.table()) is type(table)
    assert rows_of(result.table(), "cluster") == CLUSTERS
    pairs = columns_of(result.pairs())
    listed = list(zip(pairs["left_row"], pairs["right_row"], strict=True))
    assert listed == [(0, 2), (1, 4), (1, 6), (4, 6), (5, 7)]
    assert pairs["left"][1:3] == ["Microsoft", "Microsoft"]
    assert pairs["right"] == [NAMES[j] for _, j in listed]
    assert pairs["score"][2] == 1.0
    assert all(0.5 < score < 1 for score in pairs["score"][:2])
    assert pairs["same_cluster"] == [1] * 5


def test_all_compared_pairs_are_listed_from_a_score_on(result: pj.DedupeResult) -> None:
    every = result.pairs(0.0)
    # Of 8 rows with a key, each with each.
    assert len(every) == 28
    assert every["same_cluster"].sum() == 5
    assert len(result.pairs(0.5)) >= 5
    assert result.pairs(1.0)["left_row"].tolist() == [1]


def test_another_threshold_compares_nothing_again(result: pj.DedupeResult, monkeypatch) -> None:
    result.clusters()
    monkeypatch.setattr(type(result.comparison), "log_odds_of", None)
    assert result.at(1.0).clusters().tolist() == [0, 1, 2, 3, 4, 5, 1, 6, 7]
    assert result.at(0.0).clusters().max() == 1
    assert result.at(precision=0.99).threshold >= result.at(precision=0.6).threshold == 0.5
    assert result.at("auto").threshold == result.threshold
    assert result.at(pj.FixedThreshold(0.7)).threshold == 0.7


@pytest.mark.parametrize("options", [{}, {"threshold": 0.5, "precision": 0.9}])
def test_at_wants_one_of_two(result: pj.DedupeResult, options: dict) -> None:
    with pytest.raises(pj.InputError, match=r"at\(\) wants a threshold or a precision"):
        result.at(**options)


def test_expected_precision_and_recall_are_those_of_the_probabilities() -> None:
    names = ["Univ. of Oxford", "University of Oxford", "Oxford University", "MIT"]
    result = pj.find_duplicates(names, threshold=0.5)
    pairs = result.pairs(0.0)
    inside = pairs["same_cluster"] == 1
    assert result.expected_precision() == pytest.approx(pairs["score"][inside].mean(), abs=1e-4)
    recall = pairs["score"][inside].sum() / pairs["score"].sum()
    assert result.expected_recall() == pytest.approx(recall, abs=1e-4)
    assert np.isnan(result.expected_precision(1.0))
    assert result.expected_recall(1.0) == 0


def test_without_duplicates_there_is_nothing_to_expect() -> None:
    names = ["Alpha Tools", "Borealis Books", "Cobalt Coffee", "Delta Dairy", "Epsilon Energy"]
    for found in (pj.find_duplicates(names), pj.find_duplicates(names[:1])):
        assert np.isnan([found.expected_precision(), found.expected_recall()]).all()


def test_many_unlikely_pairs_do_not_outweigh_all_that_are_found() -> None:
    """Below even odds no interval of log odds holds more matches than the one above it, or one."""
    chance = np.repeat([0.9, 0.6, 0.3, 0.01], [10, 5, 40, 3000])
    once = np.ones(len(chance))
    found = expected._matches(chance, once)
    assert found == pytest.approx(10 * 0.9 + 5 * 0.6 + 5 * 0.6 + 1)
    assert expected._matches(chance[:15], once[:15]) == pytest.approx(12)
    few = np.array([1.0, 0.5, 0.2, 1e-30, 0.0])
    assert expected._matches(few, np.ones(5)) == pytest.approx(1.7)
    assert expected._matches(few[:1], np.full(1, 7.0)) == 7
    assert expected._matches(few[:0], few[:0]) == 0


def test_the_most_doubtful_cluster_comes_first(result: pj.DedupeResult) -> None:
    doubtful = result.doubtful()
    assert sorted(doubtful["cluster"]) == [0, 1, 3]
    assert doubtful["score"].is_monotonic_increasing
    of = doubtful.set_index("cluster")
    assert of.loc[1, ["left_row", "right_row", "n_rows"]].tolist() == [1, 4, 3]
    assert of.loc[1, "left"] == "Microsoft"


def test_the_weakest_link_is_that_of_the_strongest_tree() -> None:
    names = ["aaaa bbbb cccc", "aaaa bbbb cccd", "aaaa bbbb ccdd", "zzzz"]
    result = pj.find_duplicates(names, encoder=TrigramEncoder(), threshold=0.4)
    pairs = result.pairs().set_index(["left_row", "right_row"])["score"]
    weakest = result.doubtful()["score"].tolist()
    assert weakest == [pytest.approx(sorted(pairs)[1])]


def test_explanations_say_what_holds_two_rows_together(result: pj.DedupeResult) -> None:
    found = result.explain(0, 2)
    assert (found.same_cluster, found.outcome, found.unit) == (True, "one thing", "log odds")
    assert found.reasons[0].kind == "name"
    assert found.reasons[0].effect > 0
    assert str(found).startswith("'Univ. of Oxford' = 'University of Oxford': one thing (0.9")
    assert result.explain(1, 6).outcome == "one thing, the keys are equal"
    assert result.explain(0, 8).outcome == "two things, the score is below the threshold"
    assert result.explain(0, 3).outcome == "two things, a key is null"


def test_a_null_by_value_is_told_of() -> None:
    table = pd.DataFrame({"name": ["Acme Inc", "Acme Inc", None], "land": ["a", None, None]})
    found = pj.find_duplicates(table, on="name", by="land")
    assert found.explain(0, 1).outcome == "two things, a by value is null"
    assert found.explain(0, 2).outcome == "two things, a key is null"
    assert math.isnan(found.explain(0, 1).score)


def test_explanations_of_constraints() -> None:
    table = pd.DataFrame({"name": NAMES[:3], "land": ["a", "b", "c"], "id": [1, 1, 1]})
    result = pj.find_duplicates(table, on="name", veto="land", one_per="id")
    assert result.explain(0, 2).outcome == "two things, a by= or veto= column differs"


def test_a_row_is_explained_with_the_one_that_scores_most_with_it(result: pj.DedupeResult) -> None:
    every = result.pairs(0.0)
    for row in (0, 5, 8):
        its = every[(every["left_row"] == row) | (every["right_row"] == row)]
        best = its.loc[its["score"].idxmax()]
        found = result.explain(row)
        assert {found.left_row, found.right_row} == {best["left_row"], best["right_row"]}
        assert found.left_row == row
    assert result.explain(6).right_row == 1  # equal keys
    with pytest.raises(pj.InputError, match=r"No other row .* Got row 3\. Hint: explain\(3, other"):
        result.explain(3)


def test_a_score_is_told_apart_from_the_threshold(result: pj.DedupeResult) -> None:
    score = result.explain(1, 4).score
    below = result.at(score + 2e-5).explain(1, 4)
    assert below.outcome == "two things, the score is below the threshold"
    shown, least = re.findall(r"\((\S+), threshold (\S+)\)", str(below))[0]
    assert float(shown) < float(least)
    assert str(result.explain(0, 2)).count(f"threshold {result.threshold:.2f})") == 1


ALIKE = ["Acme Corporation", "Acme Corp.", "Acme Corporation Ltd", "Globex"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"cannot_link": [(0, 1)]}, "cannot_link= parts rows 0 and 1"),
        ({"one_per": "source"}, "one_per= parts rows 0 and 1, which have one value"),
        ({"max_size": 1}, "both clusters have 2 rows, more than max_size="),
    ],
)
def test_explanations_name_the_constraint_that_parts_two_rows(options: dict, why: str) -> None:
    table = pd.DataFrame({"name": ALIKE[:2], "source": ["a", "a"]})
    found = pj.find_duplicates(table, on="name", **options).explain(0, 1)
    assert found.score >= found.threshold
    assert (found.same_cluster, found.outcome) == (False, f"two things, {why}")


def test_explanations_name_constraints_on_other_rows_of_the_clusters() -> None:
    table = pd.DataFrame({"name": [ALIKE[0], *ALIKE], "land": ["a", None, "b", None, None]})
    options = {"must_link": [(0, 1)], "threshold": 0.3}
    linked = pj.find_duplicates(table, on="name", cannot_link=[(0, 2)], **options).explain(1, 2)
    assert linked.outcome == "two things, cannot_link= parts rows 0 and 2"
    vetoed = pj.find_duplicates(table, on="name", veto="land", **options).explain(1, 2)
    assert vetoed.outcome == "two things, rows 0 and 2 differ in a veto= column"


def test_explanations_shorten_the_texts_of_rows_that_part_others() -> None:
    firm = "International Association of Beekeepers and Honey Packers"
    names = ["John Smith", "John Smith Ltd", f"{firm} of Ohio", f"{firm} of Ohio Ltd"]
    result = pj.find_duplicates(names, must_link=[(0, 2), (1, 3)])
    assert "('International Association of Beekeepe...')" in result.explain(0, 1).outcome


def test_explanations_name_the_rows_that_part_two_others() -> None:
    names = ["John Smith", "John Smith Ltd", "Mary Jones", "Mary Jones Ltd"]
    must_link = [(0, 2), (1, 3)]
    result = pj.find_duplicates(names, must_link=must_link)
    found = result.explain(0, 1)
    assert found.score >= found.threshold
    assert not found.same_cluster
    worst = min((result.explain(*pair) for pair in [(0, 3), (2, 1)]), key=lambda pair: pair.score)
    rows = " and ".join(f"{at} ({names[at]!r})" for at in (worst.left_row, worst.right_row))
    assert found.outcome == f"two things, other rows part them, such as {rows}, which score 0.00"


@pytest.mark.parametrize(
    ("rows", "message"),
    [((0, 9), r"no such row\. Got 9, of 9"), ((True, 1), r"Got True"), ((2, 2), r"Got row 2 twic")],
)
def test_rows_that_cannot_be_explained_are_told(result, rows: tuple, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        result.explain(*rows)


def test_labels_are_asked_for_pairs_that_are_not_labelled_yet(result: pj.DedupeResult) -> None:
    asked = result.suggest_labels(5)
    assert list(asked) == ["left_row", "right_row", "left", "right", "score"]
    assert len(asked) == 5
    known = list(zip(asked["left_row"], asked["right_row"], strict=True))
    more = result.suggest_labels(40, exclude=known)
    assert not set(known) & set(zip(more["left_row"], more["right_row"], strict=True))
    # 28 pairs of rows, of which the records of two are equal: 21 pairs of records.
    assert len(more) == 21 - 5
    assert len(result.suggest_labels(40, exclude=asked)) == 16
    with pytest.raises(pj.InputError, match=r"exclude= names a row that is not there"):
        result.suggest_labels(3, exclude=[(0, 99)])
    with pytest.raises(pj.InputError, match=r"n must be a whole number above 0"):
        result.suggest_labels(0)


def test_a_threshold_from_labels() -> None:
    names = [f"north lodge {n}" for n in range(9)] + [f"north lodge no. {n}" for n in range(9)]
    result = pj.find_duplicates(names)
    asked = result.suggest_labels(60)
    labels = [
        a.split()[-1] == b.split()[-1] for a, b in zip(asked["left"], asked["right"], strict=True)
    ]
    threshold = pj.LabelledThreshold.fit(asked, labels, precision=0.8)
    found = result.at(threshold)
    assert 0 <= found.threshold <= 1
    assert found.expected_precision() == found.expected_precision(threshold) >= 0.75


def test_similarities_have_no_expected_precision() -> None:
    result = pj.find_duplicates(["Acme", "ACME", "Globex"], encoder=TrigramEncoder())
    assert not result.calibrated
    assert result.threshold == 0.75
    assert (
        repr(result)
        == "<DedupeResult: 3 rows on left (text), guessed; threshold 0.75, not yet clustered>"
    )
    with pytest.raises(pj.InputError, match=r"Scores are similarities here"):
        result.expected_precision()
    with pytest.raises(pj.InputError, match=r"precision cannot be estimated from similarities"):
        result.at(precision=0.9)


def test_constraints_hold_for_similarities_too() -> None:
    names = ["acme corp", "acme corp.", "Acme Corp", "globex"]
    options = {"encoder": TrigramEncoder(), "threshold": 0.6}
    assert pj.find_duplicates(names, **options).clusters().tolist() == [0, 0, 0, 1]
    parted = pj.find_duplicates(names, cannot_link=[(0, 2)], **options).clusters()
    assert parted[0] != parted[2]
    small = pj.find_duplicates(names, max_size=2, **options).clusters()
    assert sorted(np.bincount(small).tolist()) == [1, 1, 2]


def test_several_tables(make_frame: FrameMaker) -> None:
    tables = [
        make_frame({"name": ["Microsoft", "Univ. of Oxford"], "n": [1, 2]}),
        make_frame({"name": ["Mircosoft", "Microsoft Corp"], "city": ["Redmond", None]}),
    ]
    options = {"on": "name", "sources": ["crm", "shop"], "one_per": "source", "threshold": 0.5}
    result = pj.find_duplicates(tables, **options)
    found = columns_of(result.table())
    assert type(result.table()) is type(tables[0])
    assert found["source"] == ["crm", "crm", "shop", "shop"]
    assert found["name"] == ["Microsoft", "Univ. of Oxford", "Mircosoft", "Microsoft Corp"]
    assert found["city"] == [None, None, "Redmond", None]
    assert found["n"] == [1, 2, None, None]
    # Of the two rows of the shop, one shares a cluster with the row of the other table.
    assert found["cluster"][0] in found["cluster"][2:]
    assert found["cluster"][2] != found["cluster"][3]


def test_tables_of_unlike_libraries() -> None:
    tables = [pd.DataFrame({"name": ["Microsoft"]}), pl.DataFrame({"name": ["Microsoft"]})]
    found = pj.find_duplicates(tables, on="name").table()
    assert isinstance(found, pd.DataFrame)
    assert found["source"].tolist() == ["0", "1"]
    assert found["cluster"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([pd.DataFrame({"a": ["x"]})] * 2, {"sources": ["a"]}, r"sources= names each table once"),
        ([pd.DataFrame({"a": ["x"]})] * 2, {"sources": ["a", "a"]}, r"sources= names each table"),
        ([pd.DataFrame({"source": ["x"]})], {"sources": ["a"]}, r"have a column 'source' already"),
        (["x"], {"sources": ["a"]}, r"sources= names the tables of a list"),
        (["x", "y"], {"cannot_link": [(0, 0)]}, r"cannot be apart from itself\. Got row 0"),
        (
            ["x", "y"],
            {"must_link": [(0, 2)]},
            r"must_link= names a row that is not there\. Got row 2",
        ),
        (["x", "y"], {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, r"must and must not share"),
        (["x", "y"], {"one_per": "z"}, r"has no column 'z', named in one_per="),
        (["x", "y"], {"max_size": 0}, r"max_size must be a whole number above 0"),
        (["x", "y"], {"max_size": True}, r"max_size must be a whole number above 0"),
        (["x", "y"], {"precision": 2}, r"precision must be a number from 0 to 1"),
    ],
)
def test_wrong_calls_are_told(table, options: dict, message: str) -> None:
    with pytest.raises(pj.InputError, match=message):
        pj.find_duplicates(table, encoder=TrigramEncoder(), **options)


@pytest.mark.parametrize("names", [[], [None], ["one"], [None, None]])
def test_tables_of_few_rows(names: list) -> None:
    result = pj.find_duplicates(pd.DataFrame({"name": pd.Series(names, dtype=object)}), on="name")
    assert result.clusters().tolist() == list(range(len(names)))
    assert len(result.pairs()) == len(result.doubtful()) == 0
    assert len(result.golden()) == len(names)


def test_the_order_of_rows_plays_no_part() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "name": [
                f"{a} {b}" for a in ("North", "Nort", "South") for b in ("Lodge", "Loge", "Inn")
            ],
            "city": ["Rome", "Roma", "Oslo"] * 3,
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = pj.find_duplicates(table, on=["name", "city"], threshold=0.5).pairs(0.0)
        order = rng.permutation(len(table))
        mixed = pj.find_duplicates(table.iloc[order], on=["name", "city"], threshold=0.5).pairs(0.0)
    known = {
        frozenset((a, b)): s
        for a, b, s in zip(whole["left"], whole["right"], whole["score"], strict=True)
    }
    found = {
        frozenset((a, b)): s
        for a, b, s in zip(mixed["left"], mixed["right"], mixed["score"], strict=True)
    }
    assert known.keys() == found.keys()
    assert all(found[pair] == pytest.approx(known[pair], abs=2e-3) for pair in known)


def test_the_clusterer_is_find_duplicates() -> None:
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    table = pd.DataFrame({"name": NAMES, "n": range(9)})
    clusterer = pj.DuplicateClusterer(on="name")
    assert clusterer.fit_predict(table).tolist() == CLUSTERS
    assert clusterer.result_.clusters().tolist() == CLUSTERS
    lowered = FunctionTransformer(lambda frame: frame.assign(name=frame["name"].str.upper()))
    pipeline = make_pipeline(lowered, clone(clusterer).set_params(max_size=1))
    assert pipeline.fit_predict(table).tolist() == list(range(9))


@pytest.mark.parametrize("sources", [5, "ab", [["a"], ["b"]]])
def test_names_of_tables_are_a_list_of_text(sources) -> None:
    table = pd.DataFrame({"name": ["Acme"]})
    with pytest.raises(pj.InputError, match=r"sources= is a list of names. Got"):
        pj.find_duplicates([table, table], sources=sources)
    with pytest.raises(pj.InputError, match="for one table"):
        pj.find_duplicates(table, sources=sources)


def test_a_precision_of_nought_is_one() -> None:
    result = pj.find_duplicates(["Acme Corporation", "Acme Corp.", "Globex", "Glob Inc"])
    assert result.at(precision=0).threshold == result.at(pj.PrecisionTarget(0)).threshold
    assert result.at(precision=0).threshold < result.at(precision=0.9).threshold


def test_the_short_form_aims_at_a_precision_too() -> None:
    papers = ("Le Monde", "Die Zeit", "El Pais")
    names = [f"{name}{end}" for name in papers for end in ("", "s", "x")]
    table = pd.DataFrame({"name": names})
    n_clusters = []
    for precision in (0.5, 0.999):
        found = pj.find_duplicates(table, precision=precision).clusters()
        short = pj.deduplicate(table, precision=precision)["cluster"]
        assert short.tolist() == found.tolist()
        n_clusters.append(len(set(found.tolist())))
    assert n_clusters[0] < n_clusters[1]


def test_labels_are_not_looked_up_in_a_deduplication() -> None:
    result = pj.find_duplicates(["Acme Corporation", "Acme Corp.", "Globex"])
    with pytest.raises(pj.InputError, match=r"result= is a MatchResult.* Got DedupeResult. Hint"):
        pj.LabelledThreshold.fit([(0, 1)] * 10, [True] * 10, result=result)


def test_the_result_says_how_each_key_column_was_compared() -> None:
    table = pd.DataFrame(
        {
            "name": ["Anna Berg", "Anna Berg", "Jon Falk", "Eva Lind"],
            "born": ["1971-02-03", "1971-02-03", "1980-05-06", "1990-11-12"],
        }
    )
    result = pj.find_duplicates(table, on=["name", "born"])
    assert result.keys.kinds == ("text", "date")
