"""Made tables that the networks of records learn from, compared one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import TypeVar

from tqdm.auto import tqdm

from pearljoin_train.data.splits import is_held_out
from pearljoin_train.record_scorer.evidence import RecordEvidence, compute_evidence
from pearljoin_train.record_scorer.text_tables import make_text_table
from pearljoin_train.record_scorer.train_networks import View
from pearljoin_train.record_scorer.train_same_texts import compare_texts_of
from pearljoin_train.record_scorer.train_text_correction import Intervals, describe_table
from pearljoin_train.records.alias_tables import make_alias_table
from pearljoin_train.records.assemble import (
    make_duplicates,
    make_gathered,
    make_records,
    make_related,
)
from pearljoin_train.records.copied_tables import copy_carelessly
from pearljoin_train.records.lists import Split, read_lists
from pearljoin_train.records.made import MadeDuplicates, MadeTables
from pearljoin_train.records.name_tables import make_name_table
from pearljoin_train.records.serial_tables import make_serial_table
from pearljoin_train.records.session_tables import make_session_table
from pearljoin_train.records.split_tables import split_in_two
from pearljoin_train.records.written_tables import WrittenTable, read_written
from pearljoin_train.scorer.candidates import WithScorer
from pearljoin_train.scorer.joins import alias_names

__all__ = [
    "copied_tables",
    "evidence_of",
    "known_linked",
    "known_tables",
    "known_texts",
    "names_of",
    "tables_to_deduplicate",
    "to_split",
    "unseen_tables",
    "unseen_texts",
    "written_tables",
]

T = TypeVar("T")

NAME_TABLES, SERIAL_TABLES, GATHERED_TABLES = 10, 7, 7
"""For so many made records: one table of names alone, of numbered things, and with rows that were
gathered from many sources."""

FEWEST_COLUMNS = 2
"""Columns of the tables from which it is learned what one record is, at least."""

RELATED_TABLES, LARGE_TABLES, NUMBERED_TABLES, ALIAS_TABLES, SESSION_TABLES = 2, 2, 2, 4, 4
"""For so many of them: one of related things, a large one and another of related things, one of
numbered ones, one of things that go by several names, and one of what happens again."""

MOST_ROWS, MOST_LARGE = 1_000, 3_000
"""Rows of the largest made table, and of the largest of large ones and of those with gathered
rows."""

UNSEEN = 1_000
"""Added to the seed for the tables that the other networks have not seen."""


def known_tables(n: int, seed: int, encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Compare made records, of one table or of two."""
    return evidence_of("training", n, seed, encoder)


