"""Hard negatives: against brute force, never a known alias, and written in restartable shards."""

import gzip
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from frames import TrigramEncoder
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pearljoin import InputError
from pearljoin_train.augment.shards import write_table
from pearljoin_train.common.commands import run_command
from pearljoin_train.negatives import (
    HardNegatives,
    MiningOptions,
    NgramIndex,
    SameEntity,
    command,
    mine,
)
from pearljoin_train.negatives.same_entity import bare

WORDS = ["New York", "Newark", "Old York", "Boston", "Bolton"]
KINDS = ["Times", "Time", "Post", "Globe", "Globes 2009", "Globes 2010"]
PHRASES = [f"{word} {kind}" for word, kind in product(WORDS, KINDS)] + ["NEW YORK TIMES", "東京 都"]
PAIRS = [("Boston Globe", "the B.G."), ("Bolton Globe", "The BG"), ("Newark Post", "newark time")]


class Lengths:
    """Vectors that depend on the number of letters alone, so that cosines are known."""

    dim = 2

    def encode(self, phrases):
        angles = np.array([len(phrase) * 0.3 for phrase in phrases])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def spelling(one: str, other: str) -> float:
    return Levenshtein.normalized_similarity(one.casefold(), other.casefold())


def share_a_gram(one: str, other: str, size: int) -> bool:
    def grams(text: str) -> set[str]:
        padded = [f" {word} " for word in text.casefold().split()]
        return {
            word[at : at + size] for word in padded for at in range(max(1, len(word) - size + 1))
        }

    return bool(grams(one) & grams(other))


class TestAgainstBruteForce:
    @pytest.mark.parametrize(("ngram", "least"), [(2, 0.5), (3, 0.7), (4, 0.3), (9, 0.4)])
    def test_blocks(self, ngram: int, least: float) -> None:
        blocks = NgramIndex(PHRASES, ngram=ngram, least_similarity=least, most=99, threads=1)
        query, row, similarity = blocks.candidates(5, 25)
        found = dict(zip(zip(query, row, strict=True), similarity, strict=True))
        expected = {
            (a, b): spelling(PHRASES[a], PHRASES[b])
            for a, b in product(range(5, 25), range(len(PHRASES)))
            if a != b
            and share_a_gram(PHRASES[a], PHRASES[b], ngram)
            and spelling(PHRASES[a], PHRASES[b]) >= least - 1e-9
        }
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=1e-6)
        assert np.all(np.diff(query) >= 0)

    @pytest.mark.parametrize("numbers", [False, True])
    @pytest.mark.parametrize("stored", [1, 12])
    def test_mining(self, stored: int, numbers: bool) -> None:
        options = MiningOptions(most_cosine=0.5, stored=stored, ngram=2, numbers=numbers)
        negatives = mine(PHRASES, Lengths(), pairs=PAIRS, options=options)
        aliases = {frozenset({"Boston Globe", "Bolton Globe"})}
        aliases |= {frozenset({"Newark Post", "Newark Time"})}
        aliases |= {frozenset({"New York Times", "NEW YORK TIMES"})}

        def is_negative(one: str, other: str) -> bool:
            far = float(np.prod(Lengths().encode([one, other]), axis=0).sum()) <= 0.5
            if numbers and {one[-5:], other[-5:]} == {" 2009", " 2010"}:
                far = True
            near = share_a_gram(one, other, 2) and spelling(one, other) >= 0.5
            return one != other and far and near and frozenset({one, other}) not in aliases

        some = 0
        for phrase in PHRASES:
            expected = [other for other in PHRASES if is_negative(phrase, other)]
            expected.sort(key=lambda other: -np.float32(spelling(phrase, other)))
            assert list(negatives.of(phrase)) == expected[:stored]
            some += len(expected)
        assert some > 50
        twins = ("Bolton Globes 2009", "Bolton Globes 2010")
        assert (twins[1] in negatives.of(twins[0])) == numbers

    def test_the_budget_looks_up_the_rarest(self) -> None:
        texts = ["alpha one", "alpha two", "alpha six", "alpha ten", "alphas one", "beta one"]

        def found(budget: int) -> list[int]:
            index = NgramIndex(texts, budget=budget, least_similarity=0.1)
            return sorted(index.candidates(0, 1)[1])

        assert found(1) == []
        # " one" and "one " occur three times each, what "alpha" is made of four times or more.
        assert found(6) == found(9) == [4, 5]
        assert found(10) == found(99) == [1, 2, 3, 4, 5]

    @given(st.lists(st.text(alphabet="ab é東😀\u0301\t", max_size=6), max_size=8, unique=True))
    def test_any_phrases(self, phrases: list[str]) -> None:
        negatives = mine(phrases, TrigramEncoder(), options=MiningOptions(ngram=1))
        for phrase in phrases:
            found = negatives.of(phrase)
            assert set(found) <= set(phrases)
            assert bare(phrase) not in map(bare, found)


