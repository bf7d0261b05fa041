"""What candidates say of how key columns are to be read, before anything is learned of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pearljoin._scoring.translated_values import Translations

__all__ = ["ASK_NOTHING", "AS_IT_IS", "AskedColumns", "Rereading"]


class AskedColumns(NamedTuple):
    """Places of key columns of which it is asked how they are to be read.

    Attributes
    ----------
    may_drop
        Those that are not compared if they say nothing.
    may_translate
        Those of which left values are read as the right ones that they stand for.
    by_values
        Of these, those whose words are looked for by the values of each by itself, too.
    """

    may_drop: Collection[int] = ()
    may_translate: Collection[int] = ()
    by_values: Collection[int] = ()


ASK_NOTHING = AskedColumns()


NO_TRANSLATIONS: Translations = {}


class Rereading(NamedTuple):
    """How key columns are to be read instead; the records are then compared once more.

    Attributes
    ----------
    silent
        Places of those that say nothing, as of `pearljoin._scoring.silent_columns`.
    translated
        As of `pearljoin._scoring.translated_values`.
    words
        By key column: left words and the right ones that they are read as, as of
        `pearljoin._scoring.translated_words`.
    """

    silent: tuple[int, ...] = ()
    translated: Translations = NO_TRANSLATIONS
    words: Translations = NO_TRANSLATIONS

    @property
    def is_needed(self) -> bool:
        """Whether any column is to be read otherwise."""
        return bool(self.silent or self.translated or self.words)


AS_IT_IS = Rereading()