def known_linked(n: int, seed: int, encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Compare the made records of these that are of two tables."""
    return evidence_of("training", n, seed, encoder, MadeTables)


def unseen_tables(
    n: int, seed: int, encoder: WithScorer, splits: int = 0
) -> Iterator[RecordEvidence]:
    """Compare made records of two tables, of another seed, and written tables split in two."""
    made = evidence_of("training", n, seed + UNSEEN, encoder, MadeTables)
    return chain(made, _splits(splits, seed, encoder))


def _made_texts(
    describe: Callable[[MadeDuplicates, WithScorer], T | None],
    n: int,
    seed: int,
    encoder: WithScorer,
) -> Iterator[T]:
    """Make tables of one column of text, and describe those of which there is anything to say."""
    lists, names = read_lists("training"), names_of("training")
    for number in tqdm(range(n), "texts", unit="table", disable=None):
        made = make_text_table(lists, names, seed=seed * n + number, most_rows=MOST_ROWS)
        table = describe(made, encoder)
        if table is not None:
            yield table


def known_texts(n: int, seed: int, encoder: WithScorer) -> Iterator[View]:
    """Describe the pairs of made tables of one column of text."""
    return _made_texts(compare_texts_of, n, seed, encoder)


def unseen_texts(n: int, seed: int, encoder: WithScorer) -> Iterator[Intervals]:
    """Describe made tables of one column of text, of another seed, by intervals of log odds."""
    return _made_texts(describe_table, n, seed + UNSEEN, encoder)


def tables_to_deduplicate(n: int, seed: int, encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Make tables of several columns, of related and of numbered things, too; compare each."""
    lists, names = read_lists("training"), names_of("training")
    makers: list[tuple[Callable[..., MadeDuplicates], int]] = [
        (partial(make_duplicates, lists, most_rows=MOST_ROWS), 1),
        (partial(make_duplicates, lists, most_rows=MOST_LARGE), LARGE_TABLES),
        (partial(make_related, lists, most_rows=MOST_ROWS), RELATED_TABLES),
        (partial(make_related, lists, most_rows=MOST_LARGE), LARGE_TABLES),
        (partial(make_serial_table, lists), NUMBERED_TABLES),
        (partial(make_session_table, lists), SESSION_TABLES),
        (partial(make_alias_table, names, most_rows=MOST_ROWS), ALIAS_TABLES),
    ]
    drawn = [(make, number) for make, every in makers for number in range(n // every)]
    for make, number in tqdm(drawn, "tables", unit="table", disable=None):
        made = make(seed=seed * n + number)
        if len(made.table) >= FEWEST_COLUMNS:
            found = compute_evidence(made, encoder)
            if found is not None:
                yield found


def written_tables(encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Compare the written tables of several columns."""
    return _compare_written(read_written(fewest_columns=FEWEST_COLUMNS), encoder)


def copied_tables(seed: int, encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Compare the same with further rows, which were copied carelessly."""
    tables = enumerate(read_written(fewest_columns=FEWEST_COLUMNS))
    copied = (copy_carelessly(each, Random(f"copied {seed} {number}")) for number, each in tables)
    return _compare_written(copied, encoder)


def _compare_written(
    tables: Iterable[WrittenTable], encoder: WithScorer
) -> Iterator[RecordEvidence]:
    for each in tqdm(tables, "written", unit="table", disable=None):
        found = compute_evidence(each, encoder)
        if found is not None and len(found.kinds) >= FEWEST_COLUMNS:
            yield found


def to_split() -> list[WrittenTable]:
    """Read the written tables of several columns, which are split in two."""
    return list(read_written(fewest_columns=FEWEST_COLUMNS))


def _splits(splits: int, seed: int, encoder: WithScorer) -> Iterator[RecordEvidence]:
    """Compare the written tables of several columns, each split in two so often.

    Of most things such a table has one row. So that both sides may have it, each is copied.
    """
    tables = to_split() if splits else []
    for number, each in enumerate(tqdm(tables, "splits", unit="table", disable=None)):
        rng = Random(f"split full {seed} {number}")
        for _ in range(splits):
            copied = copy_carelessly(each, rng, at_least=1)
            found = compute_evidence(split_in_two(copied, rng), encoder)
            if found is not None:
                yield found


def evidence_of(
    split: Split,
    n: int,
    seed: int,
    encoder: WithScorer,
    wanted: type[MadeTables] | type[MadeDuplicates] | None = None,
) -> Iterator[RecordEvidence]:
    """Make records, and compare their candidate pairs; of two tables or of one alone if asked."""
    made = _made(split, n, seed)
    total = n + n // NAME_TABLES + n // SERIAL_TABLES + n // GATHERED_TABLES
    for each in tqdm(made, "records", total, unit="table", disable=None):
        if wanted is None or isinstance(each, wanted):
            found = compute_evidence(each, encoder)
            if found is not None:
                yield found


def names_of(split: Split) -> dict[str, dict[str, list[str]]]:
    """Read the aliases of the names of a split, by source and name."""
    held_out = split == "validation"
    return {
        source: some for source, some in alias_names().items() if is_held_out(source) == held_out
    }


def _made(split: Split, n: int, seed: int) -> Iterator[MadeTables | MadeDuplicates]:
    names = names_of(split)
    lists = read_lists(split)
    serial = (
        make_serial_table(lists, seed=seed * n + number) for number in range(n // SERIAL_TABLES)
    )
    of_names = (
        make_name_table(names, seed=seed * n + number, most_rows=MOST_ROWS)
        for number in range(n // NAME_TABLES if names else 0)
    )
    gathered = (
        make_gathered(lists, seed=seed * n + number, most_rows=MOST_LARGE)
        for number in range(n // GATHERED_TABLES)
    )
    return chain(make_records(lists, n, seed=seed, most_rows=MOST_ROWS), of_names, serial, gathered)
