from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin._errors import InputError
from pearljoin_train.corpus import merge as merging
from pearljoin_train.corpus.merge import merge, read_rows, sorted_rows, write_rows
from pearljoin_train.corpus.phrases import Extractor, Phrase
from pearljoin_train.corpus.sentence import Sentence
from pearljoin_train.corpus.shards import count_shards, settle
from pearljoin_train.corpus.trees import TreeParser

TREES = [
    f"(S (NP (DT the) (NN {noun})) (VP (VB go) (NP (NNP {name}))))"
    for noun in ("dog", "cat", "cow")
    for name in ("Rome", "Oslo", "Rome", "Lima")
]


class Others:
    """Types every phrase as OTHER; at module level, so that worker processes can load it."""

    def __call__(self, sentences: list[Sentence]) -> list[list[str]]:
        return [["OTHER"] * len(sentence.spans) for sentence in sentences]


def extractor() -> Extractor:
    return Extractor(TreeParser(), Others())  # type: ignore[arg-type]


def table(path: Path) -> list[tuple[str, str, str, int]]:
    return list(read_rows(path))


@pytest.mark.thorough
def test_any_cut_into_shards_and_any_number_of_processes_give_one_result(tmp_path: Path) -> None:
    whole = sorted_rows(extractor()(TREES))
    expected = [row for row in whole if row[3] >= 2]
    assert ("Rome", "NP", "OTHER", 6) in expected
    for size, processes in [(100, 1), (5, 1), (1, 1), (2, 2)]:
        folder = tmp_path / f"{size}-{processes}"
        folder.mkdir()
        shards = count_shards(TREES, extractor(), folder, size=size, processes=processes)
        assert [path.name for path in shards] == [f"{n:06d}.parquet" for n in range(len(shards))]
        assert len(shards) == -(-len(TREES) // size)
        out = folder / "out.parquet"
        assert merge(shards, out, min_count=2) == len(expected)
        assert table(out) == expected


def test_shards_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    shards = count_shards(TREES, extractor(), tmp_path, size=4)
    shards[1].unlink()
    before = {path: path.stat().st_mtime_ns for path in shards if path.exists()}
    asked: list[int] = []

    class Watched(Extractor):
        def __call__(self, texts: list[str]) -> Counter[Phrase]:  # type: ignore[override]
            asked.append(TREES.index(texts[0]))
            return super().__call__(texts)

    done: list[int] = []
    watched = Watched(TreeParser(), Others())  # type: ignore[arg-type]
    again = count_shards(TREES, watched, tmp_path, size=4, on_done=done.append)
    assert again == shards
    assert asked == [4]
    assert done == [0, 1, 2]
    assert before == {path: path.stat().st_mtime_ns for path in before}


@pytest.mark.thorough
def test_a_worker_that_fails_stops_the_run_and_leaves_no_half_shard(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"write \(TAG word\)"):
        count_shards([*TREES, "((NN a) b)"], extractor(), tmp_path, size=4, processes=2)
    assert not (tmp_path / "000003.parquet").exists()
    assert not list(tmp_path.glob(".*"))


def test_other_settings_are_refused_by_name(tmp_path: Path) -> None:
    settle(tmp_path / "shards", {"max_words": 8, "texts": [["a.txt", 5]]})
    (tmp_path / "shards" / ".pearljoin-7.part").touch()
    settle(tmp_path / "shards", {"max_words": 8, "texts": [["a.txt", 5]]})
    assert [path.name for path in (tmp_path / "shards").iterdir()] == ["settings.json"]
    with pytest.raises(InputError, match=r"Got: different max_words\. Hint: delete"):
        settle(tmp_path / "shards", {"max_words": 9, "texts": [["a.txt", 5]]})


phrases = st.tuples(
    st.sampled_from(["a", "b", "é", "in a", ""]),
    st.sampled_from(["NP", "VP"]),
    st.sampled_from(["OTHER", "GPE"]),
)
counters = st.lists(st.dictionaries(phrases, st.integers(1, 3)), max_size=6)


@pytest.mark.thorough
@given(counters, st.integers(1, 4), st.integers(2, 3))
def test_merging_equals_adding_up(
    tmp_path_factory: pytest.TempPathFactory, shards: list[dict[Phrase, int]], least: int, fan: int
) -> None:
    folder = tmp_path_factory.mktemp("merge")
    paths = [folder / f"{n}.parquet" for n in range(len(shards))]
    total: Counter[Phrase] = Counter()
    for path, counts in zip(paths, shards, strict=True):
        write_rows(sorted_rows(Counter(counts)), path)
        total += Counter(counts)
    by_phrase: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    for (phrase, lexical, entity), count in total.items():
        by_phrase[phrase].append((-count, lexical, entity))
    expected = [
        (phrase, *min(votes)[1:], -sum(count for count, _, _ in votes))
        for phrase, votes in sorted(by_phrase.items())
        if -sum(count for count, _, _ in votes) >= least
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "FAN_IN", fan)
        assert merge(paths, folder / "out.parquet", min_count=least) == len(expected)
    assert table(folder / "out.parquet") == expected
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*(path.name for path in paths), "out.parquet"]
    )


def test_a_phrase_takes_its_most_frequent_types_and_all_its_counts(tmp_path: Path) -> None:
    counts = Counter({("x", "NP", "OTHER"): 2, ("x", "VP", "OTHER"): 3, ("y", "NP", "ORG"): 1})
    write_rows(sorted_rows(counts), tmp_path / "0.parquet")
    assert merge([tmp_path / "0.parquet"], tmp_path / "out.parquet", min_count=2) == 1
    assert table(tmp_path / "out.parquet") == [("x", "VP", "OTHER", 5)]
