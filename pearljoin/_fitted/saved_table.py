"""A fitted reference as what is saved of it, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pearljoin._comparison.reference import Reference
from pearljoin._errors import ModelError
from pearljoin._fitted.encoder_source import EncoderSource
from pearljoin._fitted.fit_table import kinds_alone
from pearljoin._fitted.fitted_table import FittedTable
from pearljoin._fitted.learned import Learned
from pearljoin._fitted.left_names import left_names
from pearljoin._fitted.save_matcher import SavedMatcher
from pearljoin._fitted.saved_indexes import check_indexes
from pearljoin._kinds.comparers import fit_comparer, settings_of, with_settings
from pearljoin._kinds.protocol import Comparer
from pearljoin._options import read_weights
from pearljoin._records.records import Records
from pearljoin._records.similarity import PhraseVectors, TextValues
from pearljoin._search.known_indexes import KnownIndexes
from pearljoin._search.vectors import nearly_equal
from pearljoin._tables.adding import named_by
from pearljoin._tables.given_kinds import given_kinds
from pearljoin._tables.key_kinds import KIND_OF
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.read_table import Table
from pearljoin._text.normalise import as_encoded, mend

__all__ = ["check_learned", "read_fitted", "restore_table", "saved_comparers", "saved_table"]


def saved_table(keys: KeyOptions, fitted: FittedTable, *, indexed: bool = True) -> SavedMatcher:
    """Return what is saved of a reference.

    Parameters
    ----------
    keys
        The arguments that name columns.
    fitted
        The reference.
    indexed
        Whether to save its search indexes, where they take long to build.
    """
    learned = fitted.learned()
    plan = learned.reference.search_plan
    is_large = indexed and plan is not None
    indexes = learned.reference.build_indexes() if is_large else KnownIndexes(plan)
    vectors = [
        known if isinstance(known, TextValues) else None for known in learned.reference.values
    ]
    return SavedMatcher(
        keys,
        fitted.options,
        fitted.right,
        fitted.names,
        fitted.guessed,
        fitted.frozen_kinds,
        vectors,
        learned.reference.learned_statistics,
        learned.state,
        _settings(learned.readers),
        _settings(learned.reference.records.comparers),
        fitted.source.chosen,
        indexes,
        fitted.kinds,
    )


def restore_table(saved: SavedMatcher, *, one_table: bool = False) -> FittedTable:
    """Return the reference that was saved; nothing is encoded or learned again.

    Parameters
    ----------
    saved
        What was saved.
    one_table
        Whether its rows are compared among themselves.

    Raises
    ------
    ModelError
        If the encoder is not the one that it was made with.
    """
    fitted, frozen = read_fitted(saved, saved.right, one_table=one_table), saved.kinds
    reference = fitted.encode(
        frozen,
        known=saved.vectors,
        statistics=saved.statistics,
        indexes=saved.indexes,
        readers=saved_comparers(saved),
    )
    check_learned(saved, reference)
    check_indexes(saved.indexes, reference.records.n_records)
    readers = _readers(saved.readers, reference.records)
    return fitted.with_learned(frozen, Learned(reference, saved.state, readers)).frozen()


def check_learned(saved: SavedMatcher, reference: Reference) -> None:
    """Raise ValueError unless what was learned is what scores of the reference need."""
    state, statistics = saved.state, saved.statistics
    if state is None or statistics is None:
        return
    weights, n_columns = state.match_weights, len(reference.records.fields)
    scorer, networks = reference.scorer, reference.networks
    if scorer is not None and networks is None and state.calibration is None:
        raise ValueError("its calibration is missing")
    if networks is not None and scorer is None and weights is None:
        raise ValueError("its match weights are missing")
    if weights is not None and len(weights.columns) != n_columns:
        raise ValueError(f"it has match weights of {len(weights.columns)} columns, not {n_columns}")
    of_values = {} if weights is None else weights.of_values or {}
    if of_values and (
        of_values.keys() - reference.of_values
        or any(len(learned.columns) != 1 for learned in of_values.values())
    ):
        raise ValueError(f"it has match weights of the values of columns {sorted(of_values)}")
    if state.compares_values and (networks is None or state.of_values.keys() - reference.of_values):
        raise ValueError(f"it has calibrations of the values of columns {sorted(state.of_values)}")
    for whole in statistics[n_columns:]:
        # Without a text the mean has one number.
        dims = (1,) if networks is None else (1, len(networks.middle))
        if whole.mean is not None and len(whole.mean) not in dims:
            raise ValueError(f"the mean of whole records is of dimension {len(whole.mean)}")


def saved_comparers(saved: SavedMatcher) -> tuple[Comparer[Any] | None, ...]:
    """Return what reads the reference, by key and then by veto column; as many as were saved."""
    kinds = [saved.kinds.keys[columns[0]] for columns in saved.kinds.fields]
    kinds += saved.kinds.veto
    region = saved.keys.phone_region
    return tuple(
        None
        if settings is None
        else with_settings(fit_comparer(KIND_OF[kind], [], phone_region=region), settings)
        # Earlier versions saved none, or none of veto columns.
        for kind, settings in zip(kinds, saved.right_readers, strict=False)
    )


def _settings(comparers: Sequence[Comparer[Any] | None]) -> list[dict[str, Any] | None]:
    return [None if comparer is None else settings_of(comparer) for comparer in comparers]


def _readers(settings: Sequence[Any], reference: Records) -> tuple[Comparer[Any] | None, ...]:
    """Make what reads the other side, of its saved settings and the reference's columns."""
    return tuple(
        None if field.comparer is None else with_settings(field.comparer, one)
        # Earlier versions saved none, or none of veto columns.
        for field, one in zip(reference.columns_read, settings, strict=False)
    )


