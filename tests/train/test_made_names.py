"""Made names of people and products, and the background that is counted on alias pairs."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from pearljoin import InputError
from pearljoin._text.numbers import codes
from pearljoin.scoring import LEVELS_A_HALVING, UNKNOWN, normalise, word_columns
from pearljoin_train.augment.people import SLIPS, PeopleNames
from pearljoin_train.augment.products import EXTRAS, KINDS, Products
from pearljoin_train.data.splits import part_of
from pearljoin_train.scorer import count_background as counting
from pearljoin_train.scorer.count_background import STRONGEST, count_background, main, read_pairs
from pearljoin_train.scorer.joins import make_joins

PEOPLE = ["Robert Smith", "Mary Ann Clark", "John MacDonald", "Anna Philips", "Cher"]
SHORT = {"robert": ["bob", "rob"], "anna": ["nan"]}


# People -----------------------------------------------------------------------------------------


def people(seed: int) -> PeopleNames:
    return PeopleNames(PEOPLE, SHORT, np.random.default_rng(seed))


def test_the_same_seed_writes_the_same_names() -> None:
    one, other = people(3), people(3)
    assert [one.write(name) for name in PEOPLE] == [other.write(name) for name in PEOPLE]
    assert one.relatives(PEOPLE, set()) == other.relatives(PEOPLE, set())


def test_names_are_written_in_all_the_ways() -> None:
    written = {people(seed).write("Robert Smith") for seed in range(400)}
    assert {
        "Bob Smith", "Rob Smith", "R. Smith", "R Smith", "Smith, Robert", "Smith Robert",
        "Robert Smyth", "Robert Smith",
    } <= written  # fmt: skip
    assert any(name.startswith("Robert ") and name.endswith(". Smith") for name in written)
    assert {"Mary Clark", "Mary Ann Clerk"} <= {
        people(s).write("Mary Ann Clark") for s in range(400)
    }
    assert "John McDonald" in {people(seed).write("John MacDonald") for seed in range(400)}
    # One word has no parts.
    assert {people(seed).write("Cher") for seed in range(50)} == {"Cher"}


@pytest.mark.parametrize(("heard", "written"), SLIPS)
def test_a_slip_of_the_ear_changes_the_letters(heard: str, written: str) -> None:
    assert heard == heard.lower() != written


def test_relatives_share_one_part_of_their_name() -> None:
    found = [name for seed in range(60) for name in people(seed).relatives(PEOPLE, set(PEOPLE))]
    assert len(found) > 20
    for relative in found:
        assert relative not in PEOPLE
        first, last = relative.split()[:-1], relative.split()[-1]
        assert any(name.split()[-1] == last for name in PEOPLE)
        assert any(name.split()[:-1] == first for name in PEOPLE)


# Products ---------------------------------------------------------------------------------------


@pytest.fixture(params=range(6))
def products(request) -> Products:
    names = ["Acme Tools, Inc.", "Globex (UK)", "North Star", "Oslo"]
    return Products(names, np.random.default_rng(request.param))


def test_products_are_distinct_and_written_whole(products: Products) -> None:
    made = products.make(200)
    written = [products.write(product) for product in made]
    assert 150 < len(set(written)) == len(made) <= 200
    for product, text in zip(made, written, strict=True):
        assert text.startswith(product["maker"])
        assert product["code"] in text
        assert product["kind"] in KINDS
        assert "  " not in text
    assert products.make(0) == []


def test_siblings_differ_in_little(products: Products) -> None:
    for product in products.make(60):
        sibling = products._sibling(product)
        changed = [part for part in product if product[part] != sibling[part]]
        assert len(changed) <= 1
        assert set(changed) <= {"code", "version", "line"}


def test_a_seller_keeps_the_model_number(products: Products) -> None:
    for product in products.make(100):
        text = products.rewrite(product)
        assert text == " ".join(text.split())
        if product["code"]:
            ours, theirs = (set(codes(normalise(one))) for one in (product["code"], text))
            assert ours & theirs or not ours
        words = text.lower().split()
        assert all(word in words for word in product["line"].lower().split())


def test_what_a_seller_adds_is_of_the_list() -> None:
    extras = {extra for extra in EXTRAS if extra == extra.lower()}
    assert len(extras) == len(EXTRAS)


@pytest.mark.parametrize("kind", ["people", "products"])
def test_joins_of_people_and_products_have_right_answers(kind: str) -> None:
    given, family = (
        ["robert", "mary", "john", "anna", "ruth", "jan"],
        "abcdefghijklmnopqrstuvwxyz",
    )
    names = {"s": {f"{g.title()} {f.upper()}{f}son": [f"{g[0].upper()}. {f}son"]
                   for g in given for f in family}}  # fmt: skip
    joins = list(make_joins(names, SHORT, a_source=25, seed=1, kinds={kind: 1.0}))
    assert len(joins) > 15
    for join in joins:
        assert len(join.left) == len(join.answers) == len(set(join.left)) >= 2
        assert join.right == sorted(set(join.right))
        assert set().union(*join.answers) <= set(join.right)
    answered = [bool(answers) for join in joins for answers in join.answers]
    assert 0.2 < np.mean(answered) < 1
    again = list(make_joins(names, SHORT, a_source=25, seed=1, kinds={kind: 1.0}))
    assert again == joins


# Background -------------------------------------------------------------------------------------

PAIRS = [
    *(("a", f"acme w{n} gmbh", f"acme w{n}") for n in range(6)),
    *(("a", f"robert x{n}", f"bob x{n}") for n in range(4)),
    ("nicknames", "margaret q", "peggy q"),
    ("a", "one thing", "quite another"),
    ("a", "lone z", "once z"),
]


def test_background_is_counted_by_hand() -> None:
    found = count_background(PAIRS)
    names = {name for _, *both in PAIRS for name in both}
    columns = word_columns(["acme", "gmbh", "bob", "zzqq"])
    levels = found["shares"][columns]
    for level, times in zip(levels[:3].tolist(), (12, 6, 4), strict=True):
        assert 2 ** (-level / LEVELS_A_HALVING) == pytest.approx(times / len(names), rel=0.05)
    assert levels[3] == UNKNOWN
    half = len(found["shares"]) // 2
    unmatched = found["unmatched"][columns - half] / (UNKNOWN - 1)
    # Of six pairs "gmbh" is missing from all, and "acme" from none; five more at .2 are counted.
    assert unmatched[0] == pytest.approx((0 + 1) / (6 + 5), abs=0.01)
    assert unmatched[1] == pytest.approx((6 + 1) / (6 + 5), abs=0.01)
    assert found["unmatched"][columns[3] - half] == UNKNOWN
    listed = {(one, other): rate for one, other, rate in equivalents(found)}
    assert listed["bob", "robert"] == pytest.approx(min(STRONGEST, 0.3 + 4 / 6), abs=0.01)
    assert listed["margaret", "peggy"] == STRONGEST
    assert ("lone", "once") not in listed


def equivalents(found) -> list:
    return json.loads(found["equivalents"].tobytes().decode())


def write_pairs(folder: Path, rows: list[tuple[str, ...]]) -> None:
    path = folder / "train" / "alias_pairs.tsv.gz"
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.write("name\talias\tkind\tsource\tlicence\tin_benchmark\n")
        file.writelines("\t".join(row) + "\n" for row in rows)


def test_what_is_held_out_is_not_counted(tmp_path, monkeypatch) -> None:
    rows = [(f"name {n}", f"alias {n}", "x", source, licence, "")
            for n in range(40) for source, licence in
            (("rivers", "A"), ("osm_id_presets", "A"), ("closed", "B"))]  # fmt: skip
    write_pairs(tmp_path, [*rows, ("same", "SAME", "x", "rivers", "A", "")])
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    known, every = list(read_pairs(whole=False)), list(read_pairs(whole=True))
    assert {source for source, *_ in every} == {"rivers"}
    assert len(every) == 40
    assert 0 < len(known) < 40
    assert all(part_of(name) == "encoder" for _, name, _ in known)
    monkeypatch.setattr(counting, "MOST_NAMES", 7)
    assert len(list(read_pairs(whole=True))) == 7


def test_a_background_is_written_as_it_is_read(tmp_path, monkeypatch) -> None:
    write_pairs(tmp_path, [(f"acme {n} gmbh", f"acme {n}", "x", "rivers", "A", "")
                           for n in range(30)])  # fmt: skip
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    out = tmp_path / "background.npz"
    assert main(["--out", str(out), "--whole"]) == 0
    with np.load(out, allow_pickle=False) as arrays:
        assert {"shares", "unmatched", "equivalents"} <= set(arrays.files)
        assert (arrays["shares"] < UNKNOWN).sum() > 10
        assert len(arrays["shares"]) == 2 * len(arrays["unmatched"])


def test_without_a_pair_there_is_nothing_to_count(tmp_path, monkeypatch) -> None:
    write_pairs(tmp_path, [])
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"no alias pair that may be counted. Hint:"):
        main(["--out", str(tmp_path / "b.npz")])
    assert not (tmp_path / "b.npz").exists()
