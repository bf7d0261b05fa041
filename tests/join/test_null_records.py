"""Left rows without an answer whose siblings stand in the reference."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up import misspelt, words
from repetitions import few

import pearljoin as pj
from pearljoin._comparison import calibration, null_records
from pearljoin._fitted.state_file import read_state, write_state
from pearljoin._scoring.match_weights import MatchWeights

BRANCHES = [
    *("Bakery", "Pharmacy", "Garage", "Laundry", "Cinema", "Hotel", "Nursery", "Library"),
    *("Brewery", "Gallery"),
]
KEYS = ["branch", "firm", "street"]


def branches_of_firms(seed: int) -> tuple[pd.DataFrame, pd.DataFrame, list[int]]:
    """Branches, a third of which has a sibling beside it: left rows are one or the other."""
    rng = np.random.default_rng(seed)
    names, streets = ([word.title() for word in words(rng, 200)] for _ in range(2))
    right, left, answers = [], [], []
    for at in range(150):
        firm, street = (
            str(rng.choice(names)),
            f"{rng.integers(1, 90)} {rng.choice(streets)} Street",
        )
        branch, sibling = (
            (str(name), firm, street) for name in rng.choice(BRANCHES, 2, replace=False)
        )
        has_answer, has_sibling = rng.random() < 0.6, at % 3 == 0
        if has_answer or has_sibling:
            answers.append(len(right) if has_answer else -1)
            right.append(branch)
            shown = branch if has_answer else sibling
            left.append((shown[0], misspelt(rng, firm), street.replace("Street", "St")))
            if has_sibling and has_answer:
                right.append(sibling)
        else:
            answers.append(-1)
            left.append(branch)
    return pd.DataFrame(left, columns=KEYS), pd.DataFrame(right, columns=KEYS), answers


def looked_up(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Scores of left rows' best candidates, whether they are right, and the precision at .95."""
    left, right, answers = branches_of_firms(seed)
    result = pj.match(left, right, on=KEYS, precision=0.95)
    best, found = result.matches(threshold=0.0), result.matches()
    is_right = np.array(answers)[best.left] == best.right
    return best.score, is_right, float((np.array(answers)[found.left] == found.right).mean())


def weights_of(left: pd.DataFrame, right: pd.DataFrame | pj.Matcher) -> MatchWeights:
    """What is learned of left rows beside a reference, or a matcher that is fitted to one."""
    fitted = right if isinstance(right, pj.Matcher) else pj.Matcher(on=KEYS).fit(right)
    weights = fitted.calibrate(left)._fitted.learned().state.match_weights
    assert weights is not None
    return weights


@pytest.fixture(scope="module")
def shift() -> float:
    """The shift of the first branches, where how siblings compare is not learned."""
    left, right, _ = branches_of_firms(0)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(null_records, "learn_siblings", lambda *_: None)
        return weights_of(left, right).null_shift


@pytest.fixture(scope="module")
def families_known() -> pj.Matcher:
    """A matcher that knows the families of both tables: no test changes it."""
    left, right, _ = families(0)
    return pj.Matcher(on=[*KEYS, "phone"]).fit(right).calibrate(left)


@pytest.mark.thorough
def test_siblings_are_believed_less(monkeypatch: pytest.MonkeyPatch) -> None:
    def likelihoods() -> tuple[float, float, float]:
        found = [looked_up(seed) for seed in range(3)]
        scores, is_right = (np.concatenate([one[at] for one in found]) for at in (0, 1))
        wrong = scores[~is_right]
        return scores[is_right].mean(), np.sort(wrong)[-40:].mean(), found[0][2]

    right, wrong, precision = likelihoods()
    monkeypatch.setattr(calibration, "knowing_null", lambda weights, *_, **__: weights)
    right_before, wrong_before, precision_before = likelihoods()
    assert right > 0.98
    assert wrong < wrong_before - 0.04
    assert right > right_before - 0.02
    assert precision >= precision_before


