"""Synthetic joins from alias pairs: two lists of names, and which pairs match.

The match scorer is trained and calibrated on them. No AutoFJ table is among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import numpy as np

from pearljoin_train.augment.corruption import Corruption, corrupt_name
from pearljoin_train.augment.editions import Editions
from pearljoin_train.augment.near_duplicates import NearDuplicates
from pearljoin_train.augment.people import PeopleNames
from pearljoin_train.augment.products import Products
from pearljoin_train.augment.qualifiers import Qualifiers
from pearljoin_train.data.alias_pairs import read_alias_pairs
from pearljoin_train.data.join import Join
from pearljoin_train.data.splits import part_of

__all__ = ["Aliases", "Join", "alias_names", "distinct_names", "letters_of", "make_joins"]

NOT_NAMES = frozenset(
    {"abbreviations", "ltwa_title_word_abbrev", "misspellings", "oewn_synonyms", "ppdb_lexical"}
)
FEWEST_NAMES = 150
LARGEST, LARGEST_DECORATED = 4000, 400
KINDS = {"plain": 0.45, "qualified": 0.15, "editions": 0.22, "branches": 0.18}
KINDS_OF = {
    "chadwick_baseball_register": {"plain": 0.3, "people": 0.7},
    "congress_legislators": {"plain": 0.3, "people": 0.7},
    "openstates_people": {"plain": 0.3, "people": 0.7},
    "financedatabase_companies": {"plain": 0.5, "branches": 0.1, "products": 0.4},
    "free_ticker_aliases": {"plain": 0.5, "branches": 0.1, "products": 0.4},
    "osm_name_suggestion_index": {"plain": 0.5, "branches": 0.1, "products": 0.4},
}
"""Kinds of joins of sources of people, and of sources whose words serve as makers of products."""

HOLES_SHARE = 0.2
"""Share of joins from whose reference the answers of some queries are taken out."""

DOUBLES_SHARE = 0.2
"""Share of plain joins whose reference names some things twice."""

Item = TypeVar("Item")

Aliases = Mapping[str, Sequence[str]]
"""Other names of a thing by its name."""


def alias_names(
    path: Path | None = None, *, wanted: Callable[[str], bool] | None = None
) -> dict[str, dict[str, list[str]]]:
    """Read the alias pairs that may be trained on: licence class A, and C where open upstream.

    Pairs that occur in a benchmark are left out. So are the names that the encoder is trained on,
    whose aliases it knows better than it will know a user's.

    Parameters
    ----------
    path
        By default, that of the data folder.
    wanted
        Of which sources names are read; by default, of all.

    Returns
    -------
    names
        The aliases of each name, by source and name.
    """
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    is_wanted = cache(wanted or (lambda source: True))
    for pair in read_alias_pairs(path):
        if not is_wanted(pair.source):
            continue
        usable = pair.is_allowed() and pair.source not in NOT_NAMES and pair.name != pair.alias
        if usable and part_of(pair.name) == "scorer":
            found[pair.source][pair.name].add(pair.alias)
    return {
        source: {name: sorted(aliases) for name, aliases in names.items()}
        for source, names in sorted(found.items())
        if len(names) >= FEWEST_NAMES
    }


def make_joins(
    names: Mapping[str, Aliases],
    nicknames: Aliases,
    *,
    a_source: int,
    seed: int,
    kinds: Mapping[str, float] | None = None,
) -> Iterator[Join]:
    """Make joins of many sizes from every source.

    Parameters
    ----------
    names
        As `alias_names` returns them.
    nicknames
        Short forms by given name, for joins of people.
    a_source
        Joins made from each source.
    seed
        The same seed gives the same joins.
    kinds
        Shares of plain joins, of names with a qualifier in brackets, of editions that differ by
        numbers, of branches that differ by words, of people, and of products. They sum to 1.
        Default: by source.
    """
    for source, aliases in names.items():
        for number in range(a_source):
            rng = np.random.default_rng([seed, number, crc32(source.encode())])
            shares = kinds or KINDS_OF.get(source, KINDS)
            kind = str(rng.choice(list(shares), p=list(shares.values())))
            if kind == "products":
                join = _product_join(source, aliases, rng)
            elif kind == "people":
                join = _people_join(source, aliases, nicknames, rng)
            else:
                join = _make_join(source, aliases, kind, rng)
            if join is not None and rng.random() < HOLES_SHARE:
                join = _with_holes(join, rng)
            if join is not None:
                yield join


def _with_holes(join: Join, rng: np.random.Generator) -> Join | None:
    """Take the answers of some queries out of the reference; what is like them stays there."""
    share = float(rng.choice([0.2, 0.5, 0.8]))
    gone = {name for answer in join.answers if rng.random() < share for name in answer}
    right = [name for name in join.right if name not in gone]
    if not right:
        return None
    return replace(join, right=right, answers=[answer - gone for answer in join.answers])


def _make_join(source: str, aliases: Aliases, kind: str, rng: np.random.Generator) -> Join | None:
    """Make one join: a reference, and queries of which some have no match in it."""
    names = sorted(aliases)
    if not names:
        return None
    largest = LARGEST_DECORATED if kind in ("editions", "branches") else LARGEST
    n_right = int(min(np.exp(rng.uniform(0, np.log(largest))), 0.7 * len(names)))
    n_left = int(rng.integers(5, 300))
    unanswerable_rate = float(rng.choice([0.0, 0.0, 0.1, 0.3, 0.5, 0.6, 0.7]))
    chosen = _neighbourhood(names, n_right + n_left, rng)
    right, absent = chosen[:n_right], chosen[n_right:]
    queries = _draw_queries(right, absent, n_left, unanswerable_rate, rng)
    corruption_rate, corruption = float(rng.choice([0.0, 0.3, 0.6, 0.9])), Corruption(rng)
    pairs = [(name, _rewrite(name, aliases[name], corruption_rate, rng)) for name in queries]
    corrupted = [(name, corruption.corrupt(shown)) for name, shown in pairs]
    meanings: dict[str, set[str]] = defaultdict(set)
    doubles: dict[str, str] = {}
    if kind in ("plain", "qualified"):
        for name in right:
            for alias in aliases.get(name, ()):
                meanings[alias].add(name)
        if kind == "plain" and rng.random() < DOUBLES_SHARE:
            right, doubles = _with_doubles(right, aliases, meanings, rng)
        if rng.random() < 0.4:
            right = NearDuplicates(names, rng).add(right, queries, known={*aliases, *meanings})
    if kind == "qualified":
        # A text that means several names is no query: their qualifiers would have to agree.
        clear = [len(meanings.pop(shown, {name}) | {name}) == 1 for name, shown in pairs]
        pairs, corrupted = list(compress(pairs, clear)), list(compress(corrupted, clear))
        right, corrupted = Qualifiers(rng).decorate(right, corrupted)
    elif kind != "plain":
        right, corrupted = Editions(kind, names, rng).decorate(right, corrupted)
    present = set(right)
    answers: dict[str, set[str]] = defaultdict(set)
    for (asked, shown), (name, written) in zip(pairs, corrupted, strict=True):
        # A corrupted alias is no alias any more, so its meanings are looked up by what it was.
        meant = meanings.get(shown, set()) | {name, shown, doubles.get(asked, name)}
        answers[written + corruption.tail] |= (meant | {written + corruption.tail}) & present
    return _joined(source, sorted(present), answers, rng)


def _with_doubles(
    right: list[str],
    aliases: Aliases,
    meanings: dict[str, set[str]],
    rng: np.random.Generator,
) -> tuple[list[str], dict[str, str]]:
    """Add another name of some things to the reference; both are then answers.

    Returns
    -------
    reference, doubles
        All names, and the other name by name.
    """
    share = float(rng.choice([0.1, 0.3, 0.8]))
    doubles: dict[str, str] = {}
    for name in right:
        others = [alias for alias in aliases.get(name, ()) if meanings[alias] == {name}]
        if others and rng.random() < share:
            doubles[name] = others[int(rng.integers(len(others)))]
            for text in others:
                meanings[text].add(doubles[name])
    return list(dict.fromkeys([*right, *doubles.values()])), doubles


def _sizes(largest: int, rng: np.random.Generator) -> tuple[int, int, float]:
    """Draw the size of the reference, the number of queries, and the share without an answer."""
    n_right = int(np.exp(rng.uniform(0, np.log(largest))))
    unanswerable_rate = float(rng.choice([0.0, 0.0, 0.1, 0.3, 0.5, 0.6, 0.7]))
    return max(1, n_right), int(rng.integers(5, 300)), unanswerable_rate


def _people_join(
    source: str, aliases: Aliases, nicknames: Aliases, rng: np.random.Generator
) -> Join | None:
    """Make a join of people, some of whom share a part of their name."""
    n_right, n_left, rate = _sizes(LARGEST, rng)
    short_forms = {name.casefold(): forms for name, forms in nicknames.items()}
    names = sorted(aliases)
    n_right = min(n_right, int(0.7 * len(names)))
    chosen = _neighbourhood(names, n_right + n_left, rng)
    people = PeopleNames(names, short_forms, rng)
    right, absent = chosen[:n_right], chosen[n_right:]
    queries = _draw_queries(right, absent, n_left, rate, rng)
    right = list(dict.fromkeys([*right, *people.relatives(right, set(names))]))
    present = set(right)
    answers: dict[str, set[str]] = defaultdict(set)
    for name in queries:
        if rng.random() < 0.25:
            written = aliases[name][int(rng.integers(len(aliases[name])))]
        else:
            written = people.write(name)
        answers[written] |= {name, written} & present
    return _joined(source, right, answers, rng)


def _product_join(source: str, aliases: Aliases, rng: np.random.Generator) -> Join | None:
    """Make a join of made products, with siblings that differ in their model numbers."""
    n_right, n_left, rate = _sizes(LARGEST // 2, rng)
    products = Products(sorted(aliases), rng)
    made = products.make(n_right + n_left)
    order = rng.permutation(len(made)).tolist()
    right, absent = order[:n_right], order[n_right:]
    asked = _draw_queries(right, absent, n_left, rate, rng)
    written = {at: products.write(made[at]) for at in order}
    present = {written[at] for at in right}
    answers: dict[str, set[str]] = defaultdict(set)
    for at in asked:
        text = products.rewrite(made[at])
        answers[text] |= {written[at], text} & present
    return _joined(source, sorted(present), answers, rng)


def _joined(
    source: str, right: list[str], answers: dict[str, set[str]], rng: np.random.Generator
) -> Join | None:
    """Make a join of a reference and of the answers of each query."""
    left, kept = list(answers), distinct_names(right)
    if len(left) < 2:
        return None
    order = rng.permutation(len(left))
    return Join(
        source,
        [left[at] for at in order],
        sorted(set(kept.values())),
        [frozenset(kept[answer] for answer in answers[left[at]]) for at in order],
    )


def letters_of(name: str) -> str:
    """The letters and digits of a name; all of it where it has none."""
    return "".join(filter(str.isalnum, name.casefold())) or name


def distinct_names(names: Iterable[str]) -> dict[str, str]:
    """Map each name to the first with the same letters and digits."""
    first: dict[str, str] = {}
    return {name: first.setdefault(letters_of(name), name) for name in sorted(set(names))}


def _draw_queries(
    right: list[Item],
    absent: list[Item],
    n_left: int,
    unanswerable_rate: float,
    rng: np.random.Generator,
) -> list[Item]:
    """Draw queries: names of the reference, sometimes repeated, and names absent from it."""
    n_with = n_left - round(n_left * unanswerable_rate)
    if rng.random() < 0.3 and right:
        asked = [right[at] for at in rng.integers(0, len(right), n_with)]
    else:
        asked = right[:n_with]
    # A small reference answers few queries: of half of them most have no answer, of the others
    # only so many as the rate asks for.
    if rng.random() < 0.5:
        return [*asked, *absent[: n_left - n_with]]
    odds = unanswerable_rate / (1 - unanswerable_rate)
    return [*asked, *absent[: max(round(len(asked) * odds), not asked)]]


def _neighbourhood(names: list[str], size: int, rng: np.random.Generator) -> list[str]:
    """Draw names in random order: any, or neighbours in the alphabet, which look alike."""
    size = min(size, len(names))
    alike = int(rng.choice([0, size // 2, size]))
    start = int(rng.integers(0, len(names) - alike + 1))
    block = names[start : start + alike]
    rest = [names[at] for at in rng.choice(len(names), size, replace=False)]
    distinct = list(dict.fromkeys([*block, *rest]))[:size]
    return [distinct[at] for at in rng.permutation(len(distinct))]


def _rewrite(
    name: str, aliases: Sequence[str], corruption_rate: float, rng: np.random.Generator
) -> str:
    """Return an alias of a name, or the name corrupted."""
    if rng.random() < corruption_rate:
        return corrupt_name(name, rng)
    return aliases[int(rng.integers(len(aliases)))]
