"""How the columns of a reference compare, as content of a saved matcher, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from pearljoin._tables.cells import ColumnKind
from pearljoin._tables.exact_kinds import exact_kind
from pearljoin._tables.keys import ColumnNames
from pearljoin._tables.kinds import ColumnKinds, column_kinds
from pearljoin._tables.lengths import UNITS
from pearljoin._tables.read_table import Table
from pearljoin._tables.rewritten import Glossary

__all__ = ["read_kinds", "write_kinds"]


def write_kinds(frozen: ColumnKinds, alone: ColumnKinds | None) -> dict[str, Any]:
    """Return the content that says how columns compare.

    Parameters
    ----------
    frozen, alone
        As they were fitted, and by themselves, if that is known.
    """
    return {
        "kinds": frozen.keys,
        "exact_kinds": [frozen.by, frozen.veto],
        "key_groups": frozen.groups,
        "idle_keys": frozen.idle,
        "translated_keys": frozen.translated,
        "translated_words": frozen.words,
        "units_of_lengths": frozen.units,
        "romanised_keys": [frozen.romanised, [] if alone is None else alone.romanised],
        "kinds_alone": None if alone is None else [alone.keys, alone.groups, alone.idle],
    }


def read_kinds(
    content: Mapping[str, Any], right: Table, names: ColumnNames
) -> tuple[ColumnKinds, ColumnKinds | None]:
    """Read what `write_kinds` wrote; raises ValueError where it is something else.

    Parameters
    ----------
    content
        The content of the saved matcher.
    right, names
        Its reference, and the columns that are compared.

    Returns
    -------
    frozen, alone
        As given; `alone` is None in a folder of an earlier version.
    """
    keys = tuple(content["kinds"])
    if "exact_kinds" in content:
        by, veto = map(tuple, content["exact_kinds"])
        kinds = ColumnKinds(keys, by, veto)
    else:
        # Earlier versions told the kinds of by and veto columns from the table, by types alone.
        veto = tuple(exact_kind(right, name) for name in names.veto)
        kinds = column_kinds(right, names)._replace(keys=keys, veto=veto)
    # Earlier versions read each script by itself.
    listed = content.get("romanised_keys", [[], []])
    of_frozen, of_alone = (tuple(map(int, some)) for some in listed)
    if not {*of_frozen, *of_alone} <= set(range(len(keys))):
        raise ValueError(f"its keys that are romanised are {(of_frozen, of_alone)!r}")
    units = {int(at): str(unit) for at, unit in content.get("units_of_lengths", ())}
    if not (units.keys() <= set(range(len(keys))) and {*units.values()} <= UNITS.keys()):
        raise ValueError(f"its lengths are read in {units!r}")
    translated = _checked_glossaries(content.get("translated_keys", ()), len(keys))
    words = _checked_glossaries(content.get("translated_words", ()), len(keys))
    kinds = kinds._replace(
        romanised=of_frozen, units=tuple(units.items()), translated=translated, words=words
    )
    frozen = _checked(kinds, content.get("key_groups", ()), content.get("idle_keys", ()), names)
    alone = content.get("kinds_alone")
    if alone is None:
        return frozen, None
    keys, groups, idle = alone
    kinds = kinds._replace(keys=tuple(keys), romanised=of_alone, translated=(), words=())
    return frozen, _checked(kinds, groups, idle, names)


def _checked_glossaries(listed: Any, n_keys: int) -> tuple[tuple[int, Glossary], ...]:
    """Read which texts of which keys are read as others."""
    found = {int(at): tuple(map(tuple, texts)) for at, texts in listed}
    pairs = [pair for texts in found.values() for pair in texts]
    are_pairs = all(len(pair) == 2 and all(map(_is_text, pair)) for pair in pairs)
    if len(found) < len(listed) or not found.keys() <= set(range(n_keys)) or not are_pairs:
        raise ValueError(f"its texts that are read as others are {listed!r}")
    return tuple(sorted(found.items()))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _checked(kinds: ColumnKinds, groups: Any, idle: Any, names: ColumnNames) -> ColumnKinds:
    """Complete kinds, if they describe the columns."""
    known, keys = get_args(ColumnKind), kinds.keys
    parts = keys, kinds.by, kinds.veto
    if [len(part) for part in parts] != [len(part) for part in names]:
        raise ValueError("its columns are not all described")
    if any(kind not in known for part in parts for kind in part):
        raise ValueError(f"the kinds of its columns are {list(map(list, parts))!r}")
    groups = tuple(tuple(map(int, group)) for group in groups)
    members = [at for group in groups for at in group]
    if len(set(members)) < len(members) or not set(members) <= set(range(len(keys))):
        raise ValueError(f"its keys of several columns are {groups!r}")
    idle = tuple((int(at), str(why)) for at, why in idle)
    if len(dict(idle)) < len(idle) or not {at for at, _ in idle} < set(range(len(keys))):
        raise ValueError(f"its keys that are not compared are {idle!r}")
    return kinds._replace(groups=groups, idle=idle)
