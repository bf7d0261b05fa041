"""Reading the sets from made-up data folders, whole and damaged."""

import json
from pathlib import Path

import pytest

from pearljoin_train.benchmark.tasks import (
    SETS,
    bird,
    clustering,
    paraphrase,
    retrieval,
    short_text,
    turney,
)
from pearljoin_train.data import DataDamagedError, DataMissingError


def write(folder: Path, relative: str, content: str) -> Path:
    path = folder / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_turney_drops_the_words_of_the_phrase_itself(tmp_path):
    write(tmp_path, "pearl_benchmark/turney/turney.txt", "p q | sol | p | q | d1 | d2 | d3 | d4\n")
    assert turney.load(tmp_path).questions == [("p q", ("sol", "d1", "d2", "d3", "d4"))]


def test_a_line_of_another_width_is_named(tmp_path):
    path = write(tmp_path, "pearl_benchmark/turney/turney.txt", "a | b | c\n")
    with pytest.raises(DataDamagedError, match=r"line 1 has 3 fields, not 8.*data verify") as info:
        turney.load(tmp_path)
    assert str(path) in str(info.value)


def test_bird_skips_the_header_and_reads_the_score(tmp_path):
    header = "\t".join(["pair", "term1", "term2", "kind", "source", "relation", "score", "pos"])
    row = "(a, b)\ta\tb\tbigram\tWiki\tNone\t0.617\tn-n"
    write(tmp_path, bird.FILE, f"{header}\n{row}\n")
    assert bird.load(tmp_path).pairs == [("a", "b", 0.617)]
    write(tmp_path, bird.FILE, f"{header}\n{row.replace('0.617', 'high')}\n")
    with pytest.raises(DataDamagedError, match="a score is no number"):
        bird.load(tmp_path)


def test_paraphrase_reads_both_forms_of_rows(tmp_path):
    rows = [["a", "b", "pos", 5.5], ["a", "c", "neg", None], ["d", "e", "neg"]]
    write(tmp_path, "pearl_benchmark/ppdb/ppdb.json", json.dumps(rows))
    task = paraphrase.load("ppdb", tmp_path)
    assert task.pairs == [("a", "b", True), ("a", "c", False), ("d", "e", False)]


@pytest.mark.parametrize("content", ['[["a", "b", "po', '[["a", "b", "maybe"]]', "[[]]", "[3]"])
def test_damaged_paraphrases_name_the_file(tmp_path, content):
    path = write(tmp_path, "pearl_benchmark/ppdb/ppdb_filtered.json", content)
    with pytest.raises(DataDamagedError, match=r'"pos" or "neg"') as info:
        paraphrase.load("ppdb_filtered", tmp_path)
    assert str(path) in str(info.value)


def test_clustering_spans_include_their_last_token_and_other_types_are_left_out(tmp_path):
    lines = [
        {"sentences": [["New", "York", "beat", "Ajax"]], "ner": [[[0, 1, "LOC"], [3, 3, "ORG"]]]},
        {"sentences": [["Ann", "2000"]], "ner": [[[0, 0, "PER"], [1, 1, "MISC"]]]},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\n"
    write(tmp_path, "pearl_benchmark/conll2003/test.json", text)
    task = clustering.load("conll2003", tmp_path)
    assert task.mentions == [("New York", "LOC"), ("Ajax", "ORG"), ("Ann", "PER")]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"sentences": [["Ann"]]', "line 1 is not JSON"),
        ('{"sentences": [["Ann"]]}', "not sentences with their spans"),
        ('{"sentences": [["Ann"]], "ner": [[[0, 0, "PER"]]]}', "lacks mentions of some"),
    ],
)
def test_damaged_mentions(tmp_path, content, problem):
    write(tmp_path, "pearl_benchmark/conll2003/test.json", content)
    with pytest.raises(DataDamagedError, match=problem):
        clustering.load("conll2003", tmp_path)


