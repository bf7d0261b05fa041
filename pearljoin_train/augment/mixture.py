"""The mixture of augmentations, one of which is drawn by weight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

from pearljoin import InputError
from pearljoin_train.augment.character import misspell
from pearljoin_train.augment.rules import Chance, Rule
from pearljoin_train.augment.token import swap_words

__all__ = ["Method", "Mixture"]

Method: TypeAlias = Literal["character", "synonym", "paraphrase", "word_swap", "unchanged"]
"""Where a view comes from."""


@dataclass(frozen=True)
class Mixture:
    """Weights of the augmentations, and the tables they draw from.

    The weights of the paper's run are the defaults; they need not sum to 1. A method of weight 0
    is off.

    Raises
    ------
    InputError
        If a weight is negative, all are 0, or one is above 0 whose table is missing.

    Examples
    --------
    >>> from random import Random
    >>> mixture = Mixture(synonym=0, paraphrase=0)
    >>> mixture.draw("The New York Times", Random(4))
    ('character', 'The eNw York Times')
    >>> mixture.draw("1984", Random(4))
    ('unchanged', '1984')
    """

    character: float = 0.10
    """Weight of misspellings."""
    synonym: float = 0.30
    """Weight of a synonym in a token's place."""
    paraphrase: float = 0.50
    """Weight of a paraphrase or another name."""
    word_swap: float = 0.05
    """Weight of two swapped tokens."""
    unchanged: float = 0.05
    """Weight of the phrase itself."""
    synonyms: Rule | None = None
    """Usually a `Synonyms`."""
    paraphrases: Rule | None = None
    """Usually an `Aliases`, which also holds what a `Paraphraser` has written."""
    otherwise: Literal["redraw", "unchanged"] = "redraw"
    """What to do where the drawn method has nothing to give, say for a word without synonyms:
    draw among the others, by their weights, or return the phrase."""

    def __post_init__(self) -> None:
        weights = {method: float(getattr(self, method)) for method in get_args(Method)}
        if min(weights.values()) < 0 or not sum(weights.values()) > 0:
            raise InputError(
                "The weights of a mixture are 0 or more, and not all 0. "
                f"Got: {weights}. Hint: 0 turns a method off."
            )
        for method, table in (("synonym", "synonyms"), ("paraphrase", "paraphrases")):
            if weights[method] > 0 and getattr(self, table) is None:
                raise InputError(
                    f"The mixture gives {method} a weight and has nothing to draw from. "
                    f"Got: {method}={weights[method]}, {table}=None. "
                    f"Hint: pass {table}=, or set {method}=0."
                )

    def view(self, text: str, rng: Chance) -> str:
        """Return another form of a text, or the text itself.

        Parameters
        ----------
        text
            Any string.
        rng
            `random.Random` or a numpy generator; equal states give equal views.

        Returns
        -------
        view
            Not empty unless the text is.
        """
        return self.draw(text, rng)[1]

    def draw(self, text: str, rng: Chance) -> tuple[Method, str]:
        """Return a view and the method that gave it; parameters as in `view`."""
        methods = self._methods
        while methods:
            at = rng.random() * sum(weight for _, weight, _ in methods)
            for chosen in methods:
                at -= chosen[1]
                if at < 0:
                    break
            method, _, rule = chosen
            if rule is None:
                break
            view = rule(text, rng)
            if view != text:
                return method, view
            if self.otherwise == "unchanged":
                break
            methods = tuple(other for other in methods if other[0] != method)
        return "unchanged", text

    @cached_property
    def _methods(self) -> tuple[tuple[Method, float, Rule | None], ...]:
        """The methods that are on, with weight and rule; None: the text itself."""
        every: tuple[tuple[Method, float, Rule | None], ...] = (
            ("paraphrase", self.paraphrase, self.paraphrases),
            ("synonym", self.synonym, self.synonyms),
            ("character", self.character, misspell),
            ("word_swap", self.word_swap, swap_words),
            ("unchanged", self.unchanged, None),
        )
        return tuple(row for row in every if row[1] > 0)