class TestSameThings:
    def test_equal_letters_pairs_and_a_common_name(self) -> None:
        texts = ["Köln", "KOLN!", "Cologne", "Kolonia", "Bonn", "??", "!"]
        same = SameEntity(
            texts, [("Cologne", "köln"), ("Keulen", "Cologne"), ("Keulen", "Kolonia")]
        )
        known = {
            (texts[a], texts[b])
            for a, b in product(range(7), repeat=2)
            if a < b and same(np.array([a]), np.array([b]))[0]
        }
        assert known == {("Köln", "KOLN!"), ("Köln", "Cologne"), ("KOLN!", "Cologne"),
                        ("Cologne", "Kolonia")}  # fmt: skip

    def test_nothing(self) -> None:
        empty = np.zeros(0, dtype=np.int64)
        assert SameEntity([], [("a", "b")])(empty, empty).tolist() == []


class TestDrawing:
    NEGATIVES = HardNegatives(
        ["a", "b", "c", "d"], np.array([0, 3, 4, 4, 4]), np.array([1, 2, 3, 0], dtype=np.int32)
    )

    def test_two_of_three_each_as_likely(self) -> None:
        rng = Random(0)
        drawn = [self.NEGATIVES.draw("a", rng) for _ in range(6_000)]
        counts = {pair: drawn.count(pair) for pair in set(drawn)}
        assert set(counts) == {pair for pair in product("bcd", repeat=2) if pair[0] != pair[1]}
        assert all(abs(count - 1_000) < 150 for count in counts.values())
        assert self.NEGATIVES.draw("a", Random(5)) == self.NEGATIVES.draw("a", Random(5))

    def test_fewer_where_there_are_fewer(self) -> None:
        rng = np.random.default_rng(0)
        assert self.NEGATIVES.draw("b", rng) == ("a",)
        assert self.NEGATIVES.draw("c", rng) == self.NEGATIVES.draw("zz", rng) == ()
        assert sorted(self.NEGATIVES.draw("a", rng, n=9)) == ["b", "c", "d"]


class TestCommand:
    @pytest.fixture
    def phrases(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        rows = ["name\talias\tkind\tsource\tlicence\tin_benchmark"]
        rows += [f"{one}\t{other}\tk\ts\tC\t" for one, other in PAIRS]
        (tmp_path / "data" / "train").mkdir(parents=True)
        aliases = tmp_path / "data" / "train" / "alias_pairs.tsv.gz"
        aliases.write_bytes(gzip.compress("\n".join(rows).encode()))
        monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
        monkeypatch.setattr(command, "load_encoder", lambda name: Lengths())
        monkeypatch.setattr(command, "SHARD", 7)
        write_table(tmp_path / "phrases.parquet", {"phrase": PHRASES})
        return tmp_path / "phrases.parquet"

    def test_writes_what_is_mined(
        self, phrases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "negatives.parquet"
        given = ["--phrases", str(phrases), "--out", str(out), "--most-cosine", "0.5"]
        assert command.main([*given, "--stored", "3"]) == 0
        assert f"negatives of {len(PHRASES)} phrases" in capsys.readouterr().out
        read = HardNegatives.read(out)
        options = MiningOptions(most_cosine=0.5, stored=3)
        mined = mine(PHRASES, Lengths(), pairs=PAIRS, options=options)
        assert len(read) == len(PHRASES)
        assert [read.of(phrase) for phrase in PHRASES] == [mined.of(phrase) for phrase in PHRASES]
        assert any(read.of(phrase) for phrase in PHRASES)
        assert command.main([*given, "--stored", "3"]) == 0
        assert "there already" in capsys.readouterr().out

    def test_goes_on_where_it_stopped(
        self, phrases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        encoded: list[str] = []

        class Stops(Lengths):
            def encode(self, phrases):
                if len(encoded) == 14:
                    raise KeyboardInterrupt
                encoded.extend(phrases)
                return super().encode(phrases)

        out, whole = tmp_path / "negatives.parquet", tmp_path / "whole.parquet"
        command.write_negatives(phrases, whole)
        monkeypatch.setattr(command, "load_encoder", lambda name: Stops())
        with pytest.raises(KeyboardInterrupt):
            command.write_negatives(phrases, out)
        with pytest.raises(InputError, match="shards of another job"):
            command.write_negatives(phrases, out, options=MiningOptions(stored=1))
        encoded.append("")
        assert command.write_negatives(phrases, out)
        assert encoded == [*PHRASES[:14], "", *PHRASES[14:]]
        read, expected = HardNegatives.read(out), HardNegatives.read(whole)
        assert [read.of(text) for text in PHRASES] == [expected.of(text) for text in PHRASES]

    def test_bad_options(self, phrases: Path, capsys: pytest.CaptureFixture[str]) -> None:
        given = ["--phrases", str(phrases), "--out", str(phrases), "--most-cosine", "2"]
        assert run_command("negatives", given) == 1
        assert "cosines of [-1, 1]. Got: MiningOptions(" in capsys.readouterr().err