def test_yago_takes_the_papers_names_where_they_are(tmp_path):
    folder = "pearl_benchmark/yago"
    write(tmp_path, f"{folder}/yago_test_samples.txt", "Big Apple\tNew York\n")
    write(tmp_path, f"{folder}/yago_kb_substitute.txt", "New York\nParis\n")
    assert retrieval.load_yago(tmp_path).substitute is True
    write(tmp_path, f"{folder}/yago_kb.txt", "Rome\nNew York\nParis\n")
    task = retrieval.load_yago(tmp_path)
    assert task.substitute is False
    assert task.names == ["Rome", "New York", "Paris"]
    assert task.mentions == [("Big Apple", "New York")]


def test_umls_is_read_where_a_user_has_it(tmp_path):
    assert "umls" in (SETS["umls"].absence(tmp_path) or "")
    write(tmp_path, "pearl_benchmark/umls/umls_test_samples.txt", "MI\tMyocardial infarction\n")
    assert SETS["umls"].absence(tmp_path) is None
    with pytest.raises(DataMissingError, match=r"umls_kb\.txt.*Sought: .*Hint"):
        retrieval.load_umls(tmp_path)
    write(tmp_path, "pearl_benchmark/umls/umls_kb.txt", "Myocardial infarction\n")
    assert retrieval.load_umls(tmp_path).names == ["Myocardial infarction"]


def test_twitter_leaves_neutral_out_and_keeps_odd_line_ends_together(tmp_path):
    for part, labels in (("val", "0\n1\n2\n"), ("test", "2\n2\n2\n")):
        # U+2028 ends a line for str.splitlines, not in these files.
        texts = f"{part} one\u2028more\n{part} two\n{part} three words here\n"
        write(tmp_path, f"{short_text.TWEETEVAL}/{part}_text.txt", texts)
        write(tmp_path, f"{short_text.TWEETEVAL}/{part}_labels.txt", labels)
    write(tmp_path, short_text.SENTIMENT140, '4,"fine, really fine"\n2,so so\n0,bad\n')
    short = short_text.load_twitter("short", tmp_path)
    long = short_text.load_twitter("long", tmp_path)
    assert short.substitute is True
    assert sorted(short.texts + long.texts) == sorted(
        [
            ("val one\u2028more", "negative"),
            ("val three words here", "positive"),
            ("test one\u2028more", "positive"),
            ("test two", "positive"),
            ("test three words here", "positive"),
            ("fine, really fine", "positive"),
            ("bad", "negative"),
        ]
    )
    # Word counts 3 4 3 2 4 3 1: the median is 3.
    assert {text for text, _ in long.texts} == {"val three words here", "test three words here"}


def test_twitter_labels_and_texts_must_pair_up(tmp_path):
    write(tmp_path, f"{short_text.TWEETEVAL}/val_text.txt", "one\ntwo\n")
    write(tmp_path, f"{short_text.TWEETEVAL}/val_labels.txt", "0\n")
    with pytest.raises(DataDamagedError, match="it has 1 lines for 2 texts"):
        short_text.load_twitter("short", tmp_path)


def test_atis_keeps_the_eight_largest_intents_of_both_parts(tmp_path):
    rows = [f"query {'x ' * size}{n}\tintent{size}" for size in range(1, 10) for n in range(size)]
    write(tmp_path, "short_text/atis/atis_train.tsv", "\n".join(rows[:20]) + "\n")
    write(tmp_path, "short_text/atis/atis_test.tsv", "\n".join(rows[20:]) + "\n")
    texts = short_text.load_atis("short", tmp_path).texts
    texts += short_text.load_atis("long", tmp_path).texts
    assert {label for _, label in texts} == {f"intent{size}" for size in range(2, 10)}
    assert len(texts) == sum(range(2, 10))


def test_binary_rubbish_and_emptiness_are_damage(tmp_path):
    path = tmp_path / "pearl_benchmark/turney/turney.txt"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataDamagedError, match="not text in UTF-8"):
        turney.load(tmp_path)
    path.write_bytes(b"")
    with pytest.raises(DataDamagedError, match="it is empty"):
        turney.load(tmp_path)
