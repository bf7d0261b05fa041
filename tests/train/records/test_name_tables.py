"""Made tables of names to deduplicate."""

from collections import Counter

from pearljoin_train.records.name_tables import make_name_table

NAMES = {
    "towns": {
        f"{first}{last}": [f"{first} {last}", f"{first[0]}. {last}"]
        for first in ("Berg", "Wald", "See", "Neu", "Alt", "Tal", "Moor", "Stein")
        for last in ("heim", "dorf", "burg", "kirch", "au", "stadt", "feld", "hausen")
    }
}


def test_a_seed_gives_the_same_table():
    assert make_name_table(NAMES, seed=3, most_rows=60) == make_name_table(
        NAMES, seed=3, most_rows=60
    )
    assert make_name_table(NAMES, seed=3).table != make_name_table(NAMES, seed=4).table


def test_rows_are_names_with_one_or_several_rows_each():
    sizes = Counter()
    for seed in range(20):
        made = make_name_table(NAMES, seed=seed, most_rows=60)
        assert len(made.table["name"]) == len(made.clusters) <= 60
        sizes.update(Counter(made.clusters).values())
    assert sizes[1]
    assert sum(count for size, count in sizes.items() if size > 2)


def test_names_of_two_clusters_share_no_alias():
    made = make_name_table(NAMES, seed=7, most_rows=60)
    known = {
        form: name for name, forms in NAMES["towns"].items() for form in (name, *forms[:1])
    }
    owners = {}
    for text, cluster in zip(made.table["name"], made.clusters, strict=True):
        if text in known:
            assert owners.setdefault(known[text], cluster) == cluster
    assert len(set(owners.values())) == len(owners)
