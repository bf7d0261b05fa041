"""What is read to train on, from a data folder made up here."""

import gzip

import numpy as np
import pytest

from pearljoin_train.corpus.phrase_types import label_names
from pearljoin_train.data import DataDamagedError
from pearljoin_train.data.splits import part_of
from pearljoin_train.training import examples as module
from pearljoin_train.training.examples import (
    UNKNOWN,
    Examples,
    read_alias_examples,
    read_typed_examples,
    sample,
)

HEADER = "name\talias\tkind\tsource\tlicence\tin_benchmark"


def write(path, header, rows):
    lines = [header, *("\t".join(row) for row in rows)]
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))
    return path


def names_of(part: str, n: int, stem: str = "name") -> list[str]:
    return [name for i in range(9 * n) if part_of(name := f"{stem} {i}") == part][:n]


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(module, "FEWEST", 2)


def read(tmp_path, rows, part="encoder", **options):
    path = write(tmp_path / "pairs.tsv.gz", HEADER, rows)
    return read_alias_examples(part, path=path, **options)


def test_the_parts_share_no_name(tmp_path, few) -> None:
    names = [f"name {n}" for n in range(60)]
    rows = [(name, f"alias of {name}", "org", "s", "A", "") for name in names]
    encoder, scorer = (read(tmp_path, rows, part)["s"] for part in ("encoder", "scorer"))
    assert sorted(encoder.phrases + scorer.phrases) == sorted(names)
    assert not set(encoder.phrases) & set(scorer.phrases)
    assert len(encoder) > len(scorer) > 0


def test_what_may_not_be_trained_on_is_left_out(tmp_path, few) -> None:
    ones, twos = names_of("encoder", 8)[:4], names_of("encoder", 8)[4:]
    a, b, c, d = ones
    rows = [
        (a, "A1", "org", "fine", "A", ""),
        (a, "A2", "org", "fine", "A", ""),
        (b, "B1", "org", "fine", "A", ""),
        (c, "C1", "org", "fine", "A", "autofj"),
        (d, d, "org", "fine", "A", ""),
        (a, "Москва Сити", "org", "fine", "A", ""),
        *((name, "x", "org", "closed", "C", "") for name in ones),
        *((name, "x", "org", "ror_organizations", "C", "") for name in twos),
        *((name, "x", "org", "shared", "B", "") for name in twos),
        *((name, "x", "word", "oewn_synonyms", "A", "turney") for name in ones),
        *((name, "x", "word", "oewn_synonyms", "A", "") for name in twos),
        *((name, "x", "word", "misspellings", "A", "") for name in twos),
    ]
    found = read(tmp_path, rows)
    assert sorted(found) == ["fine", "ror_organizations"]
    assert dict(zip(found["fine"].phrases, found["fine"].aliases, strict=True)) == {
        a: ("A1", "A2"),
        b: ("B1",),
    }
    assert sorted(read(tmp_path, rows, licences="AB")) == ["fine", "ror_organizations", "shared"]
    assert sorted(read(tmp_path, rows, licences="C")) == ["closed", "ror_organizations"]
    wordnet = read(tmp_path, rows, wordnet=True)["oewn_synonyms"]
    assert wordnet.phrases == sorted(twos)


def test_sources_of_few_names_are_left_out(tmp_path) -> None:
    rows = [(name, "x", "org", "small", "A", "") for name in names_of("encoder", 63)]
    assert read(tmp_path, rows) == {}
    rows += [(names_of("encoder", 64)[-1], "x", "org", "small", "A", "")]
    assert len(read(tmp_path, rows)["small"]) == 64


def test_a_damaged_line_is_named(tmp_path) -> None:
    with pytest.raises(DataDamagedError, match="line 3 has 2 fields"):
        read(tmp_path, [("a", "b", "org", "s", "A", ""), ("a", "b")])


def test_typed_phrases_have_the_type_they_were_most_often_seen_as(tmp_path) -> None:
    one, two, closed = names_of("encoder", 3)
    rows = [
        (one, "person", "2", "wikigold"),
        (one, "PER", "5", "wnut17"),
        (one, "ORG", "9", "btc"),
        (two, "PER", "1", "btc"),
        (closed, "PER", "9", "someone_elses"),
        (names_of("scorer", 1)[0], "PER", "9", "btc"),
    ]
    path = write(tmp_path / "typed.tsv.gz", "phrase\tlabel\tcount\tsource", rows)
    found = read_typed_examples("encoder", path=path)
    labels = label_names("fine")
    assert {p: labels[t] for p, t in zip(found.phrases, found.types, strict=True)} == {
        one: "ORG",
        two: "PERSON",
    }
    assert UNKNOWN not in read_typed_examples("encoder", path=path, type_set="paper").types


def test_labels_are_those_of_the_paper_or_finer() -> None:
    assert len(label_names("paper")) == len(set(label_names("paper"))) == 95
    assert len(set(label_names("fine"))) == len(label_names("fine"))
    assert {"PERSON", "VP", "DISEASE"} <= set(label_names("fine"))


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    names = [str(n) for n in range(50)]
    whole = Examples("s", names, [(n + "!",) for n in names], np.arange(50))
    assert sample(whole, 50, 0) is whole
    one, two, other = sample(whole, 9, 0), sample(whole, 9, 0), sample(whole, 9, 1)
    assert one.phrases == two.phrases != other.phrases
    assert len(one) == len(set(one.phrases)) == 9
    assert one.aliases == [(n + "!",) for n in one.phrases]
    assert one.types.tolist() == [int(n) for n in one.phrases]
