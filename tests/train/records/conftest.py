"""A small data folder, and the lists read from it."""

import gzip
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from pearljoin_train.data.alias_pairs import OPEN_UPSTREAM
from pearljoin_train.records.domains.companies import coin
from pearljoin_train.records.lists import SOURCES, TYPED, OpenLists, read_lists

N_NAMES = 400
"""Names of a source; a quarter of them are the scorer's."""

NAMES = {
    "people": lambda rng: f"{coin(rng)} {coin(rng)}",
    "nicknames": lambda rng: coin(rng),
    "companies": lambda rng: f"{coin(rng)} {coin(rng)} Inc.",
    "organisations": lambda rng: f"{coin(rng)} University",
    "journals": lambda rng: f"Journal of {coin(rng)} {coin(rng)}",
    "places": lambda rng: coin(rng),
    "jobs": lambda rng: f"{coin(rng).lower()} operator",
    "biomedicine": lambda rng: f"{coin(rng).lower()} syndrome",
}

KINDS = {"obo_ontologies": "obo:doid:EXACT"}
CLAUSES = ("the moon is low", "come home with me", "never again", "and so it was", "he said no")


def write_gzip(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def alias_rows(rng: Random) -> Iterable[tuple[str, ...]]:
    yield "name", "alias", "kind", "source", "licence", "in_benchmark"
    for source, role in SOURCES.items():
        for _ in range(N_NAMES):
            name = NAMES[role](rng)
            alias = f"{name[0]}. Middle {name.split()[-1]}" if role == "people" else f"{name} II"
            yield name, alias, KINDS.get(source, "x"), source, "A", ""
            if source not in OPEN_UPSTREAM:
                yield f"{name} Closed", alias, "x", source, "B", ""
            yield f"{name} Known", alias, KINDS.get(source, "x"), source, "A", "yago"
    yield "Acme World ETF", "acme", "x", "free_ticker_aliases", "A", ""


def typed_rows(rng: Random) -> Iterable[tuple[str, ...]]:
    yield "phrase", "type", "count", "source"
    for source, kind in TYPED:
        for _ in range(N_NAMES):
            yield f"{coin(rng)} {kind}", kind, "1", source
        yield f"{coin(rng)} other", "other", "1", source


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory) -> Path:
    """Lists of made names in the layout of the data folder."""
    rng, folder = Random(0), tmp_path_factory.mktemp("data")
    write_gzip(folder / "train/alias_pairs.tsv.gz", map("\t".join, alias_rows(rng)))
    write_gzip(folder / "train/typed_entities.tsv.gz", map("\t".join, typed_rows(rng)))
    nouns = [
        ("s", lexfile, f"{coin(rng).lower()}|x", "", "a thing of use")
        for lexfile in ("noun.cognition", "noun.artifact", "verb.motion")
        for _ in range(100)
    ]
    header = ("synset", "lexfile", "members", "hypernyms", "definition")
    path = folder / "lexicon/open_english_wordnet_synsets.tsv.gz"
    write_gzip(path, map("\t".join, [header, *nouns]))
    clauses = [f"{coin(rng).lower()} {clause}" for clause in CLAUSES[:3] for _ in range(400)]
    rng.shuffle(clauses)
    text = [f"It was. {clause}, I think; {CLAUSES[at % 5]}." for at, clause in enumerate(clauses)]
    write_gzip(folder / "text/gutenberg_novels.txt.gz", text)
    return folder


@pytest.fixture(scope="session")
def lists(data_folder) -> OpenLists:
    return read_lists("training", data_folder)
