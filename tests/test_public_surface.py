"""The public names and their parameters only grow: what a caller wrote for 0.1 still runs.

``python tests/test_public_surface.py`` writes public_surface.json anew, when something was added.
"""

import importlib
import inspect
import json
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("public_surface.json")
MODULES = (
    "pearljoin", "pearljoin.scoring", "pearljoin.ngrams", "pearljoin.pandas", "pearljoin.polars",
    "pearljoin.spark",
)  # fmt: skip


def parameters(function: object) -> dict[str, str]:
    """Name, kind and default of each parameter, in order."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        found[name] = f"{parameter.kind.description}{default}"
    return found


def members(kind: type) -> dict[str, object]:
    """What a class offers beside what every object has: methods' parameters, other names."""
    found: dict[str, object] = {}
    for name in dir(kind):
        if name.startswith("_") and name not in ("__init__", "__call__", "__len__"):
            continue
        member = inspect.getattr_static(kind, name)
        if isinstance(member, classmethod | staticmethod):
            member = member.__func__
        # What a base class of another package brings is that package's to keep.
        home = getattr(inspect.unwrap(member), "__module__", "") if callable(member) else ""
        if callable(member) and (home or "").startswith("pearljoin"):
            found[name] = parameters(member)
        elif not callable(member):
            found[name] = None
    return found


def surface() -> dict[str, object]:
    """All public names with what can be called on them."""
    found: dict[str, object] = {}
    for module in MODULES:
        home = importlib.import_module(module)
        for name in home.__all__:
            value = getattr(home, name)
            if isinstance(value, type):
                found[f"{module}.{name}"] = members(value)
            else:
                found[f"{module}.{name}"] = parameters(value) if callable(value) else None
    return found


RENAMED = {}
"""Parameters that are passed by position and got the field's name; values by their position."""

REMOVED = {
    # Earlier names of what is called by the field's words, which took the left rows of a table.
    "pearljoin.scoring.LEFT_OVER",
    "pearljoin.scoring.left_over",
    "pearljoin.scoring.standing",
    "pearljoin.scoring.table_view",
    # The texts of pairs are kept as `PairTokens`, which need no profiles of the texts.
    "pearljoin.scoring.Wording",
    "pearljoin.scoring.PairTexts",
    # Rivals of a right record are left rows, on which no score depends any more.
    "pearljoin.scoring.column_rival",
    "pearljoin.scoring.Groups.usual_rival",
    # A score takes what was learned beforehand: `Scorer.calibrate` and `Scorer.steps`.
    "pearljoin.scoring.Scorer.judge",
    "pearljoin.scoring.Scorer.probability",
    # What was read off the left rows of a call.
    "pearljoin.scoring.Scorer.__init__",
    "pearljoin.scoring.Scorer.beside_rivals",
    "pearljoin.scoring.Scorer.steps",
    "pearljoin.scoring.context_features",
    "pearljoin.scoring.table_features",
    "pearljoin.scoring.unmatched_token_features",
}
"""Names that are gone or take other arguments, of those who train a scorer of their own.

A scorer file of format 7 goes with other features, so an earlier one is refused in any case.
"""

MADE_INSIDE = {"pearljoin.MatchResult.__init__"}
"""Constructors that take private objects: what they make comes from a public function."""

RECORDED = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def takes_all(wanted: dict[str, str], given: dict[str, str]) -> bool:
    """Whether every call that suits the wanted parameters suits the given ones."""
    positional = [n for n, kind in wanted.items() if kind.startswith("positional")]
    if list(given)[: len(positional)] != positional:
        return False
    new = {name: kind for name, kind in given.items() if name not in wanted}
    if any(" = " not in kind and not kind.startswith("variadic") for kind in new.values()):
        return False  # a new parameter without a default
    if any(kind.startswith("variadic keyword") for kind in wanted.values()):
        wanted = {n: k for n, k in wanted.items() if not k.startswith("variadic keyword")}
    return all(given.get(name) == kind for name, kind in wanted.items())


@pytest.mark.parametrize("name", RECORDED)
def test_a_public_name_takes_what_it_took(name: str) -> None:
    if name in REMOVED:
        return
    now = surface()
    assert name in now
    was, is_now = RECORDED[name], now[name]
    if was is None:
        return
    if name.rpartition(".")[2][0].isupper():
        kept = {member for member in was if f"{name}.{member}" not in REMOVED | MADE_INSIDE}
        assert kept <= set(is_now)
        for member, wanted in was.items():
            if wanted is not None and member in kept:
                names = RENAMED.get(f"{name}.{member}", {})
                renamed = {names.get(given, given): kind for given, kind in wanted.items()}
                assert takes_all(renamed, is_now[member]), f"{name}.{member}"
    else:
        assert takes_all(was, is_now)


def test_every_public_name_is_recorded() -> None:
    assert set(surface()) >= set(RECORDED) - REMOVED > set()


def test_only_what_serves_to_train_a_scorer_was_removed() -> None:
    assert all(name.startswith("pearljoin.scoring.") for name in REMOVED)


@pytest.mark.parametrize(
    ("wanted", "given", "suits"),
    [
        ({"a": "keyword-only"}, {"a": "keyword-only", "b": "keyword-only = 1"}, True),
        ({"a": "keyword-only"}, {"a": "keyword-only", "b": "keyword-only"}, False),
        ({"a": "keyword-only = 1"}, {"a": "keyword-only = 2"}, False),
        ({"a": "keyword-only"}, {}, False),
        (
            {"a": "positional or keyword", "b": "positional or keyword"},
            {"b": "positional or keyword", "a": "positional or keyword"},
            False,
        ),
        ({"o": "variadic keyword"}, {"k": "keyword-only = 1"}, True),
    ],
)
def test_a_lost_parameter_is_seen(
    wanted: dict[str, str], given: dict[str, str], suits: bool
) -> None:
    assert takes_all(wanted, given) is suits


if __name__ == "__main__":
    FILE.write_text(json.dumps(surface(), indent=1) + "\n", encoding="utf-8")
