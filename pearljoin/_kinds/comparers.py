"""The comparer of a kind, with what it learns from a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, get_args

from pearljoin._kinds.address import AddressComparer
from pearljoin._kinds.category import CategoryComparer
from pearljoin._kinds.cells import cell_texts
from pearljoin._kinds.code import CodeComparer
from pearljoin._kinds.column_units import column_units_of
from pearljoin._kinds.coordinate import CoordinateComparer
from pearljoin._kinds.date import BirthDateComparer, DateComparer, EventDateComparer
from pearljoin._kinds.day_times import DayTimes
from pearljoin._kinds.durations import Durations
from pearljoin._kinds.email import EmailComparer
from pearljoin._kinds.lists import ListComparer
from pearljoin._kinds.number import NumberComparer
from pearljoin._kinds.person import PersonComparer
from pearljoin._kinds.person_names import Part
from pearljoin._kinds.phone import PhoneComparer
from pearljoin._kinds.postcode import PostcodeComparer
from pearljoin._kinds.protocol import Comparer, Kind, Values
from pearljoin._kinds.read_date import day_stands_first
from pearljoin._kinds.read_list import commas_separate, list_separator
from pearljoin._kinds.text import TextComparer, learn_term_weights
from pearljoin._kinds.units import NamedUnit

__all__ = ["fit_comparer", "settings_of", "side_comparer", "with_settings"]

FACTORS_OF = ("bare", "clock", "timed")
"""Attributes of `Durations` that are lists in a file."""

FULL: tuple[Part, ...] = ("full",)


def fit_comparer(
    kind: Kind,
    values: Values,
    *,
    parts: Sequence[Part] = FULL,
    phone_region: str | None = None,
    are_births: bool = False,
    are_events: bool = False,
    unit: NamedUnit | None = None,
) -> Comparer[Any]:
    """Make the comparer of a kind, learning from the reference what it must know.

    Learned are the order of day and month, the signs of decimals, of millions and between the
    entries of lists and of numbers, the units of durations, and the weights of words; all are
    frozen then.

    Parameters
    ----------
    kind
        Any but ``"name"``, which the match scorer compares.
    values
        Distinct values of the reference's column or columns.
    parts
        For people: what each column holds.
    phone_region
        For phones: the country of numbers without a country code.
    are_births, are_events
        For dates: whether they are dates of birth, or of events that two tables tell of.
    unit
        For numbers: the unit in the name of their column.

    Raises
    ------
    InputError
        If there is no such region.
    ValueError
        For ``"name"``.

    Examples
    --------
    >>> comparer = fit_comparer("date", ["13/04/1985", "03/04/1985"])
    >>> comparer.read(["03/04/1985"]).canonical
    array(['1985-04-03'], dtype=object)
    """
    if kind == "text":
        return TextComparer(learn_term_weights(values))
    if kind == "person":
        return PersonComparer(parts)
    if kind == "phone":
        return PhoneComparer(phone_region)
    if kind == "date":
        return side_comparer(_date_comparer(are_births, are_events)(), values)
    if kind == "list":
        return side_comparer(ListComparer(), values)
    if kind == "number":
        return NumberComparer().learned(values, named=unit, is_reference=True)
    simple: dict[Kind, type[Comparer[Any]]] = {
        "address": AddressComparer,
        "category": CategoryComparer,
        "code": CodeComparer,
        "coordinate": CoordinateComparer,
        "email": EmailComparer,
        "postcode": PostcodeComparer,
    }
    if kind not in simple:
        raise ValueError(f"Names are compared by the match scorer. Got kind {kind!r}.")
    return simple[kind]()


def side_comparer(
    comparer: Comparer[Any],
    values: Values,
    *,
    parts: Sequence[Part] | None = None,
    unit: NamedUnit | None = None,
) -> Comparer[Any]:
    """Make the comparer that reads the other side, where it writes values in its own way.

    What it reads compares with what the reference's comparer read.

    Parameters
    ----------
    comparer
        The reference's.
    values
        Distinct values of the other side, or a sample of them.
    parts
        For people: what each column of the other side holds; None where that is the same.
    unit
        For numbers: the unit in the name of the other side's column.
    """
    if isinstance(comparer, DateComparer):
        day_first = day_stands_first(text for text in cell_texts(values) if text)
        if day_first is None:
            return comparer
        return type(comparer)(day_first)
    if isinstance(comparer, ListComparer):
        texts = [value for value in values if isinstance(value, str)]
        separator = list_separator(texts)
        if separator is None and not commas_separate(texts):
            # Names alone, such as "Smith, John": the comma means what it does in the reference.
            separator = comparer.separator
        return ListComparer(separator)
    if isinstance(comparer, NumberComparer):
        return comparer.learned(values, named=unit)
    if isinstance(comparer, PersonComparer) and parts is not None:
        return PersonComparer(parts)
    return comparer


def settings_of(comparer: Comparer[Any]) -> dict[str, Any]:
    """Return in which way of writing a comparer reads values, as plain values for a file.

    Examples
    --------
    >>> settings_of(DateComparer(day_first=True)), settings_of(CodeComparer())
    ({'day_first': True, 'are_births': False, 'are_events': False}, {})
    """
    if isinstance(comparer, DateComparer):
        return {
            "day_first": comparer.day_first,
            "are_births": isinstance(comparer, BirthDateComparer),
            "are_events": isinstance(comparer, EventDateComparer),
        }
    if isinstance(comparer, ListComparer):
        return {"separator": comparer.separator}
    if isinstance(comparer, NumberComparer):
        durations = asdict(comparer.durations)
        factors = {name: list(durations[name]) for name in FACTORS_OF}
        return {
            "decimal": comparer.decimal,
            "durations": {**durations, **factors},
            "millions": comparer.millions,
            "negative": comparer.negative,
            "is_opposite": comparer.is_opposite,
            "size": comparer.size,
            "day_times": asdict(comparer.day_times),
            "words": sorted(map(list, comparer.words)),
            "units": asdict(comparer.units),
        }
    return {"parts": list(comparer.parts)} if isinstance(comparer, PersonComparer) else {}


def with_settings(comparer: Comparer[Any], settings: Mapping[str, Any]) -> Comparer[Any]:
    """Return a comparer of the same kind that reads values as `settings_of` says.

    Raises
    ------
    KeyError, TypeError, ValueError
        If they are not of the form expected.

    Examples
    --------
    >>> with_settings(DateComparer(), {"day_first": True}).read(["03/04/1985"]).canonical
    array(['1985-04-03'], dtype=object)
    """
    if isinstance(comparer, DateComparer):
        # Files of before dates of birth and of events were told apart do not say so.
        are = (settings.get(name) is True for name in ("are_births", "are_events"))
        return _date_comparer(*are)(settings["day_first"])
    if isinstance(comparer, ListComparer):
        separator = settings["separator"]
        if not isinstance(separator, str | None):
            raise ValueError(f"a separator is {separator!r}")
        return ListComparer(separator)
    if isinstance(comparer, NumberComparer):
        if not settings:  # saved before there were any
            return comparer
        factors = {name: tuple(map(float, settings["durations"][name])) for name in FACTORS_OF}
        return NumberComparer(
            settings["decimal"],
            Durations(**{**settings["durations"], **factors}),
            settings.get("millions", False),  # this and the others are not in older files
            settings.get("negative"),
            settings.get("is_opposite", False),
            settings.get("size"),
            DayTimes(**settings.get("day_times", {})),
            [(before, after) for before, after in settings.get("words", [])],
            column_units_of(settings.get("units", {})),
        )
    if not isinstance(comparer, PersonComparer):
        return comparer
    parts = settings["parts"]
    if not isinstance(parts, list) or not parts or not set(get_args(Part)).issuperset(parts):
        raise ValueError(f"the parts of a person's name are {parts!r}")
    return PersonComparer(parts)


def _date_comparer(are_births: bool, are_events: bool) -> type[DateComparer]:
    if are_births:
        return BirthDateComparer
    return EventDateComparer if are_events else DateComparer
