"""Matcher: a reference that is encoded once and matched many times."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self, overload

from pearljoin._comparison import Reference
from pearljoin._decision.thresholds import FALLBACK
from pearljoin._devices import encoder_device, search_device
from pearljoin._encoders import Encoder, load_encoder
from pearljoin._errors import InputError, ModelError
from pearljoin._match_log import fitted_text
from pearljoin._matcher_store import SavedMatcher, damaged_matcher, load_matcher, save_matcher
from pearljoin._options import EncoderLike, MatchOptions, ThresholdLike, pick, read_weights
from pearljoin._progress import as_work
from pearljoin._records.duplicates import warn_of_repeated
from pearljoin._records.similarity import PhraseVectors
from pearljoin._repr import call_text
from pearljoin._result import MatchResult
from pearljoin._search.vectors import nearly_equal
from pearljoin._tables.adding import add_rows
from pearljoin._tables.keys import (
    ColumnNames,
    KeyOptions,
    Keys,
    pair_keys,
    resolve_reference,
)
from pearljoin._tables.kinds import ColumnKinds, column_kinds, joint_kinds, read_records
from pearljoin._tables.read_table import Table, as_table
from pearljoin._tables.unequal_values import warn_of_unequal
from pearljoin._typing import (
    ColumnLike,
    Columns,
    ConstraintName,
    Device,
    Frame,
    FrameOut,
    PlainColumnLike,
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
    >>> matcher = pj.Matcher(threshold=0.4).fit(["The New York Times", "Le Monde"])
    >>> matcher.match(["le monde", "New York Times"]).matches().right
    array([1, 0])
    """

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
        threshold: ThresholdLike = "auto",
        precision: float = 0.9,
        constraint: ConstraintName = "many_to_one",
        k: int | None = None,
        weights: Weights | None = None,
        encoder: EncoderLike = "default",
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
        self._encoder: Encoder | None = None
        self._fitted: _Fitted | None = None
        self._adding = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        # A lock is neither pickled nor copied; each copy adds by itself.
        return {name: value for name, value in vars(self).items() if name != "_adding"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._adding = threading.Lock()

    def __repr__(self) -> str:
        call, fitted = call_text(self, self._keys, self._options), self._fitted
        return call if fitted is None else fitted_text(call, fitted.right.n_rows, fitted.names)

    def fit(self, right: TableLike) -> Self:
        """Encode the reference.

        Parameters
        ----------
        right
            A table, a single column, or a sequence of strings.

        Raises
        ------
        InputError
            If a key column is missing or cannot be compared.
        TableTypeError
            If `right` is of a kind that is not read.
        """
        return self._fit(as_table(right, "right"))

    @as_work
    def _fit(self, right: Table, keys: Keys | None = None, corpus: Sequence[str] = ()) -> Self:
        """Encode the reference.

        Parameters
        ----------
        right
            The reference.
        keys
            What is compared, where that is known already.
        corpus
            Text that an unfitted encoder is fitted on beside the reference's.
        """
        if keys is None:
            names, guessed = resolve_reference(right, self._keys)
        else:
            names, guessed = keys.right_names, keys.guessed
        kinds = column_kinds(right, names)
        self._encoder = None
        fitted = _Fitted(right, names, guessed, kinds, {})
        self._reference(fitted, kinds, corpus=corpus)
        self._fitted = fitted
        return self

    def _reference(
        self,
        fitted: _Fitted,
        kinds: ColumnKinds,
        *,
        corpus: Sequence[str] = (),
        known: Sequence[Any] | None = None,
    ) -> Reference:
        """The reference with its columns read as `kinds`, encoded on first use."""
        if kinds not in fitted.references:
            records = read_records(
                fitted.right, fitted.names, kinds, nulls_equal=self._options.nulls_equal
            )
            fields = [field for field in records.fields if field.kind == "text"]
            texts = [str(value) for field in fields for value in field.values]
            encoder = self._load_encoder([*texts, *corpus]) if fields else None
            device = search_device(self._options.device)
            fitted.references[kinds] = Reference(
                records, encoder, device=device, known=fitted.known if known is None else known
            )
        return fitted.references[kinds]

    def _load_encoder(self, texts: Sequence[str]) -> Encoder:
        if self._encoder is None:
            options = self._options
            self._encoder = load_encoder(
                options.encoder,
                corpus=texts,
                device=encoder_device(options.device),
                batch_size=options.batch_size,
                verbose=options.verbose,
            )
        return self._encoder

    @overload
    def match(self, left: Frame) -> MatchResult[Frame]: ...
    @overload
    def match(self, left: ColumnLike[FrameOut]) -> MatchResult[FrameOut]: ...
    @overload
    def match(self, left: PlainColumnLike) -> MatchResult[Any]: ...
    def match(self, left: TableLike) -> MatchResult[Any]:
        """Look rows up in the reference.

        Parameters
        ----------
        left
            A table, a single column, or a sequence of strings; it need not be of the reference's
            kind.

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
        return self._match(as_table(left, "left"))

    @as_work
    def _match(
        self, left: Table, keys: Keys | None = None, *, scored: bool = True
    ) -> MatchResult[Any]:
        """Look rows up; `keys` says what is compared, where that is known already."""
        fitted = self._check_fitted()
        if keys is None:
            keys = pair_keys(left, fitted.right, fitted.names, self._keys, guessed=fitted.guessed)
        kinds = joint_kinds(left, fitted.right, fitted.kinds, keys)
        reference = self._reference(fitted, kinds)
        records = read_records(left, keys.left_names, kinds, nulls_equal=self._options.nulls_equal)
        warn_of_unequal(records, reference.records, keys, kinds)
        weights = read_weights(self._options.weights, keys.left)
        learned = scored and self._options.weights is None
        comparison = reference.compare(records, weights, scored=scored, learned=learned)
        fallback = getattr(reference.encoder, "fallback_threshold", None) or FALLBACK
        if scored and self._options.constraint == "many_to_one":
            warn_of_repeated(reference.repeated, fitted.right.n_rows)
        return MatchResult(
            left,
            fitted.right,
            keys,
            comparison,
            self._options,
            float(fallback),
            reference.repeated,
        )

    def add(self, phrases: TableLike) -> Self:
        """Append rows to the reference; only what is new is encoded.

        Parameters
        ----------
        phrases
            Key values (a sequence of strings or a column), or a table that has the key columns.
            Columns of the reference that are not given are null.

        Returns
        -------
        matcher
            Itself. A match that is under way in another thread sees the old or the new reference.

        Raises
        ------
        InputError
            If the matcher is not fitted, a key column is missing, or the rows' types do not go with
            the reference's.
        """
        # Two threads that add must not lose each other's rows.
        with self._adding:
            fitted = self._check_fitted()
            more = as_table(phrases, "right")
            longer, kinds = add_rows(fitted.right, more, fitted.names, fitted.kinds)
            replacement = _Fitted(longer, fitted.names, fitted.guessed, kinds, {})
            self._reference(replacement, kinds, known=fitted.known)
            self._fitted = replacement
            return self

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the encoded reference to a folder of plain files.

        The reference is kept whole, as an Arrow IPC file: a loaded matcher joins as this one does.
        pandas and Arrow tables need pyarrow for it. A column that is not compared and that Arrow
        cannot hold is left out, with a warning. The encoder is kept by name; its weights are not
        copied. A matcher that was saved there before is replaced whole or not at all, and may be
        loaded by other processes meanwhile.

        Parameters
        ----------
        folder
            A new or empty folder, or one that `save` wrote before and that holds nothing else.

        Raises
        ------
        InputError
            If the matcher is not fitted, the folder cannot be written, or a compared column, the
            index, a key's name or a threshold is of a type that cannot be saved.
        MissingExtraError
            If pyarrow is needed and not installed.
        """
        fitted = self._check_fitted()
        vectors = [
            PhraseVectors(known.texts, known.vectors, known.covered)
            if isinstance(known, PhraseVectors)
            else None
            for known in fitted.known or ()
        ]
        save_matcher(
            folder,
            SavedMatcher(
                self._keys,
                self._options,
                fitted.right,
                fitted.names,
                fitted.guessed,
                fitted.kinds,
                vectors,
            ),
        )

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
        try:
            matcher._restore(saved)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, ModelError):
                raise
            raise damaged_matcher(folder, repr(error)) from error
        return matcher

    def _restore(self, saved: SavedMatcher) -> None:
        """Take over what `save` kept."""
        kinds = saved.kinds
        fitted = _Fitted(saved.right, saved.names, saved.guessed, kinds, {})
        self._check_encoder(saved.vectors)
        self._reference(fitted, kinds, known=saved.vectors)
        self._fitted = fitted

    def _check_encoder(self, known: Sequence[PhraseVectors | None]) -> None:
        """Encode one saved phrase again: another encoder's vectors must not be mixed in."""
        for vectors in known:
            if vectors is None or not len(vectors.texts):
                continue
            encoder = self._load_encoder(vectors.texts)
            fresh = encoder.encode(vectors.texts[:1])
            if not nearly_equal(fresh, vectors.vectors[:1], atol=1e-3):
                raise ModelError(
                    "The encoder is not the one that the matcher was saved with: it gives "
                    f"{vectors.texts[0]!r} another vector. Hint: load with the same encoder, or "
                    "fit the matcher again."
                )

    def _check_fitted(self) -> _Fitted:
        if self._fitted is None:
            raise InputError("The matcher has no reference yet. Hint: call .fit(right) first.")
        return self._fitted


@dataclass(frozen=True)
class _Fitted:
    """The reference and how it was read; replaced whole, never changed in place."""

    right: Table
    names: ColumnNames
    guessed: bool
    kinds: ColumnKinds
    references: dict[ColumnKinds, Reference]

    @property
    def known(self) -> Sequence[Any] | None:
        """By key column what is encoded already; None before anything is."""
        encoded = self.references.get(self.kinds)
        return None if encoded is None else encoded.values
