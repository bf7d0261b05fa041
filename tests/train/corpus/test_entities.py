import pickle
from pathlib import Path

import numpy as np
import pytest

from pearljoin._errors import ModelError
from pearljoin_train.corpus.entities import ListedTypes, core, name_in
from pearljoin_train.corpus.hub_entities import HubTypes, aligned
from pearljoin_train.corpus.models import load_names, train_names
from pearljoin_train.corpus.names import NameClassifier, classifier_scores, typed_names
from pearljoin_train.corpus.sentence import Sentence, Span

from .samples import NAMES


def phrase(tagged: str, kind: str = "NP") -> Sentence:
    words, tags = zip(*(item.rsplit("/", 1) for item in tagged.split()), strict=True)
    return Sentence(tuple(words), tuple(tags), (Span(0, len(words), kind),))


@pytest.mark.parametrize(
    ("tagged", "name"),
    [
        ("in/IN the/DT New/NNP Forest/NNP", "New Forest"),
        ("the/DT University/NNP of/IN Oslo/NNP", "University of Oslo"),
        ("Ministry/NNP of/IN Trade/NNP and/CC Work/NNP", "Ministry of Trade and Work"),
        ("Boeing/NNP 747/CD", "Boeing 747"),
        ("late/JJ King/NNP Henry/NNP 's/POS", "King Henry"),
        ("several/JJ of/IN Jacques/NNP Demy/NNP", None),
        ("de/FW Gaulle/NNP", "de Gaulle"),
        ("Ada/NNP and/CC Alan/NNP", None),
        ("the/DT president/NN of/IN France/NNP", None),
        ("Boston/NNP mayor/NN", None),
        ("The/DT city/NN", None),
        ("The/DT", None),
        ("two/CD", None),
    ],
)
def test_a_name_is_the_whole_phrase(tagged: str, name: str | None) -> None:
    sentence = phrase(tagged)
    assert name_in(sentence, sentence.spans[0]) == name


def test_core_leaves_prepositions_then_determiners_out() -> None:
    sentence = phrase("in/IN the/DT heart/NN of/IN Rome/NNP")
    assert core(sentence, sentence.spans[0]) == (2, 5)
    assert core(sentence, Span(0, 1, "PP")) == (1, 1)


