"""Saved folders of which a stranger changed one thing: a clean error, or what works."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from repetitions import few

import pearljoin as pj
from pearljoin._dedupe import store
from pearljoin._fitted import save_matcher
from pearljoin._fitted.checked_folder import read_store
from pearljoin._search import approximate

CITIES = ["Rome", "Oslo", "Paris"]
TABLE = pd.DataFrame(
    {
        "name": [f"{a} {b}" for a in ("North", "South", "West", "Park") for b in ("Lodge", "Inn")],
        "city": (CITIES * 3)[:8],
        "born": [f"19{40 + 5 * at}-03-0{1 + at}" for at in range(8)],
        "price": [1.5 * at for at in range(8)],
    }
)
KEYS = ["name", "city", "born", "price"]
PANEL = pd.DataFrame({"land": list("ABC") * 4, "year": [2001 + at // 3 for at in range(12)]})
WORDS = ["North", "South", "West", "Park", "Lodge", "Inn", "Rome", "Oslo"]
KINDS = ["one column", "combinations", "several columns", "deduplicator", "large"]
VALUES: list[Any] = [None, "x", -1]


def fit(what: str) -> Any:
    if what == "deduplicator":
        return pj.Deduplicator(on=KEYS).fit(TABLE.head(6))
    if what == "large":
        return pj.Matcher(encoder="pearl-nano").fit([f"{a} {b}" for a in WORDS for b in WORDS])
    if what == "combinations":
        return pj.Matcher(on=["land", "year"]).fit(PANEL).calibrate(PANEL.head(9))
    matcher = pj.Matcher(on="name" if what == "one column" else KEYS).fit(TABLE)
    return matcher.calibrate(TABLE.head(4))


def use(loaded: Any, what: str) -> None:
    if isinstance(loaded, pj.Deduplicator):
        loaded.pairs()
        loaded.add(TABLE.tail(2))
    else:
        if what == "large":
            loaded.match(["Nort Lodge", "Inn South"]).matches()
            return
        table = PANEL if what == "combinations" else TABLE
        loaded.match(table.head(2)).matches()


def changed_arrays(array: np.ndarray) -> list[np.ndarray]:
    """The array cut, longer, of other shapes and types, and with odd numbers in it."""
    found = [array[:-1], array[:0], array[None], array.astype(str), array[..., :-1]]
    if array.size and array.dtype != bool:
        for number in (np.nan,):
            odd = array.astype(np.float64)
            odd.flat[-1] = number
            found.append(odd)
        whole = array.astype(np.int64)
        whole.flat[-1] = 2**40
        found.append(whole)
    return found


CHECKED = (
    *("state", "statistics", "growth", "given", "kinds", "names", "key_groups"),
    *("readers", "right_readers", "kinds_alone", "search", "romanised_keys", "translated_keys"),
    "units_of_lengths",
)
"""Parts of a folder's content whose form is checked."""


def changed_contents(content: Any) -> list[Any]:
    """The content with one entry left out, or another value in its place; of lists the first."""
    items = content.items() if isinstance(content, dict) else list(enumerate(content))[:1]
    found = []
    for key, value in items:
        if isinstance(content, dict):
            found.append({other: content[other] for other in content if other != key})
        inner = changed_contents(value) if isinstance(value, dict | list) else []
        for new in [*VALUES, *inner]:
            copy = content.copy()
            copy[key] = new
            found.append(copy)
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", few(KINDS, 1))
def test_a_changed_folder_is_refused_or_works(tmp_path: Path, monkeypatch, what: str) -> None:
    if what == "large":
        monkeypatch.setattr(approximate, "EXACT_ROWS", 40)
        monkeypatch.setattr(save_matcher, "MANY_TEXTS", 40)
    saved = fit(what)
    saved.save(tmp_path / "m")
    content, arrays, files = read_store(tmp_path / "m")
    state = [content, arrays, files]
    monkeypatch.setattr(save_matcher, "read_store", lambda folder: tuple(map(dict, state)))
    use(type(saved).load("m"), what)

    def check(place: int, changed: dict[str, Any], shown: str) -> None:
        state[:] = content, arrays, files
        state[place] = changed
        try:
            use(type(saved).load("m"), what)
        except (pj.InputError, pj.ModelError):
            return
        except Exception as error:
            raise AssertionError(f"{what}: {shown} is not checked") from error

    # The tables' and texts' own cells may be anything of their type.
    for name in CHECKED:
        for other in changed_contents({name: content[name]}) if name in content else []:
            check(0, {**{key: content[key] for key in content if key != name}, **other}, name)
    for name, array in arrays.items():
        check(1, {key: arrays[key] for key in arrays if key != name}, name)
        for other in changed_arrays(array):
            check(1, {**arrays, name: other}, f"{name} {other.dtype} {other.shape}")


def loaded_with(tmp_path: Path, monkeypatch, change: Callable[[dict[str, Any]], None]) -> Any:
    """Load a deduplicator of which some arrays are changed."""
    saved = fit("deduplicator")
    saved.save(tmp_path / "m")
    content, arrays, files = read_store(tmp_path / "m")
    change(arrays)
    monkeypatch.setattr(save_matcher, "read_store", lambda folder: (content, arrays, files))
    return store.load_deduplicator("m", None)


@pytest.mark.parametrize("n_columns", [0, 3, 5])
def test_sets_of_shared_columns_are_of_the_key_columns(tmp_path, monkeypatch, n_columns) -> None:
    def change(arrays: dict[str, Any]) -> None:
        arrays["shared_sets"] = np.ones((2, n_columns), dtype=bool)
        arrays["shared_same"] = arrays["shared_related"] = np.full(2, 0.5)

    with pytest.raises(pj.ModelError, match=r"'shared_sets' is of shape \(2, \d\)"):
        loaded_with(tmp_path, monkeypatch, change)


def test_sets_of_shared_columns_are_read(tmp_path, monkeypatch) -> None:
    def change(arrays: dict[str, Any]) -> None:
        arrays["shared_sets"] = np.ones((2, len(KEYS)), dtype=bool)
        arrays["shared_same"] = arrays["shared_related"] = np.full(2, 0.5)

    growing = loaded_with(tmp_path, monkeypatch, change)[0]
    assert growing.weights.shared.sets.shape == (2, len(KEYS))
