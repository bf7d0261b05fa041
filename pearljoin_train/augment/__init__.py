"""Augmentation at three levels: characters, tokens and phrases (PEARL, section 3.1).

Every augmentation is a pure function of a text and a source of chance, `random.Random` or a numpy
generator. `Mixture` draws one of them a phrase.
"""

from pearljoin_train.augment.aliases import Aliases, read_aliases
from pearljoin_train.augment.character import (
    CHARACTER_RULES,
    drop_letter,
    insert_letter,
    misspell,
    press_neighbour,
    swap_letters,
)
from pearljoin_train.augment.mixture import Method, Mixture
from pearljoin_train.augment.paraphrase import PARROT, Paraphraser
from pearljoin_train.augment.rules import Chance, Rule
from pearljoin_train.augment.token import Synonyms, swap_words

__all__ = [
    "CHARACTER_RULES",
    "PARROT",
    "Aliases",
    "Chance",
    "Method",
    "Mixture",
    "Paraphraser",
    "Rule",
    "Synonyms",
    "drop_letter",
    "insert_letter",
    "misspell",
    "press_neighbour",
    "read_aliases",
    "swap_letters",
    "swap_words",
]
