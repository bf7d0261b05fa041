"""The join as a user first meets it: the bundled encoder and the automatic threshold."""

import logging
from pathlib import Path

import pandas as pd
import pytest
from frames import FrameMaker, columns_of, rows_of

import pearljoin as pj

EXAMPLES = Path(__file__).parents[2] / "examples"

PAPERS = ["NY Times", "The Guardian (UK)", "Washington Post", "le monde", "Sueddeutsche Zeitung"]
REFERENCE = {
    "title": [
        "Süddeutsche Zeitung",
        "Guardian",
        "The New York Times",
        "Le Monde",
        "The Washington Post",
    ],
    "city": ["Munich", "London", "New York", "Paris", "Washington"],
}


def test_a_join_of_five_rows_finds_its_matches(make_frame: FrameMaker) -> None:
    joined = pj.fuzzy_join(
        make_frame({"paper": PAPERS}), make_frame(REFERENCE), left_on="paper", right_on="title"
    )
    assert rows_of(joined, "city") == ["New York", "London", "Washington", "Paris", "Munich"]


def test_a_join_of_five_rows_leaves_strangers_alone() -> None:
    strangers = pd.DataFrame({"paper": ["Banana bread", "Quantum field", "Potsdamer Platz"]})
    joined = pj.fuzzy_join(strangers, pd.DataFrame(REFERENCE), left_on="paper", right_on="title")
    assert joined["city"].isna().all()


def test_the_names_of_the_papers_first_figure() -> None:
    names = ["nytimes.com", "NYTimes", "New-York Daily Times", "New York Post", "New York"]
    others = ["The Washington Post", "Le Monde", "New York Magazine", "Chicago Tribune"]
    papers = ["The New York Times", *others]
    found = pj.match(names, papers).matches()
    pairs = zip(found.left, found.right, found.score, strict=True)
    scores = {names[row]: score for row, paper, score in pairs if paper == 0}
    assert set(scores) == {"nytimes.com", "NYTimes", "New-York Daily Times"}
    assert 0.6 < min(scores.values()) < max(scores.values()) < 1


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_the_batch_size_changes_nothing(batch_size: int) -> None:
    options = {"constraint": "m:m", "threshold": 0.0}
    plain = pj.match(PAPERS, REFERENCE["title"], **options).matches()
    found = pj.match(PAPERS, REFERENCE["title"], batch_size=batch_size, **options).matches()
    assert found.left.tolist() == plain.left.tolist()
    assert found.right.tolist() == plain.right.tolist()
    assert found.score == pytest.approx(plain.score, abs=1e-4)


def test_the_order_of_rows_changes_nothing() -> None:
    titles, papers = REFERENCE["title"], PAPERS
    plain = pj.match(papers, titles).matches()
    turned = pj.match(papers[::-1], titles[::-1]).matches()
    assert sorted(4 - turned.left) == plain.left.tolist()
    partner = dict(zip(4 - turned.left, 4 - turned.right, strict=True))
    assert [partner[row] for row in plain.left] == plain.right.tolist()


def test_texts_that_the_model_does_not_know_are_not_equal() -> None:
    texts = ["🎉🎊", "🧀🍕", "ⵣⵣⵣ", "ꦏꦏ", "꧁"]
    found = pj.match(texts, texts, threshold=0.0, constraint="m:m").matches()
    equal = found.score == 1
    assert found.left[equal].tolist() == found.right[equal].tolist() == [0, 1, 2, 3, 4]
    assert (found.score[~equal] < 0.5).all()


def test_texts_cut_at_the_models_length_are_not_equal() -> None:
    start = "North Street Bakery and Tea Room of the Old Town " * 30
    found = pj.match([start + "in Rome"], [start + "in Paris", start + "in Rome"], threshold=0.0)
    assert found.matches().right.tolist() == [1]
    assert found.matches(constraint="m:m").score.tolist()[1] < 1


@pytest.mark.parametrize(
    ("threshold", "precision", "recall"), [("auto", 0.85, 0.25), (0.5, 0.8, 0.6)]
)
def test_the_example_tables(threshold, precision: float, recall: float) -> None:
    left, right = (pd.read_csv(EXAMPLES / f"{name}.csv") for name in ("everyday", "official"))
    gold = dict(pd.read_csv(EXAMPLES / "gold.csv").itertuples(index=False))
    options = {"left_on": "name", "right_on": "legal_name", "threshold": threshold}
    result = pj.match(left, right, **options)
    joined = result.join(how="inner")
    found = zip(joined["item"], joined["entry"], strict=True)
    n_right = sum(gold.get(item) == entry for item, entry in found)
    assert n_right / len(joined) > precision
    assert n_right / len(gold) > recall
    full = result.join(how="full")
    assert len(full) == len(left) + len(right) - right["entry"].isin(joined["entry"]).sum()


def test_quiet_and_logged_through_logging(capfd, caplog) -> None:
    with caplog.at_level(logging.DEBUG, logger="pearljoin"):
        pj.fuzzy_join(PAPERS, REFERENCE["title"])
    assert capfd.readouterr() == ("", "")


def test_readme_call_with_groups(make_frame: FrameMaker) -> None:
    left = make_frame({"company": ["Volkswagen", "Fiat"], "country": ["DE", "IT"]})
    right = make_frame(
        {"legal_name": ["Fiat S.p.A.", "Volkswagen AG", "VW US"], "country": ["IT", "DE", "US"]}
    )
    joined = pj.fuzzy_join(
        left,
        right,
        left_on="company",
        right_on="legal_name",
        by="country",
        how="inner",
        threshold=0.6,
    )
    assert columns_of(joined)["legal_name"] == ["Volkswagen AG", "Fiat S.p.A."]
