"""Matcher: a reference that is encoded once and matched many times."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Self, cast, overload

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.calibration_summary import CalibrationSummary
from pearljoin._errors import InputError
from pearljoin._fitted.calibrated_table import calibrate_table, calibrated_on
from pearljoin._fitted.changed_rows import with_rows, without_rows
from pearljoin._fitted.checked_folder import refuse_damaged
from pearljoin._fitted.fit_table import fit_table
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.left_names import left_names
from pearljoin._fitted.save_matcher import load_matcher, save_matcher
from pearljoin._fitted.saved_table import restore_table, saved_table
from pearljoin._fitted.shown import calibration_of, matcher_card, matcher_text
from pearljoin._kinds.protocol import Kind
from pearljoin._options import EncoderLike, MatchOptions, ThresholdLike, pick
from pearljoin._progress import as_work
from pearljoin._repr import call_text
from pearljoin._result import MatchResult
from pearljoin._tables.argument_hints import OF_UNJOINED, with_hints
from pearljoin._tables.distributed import engine_of
from pearljoin._tables.keys import KeyOptions, Keys
from pearljoin._tables.kinds import ColumnKinds
from pearljoin._tables.mapped_rows import as_rows
from pearljoin._tables.read_table import Table, as_table
from pearljoin._tables.single_column import named_as
from pearljoin._typing import (
    ColumnLike,
    Columns,
    ConstraintName,
    Device,
    Frame,
    FrameOut,
    PlainColumnLike,
    RowLike,
    TableLike,
    Weights,
)

__all__ = ["Matcher"]


class Matcher:
    """Looks left rows up in a reference that is encoded once.

    Parameters are those of `fuzzy_join`. Where no key column is named, the key is the reference's
    only text column, or the only one of mostly distinct values.

    Examples
    --------
    >>> import pearljoin as pj
    >>> matcher = pj.Matcher(on="title").fit(["The New York Times", "Le Monde"])
    >>> matcher.match(["le monde", "New York Times"]).matches().right
    array([1, 0])
    >>> matcher.match({"title": "le monde", "issue": 24}).matches().right
    array([1])
    >>> len(matcher)
    2
    """

    @with_hints(OF_UNJOINED, 0, "name columns: Matcher(on='a').fit(right).")
    def __init__(
        self,
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
    ) -> None:
        arguments = locals()
        self._set_options(pick(KeyOptions, arguments), pick(MatchOptions, arguments))

    @classmethod
    def _of(cls, keys: KeyOptions, options: MatchOptions) -> Self:
        """Make a matcher of options that are read already."""
        matcher = cls.__new__(cls)
        matcher._set_options(keys, options)
        return matcher

    def _set_options(self, keys: KeyOptions, options: MatchOptions) -> None:
        self._keys = keys
        self._options = options
        self._fitted: FittedTable | None = None
        self._adding = threading.Lock()  # held while the reference changes

    def __getstate__(self) -> dict[str, Any]:
        # A lock is neither pickled nor copied; each copy adds by itself.
        return {name: value for name, value in vars(self).items() if name != "_adding"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        return matcher_text(call_text(self, self._keys, self._options), self._fitted)

    def _repr_html_(self) -> str:
        return matcher_card(call_text(self, self._keys, self._options), self._fitted)

    def __len__(self) -> int:
        """Return the number of rows of the reference: 0 before `fit`."""
        return 0 if self._fitted is None else self._fitted.right.n_rows

    def fit(self, right: TableLike) -> Self:
        """Encode the reference.

        Parameters
        ----------
        right
            A table, a single column, or a sequence of strings, which `on` or `right_on` names.

        Raises
        ------
        InputError
            If a key column is missing or cannot be compared.
        TableTypeError
            If `right` is of a kind that is not read.
        """
        name = self._keys.on if self._keys.right_on is None else self._keys.right_on
        return self._fit(named_as(name, as_table(right, "right")), learn=True)

    @as_work
    def _fit(
        self,
        right: Table,
        keys: Keys | None = None,
        corpus: Sequence[str] = (),
        *,
        learn: bool = False,
    ) -> Self:
        """Read the reference, as of `fit_table`; with `learn`, calibrate on it."""
        fitted = fit_table(right, self._keys, self._options, paired=keys, corpus=corpus)
        self._fitted = fitted.frozen() if learn else fitted
        if learn:  # else a join is to learn of both tables, and warns then
            self._fitted.warn_of_repeated()
        return self

    @overload
    def match(self, left: Frame) -> MatchResult[Frame]: ...
    @overload
    def match(self, left: ColumnLike[FrameOut]) -> MatchResult[FrameOut]: ...
    @overload
    def match(self, left: PlainColumnLike | RowLike) -> MatchResult[Any]: ...
    def match(self, left: TableLike | RowLike) -> MatchResult[Any]:
        """Look rows up in the reference.

        Parameters
        ----------
        left
            A table of any kind, a single column or a sequence of strings, which is the one key
            column whatever that is called. One row may be a mapping of columns to values, and
            several a list of these, or of tuples of the key columns' values.

        Returns
        -------
        result
            Candidates and scores, to be decided on.

        Raises
        ------
        InputError
            If the matcher is not fitted, or a key column is missing or cannot be compared.
        TableTypeError
            If `left` is of a kind that is not read.
        """
        if (engine := engine_of(left)) is not None:
            return cast("MatchResult[Any]", engine.match_fitted(self, left))
        return self._match(self._read_left(left))

    def _read_left(self, left: TableLike | RowLike) -> Table:
        fitted = self._check_fitted()
        return as_rows(left, "left", left_names(self._keys, fitted.names), fitted.right, self._keys)

    @as_work
    def _match(
        self, left: Table, keys: Keys | None = None, kinds: ColumnKinds | None = None
    ) -> MatchResult[Any]:
        """Match rows by what was learned; the parameters are those of `FittedTable.compare`."""
        fitted = self._check_fitted()
        keys = fitted.keys_with(left, self._keys) if keys is None else keys
        kinds = fitted.kinds_for(left, keys) if kinds is None else kinds
        is_new = not fitted.has_learned(kinds)
        comparison = fitted.compare(left, keys, kinds=kinds)
        if is_new:  # times are met by their day beside days, and may have one in common
            fitted.warn_of_repeated(kinds)
        return self._result(left, keys, fitted, comparison, warns=False)

    @as_work
    def _calibrate_and_match(self, left: Table, keys: Keys) -> MatchResult[Any]:
        """Match rows, and calibrate on them first."""
        comparison, self._fitted = calibrate_table(self._check_fitted(), left, keys)
        self._fitted.warn_of_repeated()
        return self._result(left, keys, self._fitted, comparison, warns=True)

    def _result(
        self, left: Table, keys: Keys, fitted: FittedTable, comparison: Comparison, *, warns: bool
    ) -> MatchResult[Any]:
        kinds, fields = fitted.frozen_kinds, comparison.right.beside(comparison.left)
        keys = keys.with_kinds(fields, *kinds.left_out_and_read)
        return MatchResult(left, fitted.right, keys, comparison, self._options, warns=warns)

    @as_work
    def calibrate(self, left_sample: TableLike | RowLike) -> Self:
        """Learn calibration and threshold from rows of the left side.

        Distinct rows count once, at most 2,000 of them, chosen by their content. What is learned
        replaces an earlier calibration, and is frozen until the next one.

        Parameters
        ----------
        left_sample
            Rows such as will be looked up, as `match` takes them.

        Returns
        -------
        matcher
            Itself.

        Raises
        ------
        InputError
            If the matcher is not fitted, no row has a key, or a key column is missing.
        TableTypeError
            If `left_sample` is of a kind that is not read.

        Examples
        --------
        >>> import pearljoin as pj
        >>> matcher = pj.Matcher().fit(["The New York Times", "Le Monde", "Die Zeit"])
        >>> matcher.calibrate(["NY Times", "Monde"]).calibration.n_left
        2
        """
        left = self._read_left(left_sample)
        # Rows that another thread adds meanwhile must not be lost.
        with self._adding:
            fitted = self._check_fitted()
            self._fitted = calibrated_on(fitted, left, fitted.keys_with(left, self._keys))
        return self

    def refit(self) -> Self:
        """Fit again on the reference as it is now, with the rows that were added.

        Returns
        -------
        matcher
            Itself, without the calibration of other rows.

        Raises
        ------
        InputError
            If the matcher is not fitted.
        """
        with self._adding:
            return self._fit(self._check_fitted().right, learn=True)

    @property
    def calibration(self) -> CalibrationSummary:
        """What was learned and frozen; raises InputError if the matcher is not fitted."""
        return calibration_of(self._check_fitted())

    def add(self, phrases: TableLike | RowLike) -> Self:
        """Append rows to the reference; only what is new is encoded.

        What was learned stays as it is: see `refit`.

        Parameters
        ----------
        phrases
            Key values, or rows that have the key columns, as `match` takes them. Columns that are
            not given are null; each keeps its type.

        Returns
        -------
        matcher
            Itself. A match that is under way in another thread sees the old or the new reference.

        Raises
        ------
        InputError
            If the matcher is not fitted, a key column is missing, or types do not go together.
        """
        with self._adding:
            fitted = self._check_fitted()
            more = as_rows(phrases, "right", fitted.names.keys, fitted.right)
            self._fitted = with_rows(fitted, more)
            self._fitted.warn_of_repeated(added_to=fitted.right.n_rows)
        return self

    def remove(self, phrases: TableLike | RowLike) -> Self:
        """Take rows out of the reference; nothing is encoded.

        What was learned stays as it is: see `refit`.

        Parameters
        ----------
        phrases
            Key values, or rows that have the key columns, as of `add`. Every row of the reference
            that has one of these keys, as it stands, is removed.

        Returns
        -------
        matcher
            Itself. A match that is under way in another thread sees the old or the new reference.

        Raises
        ------
        InputError
            If the matcher is not fitted, a key column is missing, a key is of no row, or no row
            would be left.

        Examples
        --------
        >>> import pearljoin as pj
        >>> matcher = pj.Matcher().fit(["The New York Times", "Le Monde", "Die Zeit"])
        >>> matcher.remove(["Le Monde"]).match(["die zeit"]).matches().right
        array([1])
        """
        with self._adding:
            fitted = self._check_fitted()
            gone = as_rows(phrases, "right", fitted.names.keys, fitted.right)
            self._fitted = without_rows(fitted, gone)
        return self

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the encoded reference to a folder of plain files.

        The reference is kept whole, as an Arrow IPC file (pandas and Arrow tables need pyarrow): a
        loaded matcher joins as this one does. A column that is not compared and that Arrow cannot
        hold is left out, with a warning. The encoder is kept by name, without its weights. A
        matcher saved there before is replaced whole or not at all, while others may load it.

        Parameters
        ----------
        folder
            A new or empty folder, or one that `save` wrote before.

        Raises
        ------
        InputError
            If the matcher is not fitted, the folder cannot be written, or a column, a key's name or
            a threshold is of a type that cannot be saved.
        MissingExtraError
            If pyarrow is needed and not installed.
        """
        save_matcher(folder, saved_table(self._keys, self._check_fitted()))

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, encoder: EncoderLike | None = None) -> Self:
        """Read a matcher that `save` wrote.

        Parameters
        ----------
        folder
            Where it was saved.
        encoder
            The encoder it was made with, where that was an object rather than a name.

        Raises
        ------
        ModelError
            If the folder is missing, damaged or of another kind, or the encoder is not the one that
            the matcher was made with.
        InputError
            If the encoder was an object and is not given.
        MissingExtraError
            If the dataframe library of the reference is not installed.
        """
        saved = load_matcher(folder, encoder)
        matcher = cls._of(saved.keys, saved.options)
        with refuse_damaged(folder):
            matcher._fitted = restore_table(saved)
        return matcher

    def _check_fitted(self) -> FittedTable:
        if self._fitted is None:
            raise InputError("The matcher has no reference yet. Hint: call .fit(right) first.")
        return self._fitted