def families(seed: int) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Branches of firms, four tenths of them missing on the right; the right row of each."""
    rng = np.random.default_rng(seed)
    names = [word.title() for word in words(rng, 120)]
    rows = []
    for _ in range(70):
        home = str(rng.choice(names)), f"{rng.integers(1, 90)} {rng.choice(names)} Street"
        phone = f"0{rng.integers(10**8, 10**9)}"
        members = rng.choice(BRANCHES, rng.integers(2, 5), replace=False)
        rows += [(str(given), *home, phone) for given in members]
    branches = pd.DataFrame(rows, columns=[*KEYS, "phone"])
    right = branches[rng.random(len(branches)) > 0.4].sample(frac=1, random_state=seed)
    left = branches.sample(frac=0.6, random_state=seed)
    answers = right.index.get_indexer(left.index)
    left["firm"] = [misspelt(rng, name) if rng.random() < 0.2 else name for name in left["firm"]]
    return left.reset_index(drop=True), right.reset_index(drop=True), answers


@pytest.mark.parametrize("seed", few(range(3), 1))
def test_siblings_of_missing_branches_are_no_answers(seed: int) -> None:
    left, right, answers = families(seed)
    result = pj.match(left, right, on=[*KEYS, "phone"])
    found = result.matches()
    is_right = answers[found.left] == found.right
    assert is_right.mean() > 0.93
    assert is_right.sum() / (answers >= 0).sum() > 0.95
    assert abs(result.expected_precision() - is_right.mean()) < 0.07


def test_what_tells_them_apart_is_explained() -> None:
    left, right, answers = families(0)
    result = pj.match(left, right, on=[*KEYS, "phone"], threshold=0.0)
    absent = np.flatnonzero((answers < 0) & left["phone"].isin(right["phone"]))
    every = [result.explain(int(row)) for row in absent[:10]]
    effects = [{reason.kind: reason.effect for reason in told.reasons} for told in every]
    siblings = [told for told, each in zip(every, effects, strict=True) if "related rows" in each]
    assert len(siblings) >= 3
    assert np.median([each["related rows"] for each in effects if "related rows" in each]) < -2
    told = siblings[0]
    total = sum(step.effect for step in told.waterfall())
    assert told.score == pytest.approx(1 / (1 + np.exp(-total)), abs=1e-5)


def test_answers_to_them_hang_on_the_row_alone(families_known, tmp_path: Path) -> None:
    left, matcher = families(0)[0], families_known
    matcher.save(tmp_path / "branches")
    together = matcher.match(left).matches(threshold=0.0)
    for one in (matcher, pj.Matcher.load(tmp_path / "branches")):
        for row in (0, 5, 17):
            alone = one.match(left[row : row + 1]).matches(threshold=0.0)
            assert alone.right.tolist() == together.right[together.left == row].tolist()
            assert alone.score == pytest.approx(together.score[together.left == row], abs=1e-6)


@pytest.fixture
def no_siblings(monkeypatch: pytest.MonkeyPatch) -> None:
    """How siblings compare is not learned, so that all of it is left to the shift."""
    monkeypatch.setattr(null_records, "learn_siblings", lambda *_: None)


@pytest.mark.usefixtures("no_siblings")
def test_siblings_in_the_reference_shift(shift: float) -> None:
    assert shift < -0.1


@pytest.mark.usefixtures("no_siblings")
def test_a_reference_of_doubles_does_not_shift() -> None:
    left, right, _ = branches_of_firms(0)
    slips = right.assign(branch=[name + name[-1] for name in right["branch"]])
    twice = pd.concat([right, slips], ignore_index=True)
    assert weights_of(left, twice).null_shift == 0.0


@pytest.mark.usefixtures("no_siblings")
def test_few_left_rows_shift_little(shift: float) -> None:
    left, right, _ = branches_of_firms(0)
    fitted = pj.Matcher(on=KEYS).fit(right)
    few = [weights_of(left[at : at + 1], fitted).null_shift for at in range(7, 12)]
    assert min(few) > shift / 4


@pytest.mark.usefixtures("no_siblings")
def test_equal_records_are_no_siblings(shift: float) -> None:
    left, right, _ = branches_of_firms(0)
    again = right.assign(street=right["street"].str.replace("Street", "St."))
    twice = pd.concat([right, again], ignore_index=True)
    assert weights_of(left, twice).null_shift == pytest.approx(shift, abs=0.3)


@pytest.mark.usefixtures("no_siblings")
@pytest.mark.thorough
def test_the_order_of_both_tables_does_not_matter() -> None:
    left, right, _ = branches_of_firms(1)
    one = weights_of(left, right).null_shift
    other = weights_of(left[::-1], right.sample(frac=1, random_state=0)).null_shift
    assert other == pytest.approx(one, abs=0.02)


@pytest.mark.usefixtures("no_siblings")
def test_it_is_saved(tmp_path: Path) -> None:
    left, right, _ = branches_of_firms(2)
    matcher = pj.Matcher(on=KEYS).fit(right).calibrate(left)
    matcher.save(tmp_path / "branches")
    loaded = pj.Matcher.load(tmp_path / "branches")
    before, after = (one._fitted.learned().state.match_weights for one in (matcher, loaded))
    assert before is not None
    assert after is not None
    assert before.null_shift == after.null_shift < 0


def test_how_siblings_compare_is_saved(families_known, tmp_path: Path) -> None:
    families_known.save(tmp_path / "branches")
    before, after = (
        one._fitted.learned().state.match_weights.siblings
        for one in (families_known, pj.Matcher.load(tmp_path / "branches"))
    )
    for saved, read in zip(
        (*before.ratios, *before.known_ratios), (*after.ratios, *after.known_ratios), strict=True
    ):
        assert saved.tolist() == read.tolist()
    assert before.covered.tolist() == after.covered.tolist()
    assert (before.log_odds, before.trust) == (after.log_odds, after.trust)
    assert before.trust > 0.5


def test_what_was_tampered_with_is_refused(families_known) -> None:
    content, arrays = write_state(families_known._fitted.learned().state)
    content = json.loads(json.dumps(content))
    assert read_state(content, arrays).match_weights.siblings is not None
    weights = content["match_weights"]
    known = weights["siblings"]
    for wrong in (1e300, -1.0, float("nan"), "much"):
        one = {**weights, "siblings": {**known, "trust": wrong}}
        with pytest.raises((ValueError, TypeError)):
            read_state({**content, "match_weights": one}, arrays)
    for name, value in (("ratio_0", 50.0), ("ratio_1", -50.0), ("covered", 2.0)):
        one = {f"siblings_{name}": np.full_like(arrays[f"siblings_{name}"], value)}
        with pytest.raises(ValueError, match="siblings"):
            read_state(content, arrays | one)


def test_another_way_of_writing_is_no_sibling() -> None:
    """Colours in another language tell no more than before: the reference has all of its own."""
    rng = np.random.default_rng(0)
    german = {"red": "rot", "blue": "blau", "green": "grün", "black": "schwarz", "white": "weiß"}
    right = pd.DataFrame(
        [
            (f"{name} jacket {at}", colour, 20 + at)
            for at, name in enumerate(word.title() for word in words(rng, 25))
            for colour in rng.choice(list(german), 4, replace=False)
        ],
        columns=["title", "colour", "price"],
    )
    left = right.sample(60, random_state=0)
    answers = left.index.to_numpy()
    left = left.assign(colour=[german[c] if rng.random() < 0.4 else c for c in left["colour"]])

    def recall() -> float:
        found = pj.match(left, right, on=list(right)).matches()
        return float((answers[found.left] == found.right).sum()) / len(left)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(null_records, "learn_siblings", lambda *_: None)
        before = recall()
    assert recall() > before - 0.1


def test_a_common_value_that_is_equal_tells_no_sibling() -> None:
    """Payments of the same amounts to the same payees: equality in these is no difference."""
    rng = np.random.default_rng(3)
    payees = [word.title() for word in words(rng, 8)]
    rows = [
        (
            pd.Timestamp("2024-03-01") + pd.Timedelta(days=int(rng.integers(60))),
            str(rng.choice(payees)),
            float(rng.choice([-49.0, -9.99, -round(float(rng.uniform(5, 900)), 2)])),
        )
        for _ in range(120)
    ]
    table = pd.DataFrame(rows, columns=["date", "payee", "amount"]).drop_duplicates()
    table = table.reset_index(drop=True)
    left = table.sample(70, random_state=0)
    answers = left.index.to_numpy()
    left = left.assign(payee=["SEPA " + payee.upper() for payee in left["payee"]])
    right = table.assign(
        payee=[f"{payee}, {rng.choice(['fee', 'freight'])}" for payee in table["payee"]]
    )
    found = pj.match(left, right, on=list(table)).matches()
    assert (answers[found.left] == found.right).mean() > 0.9
    assert (answers[found.left] == found.right).sum() / len(left) > 0.85
