"""Siblings and namesakes in one column of text: what is told apart, kept, and read again."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pearljoin as pj
from pearljoin._clusters import pair_scorer
from pearljoin._fitted.state_file import read_state, write_state
from pearljoin._scoring.frozen_state import FrozenState
from pearljoin_train.scorer.write_scorer import attach

THINGS = """Acme Pumps|Siemens|Barclays|Los Angeles|Unilever|Oracle|Renault|Intel|York|Dallas
Hewlett-Packard|National Geographic|St. Joseph's Hospital|Georgia-Pacific|Burger King|Acer
Boston Consulting|Commerzbank|Toyota Motor|BMW""".replace("\n", "|").split("|")
DRINKS = [f"{plant} drink {taste}" for plant in ("Oat", "Soya", "Almond", "Rice", "Coconut")
          for taste in ("original", "unsweetened", "barista", "vanilla")]  # fmt: skip


def scores(*pair: str) -> float:
    return pj.find_duplicates([*THINGS, *pair]).explain(len(THINGS), len(THINGS) + 1).score


@pytest.mark.parametrize("pair", [("Jane Smith", "John Smith"), ("Smith, Mary", "Peter Smith")])
def test_two_people_of_one_family_are_two_among_other_things(pair: tuple[str, str]) -> None:
    assert scores(*pair) < 0.05


@pytest.mark.parametrize(
    "pair",
    [
        ("Max Mara", "Maxx Mara"),
        ("Georgia Tech", "Georg Tech"),
        ("Mary Kay", "Mar Kay"),
        ("Christian Louboutin", "Christine Louboutin"),
        ("Bob Miller", "Robert Miller"),
    ],
)
def test_slips_and_short_forms_of_a_name_are_no_other_people(pair: tuple[str, str]) -> None:
    assert scores(*pair) > 0.5


def test_siblings_of_a_catalogue_are_mostly_told_apart() -> None:
    """With the network of lists of names alone, most are of one thing."""
    found = pj.find_duplicates([*DRINKS, "Oat drnk original", "soya drink, unsweetened"])
    merged = {tuple(pair) for pair in found.pairs()[["left_row", "right_row"]].to_numpy().tolist()}
    assert {(0, 20), (5, 21)} <= merged
    assert len(merged) <= 6


def test_what_a_table_says_of_siblings_is_kept_and_damaged_files_are_refused() -> None:
    found = pj.find_duplicates(DRINKS).comparison
    content, arrays = write_state(FrozenState(match_weights=found.weights))
    content = json.loads(json.dumps(content))
    kept = read_state(content, arrays).match_weights
    assert kept is not None
    assert np.array_equal(kept.texts, found.weights.texts)
    for damaged in ([0.0], [np.nan] * 5, [1_000.0, 0.0, 0.0, 0.0, 0.0]):
        with pytest.raises(ValueError, match="texts"):
            read_state(content, {**arrays, "texts": np.array(damaged, dtype=np.float32)})


def test_a_model_folder_without_the_network_scores_texts(tmp_path: Path) -> None:
    folder = tmp_path / "older"
    shutil.copytree(pj.load_encoder("pearl-nano").folder, folder)
    scorer = json.loads((folder / "scorer.json").read_text(encoding="utf-8"))
    del scorer["records"]["same_texts"]
    attach(scorer, folder)
    older = pj.find_duplicates(DRINKS, encoder=str(folder))
    assert older.comparison.weights.texts is None
    assert (
        older.explain(0, 1).score
        != pj.find_duplicates(DRINKS, encoder="pearl-nano").explain(0, 1).score
    )


def test_decoys_are_compared_once_for_several_match_weights(monkeypatch) -> None:
    """Each scores them as it does alone."""
    compare, n_compared = pair_scorer.compare_records, []

    def compare_records(left, right, first, *arguments, **options):
        if left is not right:
            n_compared.append(len(first))
        return compare(left, right, first, *arguments, **options)

    monkeypatch.setattr(pair_scorer, "compare_records", compare_records)
    found = pj.find_duplicates(DRINKS, encoder="pearl-nano").comparison
    learner, scorer = found.learner, found.scorer
    weights = [found.weights, replace(found.weights, texts=None)]
    assert len(n_compared) == 1
    decoys, _, pairs, may_differ = learner._decoys
    first, second = (records[may_differ] for records in pairs)
    assert n_compared == [len(first)]
    both = scorer.log_odds_of_decoys(decoys, first, second, weights)
    for each, alone in zip(both, weights, strict=True):
        (by_itself,) = scorer.log_odds_of_decoys(decoys, first, second, [alone])
        np.testing.assert_array_equal(each, by_itself)
    assert not np.array_equal(*both)
