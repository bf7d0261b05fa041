"""What two values of a kind are equal by, where nothing but that is asked."""

from __future__ import annotations

from pearljoin._kinds.date import ParsedDates
from pearljoin._kinds.phone import ParsedPhones
from pearljoin._kinds.postcode import ParsedPostcodes
from pearljoin._kinds.protocol import Parsed, Texts, text_array
from pearljoin._kinds.years import USUAL

__all__ = ["equal_values"]

SHORT_YEAR = len("'85")
"""Characters that stand for a year of two digits."""


def equal_values(parsed: Parsed) -> Texts:
    """Write each value in the one way by which it is equal to others.

    That is its canonical way, without what one side may leave out: the century of a year, the
    country of a phone number, the zeros before a postal code.

    Parameters
    ----------
    parsed
        The values.

    Returns
    -------
    written
        str of shape (n_values,); None for one that is null or cannot be read.
    """
    canonical = parsed.canonical.tolist()
    if isinstance(parsed, ParsedDates):
        years = zip(canonical, parsed.short.tolist(), parsed.parts[:, 0].tolist(), strict=True)
        return text_array(
            f"{_whole_year(year)}{text[SHORT_YEAR:]}" if is_short else text
            for text, is_short, year in years
        )
    if isinstance(parsed, ParsedPhones):
        numbers = zip(canonical, parsed.national, parsed.extension, strict=True)
        return text_array(
            text and f"{national.lstrip('0')} {extension}".strip()
            for text, national, extension in numbers
        )
    if isinstance(parsed, ParsedPostcodes):
        return text_array(
            text and (bare or text) for text, bare in zip(canonical, parsed.bare, strict=True)
        )
    return parsed.canonical


def _whole_year(short: int) -> int:
    """The year that two digits stand for where nothing else tells."""
    return USUAL.start + (short - USUAL.start) % 100
