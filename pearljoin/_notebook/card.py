"""Cards of HTML: a title, facts, tables and bars. All text is escaped.

Colours are inherited or half transparent, so that a card is legible on light and on dark ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["bars", "card", "table"]

CARD = (
    "border:1px solid rgba(127,127,127,.45);border-radius:6px;padding:8px 14px;max-width:62em;"
    "overflow-x:auto;line-height:1.45"
)
CELL = "text-align:left;padding:2px 14px 2px 0;vertical-align:top"
TABLE = "border-collapse:collapse;margin:6px 0 0;font-size:inherit"
NARROW = 14
"""Characters of a cell that is not broken within words on a narrow page."""

LONGEST = 80
"""Characters of a cell that is shown."""

WIDEST = 180
"""Pixels of the longest bar."""

FOR, AGAINST = "#168a80", "#c9622f"
"""Colours of bars, legible on light and on dark ground."""


def card(title: str, facts: Sequence[tuple[str, str]], *parts: str) -> str:
    """Return a card.

    Parameters
    ----------
    title
        Its heading.
    facts
        Name and value of each, as text.
    parts
        More HTML, from `table` and `bars`.
    """
    listed = " · ".join(f"{escape(name)} <b>{escape(value)}</b>" for name, value in facts)
    return (
        f'<div style="{CARD}"><div><strong>{escape(title)}</strong></div>'
        f"<div>{listed}</div>{''.join(parts)}</div>"
    )


def table(caption: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts."""
    head = "".join(f'<th scope="col" style="{CELL}">{escape(name)}</th>' for name in headings)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{_style(c)}"><bdi>{_cell(c)}</bdi></td>' for c in row)
        + "</tr>"
        for row in rows
    )
    return (
        f'<table style="{TABLE}"><caption style="text-align:left">{escape(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def bars(steps: Sequence[tuple[str, float]], unit: str) -> str:
    """Return a bar for each effect, with its number.

    Parameters
    ----------
    steps
        Name and effect of each.
    unit
        Of the effects.
    """
    largest = max((abs(effect) for _, effect in steps), default=0.0) or 1.0
    rows = []
    for name, effect in steps:
        width = round(WIDEST * abs(effect) / largest)
        bar = (
            f'<span style="display:inline-block;height:.7em;width:{width}px;'
            f'background:{FOR if effect >= 0 else AGAINST}"></span>'
        )
        rows.append(
            f'<tr><td style="{CELL}">{_cell(name)}</td>'
            f'<td style="{CELL};text-align:right">{effect:+.2f}</td>'
            f'<td style="{CELL}">{bar}</td></tr>'
        )
    return (
        f'<table style="{TABLE}"><caption style="text-align:left">'
        f"for and against, in {escape(unit)}</caption><tbody>{''.join(rows)}</tbody></table>"
    )


def _style(text: str) -> str:
    return f"{CELL};overflow-wrap:anywhere" if len(text) > NARROW else CELL


def _cell(text: str) -> str:
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
