import pickle
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin._errors import ModelError
from pearljoin_train.corpus.chunker import chunk_spans, compose
from pearljoin_train.corpus.lexicons import brown, conll2000, treebank
from pearljoin_train.corpus.models import load_chunker, train_chunker
from pearljoin_train.corpus.sentence import Span
from pearljoin_train.data import DataDamagedError


def composed(tagged: str, marks: str) -> dict[str, list[str]]:
    words, tags = zip(*(item.rsplit("/", 1) for item in tagged.split()), strict=True)
    found: dict[str, list[str]] = {}
    for span in compose(words, tags, chunk_spans(marks.split())):
        found.setdefault(span.lexical, []).append(" ".join(words[span.start : span.stop]))
    return found


def test_possessives_and_of_make_longer_noun_phrases() -> None:
    tagged = "the/DT city/NN 's/POS mayor/NN of/IN late/JJ in/IN Rome/NNP"
    marks = "B-NP I-NP B-NP I-NP B-PP B-ADJP B-PP B-NP"
    assert composed(tagged, marks) == {
        "NP": ["the city", "the city 's mayor", "Rome"],
        "ADJP": ["late"],
        "PP": ["in Rome"],
    }


def test_a_preposition_takes_the_whole_noun_phrase_and_is_nothing_alone() -> None:
    tagged = "in/IN the/DT capital/NN of/IN France/NNP from/IN ./."
    marks = "B-PP B-NP I-NP B-PP B-NP B-PP O"
    assert composed(tagged, marks) == {
        "PP": ["in the capital of France", "of France"],
        "NP": ["the capital", "the capital of France", "France"],
    }


def test_a_verb_phrase_runs_to_a_closing_sign_without_its_auxiliaries() -> None:
    tagged = (
        "it/PRP has/VBZ been/VBN looking/VBG up/RP a/DT word/NN ,/, he/PRP said/VBD it/PRP is/VBZ"
    )
    marks = "B-NP B-VP I-VP I-VP B-PRT B-NP I-NP O B-NP B-VP B-NP B-VP"
    assert composed(tagged, marks)["VP"] == ["looking up a word", "is"]


def test_a_mark_that_goes_on_with_another_type_starts_a_chunk() -> None:
    assert chunk_spans(["I-NP", "I-VP", "B-VP", "O", "I-VP"]) == [
        Span(0, 1, "NP"),
        Span(1, 2, "VP"),
        Span(2, 3, "VP"),
        Span(4, 5, "VP"),
    ]


MARKS = [f"{place}-{kind}" for place in "BI" for kind in ("NP", "VP", "PP", "ADJP", "PRT")] + ["O"]


@given(st.lists(st.sampled_from(MARKS), max_size=12), st.data())
def test_composed_phrases_are_runs_of_chunks(marks: list[str], data: st.DataObject) -> None:
    size = len(marks)
    words = data.draw(st.lists(st.sampled_from(["of", "x"]), min_size=size, max_size=size))
    tags = data.draw(
        st.lists(st.sampled_from(["NN", "POS", "VB", "."]), min_size=size, max_size=size)
    )
    chunks = chunk_spans(marks)
    spans = compose(words, tags, chunks)
    stops = {chunk.stop for chunk in chunks}
    assert len(set(spans)) == len(spans)
    for span in spans:
        assert 0 <= span.start < span.stop <= size
        assert span.stop in stops
        assert span.lexical in {"NP", "VP", "PP", "ADJP"}
        inside = [chunk for chunk in chunks if span.start < chunk.stop and chunk.start < span.stop]
        assert all(a.stop == b.start for a, b in pairwise(inside))


def test_a_chunker_learns_what_it_is_shown(trained: Path) -> None:
    (sentence,) = load_chunker(trained)("The plan of Oslo has waited in the rain.")
    assert sentence.tags == ("DT", "NN", "IN", "NNP", "VBZ", "VBN", "IN", "DT", "NN", ".")
    assert [(span.lexical, sentence.text(span)) for span in sentence.spans] == [
        ("NP", "the plan"),
        ("NP", "the plan of Oslo"),
        ("PP", "of Oslo"),
        ("NP", "Oslo"),
        ("VP", "waited in the rain"),
        ("PP", "in the rain"),
        ("NP", "the rain"),
    ]


def test_scores_are_of_what_was_held_out(tmp_path: Path, data: Path) -> None:
    scores = train_chunker(tmp_path, data)
    assert scores["tags"] == (1.0, 60)  # 6 of 64 trees, 10 words each
    assert scores["chunks"] == (1.0, 64 * 6)
    assert scores["NP precision"][0] == 1.0
    assert scores["VP recall"] == (0.5, 12)  # "has waited in the rain" is no phrase of a chunker


def test_a_chunker_survives_pickling(trained: Path) -> None:
    chunker = load_chunker(trained)
    copy = pickle.loads(pickle.dumps(chunker))
    assert copy("The dog of Lima waited.") == chunker("The dog of Lima waited.")


def test_an_untrained_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"tagger.crfsuite.*corpus models"):
        load_chunker(tmp_path)


def brown_archive(tmp_path: Path, line: str) -> Path:
    import zipfile

    with zipfile.ZipFile(tmp_path / "brown.zip", "w") as archive:
        archive.writestr("brown/ca01", line)
    return tmp_path / "brown.zip"


@pytest.mark.parametrize(
    ("line", "words", "tags"),
    [
        ("Atlanta's/np$ dogs'/nns$ ``/`` x/nn", "Atlanta 's dogs ' \" x", "NNP POS NNS POS `` NN"),
        ("County/nn-tl can't/md* it's/pps+bez", "County ca n't it 's", "NNP MD RB PRP VBZ"),
        ("to/to go/vb we/ppss go/vb --/--", "to go we go --", "TO VB PRP VBP :"),
        ("will/md not/* be/be of/in-hl", "will not be of", "MD RB VB IN"),
    ],
)
def test_brown_tags_become_those_of_the_treebank(
    tmp_path: Path, line: str, words: str, tags: str
) -> None:
    ((found, penn),) = brown(brown_archive(tmp_path, line))
    expected = words.split()
    if "ca" in expected:  # the treebank's "ca n't"
        assert found[1:3] == ["ca", "n't"]
    assert found == expected
    assert penn == tags.split()


def test_brown_sentences_with_foreign_words_are_left_out(tmp_path: Path) -> None:
    assert list(brown(brown_archive(tmp_path, "x/nn\nmot/fw-nn\ny/nn"))) == [
        (["x"], ["NN"]),
        (["y"], ["NN"]),
    ]


def test_the_lexicons_are_read_whole(data: Path) -> None:
    assert len(list(treebank(data / "lexicon" / "treebank.zip"))) == 64
    chunked = list(conll2000(data / "lexicon" / "conll2000.zip", "test"))
    assert len(chunked) == 64
    assert " ".join(chunked[0][0]) == "The city of Rome has waited in the rain ."
    with pytest.raises(DataDamagedError, match="no file in it is named"):
        list(conll2000(data / "lexicon" / "brown.zip", "train"))
