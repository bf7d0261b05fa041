"""Pairs that every textbook of record linkage shows, and near misses from held-out lists."""

import numpy as np
import pytest

import pearljoin as pj
from pearljoin._search import tfidf
from pearljoin._text.normalise import normalise
from pearljoin_train.data.folder import DataMissingError
from pearljoin_train.data.splits import is_held_out
from pearljoin_train.scorer.joins import alias_names

PAIRS = [
    ("Acme Inc", "Acme Incorporated"),
    ("Microsoft", "Mircosoft"),
    ("Coca Cola", "The Coca-Cola Company"),
    ("IBM", "International Business Machines"),
    ("J. Smith", "John Smith"),
    ("St. Mary's Hospital", "Saint Marys Hospital"),
    ("Univ. of Oxford", "University of Oxford"),
    ("Deutsche Bank AG", "Deutsche Bank"),
    ("McDonald's Corp.", "McDonalds Corporation"),
    ("Johnson & Johnson", "Johnson and Johnson"),
    ("Intl. Paper", "International Paper"),
    ("Smith, John", "John Smith"),
    ("Bob Miller", "Robert Miller"),
    ("NYC", "New York City"),
    ("Nestlé S.A.", "Nestle SA"),
    ("Volkswagen", "Volkswagen AG"),
]
OTHERS = """
    Toyota Motor|Siemens|General Electric|Boston Consulting|University of Cambridge|Barclays
    Commerzbank|Johnson Controls|Burger King|Pepsi|Apple|Oracle|Robert Bosch|Emily Miller|Jane Smith
    Los Angeles|York|St. Joseph's Hospital|Mary Jones|Georgia-Pacific|Unilever|BMW|Renault|Acer
    Hewlett-Packard|Intel|National Geographic|Dallas|Charles Johnson|Maria Garcia
"""
MOST_MISSED = 2
N_NEAR_MISSES = 200
A_SOURCE = 400


# Strict: once the bundled networks are trained on clusters of names, these must come off.
MERGED_STILL = pytest.mark.xfail(
    reason="the bundled networks merge some of the nearest wrong names",
    strict=True,
)


def test_textbook_pairs_are_found_in_one_table() -> None:
    others = [
        name.strip() for line in OTHERS.split("\n") for name in line.split("|") if name.strip()
    ]
    assert len(others) == 30
    names = list(dict.fromkeys([*(name for pair in PAIRS for name in pair), *others]))
    result = pj.find_duplicates(names)
    cluster = dict(zip(names, result.clusters().tolist(), strict=True))
    missed = [pair for pair in PAIRS if cluster[pair[0]] != cluster[pair[1]]]
    assert len(missed) <= MOST_MISSED, missed
    # No other name is in a cluster with any.
    alone = [name for name in others if list(cluster.values()).count(cluster[name]) > 1]
    assert not alone


def near_misses() -> list[tuple[str, str]]:
    """The nearest wrong names by tf-idf of lists that nothing was trained on."""
    found = []
    for _, aliases in sorted(alias_names(wanted=is_held_out).items()):
        names = sorted(aliases)[:A_SOURCE]
        things = {name: thing for thing in names for name in (thing, *aliases[thing])}
        counts = tfidf.count([normalise(name) for name in names])
        df = np.bincount(counts.indices, minlength=counts.shape[1])
        weighed = tfidf.weigh(counts, np.log((1 + len(names)) / (1 + df)).astype(np.float32))
        likeness = (weighed @ weighed.T).toarray()
        np.fill_diagonal(likeness, 0)
        for at in np.argsort(-likeness.max(axis=1), kind="stable")[:100].tolist():
            one, other = names[at], names[int(likeness[at].argmax())]
            is_same = things[one] == things[other] or other in aliases[one] or one in aliases[other]
            if not is_same and normalise(one) != normalise(other) and one < other:
                found.append((one, other))
    step = max(1, len(found) // N_NEAR_MISSES)
    return found[::step][:N_NEAR_MISSES]


@MERGED_STILL
@pytest.mark.data
def test_near_misses_are_not_merged() -> None:
    try:
        pairs = near_misses()
    except DataMissingError:
        pytest.skip("the data folder is not there")
    assert len(pairs) == N_NEAR_MISSES
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    cluster = dict(zip(names, pj.find_duplicates(names).clusters().tolist(), strict=True))
    merged = [pair for pair in pairs if cluster[pair[0]] == cluster[pair[1]]]
    assert not merged
