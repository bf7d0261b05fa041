"""Joins made from alias pairs: two lists that name the same things differently, and the truth.

What the match scorer is trained and calibrated on. The AutoFJ tables play no part in it.
"""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from pearljoin_train.data import find

__all__ = ["Join", "alias_names", "is_held_out", "make_joins"]

PAIRS = "train/alias_pairs.tsv.gz"
OPEN_UPSTREAM = frozenset(
    {
        "csl_ncbi_journals",
        "drugbank_vocabulary",
        "esco_occupations",
        "geonames_cities15000",
        "onet_job_titles",
        "ror_organizations",
    }
)
"""Sources whose repository states no licence and whose data is open upstream."""

NOT_NAMES = frozenset(
    {"abbreviations", "ltwa_title_word_abbrev", "misspellings", "oewn_synonyms", "ppdb_lexical"}
)
FEWEST_NAMES = 150
HELD_OUT_SHARE = 0.2

Aliases = Mapping[str, Sequence[str]]
"""Other names of a thing by its name."""


@dataclass(frozen=True, slots=True)
class Join:
    """Two columns and which of their values name the same thing.

    Attributes
    ----------
    source
        Where the names come from.
    left, right
        Distinct names; `right` is the reference.
    answers
        For each left name the right names that are right, none or several.
    """

    source: str
    left: list[str]
    right: list[str]
    answers: list[frozenset[str]]


def alias_names(path: Path | None = None) -> dict[str, dict[str, list[str]]]:
    """Read the alias pairs that may be trained on: licence class A, and C where open upstream.

    Pairs that occur in a benchmark are left out.

    Returns
    -------
    names
        By source, by name, the name's other names.
    """
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    with gzip.open(path or find(PAIRS), "rt", encoding="utf-8", newline="\n") as lines:
        next(lines)
        for line in lines:
            name, alias, _, source, licence, in_benchmark = line.rstrip("\n").split("\t")
            allowed = licence == "A" or source in OPEN_UPSTREAM
            if allowed and not in_benchmark and source not in NOT_NAMES and name != alias:
                found[source][name].add(alias)
    return {
        source: {name: sorted(aliases) for name, aliases in names.items()}
        for source, names in sorted(found.items())
        if len(names) >= FEWEST_NAMES
    }


def is_held_out(source: str) -> bool:
    """Tell whether a source is kept for validation: decided by its name alone."""
    return crc32(source.encode()) % 100 < 100 * HELD_OUT_SHARE


def make_joins(names: Mapping[str, Aliases], *, a_source: int, seed: int) -> Iterator[Join]:
    """Make joins of many sizes from every source.

    Parameters
    ----------
    names
        As `alias_names` returns them.
    a_source
        Joins made from each source.
    seed
        The same seed gives the same joins.
    """
    for source, aliases in names.items():
        for number in range(a_source):
            rng = np.random.default_rng([seed, number, crc32(source.encode())])
            join = _make_join(source, aliases, rng)
            if join is not None:
                yield join


def _make_join(source: str, aliases: Aliases, rng: np.random.Generator) -> Join | None:
    """One join: a reference, and left names of which some have no answer in it."""
    names = sorted(aliases)
    n_right = int(min(np.exp(rng.uniform(0, np.log(2000))), 0.7 * len(names)))
    n_left = int(rng.integers(5, 250))
    unanswered = float(rng.choice([0.0, 0.1, 0.3, 0.5, 0.8]))
    chosen = _neighbourhood(names, n_right + n_left, rng)
    right, outside = chosen[:n_right], chosen[n_right:]
    n_with = min(len(right), round(n_left * (1 - unanswered)))
    asked = [*right[:n_with], *outside[: n_left - n_with]]
    edition = _Editions(rng) if rng.random() < 0.3 else None
    pairs = [(name, _restyle(name, aliases[name], rng)) for name in asked]
    if edition is not None:
        right, pairs = edition.decorate(right, pairs)
    meanings: dict[str, set[str]] = defaultdict(set)
    present = set(right)
    for name in right:
        for alias in aliases.get(name, ()):
            meanings[alias].add(name)
    answers: dict[str, set[str]] = defaultdict(set)
    for name, shown in pairs:
        answers[shown] |= meanings.get(shown, set()) | ({name, shown} & present)
    left = list(answers)
    if len(left) < 2:
        return None
    order = rng.permutation(len(left))
    return Join(
        source,
        [left[at] for at in order],
        sorted(present),
        [frozenset(answers[left[at]]) for at in order],
    )


def _neighbourhood(names: list[str], size: int, rng: np.random.Generator) -> list[str]:
    """Names in random order: from anywhere, or neighbours in the alphabet, which look alike."""
    size = min(size, len(names))
    alike = int(rng.choice([0, size // 2, size]))
    start = int(rng.integers(0, len(names) - alike + 1))
    block = names[start : start + alike]
    rest = [names[at] for at in rng.choice(len(names), size, replace=False)]
    distinct = list(dict.fromkeys([*block, *rest]))[:size]
    return [distinct[at] for at in rng.permutation(len(distinct))]


def _restyle(name: str, aliases: Sequence[str], rng: np.random.Generator) -> str:
    """Another way to write a name: an alias mostly, sometimes a slip of the pen."""
    if rng.random() < 0.75:
        return aliases[int(rng.integers(len(aliases)))]
    return _slip(name, rng)


def _slip(name: str, rng: np.random.Generator) -> str:
    """Write a name carelessly: a typo, a word left out or moved, other case or punctuation."""
    words = name.split()
    kind = int(rng.integers(5))
    if kind == 0 and len(words) > 2:
        del words[int(rng.integers(len(words)))]
        return " ".join(words)
    if kind == 1 and len(words) > 1:
        at = int(rng.integers(len(words) - 1))
        words[at], words[at + 1] = words[at + 1], words[at]
        return " ".join(words)
    if kind == 2:
        return name.upper() if rng.random() < 0.5 else name.lower()
    if kind == 3 and len(words) > 1:
        return f"{words[-1]}, {' '.join(words[:-1])}"
    at = int(rng.integers(max(1, len(name) - 1)))
    if rng.random() < 0.5:
        return name[:at] + name[at + 1 :] or name
    return name[:at] + name[at + 1 : at + 2] + name[at : at + 1] + name[at + 2 :]


class _Editions:
    """Years, numbers and numerals that tell things of one name apart.

    Each name comes in several editions; the two sides write them in their own styles, and only the
    same edition is right.
    """

    STYLES = ("{e} {n}", "{n} {e}", "{n} ({e})", "{n}, {e}", "{n} no. {e}")
    TAILS = ("", "", " season", " team", " edition", " list", " report")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._styles = [str(rng.choice(self.STYLES)) for _ in range(2)]
        self._tails = [str(rng.choice(self.TAILS)) for _ in range(2)]
        self._start = int(rng.choice([1, 1, 1900, 1990, 2005]))

    def decorate(
        self, right: list[str], pairs: list[tuple[str, str]]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Give every name editions; returns the new reference and the new (name, shown) pairs."""
        n_editions = {name: int(self._rng.integers(1, 5)) for name in right}
        reference = [
            self._write(0, name, edition) for name in right for edition in range(n_editions[name])
        ]
        asked = []
        for name, shown in pairs:
            # One beyond the last is an edition that the reference lacks.
            edition = int(self._rng.integers(0, n_editions.get(name, 1) + 1))
            asked.append((self._write(0, name, edition), self._write(1, shown, edition)))
        return reference, asked

    def _write(self, side: int, name: str, edition: int) -> str:
        return self._styles[side].format(n=name, e=self._start + edition) + self._tails[side]
