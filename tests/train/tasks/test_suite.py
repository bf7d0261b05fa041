"""The suite: averages, absent sets, the command, kept embeddings, baselines by name."""

import json

import numpy as np
import pytest

from pearljoin import InputError, ModelError
from pearljoin_train.benchmark import suite
from pearljoin_train.benchmark.baselines import load_model
from pearljoin_train.benchmark.baselines.lexical import (
    string_distance,
    tfidf_characters,
    tfidf_words,
)
from pearljoin_train.benchmark.tasks import COMPARABLE7, PAPER9, SETS
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.common.commands import run_command

from .helpers import TableEncoder
from .test_loading import write


def full_results() -> dict:
    return {
        name: {SETS[name].metric: place / 10, "top1_ivfpq": 0.05}
        for place, name in enumerate(PAPER9)
    }


def test_the_papers_sets():
    assert PAPER9 == (
        "ppdb", "ppdb_filtered", "turney", "bird", "yago", "umls", "conll2003", "bc5cdr", "autofj"
    )  # fmt: skip
    assert tuple(n for n in PAPER9 if n not in ("yago", "umls")) == COMPARABLE7


def test_averages_are_means_of_each_sets_own_metric():
    results = full_results()
    assert suite.average(results, COMPARABLE7) == pytest.approx((0 + 1 + 2 + 3 + 6 + 7 + 8) / 70)
    # The paper's retrieval figures come from its compressed index.
    assert suite.average(results, PAPER9) == pytest.approx((2.7 + 0.05 + 0.05) / 9)


@pytest.mark.parametrize("missing", [None, "gone", {"top1": 0.4, "top1_ivfpq": None}])
def test_an_average_is_never_over_fewer_sets(missing):
    results = full_results()
    results["umls"] = missing
    if missing == "gone":
        del results["umls"]
    assert suite.average(results, PAPER9) is None
    assert suite.average(results, COMPARABLE7) is not None


def test_an_average_is_never_over_a_substitute():
    results = full_results()
    results["yago"]["substitute"] = True
    assert suite.average(results, PAPER9) is None


def turney_folder(tmp_path):
    write(
        tmp_path,
        "pearl_benchmark/turney/turney.txt",
        "a b | up | a | b | down | down | down | down\nc d | up | c | d | up | down | down | down\n"
        "a b | down | a | b | up | up | up | up\n",
    )
    return tmp_path


TABLE = {"a b": [1, 0], "c d": [1, 0], "up": [1, 1], "down": [0, 1]}


def test_command_writes_the_numbers_and_reports_what_is_absent(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PEARLJOIN_DATA", str(turney_folder(tmp_path / "data")))
    monkeypatch.setattr(suite, "load_model", lambda name, device: TableEncoder(TABLE))
    target = tmp_path / "out" / "run.json"
    arguments = ["--model", "toy", "--tasks", "turney,umls", "bird", "--json", str(target)]
    assert suite.main(arguments) == 0
    written = json.loads(target.read_text())
    assert written["model"] == "toy"
    assert written["tasks"] == {
        "turney": {"accuracy": pytest.approx(2 / 3), "n": 3},
        "umls": None,
        "bird": None,
    }
    assert written["average9"] is None
    assert written["average7"] is None
    assert set(written["seconds"]) == {"turney"}
    assert written["absent"]["umls"] == "The data file 'pearl_benchmark/umls' was not found"
    assert str(tmp_path) not in target.read_text()
    printed = capsys.readouterr()
    assert "66.7 accuracy" in printed.out
    assert (
        "UMLS           absent: The data file 'pearl_benchmark/umls' was not found." in printed.out
    )
    assert printed.err == ""


def test_command_names_a_damaged_file_and_fails(tmp_path, monkeypatch, capsys):
    path = write(tmp_path, "pearl_benchmark/turney/turney.txt", "cut | off\n")
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    monkeypatch.setattr(suite, "load_model", lambda name, device: TableEncoder(TABLE))
    assert run_command("evaluate", ["--model", "toy", "--tasks", "turney"]) == 1
    assert str(path) in capsys.readouterr().err


def test_command_without_any_data_folder_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path / "nowhere"))
    assert run_command("evaluate", ["--model", "string-distance", "--tasks", "autofj"]) == 1
    assert "nowhere" in capsys.readouterr().err


def test_a_part_of_the_autofj_tables_is_an_error_not_a_smaller_benchmark(tmp_path):
    write(tmp_path, "autofj/Case/left.csv", "id,title\n0,A\n")
    with pytest.raises(InputError, match=r"autofj/\w+/(left|right|gt)\.csv"):
        suite.evaluate(string_distance(), name="x", tasks=["autofj"], folder=tmp_path)


def test_unknown_tasks_are_refused():
    with pytest.raises(InputError, match=r"There is no such task\. Got 'turny'"):
        suite.evaluate(string_distance(), name="x", tasks=["turny"])


def test_a_ranker_takes_part_only_where_names_are_matched(tmp_path):
    write(tmp_path, "pearl_benchmark/yago/yago_test_samples.txt", "NY Times\tThe NY Times\n")
    write(tmp_path, "pearl_benchmark/yago/yago_kb_substitute.txt", "The Sun\nThe NY Times\n")
    run = suite.evaluate(
        string_distance(), name="x", tasks=["turney", "yago"], folder=turney_folder(tmp_path)
    )
    assert run.tasks["turney"] is None
    assert run.reasons == {"turney": "the method has no embeddings"}
    assert run.tasks["yago"] == {
        "top1": 1.0, "top1_ivfpq": None, "n": 1, "n_names": 2, "substitute": True,
    }  # fmt: skip
    assert "YAGO           100.0 top1  (substitute data)" in suite.summary(run)


