"""Explanations: why a left row has its match, or has none."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from pearljoin._comparison.comparison import Comparison
from pearljoin._decision.doubles import doubles_of
from pearljoin._decision.select import runners_up
from pearljoin._errors import InputError
from pearljoin._explain.attribution import Attributor, Reason, Word
from pearljoin._explain.outcomes import MATCH, outcome_of, why_no_candidate
from pearljoin._explain.score_texts import score_texts
from pearljoin._explain.step_names import BASE
from pearljoin._matches import Matches
from pearljoin._notebook.card import bars, card
from pearljoin._records.missing_keys import NULL
from pearljoin._tables.cell_texts import key_text
from pearljoin._tables.keys import Keys, field_names
from pearljoin._tables.output import SHOWN_DECIMALS
from pearljoin._tables.read_table import Table
from pearljoin._tables.rewritten import translation
from pearljoin._typing import Constraint

__all__ = ["Explainer", "Explanation", "step_bars", "step_lines", "without_slight"]

SLIGHT = 0.05
"""Effects on the log odds, or on the score, that are smaller are printed as one."""

EQUAL, NOTHING = "equal keys", "nothing compared"
"""Names of steps of a waterfall that are no evidence but rules."""


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a left row has its match, or has none; printed, it is a few lines of text.

    Attributes
    ----------
    left_row, right_row
        Row positions; `right_row` is that of the match or of the best candidate, None without one.
    left, right
        Their keys, as text.
    matched
        Whether the two are a match.
    outcome
        ``"match"``, or why there is none.
    score, threshold
        Score of the pair (NaN without a candidate), and the lowest score of a match.
    runner_up, margin
        The best other right key and by how much the score exceeds its score, below 0 where that one
        is better; None without one.
    unit
        ``"log odds"``, or ``"score"`` where scores are similarities.
    reasons
        Kinds of evidence, the largest effect first: key columns, where there are several.
    shared, left_only, right_only
        Words of the texts, the rarest first.
    base
        What the pair had without any evidence, in the unit of the reasons; 0 for similarities.
    doubles
        Keys of right rows that were taken for the same thing as the right row, and so for no rivals
        of it; the best first.
    translations
        By left key column, what the row's value was read as, where it stands for another text.
    """

    left_row: int
    right_row: int | None
    left: str
    right: str | None
    matched: bool
    outcome: str
    score: float
    threshold: float
    runner_up: str | None
    margin: float | None
    unit: Literal["log odds", "score"]
    reasons: tuple[Reason, ...]
    shared: tuple[Word, ...]
    left_only: tuple[Word, ...]
    right_only: tuple[Word, ...]
    base: float = 0.0
    doubles: tuple[str, ...] = ()
    translations: Mapping[Hashable, str] = field(default_factory=dict, hash=False)

    def waterfall(self) -> tuple[Reason, ...]:
        """Return the steps that add up to the score, in the explanation's unit.

        Returns
        -------
        steps
            In log odds, ``base`` first, then the reasons; their sum is the log odds of the score
            before it was rounded and kept below 1. Equal keys score 1 by rule, so the last step of
            theirs is ``equal keys``, and infinite. Where nothing could be compared, the only step
            is ``nothing compared``, minus infinity. For similarities the steps add up to the score.
            Empty without a candidate.

        Examples
        --------
        >>> import pearljoin as pj
        >>> told = pj.match(["NY Times"], ["The New York Times", "Le Monde"]).explain(0)
        >>> told.waterfall()[0].kind
        'base'
        >>> log_odds = sum(step.effect for step in told.waterfall())
        >>> abs(1 / (1 + math.exp(-log_odds)) - told.score) < 1e-5
        True
        """
        if self.right is None:
            return ()
        if self.unit == "score":
            rest = self.score - sum(reason.effect for reason in self.reasons)
            return (*self.reasons, *([Reason(EQUAL, rest)] if self.score == 1 else []))
        if not self.reasons and self.score != 1:
            return (Reason(NOTHING, -math.inf),)
        rule = [Reason(EQUAL, math.inf)] if self.score == 1 else []
        return (Reason(BASE, self.base), *self.reasons, *rule)

    def __repr__(self) -> str:
        if self.right is None:
            return f"{self.left!r}: {self.outcome}"
        sign = "=" if self.matched else "≠"
        score, threshold = score_texts(self.score, self.threshold)
        told = f"{self.outcome} ({score}, threshold {threshold})"
        lines = [
            f"{self.left!r} {sign} {self.right!r}: {told}",
            *(f"  {name} read as: {text!r}" for name, text in self.translations.items()),
            *_listed("in both", self.shared),
            *_listed("only left", self.left_only),
            *_listed("only right", self.right_only),
        ]
        if self.doubles:
            lines.append(f"  the same thing: {', '.join(map(repr, self.doubles))}")
        if self.runner_up is not None:
            place, distance = self._place()
            lines.append(f"  {place}: {self.runner_up!r} ({distance})")
        return "\n".join([*lines, *step_lines(without_slight(self.waterfall()), self.unit)])

    def _place(self) -> tuple[str, str]:
        """What the best other right row is beside this one, and by how much."""
        margin = self.margin or 0.0
        if margin < 0:
            return "better", f"{-margin:.2f} ahead"
        return "next best", f"{margin:.2f} behind"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the pair, its words, and a bar for each step."""
        if self.right is None:
            return card(self.left, [("outcome", self.outcome)])
        score, threshold = score_texts(self.score, self.threshold, 3)
        facts = [("outcome", self.outcome), ("score", score), ("threshold", threshold)]
        facts += [(f"{name} read as", text) for name, text in self.translations.items()]
        if self.doubles:
            facts.append(("the same thing", ", ".join(self.doubles)))
        if self.runner_up is not None:
            place, distance = self._place()
            facts.append((place, f"{self.runner_up} ({distance})"))
        words = (
            ("in both", self.shared),
            ("only left", self.left_only),
            ("only right", self.right_only),
        )
        facts += [(what, ", ".join(word.text for word in some)) for what, some in words if some]
        sign = "=" if self.matched else "≠"
        steps = step_bars(without_slight(self.waterfall()), self.unit)
        return card(f"{self.left} {sign} {self.right}", facts, steps)


def _listed(what: str, words: Sequence[Word]) -> list[str]:
    return [f"  {what}: {', '.join(word.text for word in words)}"] if words else []


def step_lines(steps: Sequence[Reason], unit: str) -> list[str]:
    """Write the steps of a waterfall, one a line below their unit; nothing without steps."""
    width = max((len(step.kind) for step in steps), default=0)
    lines = [f"    {step.kind:{width}} {step.effect:+6.2f}" for step in steps]
    return [f"  {unit}:", *lines] if steps else []


def step_bars(steps: Sequence[Reason], unit: str) -> str:
    """Return a waterfall's steps as bars in HTML; infinite ones, which are rules, are left out."""
    finite = [(step.kind, step.effect) for step in steps if math.isfinite(step.effect)]
    return bars(finite, unit) if finite else ""


