"""Rows that return at even steps, as payments of each month, are different things."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from invoices import merge_related_rows
from pair_quality import quality

import pearljoin as pj
from pearljoin._scoring.series import apart_by_step, learn_step

KEYS = ["date", "payee", "amount"]
SUBSCRIPTIONS = [
    *("Netflix", "Spotify", "Gym Club", "Vodafone", "Allianz Insurance", "City Power"),
    *("Water Board", "Cloud Storage"),
]
SHOPS = [*("Tesco", "Aldi", "Shell", "Ikea", "Boots", "Lidl", "Costa Coffee", "Zara", "Uber")]


def payments(seed: int, n_twice: int = 10) -> tuple[pd.DataFrame, np.ndarray]:
    """Payments, some of them each month, some written twice; and the payment of each row."""
    rng = np.random.default_rng(seed)
    rows = []
    for payee in SUBSCRIPTIONS:
        amount, day = round(float(rng.uniform(5, 900)), 2), rng.integers(1, 27)
        rows += [(f"2024-{m:02}-{day + rng.integers(2):02}", payee, amount) for m in range(1, 11)]
    for _ in range(80):
        date = f"2024-{rng.integers(1, 13):02}-{rng.integers(1, 28):02}"
        rows.append((date, str(rng.choice(SHOPS)), round(float(rng.uniform(2, 200)), 2)))
    table = pd.DataFrame(rows, columns=KEYS)
    twice = table.sample(n_twice, random_state=seed)
    twice = twice.assign(payee=[payee.upper() for payee in twice["payee"]])
    both = pd.concat([table, twice])
    order = rng.permutation(len(both))
    return both.iloc[order].reset_index(drop=True), both.index.to_numpy()[order]


@pytest.mark.parametrize("seed", range(3))
def test_payments_of_each_month_are_no_duplicates(seed: int) -> None:
    table, payment = payments(seed)
    result = pj.find_duplicates(table, on=KEYS)
    precision, recall = quality(result.clusters(), payment)
    assert precision > 0.6
    assert recall > 0.9
    assert result.expected_precision() < precision + 0.35


def test_how_dates_are_written_does_not_matter() -> None:
    table, payment = payments(0)
    days = pd.to_datetime(table["date"])
    found = quality(pj.find_duplicates(table, on=KEYS).clusters(), payment)
    for written in (days, days.dt.strftime("%d/%m/%Y")):
        again = pj.find_duplicates(table.assign(date=written), on=KEYS).clusters()
        assert quality(again, payment) == found


def test_what_keeps_two_of_them_apart_is_explained(monkeypatch) -> None:
    merge_related_rows(monkeypatch)
    table, _ = payments(0)
    first, second = np.flatnonzero(table["payee"] == "Netflix")[:2].tolist()
    told = pj.find_duplicates(table, on=KEYS).explain(first, second)
    effects = {reason.kind: reason.effect for reason in told.reasons}
    assert effects["series"] < -3
    assert told.score < 0.05


def test_the_next_payment_is_a_new_thing(tmp_path: Path) -> None:
    table, _ = payments(0)
    amount = float(table.loc[table["payee"] == "Netflix", "amount"].iloc[0])
    deduplicator = pj.Deduplicator(on=KEYS)
    deduplicator.fit(table)
    deduplicator.save(tmp_path / "payments")
    days = table.loc[table["payee"] == "Netflix", "date"].sort_values()
    more = pd.DataFrame(
        {
            "date": [days.iloc[-1].replace("-10-", "-11-"), days.iloc[-1]],
            "payee": ["Netflix", "NETFLIX"],
            "amount": [amount, amount],
        }
    )
    for one in (deduplicator, pj.Deduplicator.load(tmp_path / "payments")):
        known = set(one.clusters().tolist())
        new, again = one.add(more).tolist()
        assert new not in known
        assert again in known


def test_dates_of_a_last_change_keep_nobody_apart() -> None:
    rng = np.random.default_rng(0)
    rows, person = [], []
    for who in range(60):
        name, phone = f"{rng.choice(SHOPS)} {who}", f"01{rng.integers(10**8, 10**9)}"
        for _ in range(int(rng.integers(1, 7))):
            day = pd.Timestamp("2020-01-01") + pd.Timedelta(days=int(rng.integers(1800)))
            rows.append((name if rng.random() < 0.8 else name.upper(), phone, str(day.date())))
            person.append(who)
    table = pd.DataFrame(rows, columns=["name", "phone", "updated"])
    with pytest.warns(pj.DifferingColumnWarning, match="updated"):
        labels = pj.find_duplicates(table, on=["name", "phone", "updated"]).clusters()
    precision, recall = quality(labels, np.array(person))
    assert precision > 0.95
    assert recall > 0.9


def group(days: list[float]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    first, second = np.triu_indices(len(days), 1)
    return np.array(days), np.ones(len(first)), first, second


@pytest.mark.parametrize("step", [7.0, 30.0, 365.0])
def test_the_step_of_many_dates_is_learned(step: float) -> None:
    days = (step * np.arange(9)).tolist()
    assert learn_step(*group(days)) == step
    assert learn_step(*group([*days, days[3] + 1, days[5] - 1])) == pytest.approx(step, abs=1)
    assert learn_step(*group([*days[:4], *days[6:], np.nan, 11 * step])) == step


@pytest.mark.parametrize(
    "days",
    [
        [],
        [0.0, 30.0, 60.0],
        [0.0, 30.0, 60.0, 90.0],
        [float(day) for day in range(9)],
        [0.0, 3.0, 40.0, 41.0, 100.0, 180.0, 203.0, 260.0, 300.0],
        [np.nan] * 9,
    ],
)
def test_other_dates_are_no_series(days: list[float]) -> None:
    assert learn_step(*group(days)) is None


def test_two_short_series_are_enough() -> None:
    days = np.array([0.0, 30, 60, 90, 5, 36, 66, 97])
    first = np.array([0, 1, 2, 4, 5, 6])
    assert learn_step(days, np.ones(6), first, first + 1) == pytest.approx(30, abs=1)
    assert learn_step(days, np.full(6, 0.5), first, first + 1) is None


def test_a_few_even_groups_of_many_are_by_chance() -> None:
    rng = np.random.default_rng(0)
    days = np.sort(rng.integers(0, 700, (300, 4)), axis=1).astype(float)
    days[:8] = 30 * np.arange(4)
    first = np.arange(1200).reshape(300, 4)[:, :3].reshape(-1)
    assert learn_step(days.reshape(-1), np.ones(len(first)), first, first + 1) is None
    assert learn_step(days[:20].reshape(-1), np.ones(60), first[:60], first[:60] + 1) is not None


def test_pairs_half_a_step_apart_are_lowered() -> None:
    log_odds = np.array([4.0, 4.0, 4.0, -9.0, 4.0], dtype=np.float32)
    apart = np.array([30.0, 2.0, 30.0, 30.0, np.nan])
    others = np.array([1.0, 1.0, 0.2, 1.0, 1.0])
    assert apart_by_step(log_odds, apart, others, 30.0).tolist() == [-5, 4, 4, -9, 4]