def test_a_phrase_is_encoded_once_over_all_tasks(tmp_path):
    encoder = TableEncoder(TABLE)
    folder = turney_folder(tmp_path)
    header = "\t".join("abcdefgh")
    write(
        tmp_path, "pearl_benchmark/bird/bird.txt",
        f"{header}\n(x)\ta b\tup\tk\ts\tr\t0.5\tn\n(x)\tup\tdown\tk\ts\tr\t0.1\tn\n",
    )  # fmt: skip
    suite.evaluate(encoder, name="x", tasks=["turney", "bird"], folder=folder)
    assert sorted(encoder.asked) == sorted(TABLE)


def test_cached_vectors_are_those_of_the_encoder_in_any_order():
    encoder = TableEncoder(TABLE)
    cached = CachedEncoder(encoder)
    cached.encode(["up", "a b", "up"])
    phrases = ["down", "up", "c d", "down", "a b"]
    assert cached.encode(phrases).tolist() == TableEncoder(TABLE).encode(phrases).tolist()
    assert sorted(encoder.asked) == sorted(TABLE)
    assert cached.n_kept == 4
    assert cached.encode([]).shape == (0, 2)


def test_cache_in_a_folder_outlives_the_run(tmp_path):
    first = CachedEncoder(TableEncoder(TABLE), folder=tmp_path)
    first.encode(["up", "a b"])
    first.encode(["down"])
    again = TableEncoder(TABLE)
    second = CachedEncoder(again, folder=tmp_path)
    phrases = ["down", "c d", "up"]
    assert second.encode(phrases).tolist() == TableEncoder(TABLE).encode(phrases).tolist()
    assert again.asked == ["c d"]


def test_cache_keeps_to_its_memory():
    encoder = TableEncoder(TABLE)
    cached = CachedEncoder(encoder, max_bytes=2 * 2 * 4)
    cached.encode(["up", "down"])
    for _ in range(2):
        assert cached.encode(["a b", "up"]).tolist() == encoder.encode(["a b", "up"]).tolist()
    assert cached.n_kept == 2
    # Once by each of the two calls above, twice by the comparisons.
    assert encoder.asked.count("a b") == 4


def test_cache_folders_tell_models_apart(tmp_path):
    model = tmp_path / "model"
    write(model, "weights", "1")
    first = suite.cache_for(str(model), tmp_path)
    assert suite.cache_for(str(model), tmp_path) == first
    write(model, "weights", "2")
    assert suite.cache_for(str(model), tmp_path) != first
    assert suite.cache_for("e5-small", tmp_path) != suite.cache_for("e5-base", tmp_path)


def test_string_distance_is_jaccard_of_trigrams():
    # "abcd" has abc, bcd. Shares 1 of 3 with "abce", 2 of 4 with "abcdef": the latter wins.
    assert string_distance().nearest(["abcd"], ["abce", "abcdef"]).tolist() == [1]
    # Ties go to the first; so does a query that shares nothing.
    assert string_distance().nearest(["abcd", "zzz"], ["abcx", "abcy"]).tolist() == [0, 0]


def test_string_distance_ignores_case_and_repeats():
    # "aaaa" is the set {aaa}: equal to "aaa", half of "AAAB".
    assert string_distance().nearest(["aaaa"], ["AAAB", "AAA"]).tolist() == [1]


def test_tfidf_weighs_rare_words_more():
    reference = ["city council", "city of york", "city of bath"]
    assert tfidf_words().nearest(["york city"], reference).tolist() == [1]
    assert tfidf_characters().nearest(["bathe"], reference).tolist() == [2]


def test_rankers_agree_over_blocks(monkeypatch):
    names = [f"name {n} {n * n}" for n in range(40)]
    whole = tfidf_characters().nearest(names, names[::-1]).tolist()
    monkeypatch.setattr("pearljoin_train.benchmark.baselines.lexical.BLOCK_CELLS", 100)
    assert tfidf_characters().nearest(names, names[::-1]).tolist() == whole
    assert whole == list(range(39, -1, -1))


@pytest.mark.parametrize("text", ["red 1 0\napple 0 1\n", "2 2\nred 1 0\napple 0 1\n"])
def test_word_vectors_of_a_file_are_averaged(tmp_path, text):
    path = write(tmp_path, "vectors.txt", text)
    encoder = load_model(f"words:{path}")
    half = np.sqrt(0.5)
    assert encoder.encode(["Red apple", "red", "quince"]) == pytest.approx(
        np.array([[half, half], [1, 0], [0, 0]], dtype=np.float32)
    )


def test_missing_word_vectors_say_so(tmp_path):
    with pytest.raises(ModelError, match=r"no file of word vectors. Got .*nope.txt"):
        load_model(f"words:{tmp_path / 'nope.txt'}")


def test_weights_that_cannot_be_had_are_reported(tmp_path, monkeypatch):
    pytest.importorskip("transformers")
    from pearljoin_train.benchmark.baselines.hub import TransformerEncoder, TransformerSpec

    with pytest.raises(ModelError, match=r"cannot be had on this machine\. Got .*Hint"):
        TransformerEncoder(TransformerSpec(tmp_path / "empty"))
