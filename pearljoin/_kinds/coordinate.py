"""Comparison of coordinates, by their distance on the Earth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pearljoin._errors import InputError
from pearljoin._kinds.degrees import read_degrees
from pearljoin._kinds.protocol import Comparer, Kind, Levels, Parsed, Values, Within, text_array
from pearljoin._typing import IntVector

__all__ = ["CoordinateComparer", "ParsedCoordinates", "check_limits", "kilometres", "on_sphere"]

EARTH_RADIUS = 6371.0088
"""Mean radius of the Earth, in km (IUGG 1980)."""

LIMITS = (90.0, 180.0)
"""Largest latitude and longitude, in degrees."""

KILOMETRES = (100.0, 10.0, 1.0, 0.1)
"""Distances at which a level begins."""

FARTHEST = 20_016.0
"""Distance of two points on opposite sides of the Earth, in km."""

DECIMALS = 5
"""Of degrees, to which equal coordinates agree: about 1 m."""


def kilometres(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Great-circle distances of pairs of points, by the haversine formula.

    Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (1984).

    Parameters
    ----------
    left, right
        float64 of shape (n_pairs, 2): latitude and longitude in degrees.

    Returns
    -------
    distance
        float64 of shape (n_pairs,), in km.

    Examples
    --------
    >>> paris, london = np.array([[48.8566, 2.3522]]), np.array([[51.5074, -0.1278]])
    >>> kilometres(paris, london).round().tolist()
    [344.0]
    """
    one, other = np.radians(left), np.radians(right)
    sines = np.sin((one - other) / 2) ** 2
    root = sines[:, 0] + np.cos(one[:, 0]) * np.cos(other[:, 0]) * sines[:, 1]
    return np.asarray(2 * EARTH_RADIUS * np.arcsin(np.sqrt(np.clip(root, 0, 1))))


def on_sphere(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Place points on the unit sphere.

    Parameters
    ----------
    points
        float64 of shape (n_points, 2): latitude and longitude in degrees.

    Returns
    -------
    vectors
        float64 of shape (n_points, 3).

    Examples
    --------
    >>> on_sphere(np.array([[90.0, 0.0], [0.0, 0.0]])).round(3).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    latitude, longitude = np.radians(points).T
    across = np.cos(latitude)
    axes = across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)
    return np.asarray(np.stack(axes, axis=1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ParsedCoordinates(Parsed):
    """Points on the Earth.

    Attributes
    ----------
    points
        float64 of shape (n_values, 2): latitude and longitude in degrees; NaN for null.
    """

    points: NDArray[np.float64]


class CoordinateComparer(Comparer[ParsedCoordinates]):
    """Compares points by their distance in kilometres, as Splink's DistanceInKMAtThresholds."""

    kind: ClassVar[Kind] = "coordinate"
    levels: ClassVar[tuple[str, ...]] = (
        "different",
        "within 100 km",
        "within 10 km",
        "within 1 km",
        "within 100 m",
        "equal",
    )

    def read(self, values: Values) -> ParsedCoordinates:
        """Read points; a point of which one number is missing is null.

        Parameters
        ----------
        values
            Pairs of latitude and longitude in degrees: numbers, or text (`read_degrees`).

        Returns
        -------
        parsed
            The points; pairs that are not numbers are unparsable, and those outside `LIMITS`.

        Examples
        --------
        >>> CoordinateComparer().read([("48.8566", "2.3522"), (None, 2.0)]).canonical
        array(['48.85660 2.35220', None], dtype=object)
        """
        cells = [(pair[0], pair[1]) for pair in values]
        present = np.array([all(not _is_null(cell) for cell in pair) for pair in cells], dtype=bool)
        points = _points(cells)
        known = np.asarray((np.abs(points) <= LIMITS).all(axis=1), dtype=bool)
        points[~known] = np.nan
        points[points[:, 1] == -LIMITS[1], 1] = LIMITS[1]
        rounded = np.round(points, DECIMALS) + 0.0  # no "-0"
        written = [
            f"{latitude:.{DECIMALS}f} {longitude:.{DECIMALS}f}" if is_known else None
            for (latitude, longitude), is_known in zip(
                rounded.tolist(), known.tolist(), strict=True
            )
        ]
        return ParsedCoordinates(text_array(written), int((present & ~known).sum()), points)

    def _compare_unequal(
        self,
        left: ParsedCoordinates,
        right: ParsedCoordinates,
        left_at: IntVector,
        right_at: IntVector,
    ) -> tuple[Levels, Within]:
        distance = kilometres(left.points[left_at], right.points[right_at])
        # A point is one of a metre across, so nothing that differs is nearer.
        ends = np.array([FARTHEST, *KILOMETRES, 10.0 ** -(DECIMALS - 2)])
        level = np.searchsorted(-np.array(KILOMETRES), -distance, side="right")
        distance = np.maximum(distance, ends[-1])
        within = np.log(ends[level] / distance) / np.log(ends[level] / ends[level + 1])
        return level.astype(np.int8), within


def _is_null(cell: Any) -> bool:
    return cell is None or cell != cell or (isinstance(cell, str) and not cell.strip())


def _degrees(cell: Any) -> float:
    """A cell as a number; NaN for one that is none."""
    if isinstance(cell, str):
        found = read_degrees(cell)
        return float("nan") if found is None else found
    try:
        return float(cell)
    except (TypeError, ValueError):
        return float("nan")


def _points(cells: Sequence[tuple[Any, Any]]) -> NDArray[np.float64]:
    """Pairs of cells as numbers: float64 of shape (n, 2), NaN for what is none."""
    points = np.array([[_degrees(cell) for cell in pair] for pair in cells], dtype=np.float64)
    return points.reshape(-1, 2)


def check_limits(values: Values) -> None:
    """Refuse points that are none, of columns that the user called coordinates.

    Parameters
    ----------
    values
        As of `CoordinateComparer.read`.

    Raises
    ------
    InputError
        If a latitude is outside ±90, or a longitude outside ±180.
    """
    points = _points([(pair[0], pair[1]) for pair in values])
    for column, (name, limit) in enumerate(zip(("latitude", "longitude"), LIMITS, strict=True)):
        outside = np.flatnonzero(np.abs(points[:, column]) > limit)
        if len(outside):
            shown = ", ".join(f"{value:g}" for value in points[outside[0]])
            swapped = np.abs(points[outside[0]])[::-1] <= LIMITS
            hint = (
                "latitude stands first; the two columns look exchanged."
                if swapped.all()
                else "coordinates are degrees of latitude and longitude (WGS 84), not metres of "
                "another system."
            )
            raise InputError(
                f"Coordinates have a {name} outside ±{limit:g}. Got ({shown}), the first of "
                f"{len(outside)}. Hint: {hint}"
            )
