"""What a report says: plain texts and numbers, ready for the template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "CLUSTER_WORDS",
    "LONGEST_TEXT",
    "ROWS_TEXT",
    "Group",
    "Member",
    "ReportContent",
    "Words",
    "cleaned",
    "percent",
]

LONGEST_TEXT = 300
"""Characters of a text that a report shows."""

ROWS_TEXT = " Rows are counted from 0, the first below the column names."


@dataclass(frozen=True)
class Member:
    """A row in a group, as text, and what is said of it."""

    text: str
    hint: str


@dataclass(frozen=True)
class Group:
    """Rows that belong together.

    Attributes
    ----------
    name
        The row that they share, or the cluster's canonical value.
    n_text
        How many there are, in words.
    members
        The rows that are shown.
    more
        How many are not.
    weakest, weakest_text
        The two rows of the least probable link within a cluster, and what is said of it.
    golden
        Fields of a cluster's golden record: name, and value with where it came from.
    """

    name: str
    n_text: str
    members: Sequence[Member]
    more: int = 0
    weakest: Sequence[Member] = ()
    weakest_text: str = ""
    golden: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Words:
    """What a join and a deduplication call what was found.

    Attributes
    ----------
    matched
        What the pairs or rows that are counted have in common.
    match, none
        Outcomes of a pair.
    matches, others
        All pairs of these outcomes.
    how
        Heading of how it was made.
    call
        The function that takes a threshold, in Python.
    """

    matched: str = "matched"
    match: str = "match"
    none: str = "no match"
    matches: str = "matches"
    others: str = "no match: nearest candidates"
    how: str = "How it was joined"
    call: str = "match"


CLUSTER_WORDS = Words(
    matched="in one cluster",
    match="one cluster",
    none="apart",
    matches="in one cluster",
    others="apart: in different clusters",
    how="How duplicates were found",
    call="find_duplicates",
)
"""Those of a deduplication."""


@dataclass(frozen=True)
class ReportContent:
    """All that a report says.

    Attributes
    ----------
    title, lead
        Heading, and the join in one sentence.
    figures
        Name, value and hint of each figure at the top.
    how
        Name and value of each fact on how it was joined.
    threshold
        The threshold in force, in [0, 1].
    unit_name
        What matches are counted in: left rows, or pairs of rows.
    left_heading, right_heading
        Of the table of pairs.
    has_expectation
        Whether expected precision and recall are known.
    histogram_caption, histogram_text, pairs_text
        Sentences above the charts and the table.
    labels_command
        The command that uses labels.
    measured
        The precision that labels measured, in a sentence; empty without labels.
    caveat
        What the figures leave out; empty where nothing.
    groups, groups_text
        Right rows with several left rows.
    clusters, clusters_text
        Clusters of a deduplication.
    lonely, lonely_text
        Left rows without candidates.
    steps, steps_text
        Name and meaning of the steps of a waterfall, and how to read one.
    words
        What things are called.
    threshold_step, least_threshold
        Of the slider, in [0, 1].
    data
        What the scripts read, for JSON.
    """

    title: str
    lead: str
    figures: Sequence[tuple[str, str, str]]
    how: Sequence[tuple[str, str]]
    threshold: float
    unit_name: str
    left_heading: str
    right_heading: str
    has_expectation: bool
    histogram_caption: str
    histogram_text: str
    pairs_text: str
    labels_command: str
    data: dict[str, Any]
    measured: str = ""
    caveat: str = ""
    groups: Sequence[Group] = field(default=())
    groups_text: str = ""
    clusters: Sequence[Group] = field(default=())
    clusters_text: str = ""
    lonely: Sequence[Member] = field(default=())
    lonely_text: str = ""
    steps: Sequence[tuple[str, str]] = ()
    steps_text: str = ""
    words: Words = Words()
    threshold_step: float = 0.005
    least_threshold: float = 0.0


def cleaned(text: str) -> str:
    """Replace what UTF-8 cannot hold, and cut what is too long to show.

    Examples
    --------
    >>> cleaned("a" + chr(0xD800)), cleaned("b" * 301)[-2:]
    ('a?', 'b…')
    """
    if len(text) > LONGEST_TEXT:
        text = f"{text[: LONGEST_TEXT - 1]}…"
    return text.encode("utf-8", "replace").decode("utf-8")


def percent(share: float) -> str:
    """Write a share in percent.

    Examples
    --------
    >>> percent(0.8935)
    '89.3 %'
    """
    return f"{100 * share:.1f} %"
