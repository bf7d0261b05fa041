"""Key columns in which answers are no more alike than any two records."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj
from pearljoin._records import encode
from pearljoin._records.forecast import encode_announced

SILENT = "not compared: no more alike in matches than in any two rows"
PARTS = "Desk Lamp", "Office Chair", "Running Shoe", "Winter Jacket", "Coffee Mug", "Wool Scarf"
MAKERS = "Alpine", "Borealis", "Cascade", "Dorado", "Everest", "Fjord", "Garnet", "Horizon"
COLOURS = "red", "blue", "green", "black", "white"


def goods(seed: int, n_left: int = 48) -> tuple[pd.DataFrame, pd.DataFrame, np.ndarray]:
    """Name goods of two shops, of which each left one is listed, with a slip in its name."""
    rng = np.random.default_rng(seed)
    names = [f"{maker} {part}" for maker in MAKERS for part in PARTS]
    prices = rng.permutation(np.arange(10, 10 + len(names))) + 0.9
    right = pd.DataFrame(
        {"name": names, "colour": rng.choice(COLOURS, len(names)), "price": prices}
    )
    chosen = rng.choice(len(names), n_left, replace=False)
    left = right.iloc[chosen].reset_index(drop=True)
    at = rng.integers(1, 5, n_left)
    left["name"] = [name[:i] + name[i + 1 :] for name, i in zip(left["name"], at, strict=True)]
    return left, right, chosen


def kinds(left: pd.DataFrame, right: pd.DataFrame, **options) -> dict[str, str]:
    result = pj.match(left, right, on=list(right), encoder="pearl-nano", **options)
    return kinds_of(result, right)


def kinds_of(result: pj.MatchResult, right: pd.DataFrame) -> dict[str, str]:
    return dict(zip(right, result.keys.kinds, strict=True))


def times(rng: np.random.Generator, first: str, n: int) -> list[str]:
    days = pd.Timestamp(first) + pd.to_timedelta(rng.integers(0, 10**7, n), "s")
    return [str(day) for day in days]


@pytest.mark.parametrize("seed", few(range(3), 1))
def test_what_is_each_tables_own_is_left_out(seed: int) -> None:
    """Times of the last change, batches of other ranges, and the name of the system."""
    left, right, answers = goods(seed)
    rng = np.random.default_rng(seed)
    for table, first, batch, source in (
        (left, "2024-06-01", 200, "shop"),
        (right, "2024-01-01", 100, "catalogue"),
    ):
        table["updated"] = times(rng, first, len(table))
        table["batch"] = [f"B{number}" for number in rng.integers(batch, batch + 10, len(table))]
        table["source"] = source
    result = pj.match(left, right, on=list(right), encoder="pearl-nano")
    found = kinds_of(result, right)
    assert [name for name, kind in found.items() if kind == SILENT] == [
        "updated",
        "batch",
        "source",
    ]
    matches = result.matches()
    assert (answers[matches.left] == matches.right).sum() == len(left)


def test_row_numbers_leave_one_column_of_names_as_it_is_by_itself() -> None:
    left, right, _ = goods(0)
    left, right = (table[["name"]].assign(id=np.arange(len(table)) + 1) for table in (left, right))
    left["id"] = np.random.default_rng(7).permutation(left["id"])
    found = pj.match(left, right, on=["name", "id"], encoder="pearl-nano")
    alone = pj.match(left, right, on="name", encoder="pearl-nano")
    assert found.keys.kinds == (*alone.keys.kinds, SILENT)
    assert found.matches().right.tolist() == alone.matches().right.tolist()


def test_what_tells_records_apart_stays() -> None:
    """Members of households whose listed relatives have other given names."""
    rng = np.random.default_rng(0)
    given = np.array(
        ["Anna", "Ben", "Clara", "David", "Eva", "Frank", "Greta", "Hans", "Ida", "Jonas"]
    )
    homes = pd.DataFrame({"last": [f"Famil{chr(97 + n)}a" for n in range(24)]})
    homes["street"] = [f"{n + 3} {word} Road" for n, word in enumerate(MAKERS * 3)]
    right = homes.loc[homes.index.repeat(2)].reset_index(drop=True)
    right.insert(
        0, "first", np.concatenate([rng.choice(given[:5], 2, replace=False) for _ in homes.index])
    )
    left = homes.assign(first=rng.choice(given[5:], len(homes)))[list(right)]
    assert SILENT not in kinds(left, right).values()


def test_what_cannot_be_read_is_told_once() -> None:
    left, right, _ = goods(0)
    left = left.assign(source="shop", made=[f"soon {row}" for row in range(len(left))])
    right = right.assign(source="catalogue", made=pd.date_range("2024-01-01", periods=len(right)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert kinds(left, right)["source"] == SILENT
    assert [warning.category for warning in caught] == [pj.UnreadColumnWarning]


def test_few_answers_do_not_tell() -> None:
    left, right, _ = goods(0, n_left=10)
    left, right = left.assign(source="shop"), right.assign(source="catalogue")
    assert kinds(left, right)["source"] != SILENT


def test_what_the_user_speaks_for_is_compared() -> None:
    left, right, _ = goods(0)
    left, right = left.assign(source="shop"), right.assign(source="catalogue")
    assert kinds(left, right)["source"] == SILENT
    assert kinds(left, right, kinds={"source": "category"})["source"] == "category"
    assert not any(kind == SILENT for kind in kinds(left, right, weights=[2, 1, 1, 1]).values())


def test_columns_that_tell_little_stay() -> None:
    """One of two values, which nine in ten answers have in common."""
    left, right, answers = goods(0)
    rng = np.random.default_rng(1)
    right["new"] = rng.choice(["new", "used"], len(right))
    other = np.where(right["new"] == "new", "used", "new")
    is_slip = rng.random(len(left)) < 0.1
    left["new"] = np.where(is_slip, other[answers], right["new"].to_numpy()[answers])
    assert SILENT not in kinds(left, right).values()


def test_a_matcher_keeps_what_its_calibration_left_out(tmp_path) -> None:
    left, right, answers = goods(0)
    left, right = left.assign(source="shop"), right.assign(source="catalogue")
    matcher = pj.Matcher(on=list(right), encoder="pearl-nano").fit(right)
    assert SILENT not in matcher.match(left).keys.kinds
    matcher.calibrate(left)
    matcher.save(tmp_path / "goods")
    for kept in (matcher, pj.Matcher.load(tmp_path / "goods")):
        result = kept.match(left.iloc[:5])
        assert result.keys.kinds[-1] == SILENT
        assert result.matches().right.tolist() == answers[:5].tolist()
    assert SILENT not in matcher.refit().match(left).keys.kinds


def people(n: int, rng: np.random.Generator) -> pd.DataFrame:
    given = [
        a + b for a in ("An", "Be", "Cla", "Da", "Mi", "Ro") for b in ("na", "ra", "vid", "sa")
    ]
    family = [
        a + b for a in ("Bak", "Gan", "Hol", "Lin", "Ros", "Tur") for b in ("er", "sen", "ov")
    ]
    names = [f"{one} {other}" for one in given for other in family]
    days = pd.Timestamp("1940-01-01") + pd.to_timedelta(rng.integers(0, 22_000, n), "D")
    towns = [f"{word}burg" for word in MAKERS]
    return pd.DataFrame(
        {
            "name": rng.permutation(names)[:n],
            "dob": [str(day)[:10] for day in days],
            "city": rng.choice(towns, n),
        }
    )


@pytest.mark.parametrize("day", few(["dob", "joined"], 1))
def test_days_of_namesakes_stay(day: str) -> None:
    """Of those who are screened, thirty share name and town with others, and none is listed."""
    rng = np.random.default_rng(0)
    every = people(400, rng).rename(columns={"dob": day})
    right, left = every.iloc[:250], every.iloc[250:].reset_index(drop=True)
    left.loc[:29, ["name", "city"]] = right.iloc[:30][["name", "city"]].to_numpy()
    assert SILENT not in kinds(left, right).values()


def test_what_all_answers_have_is_no_silence() -> None:
    """Nineteen in twenty rows are in use, and all answers are equal in that."""
    left, right, answers = goods(0)
    right["status"] = np.where(np.arange(len(right)) % 20 == 7, "sold out", "active")
    left["status"] = right["status"].to_numpy()[answers]
    assert SILENT not in kinds(left, right).values()


@pytest.mark.thorough
def test_large_tables_tell_as_small_ones_do() -> None:
    """Batches of other ranges, which hardly any candidates have alike."""
    rng = np.random.default_rng(0)
    words = [
        a + b + c
        for a in ("bak", "dor", "gan")
        for b in ("er", "in", "os")
        for c in ("ta", "lu", "mi")
    ]
    names = [f"{one} {other}".title() for one in words for other in words if one != other]
    right = pd.DataFrame({"name": names, "town": rng.choice(words, len(names))})
    left = right.iloc[rng.choice(len(right), 300, replace=False)].reset_index(drop=True)
    right["batch"] = [f"B{number}" for number in rng.integers(100, 110, len(right))]
    left["batch"] = [f"B{number}" for number in rng.integers(200, 210, len(left))]
    left["name"] = left["name"].str[:2] + left["name"].str[3:]
    assert kinds(left, right)["batch"] == SILENT


def test_columns_that_stay_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    encoded: list[str] = []

    def counted(encoder, texts, **options):
        encoded.extend(texts)
        return encode_announced(encoder, texts, **options)

    monkeypatch.setattr(encode, "encode_announced", counted)
    left, right, _ = goods(0)
    left, right = left.assign(source="shop"), right.assign(source="catalogue")
    assert kinds(left, right)["source"] == SILENT
    names = {*left["name"], *right["name"]}
    assert sorted(text for text in encoded if text in names) == sorted(names)


@pytest.mark.parametrize(
    ("here", "there"),
    few(
        [
            (lambda price: price, lambda price: f"£{price:,} - £{price + 400:,}"),
            (
                lambda price: f"{price} x 12 cm",
                lambda price: f"12 by {price} cm; {price / 2.54:.1f} in",
            ),
        ],
        1,
    ),
)
def test_what_is_written_otherwise_stays(here, there) -> None:
    """Prices beside estimates, and sizes beside others: kinds that do not compare them."""
    left, right, answers = goods(0)
    prices = np.random.default_rng(2).permutation(np.arange(1_000, 90_000, 1_800))[: len(right)]
    right["offer"] = [there(price) for price in prices.tolist()]
    left["offer"] = [here(price) for price in prices[answers].tolist()]
    assert SILENT not in kinds(left, right).values()
    left["offer"] = np.random.default_rng(3).permutation(left["offer"])
    assert kinds(left, right)["offer"] == SILENT


def test_containers_as_they_are_painted_are_codes() -> None:
    left, right, answers = goods(0)
    rng = np.random.default_rng(4)
    owners = rng.choice(["MSKU", "TCLU", "CMAU"], len(right))
    numbers = [f"{owner}{rng.integers(10**6, 10**7)}" for owner in owners]
    right["container"] = [f"{text[:4]} {text[4:10]}-{text[10:]}" for text in numbers]
    left["container"] = np.array(numbers)[answers]
    assert kinds(left, right)["container"] == "code"


@pytest.mark.parametrize("seed", few(range(2), 1))
def test_columns_of_noise_are_left_out_where_half_have_no_answer(seed: int) -> None:
    """Of several that hide each other's silence, each is told once another is left out."""
    rng = np.random.default_rng(seed)
    every = people(400, rng)[["name"]]
    right, left = every.iloc[:250], every.iloc[120:].reset_index(drop=True)
    tables = [
        table.assign(
            amount=rng.lognormal(4, 1, len(table)).round(2),
            quantity=rng.integers(1, 20, len(table)),
            status=rng.choice(["open", "closed", "pending"], len(table)),
        )
        for table in (left, right)
    ]
    found = kinds(*tables)
    assert [name for name, kind in found.items() if kind == SILENT] == [
        "amount",
        "quantity",
        "status",
    ]


def test_a_column_of_remarks_is_left_out_where_names_say_who_is_meant() -> None:
    rng = np.random.default_rng(0)
    every = people(400, rng)[["name"]]
    right, left = every.iloc[:250], every.iloc[120:].reset_index(drop=True)
    said = ["call back", "see file", "checked by phone", "sent letter", "waiting for reply"]
    tables = [
        table.assign(details=[f"{rng.choice(said)} {rng.integers(1, 40)}" for _ in table.index])
        for table in (left, right)
    ]
    assert kinds(*tables) == {"name": "text", "details": SILENT}
