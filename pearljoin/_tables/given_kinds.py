"""What the user says of the kinds of key columns, by `kinds=`, `geo=` and `phone_region=`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from pearljoin._errors import InputError
from pearljoin._kinds.checks import check_geo, check_kinds
from pearljoin._kinds.phone import PhoneComparer
from pearljoin._kinds.protocol import Kind
from pearljoin._tables.keys import KeyOptions

__all__ = ["NOTHING_GIVEN", "GivenKinds", "given_kinds"]

AS_TEXT = frozenset({"name", "text"})
"""Kinds that the encoder and the match scorer compare."""


@dataclass(frozen=True, slots=True)
class GivenKinds:
    """Kinds of key columns that were given.

    Attributes
    ----------
    kinds
        By key column; None for one whose kind is to be recognised. Empty where none was given.
    geo
        Positions of latitude and longitude among the key columns, where they were given.
    phone_region
        Country of phone numbers without a country code, such as ``"GB"``.
    """

    kinds: tuple[Kind | None, ...] = ()
    geo: tuple[int, int] | None = None
    phone_region: str | None = None

    def free_fields(self, fields: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Places of the fields of one column each of whose kind nothing is given."""
        return tuple(
            at for at, each in enumerate(fields) if len(each) == 1 and self.of(each[0]) is None
        )

    def of(self, at: int) -> Kind | None:
        """Return the kind that was given to a key column."""
        if self.geo is not None and at in self.geo:
            return "coordinate"
        return self.kinds[at] if self.kinds else None

    @property
    def has_parts(self) -> bool:
        """Whether some column was given a kind that is compared by its parts."""
        return self.geo is not None or any(
            kind is not None and kind not in AS_TEXT for kind in self.kinds
        )


NOTHING_GIVEN = GivenKinds()


def given_kinds(
    options: KeyOptions, columns: Sequence[Hashable], partners: Sequence[Hashable] = ()
) -> GivenKinds:
    """Read the kinds that were given.

    Parameters
    ----------
    options
        The arguments.
    columns, partners
        The key columns, by their left names and, where these are known, by their right ones.

    Raises
    ------
    InputError
        If a column is no key column, a kind or region is unknown, or two of them contradict.
    """
    if options.phone_region is not None:
        PhoneComparer(options.phone_region)
    geo = None if options.geo is None else check_geo(options.geo)
    places = None if geo is None else (columns.index(geo[0]), columns.index(geo[1]))
    if options.kinds is None:
        return GivenKinds((), places, options.phone_region)
    if not isinstance(options.kinds, Mapping):
        raise InputError(
            f"kinds= must map key columns to kinds. Got a {type(options.kinds).__name__}. "
            "Hint: kinds={'zip': 'code'}."
        )
    check_kinds(options.kinds, columns, partners)
    for column, kind in options.kinds.items():
        is_point = geo is not None and column in geo
        if (kind == "coordinate") != is_point:
            raise InputError(
                "Coordinates are two columns, and both stand in geo=. Got "
                f"kinds={{{column!r}: {kind!r}}} and geo={options.geo!r}. "
                "Hint: geo=('lat', 'lon') alone."
            )
    kinds = tuple(options.kinds.get(column) for column in columns)
    return GivenKinds(kinds, places, options.phone_region)
