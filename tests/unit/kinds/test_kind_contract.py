"""What holds for the comparers of all kinds."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kind_pairs import compare, level

from pearljoin._kinds.comparers import fit_comparer, side_comparer
from pearljoin._kinds.protocol import KINDS, MISSING

WORDS = "smith john bob robert j van der berg jr main street st apt 4 12 12a ave é 東京 - . , ; &"
DATES = ["1985-04-03", "03/04/1985", "4.3.85", "1985", "April 1985", "2024-02-29T10:30", "1984-4-3"]
SAMPLES = {
    "text": ["A red bike, 500 W", "red bike", "TZ-5K camera", "tz5k", "¿?"],
    "person": [
        "Smith, John",
        "Bob van der Berg",
        "R. Berg Jr",
        "Berg",
        "José",
        "王小明",
        "J. Smyth",
    ],
    "address": [
        "12 Main St",
        "Apt 4, 12 Main Street",
        "Hauptstr. 12a",
        "12 Oak Ave, Rome",
        "東京 1",
    ],
    "date": DATES,
    "email": ["a.b@example.org", "A.B+c@example.org", "ab@gmail.com", "a.b@other.org", "é@x.fr"],
    "phone": ["+1 415 555 2671", "(415) 555-2671 x3", "555-2671", "020 7946 0958", "٤١٥٥٥٥٢٦٧١"],
    "postcode": ["SW1A 1AA", "SW1A", "90210", "90210-1234", "02138", "2138", "D-10115", "K1A 0B1"],
    "code": [
        "TZ-5K",
        "tz5s",
        "TZ5",
        "00123",
        "123",
        "ABC123",
        "ABC132",
        "Ünï-1",
        "TZ-05K",
        "5-TZ-K",
    ],
    "number": ["16 GB", "16", "0", "-5", "$1,299.00", "1.5 kg", "1500 g", "1e3", "٣"],
    "category": ["red", "Red ", "r", "blue", "東"],
    "list": ["Smith, J.; Doe, A.", "A Doe and J Smith", "Doe et al.", "x, y, z", "b; a"],
    "coordinate": [(48.85, 2.35), ("48.8501", "2.35"), (-90, 180), (-90, -180), (0.0, -0.0)],
}
STRUCTURED = [kind for kind in SAMPLES if kind != "text"]


def values_of(kind: str) -> st.SearchStrategy:
    known = st.sampled_from(SAMPLES[kind])
    if kind == "coordinate":
        degrees = st.tuples(st.floats(-90, 90), st.floats(-180, 180))
        return known | degrees
    words = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=5).map(" ".join)
    return st.none() | known | words | st.text(max_size=8)


def comparer_of(kind: str):
    return fit_comparer(kind, SAMPLES[kind], phone_region="US" if kind == "phone" else None)


def test_every_kind_but_names_has_a_comparer() -> None:
    assert set(SAMPLES) == set(KINDS) - {"name"}
    assert all(comparer_of(kind).kind == kind for kind in SAMPLES)
    with pytest.raises(ValueError, match="match scorer"):
        fit_comparer("name", ["Acme"])


@pytest.mark.parametrize("kind", SAMPLES)
@settings(derandomize=True, deadline=None, max_examples=60)
@given(data=st.data())
def test_the_sides_may_be_exchanged(kind: str, data) -> None:
    comparer = comparer_of(kind)
    left, right = (data.draw(st.lists(values_of(kind), min_size=1, max_size=6)) for _ in "lr")
    one, other = comparer.read(left), comparer.read(right)
    at = np.indices((len(left), len(right))).reshape(2, -1)
    forth, back = comparer.compare(one, other, *at), comparer.compare(other, one, *at[::-1])
    np.testing.assert_array_equal(forth.level, back.level)
    np.testing.assert_allclose(forth.similarity, back.similarity, atol=1e-6)


@pytest.mark.parametrize("kind", SAMPLES)
@settings(derandomize=True, deadline=None, max_examples=60)
@given(data=st.data())
def test_levels_and_similarities_are_in_range(kind: str, data) -> None:
    comparer = comparer_of(kind)
    values = data.draw(st.lists(values_of(kind), min_size=1, max_size=6))
    parsed = comparer.read(values)
    at = np.indices((len(values), len(values))).reshape(2, -1)
    found = comparer.compare(parsed, parsed, *at)
    assert found.level.dtype == np.int8
    assert found.similarity.dtype == np.float32
    top = len(comparer.levels) - 1
    null = parsed.is_null[at[0]] | parsed.is_null[at[1]]
    equal = ~null & (parsed.canonical[at[0]] == parsed.canonical[at[1]]).astype(bool)
    np.testing.assert_array_equal(found.level == MISSING, null)
    np.testing.assert_array_equal(found.level == top, equal)
    # Similarity ascends with the level, and is 1 for equal values alone.
    np.testing.assert_array_equal(found.similarity == 1, equal)
    assert (found.similarity[null] == 0).all()
    rest = ~null & ~equal
    np.testing.assert_array_equal(np.floor(found.similarity[rest] * top), found.level[rest])
    assert equal[at[0] == at[1]].sum() == (~parsed.is_null).sum()


@pytest.mark.parametrize("kind", SAMPLES)
def test_many_pairs_compare_as_each_alone(kind: str) -> None:
    comparer = comparer_of(kind)
    values = SAMPLES[kind]
    parsed = comparer.read(values)
    rng = np.random.default_rng(0)
    at = rng.integers(-1, len(values), (2, 3_000))
    found = comparer.compare(parsed, parsed, *at)
    for one in range(-1, len(values)):
        for other in range(-1, len(values)):
            here = (at[0] == one) & (at[1] == other)
            if MISSING in (one, other):
                assert (found.level[here] == MISSING).all()
                assert (found.similarity[here] == 0).all()
                continue
            alone = compare(comparer, [(values[one], values[other])])
            assert set(found.level[here]) == {alone.level[0]}
            np.testing.assert_allclose(found.similarity[here], alone.similarity[0], atol=1e-6)


@pytest.mark.parametrize("kind", SAMPLES)
def test_nulls_and_no_values(kind: str) -> None:
    comparer = comparer_of(kind)
    nulls = [(None, None), (float("nan"), 1.0)] if kind == "coordinate" else [None, float("nan")]
    parsed, nothing = comparer.read(nulls), comparer.read([])
    assert parsed.is_null.tolist() == [True, True]
    assert parsed.n_unparsable == 0
    assert len(nothing) == nothing.n_unparsable == 0
    at = np.zeros(1, dtype=np.int64)
    assert comparer.compare(parsed, comparer.read(SAMPLES[kind][:1]), at, at).level == MISSING
    none = np.zeros(0, dtype=np.int64)
    for found in comparer.compare(nothing, nothing, none, none):
        assert len(found) == 0
    # A side without values still has rows, whose values are null.
    found = comparer.compare(nothing, parsed, at - 1, at)
    assert found.level.tolist() == [MISSING]


@pytest.mark.parametrize("kind", SAMPLES)
def test_reading_does_not_depend_on_other_values(kind: str) -> None:
    comparer = comparer_of(kind)
    together = comparer.read(SAMPLES[kind]).canonical.tolist()
    assert together == [comparer.read([value]).canonical[0] for value in SAMPLES[kind]]


def test_each_side_is_read_in_its_own_order() -> None:
    reference = fit_comparer("date", ["04/23/1985", "04/03/1985"])
    left = side_comparer(reference, ["23/04/1985", "03/04/1985"])
    assert level(left, "03/04/1985", "04/03/1985", reference) == "equal"
    # Without a day above 12 the order is that of the reference.
    undecided = side_comparer(reference, ["03/04/1985"])
    assert level(undecided, "03/04/1985", "03/04/1985", reference) == "equal"
    assert level(undecided, "03/04/1985", "1985-03-04", reference) == "equal"


def test_the_sides_may_have_other_columns_of_a_name() -> None:
    reference = fit_comparer("person", [("John", "Smith")], parts=("given", "family"))
    left = side_comparer(reference, ["Smith, John"], parts=("full",))
    assert level(left, "Smith, John", ("John", "Smith"), reference) == "equal"
    assert side_comparer(reference, [("John", "Smith")]) is reference


def test_lists_of_the_sides_may_have_other_separators() -> None:
    reference = fit_comparer("list", ["Smith, John; Doe, Ann", "Lee, Bo"])
    assert level(reference, "Lee, Bo", "Bo Lee") == "equal"
    left = side_comparer(reference, ["Bo Lee", "John Smith, Ann Doe"])
    assert level(left, "John Smith, Ann Doe", "Smith, John; Doe, Ann", reference) == "equal"
    # Names alone say nothing of what stands between two.
    for alone in (["Smith, John", "Lee, Bo"], ["Bo Lee"], []):
        assert side_comparer(reference, alone).separator == ";"


def made_up(kind: str, n_values: int, rng: np.random.Generator) -> list:
    """Values of a kind, mostly distinct."""
    letters = np.array(list("abcdefghijklmnoprstuvw"))
    words = ["".join(rng.choice(letters, 6)) for _ in range(n_values // 5)]
    a, b = (rng.choice(words, n_values) for _ in "ab")
    n = rng.integers(1_000_000, 9_999_999, n_values)
    days = np.datetime64("1930-01-01") + rng.integers(0, 30_000, n_values)
    forms = {
        "text": lambda i: " ".join(rng.choice(words, 30)),
        "person": lambda i: f"{a[i].title()} {b[i].title()}",
        "address": lambda i: f"{n[i] % 300} {a[i].title()} {'St' if i % 2 else 'Ave'}, {b[i]}",
        "date": lambda i: str(days[i]),
        "email": lambda i: f"{a[i]}.{b[i]}@{words[i % 50]}.org",
        "phone": lambda i: f"(415) {n[i] // 10_000}-{n[i] % 10_000:04d}",
        "postcode": lambda i: f"{n[i] % 100_000:05d}",
        "code": lambda i: f"{a[i][:3].upper()}-{n[i]}",
        "number": lambda i: f"${n[i] / 100:,.2f}",
        "category": lambda i: a[i],
        "list": lambda i: "; ".join(f"{w.title()}, {w[0]}." for w in rng.choice(words, i % 5 + 1)),
        "coordinate": lambda i: tuple(rng.uniform(-80, 80, 2)),
    }
    return list(dict.fromkeys(forms[kind](i) for i in range(n_values)))


@pytest.mark.timing
@pytest.mark.parametrize("kind", STRUCTURED)
def test_structured_kinds_compare_200_000_pairs_a_second(kind: str) -> None:
    rng = np.random.default_rng(0)
    values = made_up(kind, 3_000, rng)
    comparer = comparer_of(kind)
    parsed = comparer.read(values)
    assert not parsed.is_null.any()
    at = rng.integers(0, len(values), (2, 200_000))
    seconds: list[float] = []
    while len(seconds) < 10 and (not seconds or at.shape[1] / min(seconds) < 200_000):
        start = time.process_time()
        comparer.compare(parsed, parsed, *at)
        seconds.append(time.process_time() - start)
    assert at.shape[1] / min(seconds) >= 200_000
