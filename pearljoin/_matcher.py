"""Matcher: a reference that is encoded once and matched many times."""

from __future__ import annotations

import os
import threading
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import NDArray

from pearljoin._comparison import Reference
from pearljoin._decision.thresholds import FALLBACK
from pearljoin._devices import encoder_device, search_device
from pearljoin._encoders import Encoder, load_encoder
from pearljoin._errors import InputError, ModelError
from pearljoin._matcher_store import read_store, write_store
from pearljoin._options import MatchOptions, read_weights
from pearljoin._progress import as_work
from pearljoin._records.duplicates import warn_of_repeated
from pearljoin._records.similarity import PhraseVectors
from pearljoin._result import MatchResult
from pearljoin._search.vectors import from_arrays, nearly_equal, to_arrays
from pearljoin._tables.backends import append_rows
from pearljoin._tables.input import PlainColumn, Table, as_table
from pearljoin._tables.keys import (
    Keys,
    SideKinds,
    SideNames,
    guess_key,
    joint_kinds,
    read_records,
    resolve_keys,
    side_keys,
    side_kinds,
    veto_partners,
)

__all__ = ["Matcher"]

_ADDING = threading.Lock()
"""One for all matchers: a lock of its own could not be pickled with a matcher."""


class Matcher:
    """Looks left rows up in a reference that is encoded once.

    Parameters are those of `fuzzy_join`. Where no key column is named, the reference's single text
    column is the key.

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
        on: Any = None,
        left_on: Any = None,
        right_on: Any = None,
        by: Any = None,
        left_by: Any = None,
        right_by: Any = None,
        veto: Any = None,
        threshold: Any = "auto",
        precision: float = 0.9,
        constraint: str = "many_to_one",
        k: int | None = None,
        weights: Any = None,
        encoder: Any = "default",
        nulls_equal: bool = False,
        device: str = "auto",
        batch_size: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self._columns = {
            "on": on,
            "left_on": left_on,
            "right_on": right_on,
            "by": by,
            "left_by": left_by,
            "right_by": right_by,
            "veto": veto,
        }
        self._options = MatchOptions.read(
            threshold=threshold,
            precision=precision,
            constraint=constraint,
            k=k,
            weights=weights,
            encoder=encoder,
            nulls_equal=nulls_equal,
            device=device,
            batch_size=batch_size,
            verbose=verbose,
        )
        self._encoder: Encoder | None = None
        self._fitted: _Fitted | None = None

    def fit(self, right: Any) -> Self:
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
    def _fit(self, right: Table, corpus: Sequence[str] = ()) -> Self:
        """Encode the reference; an unfitted encoder is fitted on its text and on `corpus`."""
        self._encoder = None
        self._fitted = self._prepare(right, corpus)
        return self

    def _prepare(self, right: Table, corpus: Sequence[str] = ()) -> _Fitted:
        columns = self._columns
        names: Any = side_keys(right, columns["on"], columns["right_on"], ("on", "right_on"))
        by = side_keys(right, columns["by"], columns["right_by"], ("by", "right_by"))
        keys = names or (guess_key(right, by),)
        own = columns["on"] if columns["left_on"] is None else columns["left_on"]
        own = tuple(own) if isinstance(own, list | tuple) else keys if own is None else (own,)
        veto = tuple(veto_partners(columns["veto"], own, keys).values())
        for name in veto:
            right.column(name, "veto")
        names = SideNames(keys, by, veto)
        fitted = _Fitted(right, names, side_kinds(right, names), {})
        self._reference(fitted, fitted.kinds, corpus=corpus)
        return fitted

    def _reference(
        self,
        fitted: _Fitted,
        kinds: SideKinds,
        *,
        corpus: Sequence[str] = (),
        known: Sequence[Any] | None = None,
    ) -> Reference:
        """The reference with its columns read as `kinds`, encoded on first use."""
        if kinds not in fitted.references:
            records = read_records(
                fitted.right, fitted.names, kinds, nulls_equal=self._options.nulls_equal
            )
            texts = [str(v) for f in records.fields if f.kind == "text" for v in f.values]
            encoder = self._load_encoder([*texts, *corpus]) if "text" in kinds.keys else None
            device = search_device(self._options.device)
            fitted.references[kinds] = Reference(records, encoder, device=device, known=known)
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

    def match(self, left: Any) -> MatchResult:
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
    def _match(self, left: Table, *, scored: bool = True) -> MatchResult:
        fitted = self._check_fitted()
        keys = self._pair_keys(left, fitted)
        kinds = joint_kinds(side_kinds(left, keys.left_names), fitted.kinds)
        reference = self._reference(fitted, kinds)
        records = read_records(left, keys.left_names, kinds, nulls_equal=self._options.nulls_equal)
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

    def _pair_keys(self, left: Table, fitted: _Fitted) -> Keys:
        columns = dict(self._columns)
        if columns["on"] is None and columns["right_on"] is None:
            columns["right_on"] = list(fitted.names.keys)
            if columns["left_on"] is None:
                name = fitted.names.keys[0]
                columns["left_on"] = (
                    name if name in left.columns else guess_key(left, fitted.names.by)
                )
        return resolve_keys(left, fitted.right, **columns)

    def add(self, phrases: Any) -> Self:
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
        """
        # Two threads that add must not lose each other's rows.
        with _ADDING:
            fitted = self._check_fitted()
            more = as_table(phrases, "right")
            if fitted.right.single and not more.single:
                raise InputError(
                    "A table was given to a reference that is a single column. "
                    f"Got columns {list(more.columns)!r}. Hint: give a sequence of keys."
                )
            if more.single:
                if len(fitted.names.keys) > 1:
                    raise InputError(
                        "A single column was given to a reference with several key columns. "
                        f"Got the keys {list(fitted.names.keys)!r}. "
                        "Hint: give a table that has all."
                    )
                more = more.renamed(fitted.names.keys[0])
            for name in (*fitted.names.keys, *fitted.names.by):
                more.column(name, "on")
            longer = append_rows(fitted.right, more)
            _check_kinds(longer, fitted)
            kinds = side_kinds(longer, fitted.names)
            kinds = joint_kinds(kinds, fitted.kinds)._replace(by=kinds.by, veto=kinds.veto)
            known = fitted.references.get(fitted.kinds)
            replacement = _Fitted(longer, fitted.names, kinds, {})
            self._reference(replacement, kinds, known=None if known is None else known.values)
            self._fitted = replacement
            return self

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write the encoded reference to a folder of plain files.

        Of a table, the key columns are kept: a loaded matcher joins these, and its row positions
        are those of the table. The encoder is kept by name; its weights are not copied.

        Parameters
        ----------
        folder
            A new or empty folder, or one that `save` wrote before.

        Raises
        ------
        InputError
            If the matcher is not fitted, the folder cannot be written, or a key or a threshold is
            of a type that cannot be saved.
        """
        fitted = self._check_fitted()
        odd = [name for name in fitted.kept if not isinstance(name, str | int)]
        if odd:
            raise InputError(
                f"A saved matcher's columns are called by text or whole numbers. Got {odd!r}. "
                "Hint: rename these columns."
            )
        reference = fitted.references[fitted.kinds]
        content = {
            "columns": {name: fitted.right.columns[name].to_list() for name in fitted.kept},
            "names": fitted.names.keys,
            "by": fitted.names.by,
            "veto": fitted.names.veto,
            "kinds": fitted.kinds.keys,
            "by_kinds": fitted.kinds.by,
            "veto_kinds": fitted.kinds.veto,
            "given": self._columns,
            "options": self._options.to_dict(),
            "texts": [getattr(values, "texts", None) for values in reference.values],
        }
        arrays: dict[str, NDArray[Any]] = {}
        for at, values in enumerate(reference.values):
            if isinstance(values, PhraseVectors):
                arrays |= to_arrays(values.vectors, f"vectors_{at}")
                arrays[f"covered_{at}"] = values.covered
        write_store(folder, content, arrays)

    @classmethod
    def load(cls, folder: str | os.PathLike[str], *, encoder: Any = None) -> Self:
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
        """
        content, arrays = read_store(folder)
        options = content.get("options")
        if not isinstance(options, dict) or "encoder" not in options:
            raise _damaged_matcher(folder, "its options are not readable")
        options["encoder"] = encoder if encoder is not None else options["encoder"]
        if options["encoder"] is None and "text" in content.get("kinds", ()):
            raise InputError(
                "The matcher was made with an encoder that has no name. "
                "Hint: give the same one, Matcher.load(folder, encoder=...)."
            )
        try:
            matcher = cls(**content["given"], **options)
            matcher._restore(content, arrays)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, ModelError):
                raise
            raise _damaged_matcher(folder, repr(error)) from error
        return matcher

    def _restore(self, content: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what `save` kept."""
        columns = {name: PlainColumn(name, cells) for name, cells in content["columns"].items()}
        right = Table(dict(columns), None, False, len(columns) == 1, "right")
        # Matchers saved before there was a veto have none.
        veto, veto_kinds = tuple(content.get("veto", ())), tuple(content.get("veto_kinds", ()))
        names = SideNames(tuple(content["names"]), tuple(content["by"]), veto)
        kinds = SideKinds(tuple(content["kinds"]), tuple(content["by_kinds"]), veto_kinds)
        fitted = _Fitted(right, names, kinds, {})
        known = [
            None
            if texts is None
            else PhraseVectors(texts, from_arrays(arrays, f"vectors_{at}"), arrays[f"covered_{at}"])
            for at, texts in enumerate(content["texts"])
        ]
        self._check_encoder(known)
        self._reference(fitted, kinds, known=known)
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


def _check_kinds(longer: Table, fitted: _Fitted) -> None:
    """Refuse new rows that would turn a key column of numbers or dates into one of text."""
    new_kinds = side_kinds(longer, SideNames(fitted.names.keys)).keys
    for name, kind, new in zip(fitted.names.keys, fitted.kinds.keys, new_kinds, strict=True):
        if kind not in ("text", "code") and new != kind:
            raise InputError(
                f"The new rows do not fit the reference's columns. Got {new} for {name!r}, which "
                f"holds {kind}s. Hint: give {kind}s, or fit the matcher again."
            )


def _damaged_matcher(folder: str | os.PathLike[str], why: str) -> ModelError:
    return ModelError(
        f"The saved matcher at {os.fspath(folder)!r} is damaged: {why}. Hint: save it again."
    )


@dataclass(frozen=True)
class _Fitted:
    """The reference and how it was read; replaced whole, never changed in place."""

    right: Table
    names: SideNames
    kinds: SideKinds
    references: dict[SideKinds, Reference]

    @property
    def kept(self) -> tuple[Hashable, ...]:
        """Every column that matching looks at."""
        return tuple(dict.fromkeys(name for part in self.names for name in part))
