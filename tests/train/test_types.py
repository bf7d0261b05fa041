import csv
import gzip
from operator import itemgetter

import pytest

from pearljoin._errors import InputError
from pearljoin_train.corpus.phrase_types import (
    ENTITY_TYPES,
    FINE_TYPES,
    LEXICAL_TYPES,
    NUM_TYPES,
    entity_of,
    fine_type,
    lexical_type,
    phrase_type,
    source_types,
    type_id,
    type_name,
)
from pearljoin_train.data import DataMissingError, find


def test_the_labels_are_the_papers_95() -> None:
    names = [type_name(label) for label in range(NUM_TYPES)]
    assert NUM_TYPES == 95
    assert len(set(names)) == 95
    assert [type_id(*name.split("-")) for name in names] == list(range(95))
    assert names[0] == "NP-CARDINAL"
    assert names[18] == "NP-OTHER"
    assert names[19] == "VP-CARDINAL"


def test_wrong_types_are_named() -> None:
    with pytest.raises(InputError, match="Got: 'XP'"):
        type_id("XP", "GPE")
    with pytest.raises(InputError, match="Got: 'DISEASE'"):
        type_id("NP", "DISEASE")
    with pytest.raises(InputError, match="Got: 95"):
        type_name(95)
    with pytest.raises(InputError, match="Got: -1"):
        type_name(-1)
    with pytest.raises(InputError, match="Got: 'NOTHING'"):
        entity_of("NOTHING")


def test_every_fine_type_has_an_entity_type_and_is_used() -> None:
    assert len(set(FINE_TYPES)) == len(FINE_TYPES)
    assert FINE_TYPES[: len(ENTITY_TYPES)] == ENTITY_TYPES
    assert {entity_of(fine) for fine in FINE_TYPES} == set(ENTITY_TYPES)
    used = {kind for section in source_types()["entity"].values() for kind in section}
    assert set(FINE_TYPES[len(ENTITY_TYPES) :]) <= used


@pytest.mark.parametrize("section", ["entity", "lexical"])
def test_every_source_of_the_mapping_is_well_formed(section: str) -> None:
    kinds = {"entity": FINE_TYPES, "lexical": LEXICAL_TYPES}[section]
    for source, by_kind in source_types()[section].items():
        assert set(by_kind) <= {*kinds, "UNKNOWN"}, source
        labels = [label for labels in by_kind.values() for label in labels]
        assert labels, source
        assert len(labels) == len(set(labels)), source
    assert set(source_types()["lexical"]) <= set(source_types()["entity"])
    assert set(source_types()["mixed"]["sources"]) <= set(source_types()["entity"])


@pytest.mark.parametrize(
    ("source", "label", "fine", "entity"),
    [
        ("mtlbio_BC2GM", "GENE", "GENE", "OTHER"),
        ("mtlbio_BioNLP13CG-cell", "Cell", "CELL", "OTHER"),
        ("mtlbio_NCBI-disease", "Disease", "DISEASE", "OTHER"),
        ("crossner_music", "musicgenre", "GENRE", "OTHER"),
        ("crossner_science", "academicjournal", "JOURNAL", "ORG"),
        ("crossner_literature", "award", "AWARD", "WORK_OF_ART"),
        ("crossner_politics", "election", "EVENT", "EVENT"),
        ("wnut17", "creative-work", "WORK_OF_ART", "WORK_OF_ART"),
        ("chadwick_baseball_register", "person:given", "PERSON", "PERSON"),
        ("ror_organizations", "org:label:en", "ORG", "ORG"),
        ("geonames_cities15000", "city:ascii", "GPE", "GPE"),
        ("glottolog_languages", "language", "LANGUAGE", "LANGUAGE"),
        ("drugbank_vocabulary", "drug:drugbank", "CHEMICAL", "OTHER"),
        ("obo_ontologies", "obo:doid_rare_slim:EXACT", "DISEASE", "OTHER"),
        ("obo_ontologies", "obo:cl:EXACT", "CELL", "OTHER"),
        ("countries", "iso:iso639-3", "LANGUAGE", "LANGUAGE"),
        ("onet_job_titles", "job:short", "OCCUPATION", "OTHER"),
        ("airports_airlines", "airport:icao", "FAC", "FAC"),
    ],
)
def test_known_labels(source: str, label: str, fine: str, entity: str) -> None:
    assert fine_type(source, label) == fine
    assert phrase_type(source, label) == type_id("NP", entity)


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("crossner_ai", "misc"),
        ("misspellings", "typo:aspell"),
        ("ppdb_lexical", "ppdb"),
        ("elevant_mentions", "mention:aida-conll-test"),
        ("btc", "no such label"),
        ("no such source", "PER"),
    ],
)
def test_unknown_labels_are_none(source: str, label: str) -> None:
    assert fine_type(source, label) is None
    assert phrase_type(source, label) is None


def test_mixed_sources_need_the_phrase() -> None:
    assert fine_type("litbank", "PER") is None
    assert fine_type("litbank", "PER", "Lady Dedlock") == "PERSON"
    assert fine_type("litbank", "PER", "the old man") == "OTHER"
    assert fine_type("gum", "abstract", "their social status") == "OTHER"
    assert fine_type("gum", "abstract", "the Tips section") is None
    assert fine_type("oewn_synonyms", "wn:noun.plant") == "SPECIES"
    assert fine_type("oewn_synonyms", "wn:noun.person", "card sharp") == "OTHER"
    assert fine_type("oewn_synonyms", "wn:noun.person", "Grigori Potemkin") is None
    assert fine_type("conll2000", "NP", "the 30 companies") is None
    assert fine_type("conll2000", "NP", "ten years") == "DATE"
    assert fine_type("conll2000", "NP", "$ 30 million") == "MONEY"
    assert fine_type("litbank", "PER", "first") == "OTHER"


def test_lexical_types() -> None:
    assert lexical_type("treebank_sample", "QP") == "NP"
    assert lexical_type("conll2000", "ADJP") == "ADJP"
    assert lexical_type("conll2000", "SBAR") is None
    assert lexical_type("oewn_synonyms", "wn:adv.all") == "ADVP"
    assert lexical_type("misspellings", "typo:aspell") is None
    assert phrase_type("conll2000", "VP", "has been growing") == type_id("VP", "OTHER")


def labels_by_source(name: str, column: str) -> set[tuple[str, str]]:
    """Return the sources of a file of the data folder, each with each of its labels."""
    try:
        path = find(f"train/{name}.tsv.gz")
    except DataMissingError:
        pytest.skip("the data folder is not here")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows)
        # A file has millions of rows: no dict is made of each.
        return set(map(itemgetter(header.index("source"), header.index(column)), rows))


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "label"),
    [("typed_entities", "type"), ("alias_pairs", "kind"), ("constituents", "label")],
)
def test_the_mapping_decides_on_every_label_of_the_data(name: str, label: str) -> None:
    from pearljoin_train.corpus.phrase_types import _first_match

    by_source = source_types()["entity"]
    for source, kind in labels_by_source(name, label):
        section = source if source in by_source else _first_match(source, list(by_source))
        assert section is not None, source
        labels = [entry for entries in by_source[section].values() for entry in entries]
        assert _first_match(kind, labels) is not None, (source, kind)
