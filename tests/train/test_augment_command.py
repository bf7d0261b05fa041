"""Views written ahead: equal for any shards and processes, resumed, and by a small paraphraser."""

import gzip
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from pearljoin import InputError, ModelError
from pearljoin_train.augment import Paraphraser
from pearljoin_train.augment.command import Sources, ViewJob, main, make_mixture, write_views
from pearljoin_train.augment.shards import read_phrases, run_shards, write_table
from pearljoin_train.common.commands import run_command

PHRASES = [
    f"phrase number {word}" for word in ("one", "two", "three", "four", "five", "six", "seven")
]
PHRASES += ["Köln", "1984", "東京 都", "car park"]


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ViewJob:
    """A job over a data folder of a few rows."""
    tables = {
        "lexicon/open_english_wordnet_synsets.tsv.gz": [
            "synset\tlexfile\tmembers\thypernyms\tdefinition",
            "1\tnoun\tcar|auto\t\t",
            "2\tnoun\tphrase|musical phrase\t\t",
        ],
        "train/alias_pairs.tsv.gz": [
            "name\talias\tkind\tsource\tlicence\tin_benchmark",
            "Köln\tCologne\tcity\tcities\tA\t",
            "number\tfigure\tppdb\tppdb_lexical\tA\t",
            "number\tleaked\tppdb\tppdb_lexical\tA\tturney",
        ],
    }
    for name, rows in tables.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress("\n".join(rows).encode()))
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "data"))
    phrases = tmp_path / "phrases.txt"
    phrases.write_text("\n".join(PHRASES), encoding="utf-8")
    return ViewJob(phrases, views=40, sources=Sources(paraphraser=None), shard_size=4)


def rows_of(path: Path) -> dict[str, list[tuple[str, str]]]:
    return {
        row["phrase"]: list(zip(row["methods"], row["views"], strict=True))
        for row in pq.read_table(path).to_pylist()
    }