def read_fitted(saved: SavedMatcher, right: Table, *, one_table: bool = False) -> FittedTable:
    """Read a table as what was saved says, without encoding or learning of it.

    Parameters
    ----------
    saved
        What was saved.
    right
        The table: that of `saved`, or its first rows.
    one_table
        Whether its rows are compared among themselves.

    Raises
    ------
    ModelError
        If the encoder is not the one that it was made with.
    """
    names, options, frozen = saved.names, saved.options, saved.kinds
    left = left_names(saved.keys, names)
    if len(left) != len(names.keys):
        raise ValueError(f"its keys are {left!r} and {names.keys!r}")
    given = given_kinds(saved.keys, left)
    kinds = saved.kinds_alone
    if kinds is None or right is not saved.right:
        kinds = kinds_alone(right, names, options, given, one_table=one_table)
    fitted = FittedTable(
        right,
        names,
        saved.guessed,
        kinds._replace(by=frozen.by, veto=frozen.veto, groups=frozen.groups),
        frozen,
        read_weights(options.weights, left),
        options,
        EncoderSource(options, chosen=saved.chosen_encoder),
        given=given,
        one_table=one_table,
        arguments=named_by(saved.keys, guessed=saved.guessed),
    )
    check_encoder(fitted.source, saved.vectors)
    return fitted


def check_encoder(source: EncoderSource, known: Sequence[PhraseVectors | None]) -> None:
    """Encode one saved phrase again: another encoder's vectors must not be mixed in.

    Raises
    ------
    ModelError
        If the encoder gives another vector.
    """
    for vectors in known:
        if vectors is None or not len(vectors.texts):
            continue
        # Earlier versions encoded sizes as they are written.
        ways = {write(vectors.texts[0]) for write in (as_encoded, mend)}
        encoder = source.get(vectors.texts)
        saved = vectors.vectors[:1]
        if not any(nearly_equal(encoder.encode([way]), saved, atol=1e-3) for way in ways):
            raise ModelError(
                "The encoder is not the one that the matcher was saved with. Got another vector "
                f"for {vectors.texts[0]!r}. Hint: load with the same encoder, or "
                "fit the matcher again."
            )