def without_slight(steps: Sequence[Reason]) -> list[Reason]:
    """Put the steps that do little together as one, the first step apart.

    Where they do hardly anything together, it is added to the last step, so that all add up.
    """
    shown = [step for at, step in enumerate(steps) if not at or abs(step.effect) >= SLIGHT]
    rest = sum(step.effect for step in steps[1:] if abs(step.effect) < SLIGHT)
    if abs(rest) >= SLIGHT / 10:
        return [*shown, Reason("the rest", rest)]
    if not rest:
        return shown
    *others, last = shown
    return [*others, replace(last, effect=last.effect + rest)]


class Explainer:
    """Explains single rows of a result.

    Parameters
    ----------
    left, right
        The tables as they were given.
    keys
        The key columns.
    comparison
        The scored candidates.
    """

    def __init__(self, left: Table, right: Table, keys: Keys, comparison: Comparison) -> None:
        self._left = left
        self._right = right
        self._keys = keys
        self._comparison = comparison
        self._attributor = Attributor(comparison, field_names(keys.left, comparison.right.fields))

    def explain(
        self,
        row: int,
        right_row: int | None,
        matches: Matches,
        threshold: float,
        constraint: Constraint,
    ) -> Explanation:
        """Explain a left row's match, or its best candidate, or the pair with `right_row`.

        Parameters
        ----------
        row, right_row
            Row positions.
        matches
            The matches of the result.
        threshold
            Lowest score of a match.
        constraint
            How many matches a row may have.

        Returns
        -------
        explanation
            The explanation.

        Raises
        ------
        InputError
            If there is no such row, or the two rows are no candidate pair.
        """
        _check_row(row, self._left)
        of_row = matches.take(matches.left == row)
        record = int(self._comparison.left.of_row[row])
        if record == NULL:
            return self._without(row, threshold)
        found = self._candidates(record, constraint)
        if right_row is not None:
            _check_row(right_row, self._right)
            right_record = int(self._comparison.right.of_row[right_row])
            if right_record not in found and right_row not in of_row.right:
                raise InputError(
                    f"The two rows were not compared. Got left row {row} and right row {right_row}"
                    ". Hint: explain(row) takes the best candidate; only candidates have a score."
                )
        elif len(of_row):
            right_row = int(of_row.right[0])
            right_record = int(self._comparison.right.of_row[right_row])
        elif found:
            right_record = next(iter(found))
            right_row = int(self._comparison.right.first_row[right_record])
        else:
            return self._without(row, threshold)
        if right_record not in found:  # many_to_many may match beyond the candidates
            found[right_record] = float(of_row.score[of_row.right == right_row][0])
        score = found[right_record]
        outcome = outcome_of(of_row, right_row, score, threshold, constraint)
        rival, margin = self._runner_up(row, right_row, score, constraint)
        pair = np.array([record]), np.array([right_record])
        effects = self._attributor.effects(*pair, constraint)[0]
        reasons = [Reason(kind, effect) for kind, effect in effects.by_part]
        shared, left_only, right_only = self._attributor.words(record, right_record)
        return Explanation(
            left_row=row,
            right_row=right_row,
            left=key_text(self._left, self._keys.left, row),
            right=key_text(self._right, self._keys.right, right_row),
            matched=outcome == MATCH,
            outcome=outcome,
            score=score,
            threshold=threshold,
            runner_up=rival,
            margin=margin,
            unit=self._attributor.unit,
            base=effects.base,
            reasons=tuple(sorted(reasons, key=lambda reason: -abs(reason.effect))),
            shared=shared,
            left_only=left_only,
            right_only=right_only,
            doubles=self._doubles(record, right_record),
            translations=self._translations(row),
        )

    def _translations(self, row: int) -> dict[Hashable, str]:
        """What values of a left row were read as."""
        found, texts, words = {}, self._keys.translations, self._keys.words
        for name in {**texts, **words}:
            text = key_text(self._left, [name], row)
            if (read := translation(text, texts.get(name, {}), words.get(name, {}))) is not None:
                found[name] = read
        return found

    def _doubles(self, record: int, right_record: int) -> tuple[str, ...]:
        """Keys of the left record's candidates that are the same thing as a right record."""
        right = self._comparison.right
        rows = right.first_row[doubles_of(self._comparison.candidates, record, right_record)]
        return tuple(key_text(self._right, self._keys.right, row) for row in rows.tolist())

    def _candidates(self, record: int, constraint: Constraint) -> dict[int, float]:
        """Right candidates of a left record, and their scores, best first."""
        candidates = self._comparison.candidates_for(constraint)
        part = slice(*np.searchsorted(candidates.left, [record, record + 1]).tolist())
        pairs = zip(candidates.right[part].tolist(), candidates.score[part].tolist(), strict=True)
        return dict(pairs)

    def _runner_up(
        self, row: int, right_row: int, score: float, constraint: Constraint
    ) -> tuple[str | None, float | None]:
        pair = Matches(np.array([row]), np.array([right_row]), np.array([score]))
        rows, scores = runners_up(self._comparison, pair, constraint)
        if rows[0] == NULL:
            return None, None
        rival = key_text(self._right, self._keys.right, int(rows[0]))
        return rival, round(float(np.float32(score) - scores[0]), SHOWN_DECIMALS)

    def _without(self, row: int, threshold: float) -> Explanation:
        """The explanation of a row without a candidate."""
        (outcome,) = why_no_candidate(self._comparison, np.array([row]))
        return Explanation(
            left_row=row,
            right_row=None,
            left=key_text(self._left, self._keys.left, row),
            right=None,
            matched=False,
            outcome=outcome,
            score=float("nan"),
            threshold=threshold,
            runner_up=None,
            margin=None,
            unit=self._attributor.unit,
            base=0.0,
            reasons=(),
            shared=(),
            left_only=(),
            right_only=(),
        )


def _check_row(row: object, table: Table) -> None:
    is_whole = isinstance(row, int | np.integer) and not isinstance(row, bool)
    if not is_whole or not 0 <= row < table.n_rows:  # type: ignore[operator]
        raise InputError(
            f"There is no such {table.side} row. Got {row!r}, of {table.n_rows} rows counted "
            "from 0. Hint: positions count, not labels of a pandas index."
        )
