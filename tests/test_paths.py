"""What is no path is refused as such, wherever one is given."""

from collections.abc import Callable
from pathlib import Path

import pytest
from frames import TrigramEncoder

import pearljoin as pj


def matcher() -> pj.Matcher:
    return pj.Matcher(encoder=TrigramEncoder(), threshold=0.5).fit(["Acme", "Globex"])


USES: dict[str, Callable] = {
    "report": lambda path: pj.match(["a b"], ["a c"], encoder=TrigramEncoder()).report(path),
    "report of duplicates": lambda path: pj.find_duplicates(
        ["a b", "a c"], encoder=TrigramEncoder()
    ).report(path),
    "labels": lambda path: pj.LabelledThreshold.from_file(path),
    "save": lambda path: matcher().save(path),
    "load": lambda path: pj.Matcher.load(path),
    "save of duplicates": lambda path: pj.Deduplicator(encoder="pearl-nano").fit(["a"]).save(path),
    "load of duplicates": lambda path: pj.Deduplicator.load(path),
}

NO_PATHS = [None, 3, 2.5, b"report.html", "a\0b", "\ud800", ["report.html"], Path("a\0b")]


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("path", NO_PATHS, ids=repr)
def test_what_is_no_path_is_refused(
    use: Callable, path: object, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pj.InputError, match=r"has no usable path\. Got .+ Hint: give the path as"):
        use(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [3, b"cache", "a\0b"], ids=repr)
def test_a_cache_needs_a_path(path: object) -> None:
    with pytest.raises(pj.InputError, match=r"The cache of vectors has no usable path\. Got"):
        pj.load_encoder("pearl-nano", cache=path)


def test_word_vectors_are_not_read_from_what_is_no_path() -> None:
    for name in ("a\0b", "\ud800"):
        with pytest.raises(pj.InputError, match=r"file of word vectors has no usable path\. Got"):
            pj.WeightedWordEncoder(vectors=name).fit(["a"])
