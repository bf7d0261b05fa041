"""Which columns are compared: the columns that the user named, or guessed ones."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pearljoin._errors import InputError, partner_hint
from pearljoin._kinds.checks import geo_names
from pearljoin._kinds.protocol import Kind
from pearljoin._records.records import Field
from pearljoin._tables.column_arguments import as_names, check_pairs, read_names
from pearljoin._tables.column_facts import facts_of
from pearljoin._tables.guess_keys import guess_key, guess_keys, text_columns
from pearljoin._tables.guess_records import guess_own
from pearljoin._tables.joined_columns import column_parts
from pearljoin._tables.read_table import ONLY, Table
from pearljoin._tables.rewritten import Glossary
from pearljoin._tables.single_column import check_single
from pearljoin._typing import Columns

__all__ = [
    "NOT_COMPARED",
    "ColumnNames",
    "KeyOptions",
    "Keys",
    "check_names",
    "field_names",
    "key_columns",
    "pair_keys",
    "resolve_keys",
    "resolve_reference",
]


NOT_COMPARED = "not compared: "
"""Begins what stands for the kind of a key column that says nothing."""


class ColumnNames(NamedTuple):
    """Columns of one table: keys, exact-match columns, and those whose conflicts forbid."""

    keys: tuple[Hashable, ...]
    by: tuple[Hashable, ...] = ()
    veto: tuple[Hashable, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """The arguments that name columns, as the user gave them; one list for all functions."""

    on: Columns | None = None
    left_on: Columns | None = None
    right_on: Columns | None = None
    by: Columns | None = None
    left_by: Columns | None = None
    right_by: Columns | None = None
    veto: Columns | None = None
    kinds: Mapping[Any, Kind] | None = None
    geo: tuple[Any, Any] | None = None
    phone_region: str | None = None


@dataclass(frozen=True, slots=True)
class Keys:
    """Names of the columns that are compared, in pairs.

    Attributes
    ----------
    left, right
        The key columns.
    left_by, right_by
        The exact-match columns.
    left_veto, right_veto
        The columns of which a conflict forbids a match.
    guessed
        Whether the key columns were guessed rather than named.
    kinds
        How each key column was compared, once it was, or why not; in the order of `left`:
        ``dict(zip(keys.left, keys.kinds))`` has them by name.
    translations
        By left key column, texts read as right ones: ``{"port": {"CNSHA": "Shanghai"}}``.
    words
        Likewise words of texts: ``{"item": {"elb": "Elbow"}}``.
    left_out
        By left column that was not guessed though the other table has one like it, why not.
    """

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]
    left_by: tuple[Hashable, ...] = ()
    right_by: tuple[Hashable, ...] = ()
    left_veto: tuple[Hashable, ...] = ()
    right_veto: tuple[Hashable, ...] = ()
    guessed: bool = False
    kinds: tuple[str, ...] = ()
    translations: Mapping[Hashable, Mapping[str, str]] = field(default_factory=dict, hash=False)
    words: Mapping[Hashable, Mapping[str, str]] = field(default_factory=dict, hash=False)
    left_out: Mapping[Hashable, str] = field(default_factory=dict, hash=False)

    @property
    def left_names(self) -> ColumnNames:
        """The left columns."""
        return ColumnNames(self.left, self.left_by, self.left_veto)

    @property
    def right_names(self) -> ColumnNames:
        """The right columns."""
        return ColumnNames(self.right, self.right_by, self.right_veto)

    def with_kinds(
        self,
        fields: Sequence[Field],
        idle: Sequence[tuple[int, str]] = (),
        translated: Sequence[tuple[int, Glossary]] = (),
        words: Sequence[tuple[int, Glossary]] = (),
    ) -> Keys:
        """Return the same keys with the kinds by which they were read.

        Parameters
        ----------
        fields
            The reference's keys.
        idle
            Positions of key columns that were not compared, and why.
        translated, words
            Positions of those of which texts, or words, were read as others, and which.
        """
        shown = {at: f"{NOT_COMPARED}{why}" for at, why in idle} | {
            column: key.shown_kind
            for columns, key in zip(key_columns(fields), fields, strict=True)
            for column in columns
        }
        read = {at for at, _ in (*translated, *words)}
        shown |= {at: f"{shown[at]}, translated" for at in read}
        kinds = tuple(shown[at] for at in range(len(self.right)))
        both = translated, words
        texts, of_words = ({self.left[at]: dict(text) for at, text in each} for each in both)
        return replace(self, kinds=kinds, translations=texts, words=of_words)

    def as_options(self, given: KeyOptions) -> KeyOptions:
        """Return the arguments that name these columns, for tables that come later.

        Parameters
        ----------
        given
            The arguments by which they were found.
        """
        return replace(
            given,
            on=None,
            left_on=self.left,
            right_on=self.right,
            by=None,
            left_by=self.left_by or None,
            right_by=self.right_by or None,
            veto=self.left_veto or None,
        )


def field_names(names: Sequence[Hashable], fields: Sequence[Field]) -> tuple[str, ...]:
    """Name the keys that are compared; one of several columns by all of their names.

    Parameters
    ----------
    names
        The key columns of one table.
    fields
        The keys, as they were read.
    """
    return tuple(
        " + ".join(str(names[column]) for column in columns) for columns in key_columns(fields)
    )


def key_columns(fields: Sequence[Field]) -> list[tuple[int, ...]]:
    """List the positions of the key columns that each key is read from: one, or several."""
    return [key.columns or (at,) for at, key in enumerate(fields)]


def check_names(options: KeyOptions, *, both_sides: tuple[str, ...] = ("by",)) -> None:
    """Check what can be told of the arguments that name columns without a table.

    Parameters
    ----------
    options
        The arguments.
    both_sides
        Those of ``"on"`` and ``"by"`` that name a column of each table or of neither. A table that
        is a single column needs no ``left_on`` or ``right_on``.

    Raises
    ------
    InputError
        If two of them contradict each other, one lacks its partner, or names a column twice.
    """
    as_names(options.veto, "veto")
    for both in ("on", "by"):
        left, right = f"left_{both}", f"right_{both}"
        given = {name: getattr(options, name) for name in (both, left, right)}
        named = {name: read_names(columns, name) for name, columns in given.items()}
        for side in (left, right):
            if named[both] and named[side]:
                raise InputError(
                    f"Both {both}= and {side}= are given. Got {given[both]!r} and "
                    f"{given[side]!r}. Hint: {both}= for names that both tables have, else "
                    f"{left}= and {right}=."
                )
        if named[left] and named[right]:
            check_pairs(named[left], named[right], left, right)
        elif both in both_sides and (named[left] or named[right]):
            alone, missing = (left, right) if named[left] else (right, left)
            raise InputError(
                f"{alone}= is given without {missing}=. Got {alone}={given[alone]!r}. "
                f"Hint: give {missing}= too, or {both}= for a name that both tables have."
            )


def resolve_keys(left: Table, right: Table, options: KeyOptions) -> Keys:
    """Find the columns of two tables that are compared; guess the keys where none are named.

    Raises
    ------
    InputError
        If a column is missing, named twice over, not paired, or cannot be guessed.
    """
    check_names(options)
    left_by = _named(left, options.by, options.left_by, ("by", "left_by"), right)
    right_by = _named(right, options.by, options.right_by, ("by", "right_by"), left)
    left_on = _named(left, options.on, options.left_on, ("on", "left_on"), right)
    right_on = _named(right, options.on, options.right_on, ("on", "right_on"), left)
    guessed = not left_on and not right_on
    left_out: Mapping[Hashable, str] = {}
    if guessed:
        aside = _set_aside(left, left_by, options), _set_aside(right, right_by, options)
        left_on, right_on, left_out = guess_keys(left, right, *aside)
    left_on = left_on or _lone_column(left)
    right_on = right_on or _lone_column(right)
    check_single(left, right_on)
    check_single(right, left_on)
    check_pairs(left_on, right_on, "left_on", "right_on")
    left_on, right_on = _with_geo(left_on, right_on, options.geo, left, right)
    keys = Keys(left_on, right_on, left_by, right_by, guessed=guessed, left_out=left_out)
    return _with_veto(keys, left, right, options.veto)


def resolve_reference(right: Table, options: KeyOptions) -> tuple[ColumnNames, bool]:
    """Find the columns of a reference whose left table is not known yet.

    Returns
    -------
    names, guessed
        The columns, and whether the key was guessed.

    Raises
    ------
    InputError
        As `resolve_keys`.
    """
    check_names(options)
    by = _named(right, options.by, options.right_by, ("by", "right_by"))
    keys = _named(right, options.on, options.right_on, ("on", "right_on"))
    guessed = not keys
    if guessed:
        argument = "on=" if right.side == ONLY else "on= or right_on="
        aside = _set_aside(right, by, options)
        keys = guess_own(facts_of(right, aside)) if right.side == ONLY else ()
        keys = keys or (guess_key(right, aside, by_values=True, argument=argument),)
    left = as_names(options.on if options.left_on is None else options.left_on, "left_on") or keys
    check_single(right, left)
    check_pairs(left, keys, "left_on", "right_on")
    left, keys = _with_geo(left, keys, options.geo, None, right)
    veto = tuple(_veto_partners(options.veto, left, keys).values())
    for name in veto:
        right.column(name, "veto")
    return ColumnNames(keys, by, veto), guessed


def pair_keys(
    left: Table, right: Table, names: ColumnNames, options: KeyOptions, *, guessed: bool
) -> Keys:
    """Find the columns of a left table that go with those of a reference.

    Guessed keys of the reference go with the left columns of their names, or a single one with the
    only text column: what the left table holds plays no part, so that a single row is matched as
    many are.

    Parameters
    ----------
    left, right
        The tables.
    names, guessed
        The reference's columns, as `resolve_reference` found them.
    options
        The arguments that name columns.

    Raises
    ------
    InputError
        As `resolve_keys`.
    """
    by = _named(left, options.by, options.left_by, ("by", "left_by"), right)
    keys = _named(left, options.on, options.left_on, ("on", "left_on"), right)
    if not keys and guessed:
        aside = _set_aside(left, by, options)
        if len(names.keys) > 1 or names.keys[0] in left.columns:
            keys = names.keys
        else:
            keys = (guess_key(left, aside, by_values=False, argument="on= or left_on="),)
    check_pairs(by, names.by, "left_by", "right_by")
    for name in keys:
        left.column(name, "on", right)
    keys = keys or _lone_column(left)
    check_single(left, names.keys, ", a dict of them, which is one row, or a list of tuples")
    keys = (*keys, *(name for name in geo_names(options.geo) if name not in keys))
    for name in geo_names(options.geo):
        left.column(name, "geo")
    found = Keys(keys, names.keys, by, names.by, guessed=guessed)
    return _with_veto(found, left, right, options.veto)


def _lone_column(table: Table) -> tuple[Hashable, ...]:
    """The column of a table that is a single one; else an error."""
    if table.single:
        return tuple(table.columns)
    raise InputError(
        f"The key columns are named on one side only: {table.side}_on is missing. "
        f"Got {table.side} columns {list(table.columns)!r}. "
        "Hint: give both left_on= and right_on=, or on= for a name that both sides have."
    )


def _set_aside(table: Table, by: tuple[Hashable, ...], options: KeyOptions) -> tuple[Hashable, ...]:
    """Columns that a guess leaves out: `by`, and `veto` where other text remains."""
    aside = (*by, *as_names(options.veto, "veto"))
    return aside if text_columns(table, aside) else by


def _with_veto(keys: Keys, left: Table, right: Table, veto: Columns | None) -> Keys:
    """Add the veto columns, once the key columns are known to go in pairs."""
    check_pairs(keys.left, keys.right, "left_on", "right_on")
    partners = _veto_partners(veto, keys.left, keys.right)
    for name, partner in partners.items():
        if name not in left.columns and (hint := partner_hint(name, keys.left, keys.right)):
            raise InputError(
                f"The {left.title} has no column {name!r}, named in veto=. Hint: {hint}"
            )
        left.column(name, "veto")
        right.column(partner, "veto")
    return replace(keys, left_veto=tuple(partners), right_veto=tuple(partners.values()))


def _with_geo(
    left: tuple[Hashable, ...],
    right: tuple[Hashable, ...],
    geo: tuple[Any, Any] | None,
    left_table: Table | None,
    right_table: Table,
) -> tuple[tuple[Hashable, ...], tuple[Hashable, ...]]:
    """Add the columns that `geo` names: key columns, or the same of both tables."""
    for name in geo_names(geo):
        if left_table is not None:
            left_table.column(name, "geo")
        if name not in left:
            right_table.column(name, "geo")
            left, right = (*left, name), (*right, name)
    return left, right


def _veto_partners(
    veto: Columns | None, left: tuple[Hashable, ...], right: tuple[Hashable, ...]
) -> dict[Hashable, Hashable]:
    """Left and right name of each column that `veto` names: a key column's, or the same of both."""
    keys = dict(zip(left, right, strict=True))
    return {name: keys.get(name, name) for name in as_names(veto, "veto")}


def _named(
    table: Table,
    shared: Columns | None,
    single: Columns | None,
    arguments: tuple[str, str],
    other: Table | None = None,
) -> tuple[Hashable, ...]:
    """Names of one table's columns, from the shared argument or the table's own."""
    argument = arguments[0] if single is None else arguments[1]
    names = read_names(shared if single is None else single, argument)
    joined = [name for name in names if arguments[0] == "by" and table.columns.is_joined(name)]
    if joined:
        raise InputError(
            f"Columns that must be equal are not read together. Got {argument}={joined[0]!r}. "
            f"Hint: name each by itself, {argument}={list(column_parts(joined[0]))!r}."
        )
    if table.single and names and arguments[0] == "on":
        # The name is that of other tables, or of the other side; a single column leaves no choice.
        return tuple(table.columns)
    for name in names:
        table.column(name, argument, other)
    return names
