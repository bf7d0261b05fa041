"""find_duplicates(): pairs of rows of one entity, and clusters of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Unpack, cast, overload

from pearljoin._clusters.limits import Limits, units_of
from pearljoin._clusters.similar_pairs import SimilarPairs
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._dedupe.options import ConstraintOptions, FindArguments
from pearljoin._dedupe.result import DedupeResult
from pearljoin._errors import InputError
from pearljoin._fitted.fit_table import fit_table
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._kinds.protocol import Kind
from pearljoin._options import EncoderLike, MatchOptions, ThresholdLike, pick
from pearljoin._progress import work
from pearljoin._tables.argument_hints import OF_FINDING, with_hints
from pearljoin._tables.distributed import engine_of
from pearljoin._tables.keys import KeyOptions, Keys
from pearljoin._tables.no_table import are_several
from pearljoin._tables.read_table import ONLY, Table, as_table
from pearljoin._tables.stacking import stack_tables
from pearljoin._tables.unequal_values import warn_of_case_within
from pearljoin._typing import (
    ColumnLike,
    Columns,
    Device,
    Frame,
    FrameOut,
    PlainColumnLike,
    TableLike,
    Weights,
)

__all__ = ["find_duplicates", "find_in_table", "read_tables"]


@overload
def find_duplicates(table: Frame, **options: Unpack[FindArguments]) -> DedupeResult[Frame]: ...
@overload
def find_duplicates(
    table: Sequence[Frame], **options: Unpack[FindArguments]
) -> DedupeResult[Frame]: ...
@overload
def find_duplicates(
    table: ColumnLike[FrameOut], **options: Unpack[FindArguments]
) -> DedupeResult[FrameOut]: ...
@overload
def find_duplicates(
    table: PlainColumnLike, **options: Unpack[FindArguments]
) -> DedupeResult[Any]: ...
@with_hints(OF_FINDING, 1, "find_duplicates([left, right]) takes several tables.")
def find_duplicates(
    table: TableLike | Sequence[TableLike],
    *,
    on: Columns | None = None,
    by: Columns | None = None,
    veto: Columns | None = None,
    kinds: Mapping[Any, Kind] | None = None,
    geo: tuple[Any, Any] | None = None,
    phone_region: str | None = None,
    threshold: ThresholdLike = "auto",
    precision: float = 0.9,
    cannot_link: Any = (),
    must_link: Any = (),
    one_per: Hashable | None = None,
    max_size: int | None = None,
    sources: Sequence[str] | None = None,
    weights: Weights | None = None,
    encoder: EncoderLike = "auto",
    nulls_equal: bool = False,
    device: Device = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> DedupeResult[Any]:
    """Find rows that name the same entity, in one or several tables.

    Rows are compared pair by pair: the score of a pair is the probability that both are the same
    thing, whatever other rows are. Clusters merge while the mean of the log odds between their rows
    reaches that of the threshold, so one likely pair does not chain two groups that differ. Rows
    with equal keys stay together. A row whose keys are all null is a cluster of its own.

    Parameters
    ----------
    table
        A table as in `fuzzy_join`, a single column, a sequence of strings; or a list of tables,
        whose rows are put below each other with a first column ``"source"``.
    on
        Key column or columns; default: all but those without values, row numbers, remarks and
        times of changes by their names, and codes or whole numbers that are all distinct where the
        others tell most rows apart. The log names what is left out. A name such as
        ``"first_name + last_name"`` is that of several columns, which are read as one text.
    by
        Columns that must be equal within a cluster.
    veto
        Columns of which a cluster has at most one value, nulls apart.
    threshold
        The lowest mean probability, in [0, 1], at which two clusters merge; a threshold object; or
        ``"auto"``: a rule that needs no labels, aims at `precision` and is never below 0.5. Where
        scores are similarities (with `weights`, or an encoder without a match scorer), the lowest
        similarity to the cluster's most frequent value; ``"auto"`` is then 0.75.
    precision
        The share of compared pairs that should be right, in [0, 1], for ``threshold="auto"``.
    cannot_link
        Pairs of row positions that must not share a cluster: a list of tuples, an array of shape
        (n_pairs, 2), or a table with two columns.
    must_link
        Pairs of row positions that share a cluster, whatever their scores.
    one_per
        A column of sources: a cluster has at most one row of each, nulls and blank text apart.
    max_size
        Most rows of a cluster. Of constraints that cannot all hold, the earlier one in the order
        `cannot_link`, `must_link`, `one_per`, `max_size` prevails.
    sources
        Names of the tables in a list, for the column ``"source"``. Default: "0", "1", ...
    kinds, geo, phone_region, weights, encoder, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`.

    Returns
    -------
    result
        Pairs and clusters, and the tables, explanations and reports made of them.

    Raises
    ------
    InputError
        If an argument, or what a table holds, cannot be used as given; or if constraints
        contradict each other.
    TableTypeError
        If a table is of a kind that is not read.
    ModelError, MissingExtraError
        If the encoder cannot be loaded.

    See Also
    --------
    deduplicate : The table with a cluster and a canonical value for each row.
    Deduplicator : For tables that grow.

    Examples
    --------
    >>> import pearljoin as pj
    >>> result = pj.find_duplicates(["Univ. of Oxford", "MIT", "University of Oxford"])
    >>> result.clusters()
    array([0, 1, 0])
    """
    arguments = locals()
    keys, options = pick(KeyOptions, arguments), pick(MatchOptions, arguments)
    constraints = pick(ConstraintOptions, arguments)
    engine = engine_of(table)
    if engine is not None:
        found = engine.find_duplicates(table, keys, options, constraints)
        return cast("DedupeResult[Any]", found)
    given = read_tables(table, sources)
    limits = constraints.read(given)
    return find_in_table(given, keys, options, limits, is_auto=_is_auto(threshold))[0]


def _is_auto(threshold: ThresholdLike) -> bool:
    return isinstance(threshold, str) and threshold == "auto"


def read_tables(table: Any, sources: Sequence[str] | None) -> Table:
    """Read one table, or a list of tables as one."""
    if are_several(table):
        return stack_tables(table, sources)
    if sources is not None:
        raise InputError(
            f"sources= names the tables of a list. Got {sources!r} for one table. "
            "Hint: give a list, [a, b] with sources=['a', 'b']; for a column of sources, "
            "one_per='column'."
        )
    return as_table(table, ONLY)


def find_in_table(
    table: Table,
    keys: KeyOptions,
    options: MatchOptions,
    limits: Limits,
    *,
    is_auto: bool,
) -> tuple[DedupeResult[Any], FittedTable]:
    """Compare the rows of a table, by options that are read already.

    Parameters
    ----------
    table
        The table.
    keys, options, limits
        What is compared, how, and constraints on clusters.
    is_auto
        Whether the threshold was ``"auto"``.

    Returns
    -------
    result, fitted
        The result, and the encoded table.
    """
    with work(options.verbose):
        fitted = fit_table(table, keys, options, one_table=True)
        reference = fitted.learned().reference
        warn_of_case_within(reference.records, fitted.names.by)
        # Contradictions are told before anything is compared.
        units_of(reference.records, limits)
        has_networks = reference.networks is not None
        comparison = TablePairs(reference) if has_networks else SimilarPairs(reference)
        on, by, veto = fitted.names
        pairs = Keys(on, on, by, by, veto, veto, guessed=fitted.guessed)
        pairs = pairs.with_kinds(reference.records.fields)
        result: DedupeResult[Any] = DedupeResult(
            table, pairs, comparison, options, limits, is_auto=is_auto
        )
        return result, fitted
