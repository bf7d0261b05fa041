"""fuzzy_join and match: thin functions over Matcher and MatchResult."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, cast, overload

from pearljoin._kinds.protocol import Kind
from pearljoin._matcher import Matcher
from pearljoin._options import (
    EncoderLike,
    JoinArguments,
    MatchArguments,
    MatchOptions,
    ThresholdLike,
    pick,
    read_how,
)
from pearljoin._progress import work
from pearljoin._result import MatchResult
from pearljoin._tables.argument_hints import OF_MATCHING, OF_UNJOINED, with_hints
from pearljoin._tables.columns import texts_of
from pearljoin._tables.distributed import engine_of
from pearljoin._tables.keys import KeyOptions, Keys, resolve_keys
from pearljoin._tables.output import check_result
from pearljoin._tables.read_table import Table, as_table
from pearljoin._typing import (
    ColumnLike,
    Columns,
    ConstraintName,
    Device,
    Frame,
    FrameOut,
    HowName,
    PlainColumnLike,
    TableLike,
    Weights,
)

__all__ = ["fuzzy_join", "match"]


@overload
def fuzzy_join(left: Frame, right: TableLike, **options: Unpack[JoinArguments]) -> Frame: ...
@overload
def fuzzy_join(
    left: ColumnLike[FrameOut], right: TableLike, **options: Unpack[JoinArguments]
) -> FrameOut: ...
@overload
def fuzzy_join(
    left: PlainColumnLike, right: TableLike, **options: Unpack[JoinArguments]
) -> Any: ...
@with_hints(OF_MATCHING, 2, "name columns: fuzzy_join(left, right, left_on='a', right_on='b').")
def fuzzy_join(
    left: TableLike,
    right: TableLike,
    *,
    on: Columns | None = None,
    left_on: Columns | None = None,
    right_on: Columns | None = None,
    by: Columns | None = None,
    left_by: Columns | None = None,
    right_by: Columns | None = None,
    veto: Columns | None = None,
    kinds: Mapping[Any, Kind] | None = None,
    geo: tuple[Any, Any] | None = None,
    phone_region: str | None = None,
    how: HowName = "left",
    threshold: ThresholdLike = "auto",
    precision: float = 0.9,
    constraint: ConstraintName = "many_to_one",
    k: int | None = None,
    weights: Weights | None = None,
    encoder: EncoderLike = "auto",
    suffix: str | Sequence[str] = "_right",
    score: str | None = "match_score",
    nulls_equal: bool = False,
    device: Device = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> Any:
    """Join two tables whose keys name the same entities differently.

    Each left row is looked up in the right table, the reference.

    Parameters
    ----------
    left, right
        pandas DataFrame, polars DataFrame or LazyFrame, or pyarrow Table; they may differ in kind.
    on, left_on, right_on
        Key columns: a name or a list of names. Text is compared by meaning and spelling, numbers
        and dates by closeness, booleans and (beside other keys) short codes exactly. A name such as
        ``"first_name + last_name"`` is that of several columns, which are read as one text. Without
        them they are guessed, and ``result.keys`` of `match` and the log name them: the columns
        that both tables share, as in `pandas.merge`, but for row numbers, remarks and times of
        changes; else those that hold the same facts under other names. Where none tell which rows
        are meant, or several could, the error lists them.
    by, left_by, right_by
        Columns that must be equal for two rows to match. Text is compared as it stands: values that
        differ in their case alone are counted in a warning. Text that is all whole numbers without
        leading zeros is read as numbers beside numbers; other columns of unlike kinds are refused.
    veto
        Columns in which two different values forbid a match, and a null forbids nothing: key
        columns by their left name, or columns that both tables have. Text is compared normalised;
        kinds are compared as in `by`. Unlike `by`, they need not be filled in.
    kinds
        Kinds of key columns, by left name, where they are not to be recognised: ``"name"`` (names
        and short text), ``"text"``, ``"person"``, ``"address"``, ``"date"``, ``"email"``,
        ``"phone"``, ``"postcode"``, ``"code"``, ``"number"``, ``"category"`` or ``"list"``.
    geo
        Latitude and longitude in degrees, two key columns that are compared as one: key columns by
        their left name, or columns that both tables have. Default: recognised by name and range.
    phone_region
        Country of phone numbers without a country code, such as ``"GB"``. Key columns of numbers
        that are in use there are recognised, however they are grouped.
    how
        ``"left"``, ``"inner"``, ``"right"``, ``"full"`` (or ``"outer"``), ``"semi"`` or ``"anti"``.
    threshold
        The lowest score that counts as a match, in [0, 1]; a threshold object; or ``"auto"``: a
        rule that needs no labels and aims at `precision`.
    precision
        The share of matches that should be right, in [0, 1], for ``threshold="auto"``.
    constraint
        ``"many_to_one"`` (``"m:1"``): each left row has at most one match. ``"one_to_one"``
        (``"1:1"``): each right row too, by the best assignment. ``"many_to_many"`` (``"m:m"``): all
        pairs that reach the threshold; where scores are probabilities, of those among each row's
        nearest, 20 by meaning and 20 by spelling (in a right table of over 50,000
        rows 5, or 8 by several columns).
    k
        Under many_to_many, the most matches of a left row; None for no limit.
    weights
        What each key column counts for: numbers in their order, or by name, where a column that is
        left out counts 1; a score is then the weighted mean of the columns' similarities. Default:
        what each of several columns counts for is learned from the tables, and a score is the
        probability of a match.
    encoder
        ``"auto"``: pearl-mini up to 50,000 distinct phrases of the right table, and pearl-nano
        beyond. Else a bundled name, a model folder, a hub id, or an object with ``encode``.
    suffix
        For the right's columns whose names the left has too; or a pair, for the left's and the
        right's.
    score
        Name of the score column; None leaves it out.
    nulls_equal
        Whether null keys match each other. Empty and blank strings are null. In a key of several
        columns a null counts neither for nor against a match; a row of nulls alone matches nothing.
    device
        Where to encode and to search. ``"cpu"``; ``"cuda"``: search on a GPU, and encode there if
        the model can run there (one of the hub, or a folder with ``model.safetensors``), else on
        the CPU, as the bundled model does; ``"auto"``: use a GPU for such a model, if there is one.
    batch_size
        Phrases encoded at once; it changes the speed and nothing else.
    verbose
        None: progress bars on a terminal for what takes more than a few seconds. True: always.
        False: never.

    Returns
    -------
    table
        Of the left table's kind (lazy where it was lazy), in left order; a pandas index survives in
        left, inner, semi and anti joins. Both key columns stay; `by` columns are merged. The score
        is null where nothing matched, and 1 for equal keys only. Unmatched right rows come last.

    Raises
    ------
    InputError
        If an argument, or what a table holds, cannot be used as given.
    TableTypeError
        If a table is of a kind that is not read.
    ModelError, MissingExtraError
        If the encoder cannot be loaded.

    See Also
    --------
    match : The same, keeping candidates and scores.
    Matcher : For a reference that is used many times.

    Examples
    --------
    >>> import pandas as pd
    >>> import pearljoin as pj
    >>> left = pd.DataFrame({"name": ["NY Times", "Le Monde", "Apple pie"]})
    >>> papers = ["The New York Times", "Le Monde"]
    >>> right = pd.DataFrame({"name": papers, "city": ["NYC", "Paris"]})
    >>> pj.fuzzy_join(left, right, on="name", how="inner")["city"].tolist()
    ['NYC', 'Paris']
    """
    arguments = locals()
    how = read_how(how)
    engine = engine_of(left)
    if engine is not None:
        given, matching = pick(KeyOptions, arguments), pick(MatchOptions, arguments)
        return engine.match(left, right, given, matching).join(how, suffix=suffix, score=score)
    left_table, right_table = as_table(left, "left"), as_table(right, "right")
    given = pick(KeyOptions, arguments)
    keys = resolve_keys(left_table, right_table, given)
    # What is wrong with the result is reported before anything is encoded.
    check_result(left_table, right_table, keys, how=how, suffix=suffix, score=score)
    with work(verbose):
        result = _match(left_table, right_table, keys, given, pick(MatchOptions, arguments))
        return result.join(how, suffix=suffix, score=score)


@overload
def match(
    left: Frame, right: TableLike, **options: Unpack[MatchArguments]
) -> MatchResult[Frame]: ...
@overload
def match(
    left: ColumnLike[FrameOut], right: TableLike, **options: Unpack[MatchArguments]
) -> MatchResult[FrameOut]: ...
@overload
def match(
    left: PlainColumnLike, right: TableLike, **options: Unpack[MatchArguments]
) -> MatchResult[Any]: ...
@with_hints(OF_UNJOINED, 2, "name columns: match(left, right, left_on='a', right_on='b').")
def match(
    left: TableLike,
    right: TableLike,
    *,
    on: Columns | None = None,
    left_on: Columns | None = None,
    right_on: Columns | None = None,
    by: Columns | None = None,
    left_by: Columns | None = None,
    right_by: Columns | None = None,
    veto: Columns | None = None,
    kinds: Mapping[Any, Kind] | None = None,
    geo: tuple[Any, Any] | None = None,
    phone_region: str | None = None,
    threshold: ThresholdLike = "auto",
    precision: float = 0.9,
    constraint: ConstraintName = "many_to_one",
    k: int | None = None,
    weights: Weights | None = None,
    encoder: EncoderLike = "auto",
    nulls_equal: bool = False,
    device: Device = "auto",
    batch_size: int | None = None,
    verbose: bool | None = None,
) -> MatchResult[Any]:
    """Match two tables, columns or sequences; keep candidate pairs and scores.

    Parameters
    ----------
    left, right
        Tables as in `fuzzy_join`, single columns, or sequences of strings.
    on, left_on, right_on, by, left_by, right_by, veto, kinds, geo, phone_region
        As in `fuzzy_join`.
    threshold, precision, constraint, k, weights, encoder, nulls_equal, device, batch_size, verbose
        As in `fuzzy_join`. Its other options, `how`, `suffix` and `score`, are those of
        ``match(...).join()``.

    Returns
    -------
    result
        To be decided on, looked at and joined.

    Raises
    ------
    InputError, TableTypeError, ModelError, MissingExtraError
        As in `fuzzy_join`.

    Examples
    --------
    >>> import pearljoin as pj
    >>> pj.match(["Le Monde."], ["Die Zeit", "Le Monde"]).matches()
    Matches(left=[0], right=[1], score=[1.])
    """
    arguments = locals()
    engine = engine_of(left)
    if engine is not None:
        given, matching = pick(KeyOptions, arguments), pick(MatchOptions, arguments)
        return cast("MatchResult[Any]", engine.match(left, right, given, matching))
    left_table, right_table = as_table(left, "left"), as_table(right, "right")
    given = pick(KeyOptions, arguments)
    keys = resolve_keys(left_table, right_table, given)
    return _match(left_table, right_table, keys, given, pick(MatchOptions, arguments))


def _match(
    left: Table, right: Table, keys: Keys, given: KeyOptions, options: MatchOptions
) -> MatchResult[Any]:
    matcher = Matcher._of(keys.as_options(given), options)
    # An encoder that is fitted to text is fitted to both columns.
    corpus = [text for name in keys.left for text in texts_of(left.columns[name])]
    return matcher._fit(right, keys, corpus)._calibrate_and_match(left, keys)
