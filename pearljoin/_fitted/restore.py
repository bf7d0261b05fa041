"""What is kept of a fitted matcher, and the fitted matcher that it makes again."""

from __future__ import annotations

from collections.abc import Sequence

from pearljoin._errors import ModelError
from pearljoin._fitted.encoder_source import EncoderSource
from pearljoin._fitted.fitted_table import FittedTable, Learned, left_names
from pearljoin._fitted.save_matcher import SavedMatcher
from pearljoin._options import read_weights
from pearljoin._records.similarity import PhraseVectors
from pearljoin._search.vectors import nearly_equal
from pearljoin._tables.keys import KeyOptions
from pearljoin._tables.kinds import column_kinds

__all__ = ["restored_table", "saved_parts"]


def saved_parts(fitted: FittedTable, keys: KeyOptions) -> SavedMatcher:
    """Gather what is saved of a matcher.

    Parameters
    ----------
    fitted
        Its reference.
    keys
        Which columns it was told to compare.
    """
    learned = fitted.learned()
    reference = learned.reference
    vectors = [
        PhraseVectors(known.texts, known.vectors, known.covered)
        if isinstance(known, PhraseVectors)
        else None
        for known in reference.values
    ]
    return SavedMatcher(
        keys,
        fitted.options,
        fitted.right,
        fitted.names,
        fitted.guessed,
        fitted.frozen_kinds,
        vectors,
        reference.learned_statistics,
        learned.state,
        fitted.source.chosen,
        reference.search_plan,
    )


def restored_table(saved: SavedMatcher) -> FittedTable:
    """Make the reference of what was saved; nothing is encoded but one phrase of each column.

    Raises
    ------
    ModelError
        If the encoder is not the one that the matcher was saved with.
    KeyError, TypeError, ValueError, IndexError, AttributeError
        If the parts do not fit together.
    """
    names, options = saved.names, saved.options
    kinds = column_kinds(saved.right, names, parsed=options.weights is None)
    kinds = kinds._replace(by=saved.kinds.by, veto=saved.kinds.veto)
    fitted = FittedTable(
        saved.right,
        names,
        saved.guessed,
        kinds,
        saved.kinds,
        read_weights(options.weights, left_names(saved.keys, names)),
        options,
        EncoderSource(options, chosen=saved.chosen_encoder),
    )
    check_encoder(fitted.source, saved.vectors)
    reference = fitted.encode(
        saved.kinds, known=saved.vectors, statistics=saved.statistics, plan=saved.plan
    )
    return fitted.with_learned(saved.kinds, Learned(reference, saved.state)).frozen()


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
        fresh = source.get(vectors.texts).encode(vectors.texts[:1])
        if not nearly_equal(fresh, vectors.vectors[:1], atol=1e-3):
            raise ModelError(
                "The encoder is not the one that the matcher was saved with: it gives "
                f"{vectors.texts[0]!r} another vector. Hint: load with the same encoder, or "
                "fit the matcher again."
            )
