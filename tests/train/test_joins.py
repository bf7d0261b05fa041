"""Joins made from alias pairs: what may be read, and answers that are right."""

import gzip
import os
import subprocess
import sys
from itertools import count, islice
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from pearljoin._text.normalise import normalise
from pearljoin._text.numbers import numbers
from pearljoin_train.augment.near_duplicates import NearDuplicates
from pearljoin_train.augment.qualifiers import Qualifiers
from pearljoin_train.data import DataMissingError
from pearljoin_train.data.splits import is_held_out, part_of
from pearljoin_train.scorer.joins import FEWEST_NAMES, Join, alias_names, make_joins

HEADER = ("name", "alias", "kind", "source", "licence", "in_benchmark")
N_NAMES = FEWEST_NAMES + 10


def write_pairs(path: Path, rows: list[tuple[str, ...]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(row) + "\n" for row in [HEADER, *rows])
    return path


def names_of(source: str, n: int = N_NAMES) -> list[str]:
    """Names that are kept from the encoder."""
    every = (f"{source} name {at}" for at in count())
    return list(islice((name for name in every if part_of(name) == "scorer"), n))


def rows_of(source: str, licence: str = "A", in_benchmark: str = "", n: int = N_NAMES):
    return [(name, f"alias {at}", "x", source, licence, in_benchmark)
            for at, name in enumerate(names_of(source, n))]  # fmt: skip


@pytest.fixture(scope="module")
def names() -> dict[str, dict[str, list[str]]]:
    """Two sources; each name has an alias of its own and shares another with the next name."""
    kinds = {"clubs": "Football Club", "lakes": "Lake"}
    return {
        source: {
            f"{kind} Number{at} of Town{at % 7}": [f"{kind[:2]}{at}", f"shared {at // 2}"]
            for at in range(200)
        }
        for source, kind in kinds.items()
    }


@pytest.fixture(scope="module")
def joins(names) -> list[Join]:
    return list(make_joins(names, {}, a_source=12, seed=3))


# Reading ----------------------------------------------------------------------------------------


def test_names_and_their_aliases_are_read_in_order(tmp_path) -> None:
    rows = rows_of("lakes")
    more = [(rows[0][0], "another", *rows[0][2:]), rows[1], (rows[2][0], rows[2][0], *rows[2][2:])]
    found = alias_names(write_pairs(tmp_path / "pairs.tsv.gz", [*rows, *more]))
    assert list(found) == ["lakes"]
    assert len(found["lakes"]) == N_NAMES
    first, second, third = names_of("lakes", 3)
    assert found["lakes"][first] == ["alias 0", "another"]
    assert found["lakes"][second] == ["alias 1"]
    assert found["lakes"][third] == ["alias 2"]  # A name is no alias of its own.


def test_what_may_not_be_trained_on_is_left_out(tmp_path) -> None:
    rows = [
        *rows_of("lakes"),
        *rows_of("lakes", in_benchmark="autofj"),
        *rows_of("in_part", in_benchmark="autofj"),
        *rows_of("closed", "B"),
        *rows_of("unknown", "C"),
        *rows_of("geonames_cities15000", "C"),
        *rows_of("oewn_synonyms"),
        *rows_of("few", n=FEWEST_NAMES - 1),
        *rows_of("enough", n=FEWEST_NAMES),
    ]
    # Rows of a benchmark must not come in beside those that may.
    (first,) = names_of("lakes", 1)
    rows += [(first, f"secret {at}", "x", "lakes", "A", "autofj") for at in range(9)]
    # What the encoder is trained on.
    known = [f"lakes name {at}" for at in range(40) if part_of(f"lakes name {at}") == "encoder"]
    rows += [(name, "alias", "x", "lakes", "A", "") for name in known]
    found = alias_names(write_pairs(tmp_path / "pairs.tsv.gz", rows))
    assert list(found) == ["enough", "geonames_cities15000", "lakes"]
    assert known
    assert not set(known) & set(found["lakes"])
    assert not [a for aliases in found["lakes"].values() for a in aliases if "secret" in a]


def test_the_file_is_sought_in_the_data_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    with pytest.raises(DataMissingError, match=r"train/alias_pairs.tsv.gz' was not found"):
        alias_names()
    write_pairs(tmp_path / "train" / "alias_pairs.tsv.gz", rows_of("lakes"))
    assert list(alias_names()) == ["lakes"]


def test_sources_are_held_out_by_their_name() -> None:
    assert is_held_out("geonames_cities15000") is True
    assert is_held_out("osm_id_presets") is True
    assert is_held_out("ror_organizations") is False
    names = [f"source{n}" for n in range(2000)]
    assert [is_held_out(name) for name in names] == [crc32(n.encode()) % 100 < 20 for n in names]
    assert np.mean([is_held_out(name) for name in names]) == pytest.approx(0.2, abs=0.03)


# Joins ------------------------------------------------------------------------------------------


def test_every_source_gives_joins(names, joins: list[Join]) -> None:
    sources = [join.source for join in joins]
    assert sources == sorted(sources)
    assert set(sources) == set(names)
    assert 20 <= len(joins) <= 24


def test_the_same_seed_gives_the_same_joins(names, joins: list[Join]) -> None:
    assert list(make_joins(names, {}, a_source=12, seed=3)) == joins
    assert list(make_joins(names, {}, a_source=12, seed=4)) != joins


def test_a_source_gives_the_same_joins_whatever_stands_beside_it(names, joins) -> None:
    lakes = {"lakes": dict(reversed(names["lakes"].items()))}
    alone = list(make_joins(lakes, {}, a_source=12, seed=3))
    assert alone == [join for join in joins if join.source == "lakes"]


@pytest.mark.thorough
def test_joins_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "from pearljoin_train.scorer.joins import make_joins\n"
        "names = {'s': {f'Name {n} of': [f'a{n}', f'b{n // 2}'] for n in range(99)}}\n"
        "print(list(map(lambda j: (j.left, j.right, list(map(sorted, j.answers))), "
        "make_joins(names, {}, a_source=3, seed=0))))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert len(said[0]) > 500
    assert said[0] == said[1]


def test_answers_are_right_names(joins: list[Join]) -> None:
    for join in joins:
        assert len(join.left) == len(join.answers) == len(set(join.left)) >= 2
        assert join.right == sorted(set(join.right))
        assert set().union(*join.answers) <= set(join.right)
        for left, answers in zip(join.left, join.answers, strict=True):
            assert left not in join.right or left in answers  # A text names what it says.
    assert any(answers for join in joins for answers in join.answers)
    assert any(not answers for join in joins for answers in join.answers)


def has_editions(join: Join, names) -> bool:
    return not set(join.right) <= set(names[join.source])


def test_an_alias_names_all_that_it_may_mean(names) -> None:
    seen = several = 0
    for join in make_joins(names, {}, a_source=20, seed=3, kinds={"plain": 1.0}):
        if has_editions(join, names):
            continue
        right = set(join.right)
        meanings = {
            alias: {n for n in right if alias in names[join.source][n]}
            for aliases in names[join.source].values()
            for alias in aliases
        }
        for left, answers in zip(join.left, join.answers, strict=True):
            if left in meanings:
                seen += 1
                several += len(meanings[left]) > 1
                assert answers == meanings[left]
    assert seen > 50
    assert several > 2


def test_only_the_same_edition_is_right() -> None:
    # Names and aliases without digits, so that a digit is an edition's.
    letters = "abcdefghijklmnop"
    words = [a + b + c for a in letters for b in letters[:5] for c in letters[:4]]
    names = {"clubs": {f"{word} club": [f"the {word}s"] for word in words}}
    found = 0
    for join in make_joins(names, {}, a_source=45, seed=0):
        if not any(character.isdigit() for name in join.right for character in name):
            continue
        for left, answers in zip(join.left, join.answers, strict=True):
            for answer in answers:
                found += 1
                assert number(answer) == number(left)
    assert found > 100


def test_brackets_tell_apart_in_some_tables_and_not_in_others() -> None:
    names = {"lakes": {f"lake {a}{b}": [f"the {b}{a} water"] for a in "bcdfgh" for b in WORDS}}
    telling = plain = several = 0
    for join in make_joins(names, {}, a_source=40, seed=0, kinds={"qualified": 1.0}):
        bare = [without_qualifier(name) for name in join.right]
        is_telling = len(set(bare)) < len(bare)
        for left, answers in zip(join.left, join.answers, strict=True):
            # Slips of the pen may make one text of two names.
            several += len(answers) > 1
            if is_telling and len(answers) == 1:
                telling += 1
                assert qualifier(left) == qualifier(*answers) != ""
            plain += any(qualifier(left) != qualifier(answer) for answer in answers)
    assert several <= 10
    assert telling > 60
    assert plain > 60  # A thing has its brackets here and none there.


WORDS = ("alda", "beren", "corum", "dorne", "elwa", "farro", "gilm", "hesk", "ilva", "jorn")


def qualifier(name: str) -> str:
    """What was put behind a name, in whatever style."""
    return next((word for word in Qualifiers.WORDS if word in name), "")


def without_qualifier(name: str) -> str:
    return name.partition(qualifier(name) or "\0")[0].rstrip(" ([,-")


def test_doubles_look_like_names_and_are_none(names) -> None:
    lakes = sorted(names["lakes"])
    added: set[str] = set()
    for seed in range(20):
        near_duplicates = NearDuplicates(lakes, np.random.default_rng(seed))
        added.update(near_duplicates.add(lakes[:9], lakes[9:30], known=set(lakes)))
    assert len(added) > 50
    assert not (added - set(lakes[:9])) & set(lakes)
    # Names asked for in vain have doubles as well.
    outside = {name.rpartition(" of ")[0] for name in lakes[9:30]}
    assert any(name.rpartition(" of ")[0] in outside for name in added)


def test_a_lookalike_is_another_word() -> None:
    words = ["Saskatoon", "Saskatchewan", "Saskatoons", "Săskatoon", "Andi", "Gbandi"]
    near_duplicates = NearDuplicates(words, np.random.default_rng(0))
    found = {near_duplicates._lookalike("Saskatoon") for _ in range(40)}
    assert "Saskatchewan" in found
    assert not found & {"Saskatoon", "Saskatoons", "Săskatoon"}
    assert "Gbandi" in {near_duplicates._lookalike("Andi") for _ in range(20)}
    lone = [near_duplicates.add(["Alda"], [], {"Alda"}) for _ in range(60)]
    assert {name for names in lone for name in names} & {"Andi", "Gbandi", "Saskatoon"}
    blank = NearDuplicates(["", "a b"], np.random.default_rng(0))
    assert all(blank.add(["", "a b"], [], set()) for _ in range(20))


def test_doubles_say_a_word_more_or_less() -> None:
    names = ["red fox inn", "blue bear house", "club 7"]
    rng = np.random.default_rng(0)
    added = {
        double
        for _ in range(2000)
        for double in NearDuplicates(names, rng).add(list(names), [], set(names))
    } - set(names)
    assert {"red fox", "fox inn", "red inn", "7"} & added == {"red fox", "fox inn", "red inn", "7"}
    # A number is what tells things apart: it is not left out.
    assert "club" not in added
    more = {name for name in added if len(name.split()) > 3}
    assert {"red blue fox inn", "bear red fox inn", "club 7 house"} <= added
    for name in more:
        assert any(
            " ".join(name.split()[:at] + name.split()[at + 1 :]) in names
            for at in range(len(name.split()))
        )


def test_another_legal_form_makes_no_double() -> None:
    name = "Acme of Oslo Inc."
    rng = np.random.default_rng(0)
    added = {
        double
        for _ in range(500)
        for double in NearDuplicates([name, "The Lima Company"], rng).add([name], [], set())
    } - {name}
    light = {"inc", "company", "of", "the"}
    words = [[word.strip(".").lower() for word in double.split()] for double in added]
    cores = {tuple(sorted(set(said) - light)) for said in words if len(set(said)) == len(said)}
    assert {("acme",), ("lima", "oslo"), ("acme", "lima", "oslo")} <= cores
    assert ("acme", "oslo") not in cores


def number(text: str) -> int:
    """The number of an edition, however written; the first year of a span."""
    return min(numbers(normalise(text)))


def test_references_of_many_sizes(names) -> None:
    sizes = [len(join.right) for join in make_joins(names, {}, a_source=40, seed=1)]
    assert min(sizes) < 10
    assert max(sizes) >= 0.7 * 200 - 1


def test_names_too_few_for_a_join_give_none_or_small_ones() -> None:
    assert list(make_joins({"none": {}}, {}, a_source=3, seed=0)) == []
    one = list(make_joins({"one": {"a": ["b"]}}, {}, a_source=5, seed=0))
    assert all(len(join.left) >= 2 for join in one)