class TestViews:
    def test_come_from_the_tables(self, job: ViewJob, tmp_path: Path) -> None:
        assert write_views(job, tmp_path / "views.parquet")
        rows = rows_of(tmp_path / "views.parquet")
        assert list(rows) == PHRASES
        assert all(len(views) == 40 for views in rows.values())
        assert {view for method, view in rows["Köln"] if method == "paraphrase"} == {"Cologne"}
        assert {view for method, view in rows["car park"] if method == "synonym"} == {"auto park"}
        assert {view for method, view in rows["phrase number one"] if method == "synonym"} == {
            "phrase figure one", "musical phrase number one",
        }  # fmt: skip
        assert set(rows["1984"]) == {("unchanged", "1984")}

    def test_depend_on_neither_shards_nor_processes(self, job: ViewJob, tmp_path: Path) -> None:
        write_views(job, tmp_path / "one.parquet")
        write_views(job, tmp_path / "two.parquet", processes=2)
        write_views(replace(job, shard_size=100), tmp_path / "whole.parquet")
        one = rows_of(tmp_path / "one.parquet")
        assert one == rows_of(tmp_path / "two.parquet") == rows_of(tmp_path / "whole.parquet")
        write_views(replace(job, seed=1), tmp_path / "other.parquet")
        assert one != rows_of(tmp_path / "other.parquet")

    def test_sources_can_be_turned_off(self, job: ViewJob) -> None:
        bare = replace(job, sources=Sources(synonyms=("ppdb",), aliases=False, paraphraser=None))
        with pytest.raises(InputError, match="paraphrase a weight and has nothing"):
            make_mixture(bare)
        mixture = make_mixture(replace(bare, weights=(("paraphrase", 0.0), ("character", 0.0))))
        drawn = {mixture.view("car number", Random(seed)) for seed in range(99)}
        assert drawn == {"car figure", "number car", "car number"}

    def test_by_the_command(
        self, job: ViewJob, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "views.parquet"
        given = ["--phrases", str(job.phrases), "--out", str(out), "--paraphraser", "none"]
        given += ["--character", "1", "--synonym", "0", "--word-swap", "0", "--unchanged", "0"]
        assert main([*given, "--paraphrase", "0"]) == 0
        written = capsys.readouterr().out
        assert written.startswith("11 views in")
        assert [row[0][0] for row in rows_of(out).values()].count("character") == 10
        assert main([*given, "--paraphrase", "0"]) == 0
        assert "there already" in capsys.readouterr().out
        assert run_command("augment", [*given, "--paraphrase", "0", "--views", "0"]) == 1
        assert "at least 1" in capsys.readouterr().err


class TestShards:
    def test_an_interrupted_job_goes_on(self, tmp_path: Path) -> None:
        made: list[int] = []

        def make(shard: int) -> dict[str, list[Any]]:
            if shard == 2 and len(made) == 2:
                raise KeyboardInterrupt
            made.append(shard)
            return {"n": [shard]}

        out = tmp_path / "n.parquet"
        with pytest.raises(KeyboardInterrupt):
            run_shards(out, "job", 4, make)
        assert not out.exists()
        with pytest.raises(InputError, match="shards of another job"):
            run_shards(out, "other", 4, make)
        made.append(-1)
        assert run_shards(out, "job", 4, make)
        assert made == [0, 1, -1, 2, 3]
        assert pq.read_table(out)["n"].to_pylist() == [0, 1, 2, 3]
        assert [path.name for path in tmp_path.iterdir()] == ["n.parquet"]
        assert not run_shards(out, "job", 4, make)
        assert run_shards(out, "other", 1, make)
        assert pq.read_table(out)["n"].to_pylist() == [0]


class TestReading:
    def test_text_and_parquet(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b" a b\r\n\nc\na b\n")
        (tmp_path / "a.txt.gz").write_bytes(gzip.compress("é\u2028e".encode()))
        write_table(tmp_path / "a.parquet", {"phrase": ["x", None, "", "y"], "count": [1, 2, 3, 4]})
        assert read_phrases(tmp_path / "a.txt") == ["a b", "c"]
        assert read_phrases(tmp_path / "a.txt.gz") == ["é\u2028e"]
        assert read_phrases(tmp_path / "a.parquet") == ["x", "y"]

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "latin.txt").write_bytes(b"\xe9")
        write_table(tmp_path / "a.parquet", {"name": ["x"]})
        with pytest.raises(InputError, match="not UTF-8"):
            read_phrases(tmp_path / "latin.txt")
        with pytest.raises(InputError, match=r"no column of phrases\. Got: name"):
            read_phrases(tmp_path / "a.parquet")
        with pytest.raises(InputError, match="no file of phrases"):
            read_phrases(tmp_path / "none.txt")


class TestParaphraser:
    def test_writes_other_texts_whatever_the_batch(self, tiny_t5: Path) -> None:
        texts = ["abc", "hello there", "", "k", "éé"]
        found = Paraphraser(tiny_t5, beams=3, max_length=6, device="cpu").paraphrases(texts)
        small = Paraphraser(tiny_t5, beams=3, max_length=6, device="cpu", batch_size=2)
        assert small.paraphrases(texts) == found
        assert all(len(written) <= 3 for written in found)
        assert any(found)
        for text, written in zip(texts, found, strict=True):
            assert len(set(written)) == len(written)
            assert text not in written
            assert "" not in written
        rule_views = {small(texts[0], Random(seed)) for seed in range(20)}
        assert rule_views == set(found[0] or (texts[0],))

    def test_its_paraphrases_stand_beside_the_aliases(
        self, job: ViewJob, tiny_t5: Path, tmp_path: Path
    ) -> None:
        sources = Sources(paraphraser=str(tiny_t5))
        write_views(replace(job, sources=sources, shard_size=6), tmp_path / "v.parquet")
        rows = rows_of(tmp_path / "v.parquet")
        written = set(Paraphraser(tiny_t5, device="cpu").paraphrases(["Köln"])[0])
        views = {view for method, view in rows["Köln"] if method == "paraphrase"}
        assert "Cologne" in views
        assert views <= written | {"Cologne"}
        assert sum(method == "paraphrase" for method, _ in rows["car park"]) > 5

    def test_a_missing_model_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import transformers

        def refuse(source: str) -> None:
            raise OSError("no network\nand more")

        monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", refuse)
        with pytest.raises(ModelError, match=r"'prithivida/parrot.*no network\. Hint: .*alias"):
            Paraphraser()
