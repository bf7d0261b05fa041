"""A fitted reference as what is saved of it, and back."""

from __future__ import annotations

from pearljoin._fitted.fitted_table import EncoderSource, FittedTable, Learned, left_names
from pearljoin._fitted.save_matcher import SavedMatcher, check_encoder, read_settings
from pearljoin._options import read_weights
from pearljoin._records.similarity import PhraseVectors
from pearljoin._tables.given_kinds import given_kinds
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.kinds import column_kinds

__all__ = ["restore_table", "saved_table"]


def saved_table(keys: KeyOptions, fitted: FittedTable) -> SavedMatcher:
    """Return what is saved of a reference.

    Parameters
    ----------
    keys
        The arguments that name columns.
    fitted
        The reference.
    """
    learned = fitted.learned()
    vectors = [
        PhraseVectors(known.texts, known.vectors, known.covered)
        if isinstance(known, PhraseVectors)
        else None
        for known in learned.reference.values
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
        learned.readers,
    )


def restore_table(saved: SavedMatcher) -> FittedTable:
    """Return the reference that was saved; nothing is encoded or learned again.

    Raises
    ------
    ModelError
        If the encoder is not the one that it was made with.
    """
    names, options = saved.names, saved.options
    left = left_names(saved.keys, names)
    given = given_kinds(saved.keys, left)
    kinds = column_kinds(saved.right, names, parsed=options.weights is None, given=given)
    frozen = saved.kinds
    fitted = FittedTable(
        saved.right,
        names,
        saved.guessed,
        kinds._replace(by=frozen.by, veto=frozen.veto, groups=frozen.groups),
        frozen,
        read_weights(options.weights, left),
        options,
        EncoderSource(options),
        given=given,
    )
    check_encoder(fitted.source, saved.vectors)
    reference = fitted.encode(frozen, known=saved.vectors, statistics=saved.statistics)
    readers = read_settings(saved.readers, reference.records)
    return fitted.with_learned(frozen, Learned(reference, saved.state, readers)).frozen()