class Fixed:
    """Stands in for a classifier: everything is a PRODUCT. Remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, names: list[str]) -> list[str]:
        self.asked += names
        return ["PRODUCT"] * len(names)


def test_grammar_goes_before_lists_and_lists_before_the_classifier() -> None:
    names = Fixed()
    typer = ListedTypes(names)  # type: ignore[arg-type]
    tagged = [
        "in/IN May/NNP 1990/CD",
        "the/DT Germans/NNPS",
        "the/DT Orontes/NNP River/NNP",
        "Photoshop/NNP",
        "with/IN Photoshop/NNP",
        "the/DT city/NN",
        "two/CD dogs/NNS",
    ]
    types = typer([phrase(text) for text in tagged])
    assert types == [["DATE"], ["NORP"], ["LOC"], ["PRODUCT"], ["PRODUCT"], ["OTHER"], ["OTHER"]]
    assert names.asked == ["Photoshop"]


def test_a_verb_phrase_is_no_number() -> None:
    typer = ListedTypes(Fixed())  # type: ignore[arg-type]
    assert typer([phrase("first/RB", "VP")]) == [["OTHER"]]
    assert typer([]) == []


def test_names_come_from_the_lists_that_may_be_used(data: Path) -> None:
    names = typed_names(data)
    by_type: dict[str, list[str]] = {}
    for name, kind, _ in names:
        by_type.setdefault(kind, []).append(name)
    assert set(by_type) == {"PERSON", "GPE", "ORG"}
    assert by_type["GPE"] == [*NAMES, *(f"{name}burg" for name in NAMES if name != "Rome")]
    assert by_type["ORG"] == [f"{name} Tools Inc." for name in NAMES]
    assert len(by_type["PERSON"]) == 24


def test_a_classifier_learns_and_is_saved_whole(tmp_path: Path, data: Path) -> None:
    names = typed_names(data)
    model = NameClassifier.learn(names)
    assert model(["Ada Lima", "Osloburg", "Lima Tools Inc."]) == ["PERSON", "GPE", "ORG"]
    assert model([]) == []
    model.save(tmp_path / "names.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["names.npz"]
    copy = NameClassifier.load(tmp_path / "names.npz")
    assert copy.types == model.types
    np.testing.assert_array_equal(copy.weights, model.weights)
    np.testing.assert_array_equal(copy.bias, model.bias)
    again = NameClassifier.learn(names)
    np.testing.assert_array_equal(again.weights, model.weights)


def test_scores_are_shares_of_right_answers() -> None:
    named = [("a", "PRODUCT", "s"), ("b", "ORG", "s"), ("c", "PRODUCT", "s"), ("d", "ORG", "s")]
    scores = classifier_scores(Fixed(), named)  # type: ignore[arg-type]
    assert scores == {"accuracy": (0.5, 4), "ORG": (0.0, 2), "PRODUCT": (1.0, 2)}


def test_an_unseen_source_is_measured_apart(tmp_path: Path, data: Path) -> None:
    scores = train_names(tmp_path, data)
    assert scores["wikigold accuracy"] == (0.0, 8)  # no other source of the sample holds an ORG
    assert load_names(tmp_path).names.types == ("GPE", "ORG", "PERSON")


def test_a_missing_classifier_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"names.npz.*corpus models"):
        load_names(tmp_path)


def test_entities_of_a_tagged_sentence_go_to_the_phrases_that_are_them() -> None:
    words = "the president of the United States waits in Rome"
    sentence = Sentence(
        tuple(words.split()),
        ("DT", "NN", "IN", "DT", "NNP", "NNP", "VBZ", "IN", "NNP"),
        (Span(0, 6, "NP"), Span(2, 6, "PP"), Span(3, 6, "NP"), Span(7, 9, "PP"), Span(6, 9, "VP")),
    )
    entities = [
        {"entity_group": "GPE", "start": 17, "end": 34},  # "the United States"
        {"entity_group": "GPE", "start": 44, "end": 48},
    ]
    assert aligned(sentence, entities) == ["OTHER", "GPE", "GPE", "GPE", "OTHER"]
    assert aligned(sentence, []) == ["OTHER"] * 5


@pytest.mark.parametrize(
    ("label", "kind"),
    [("B-PER", "PERSON"), ("WORK OF ART", "WORK_OF_ART"), ("misc", "OTHER"), ("LABEL", "OTHER")],
)
def test_labels_of_other_sets(label: str, kind: str) -> None:
    sentence = phrase("Rome/NNP")
    assert aligned(sentence, [{"entity_group": label, "start": 0, "end": 4}]) == [kind]


def test_a_missing_hub_model_is_named_with_the_way_out() -> None:
    with pytest.raises(ModelError, match=r"no-one/no-such-model.*--entities lists"):
        HubTypes("no-one/no-such-model").load()


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Token classifiers with weights that always say one label: a good label, and a useless one."""
    import torch
    from transformers import BertConfig, BertForTokenClassification, BertTokenizer

    folders = {}
    for name, labels in {"good": ["O", "B-GPE", "B-ORG"], "bad": ["LABEL_0", "LABEL_1"]}.items():
        folder = tmp_path_factory.mktemp(name)
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rome", "waits"]
        (folder / "vocab.txt").write_text("\n".join(vocabulary))
        config = BertConfig(
            vocab_size=len(vocabulary), hidden_size=8, num_hidden_layers=1, num_attention_heads=1,
            intermediate_size=8, id2label=dict(enumerate(labels)),
            label2id={label: n for n, label in enumerate(labels)},
        )  # fmt: skip
        model = BertForTokenClassification(config)
        with torch.no_grad():
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.tensor([0.0, 9.0, 0.0][: len(labels)]))
        model.save_pretrained(folder)
        BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
        folders[name] = str(folder)
    return folders


def test_a_model_folder_types_phrases_and_survives_pickling(tiny: dict[str, str]) -> None:
    sentences = [phrase("Rome/NNP"), Sentence((), (), ()), phrase("in/IN Rome/NNP", "PP")]
    typer = HubTypes(tiny["good"])
    assert typer(sentences[:2]) == [["GPE"], []]
    copy = pickle.loads(pickle.dumps(typer))
    # Each word is its own B-GPE, so "in Rome" is not one entity of the model; its "Rome" is.
    assert copy(sentences) == [["GPE"], [], ["GPE"]]


def test_a_model_without_entity_labels_is_refused(tiny: dict[str, str]) -> None:
    with pytest.raises(ModelError, match=r"no entity types.*LABEL_0"):
        HubTypes(tiny["bad"]).load()
