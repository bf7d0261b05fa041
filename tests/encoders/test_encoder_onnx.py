import copy
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from encoder_samples import BUNDLED, NAMES
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin import InputError
from pearljoin._encoders import CoverageEncoder, Encoder, load_encoder
from pearljoin._encoders.load import DEFAULT
from pearljoin._encoders.onnx_encoder import OnnxEncoder


def test_it_keeps_the_protocols(encoder):
    assert isinstance(encoder, Encoder)
    assert isinstance(encoder, CoverageEncoder)
    assert encoder.dim == 576
    assert encoder.name == DEFAULT
    assert 0 < encoder.fallback_threshold < 1


def test_rows_are_unit_float32_in_the_order_given(encoder):
    vectors = encoder.encode(NAMES)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(NAMES), 576)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    order = np.random.default_rng(0).permutation(len(NAMES))
    np.testing.assert_array_equal(encoder.encode([NAMES[i] for i in order]), vectors[order])


def test_no_phrases_give_no_rows(encoder):
    assert encoder.encode([]).shape == (0, 576)
    assert encoder.covers([]).tolist() == []


def test_a_phrase_alone_has_the_very_vector_it_has_in_company(encoder):
    together = encoder.encode(NAMES)
    alone = np.concatenate([encoder.encode([name]) for name in NAMES])
    np.testing.assert_array_equal(alone, together)


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.integers(0, len(NAMES) - 1), min_size=1, max_size=40),
    batch_size=st.integers(1, 17),
    threads=st.integers(1, 3),
)
def test_a_vector_depends_on_no_batch(rows, batch_size, threads):
    encoder = OnnxEncoder(BUNDLED, batch_size=batch_size, threads=threads)
    vectors = encoder.encode([NAMES[row] for row in rows])
    np.testing.assert_array_equal(vectors, _reference()[rows])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_any_text_has_a_unit_vector_that_depends_on_it_alone(texts):
    encoder = load_encoder()
    vectors = encoder.encode(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(encoder.encode(texts[::-1]), vectors[::-1])


_known: list[np.ndarray] = []


def _reference():
    if not _known:
        _known.append(load_encoder().encode(NAMES))
    return _known[0]


def test_close_names_lie_closer_than_others(encoder):
    vectors = encoder.encode(["Oxford University", "University of Oxford", "Coca Cola", "JAMA"])
    similarity = vectors @ vectors.T
    assert similarity[0, 1] > 0.9
    assert similarity[0, 1] > similarity[0, 2:].max() + 0.4


def test_the_five_names_of_figure_1(encoder):
    # Entity "The New York Times", the paper's figure 1. On its own the model puts the newspaper's
    # spelled-out name first and its web address above another newspaper; it does not get the
    # initialism-like "NYTimes" above "New York Post". Those cosines are 0.91, 0.77, 0.71, 0.61
    # and 0.58.
    names = ["nytimes.com", "NYTimes", "New-York Daily Times", "New York Post", "New York"]
    anchor, *others = encoder.encode(["The New York Times", *names])
    cosines = dict(zip(names, np.array(others) @ anchor, strict=True))
    ranked = sorted(cosines, key=cosines.get, reverse=True)
    assert ranked == ["New-York Daily Times", "nytimes.com", "New York Post", "NYTimes", "New York"]
    assert cosines["New-York Daily Times"] == pytest.approx(0.91, abs=0.02)
    assert cosines["NYTimes"] - cosines["New York"] > 0.02


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("New York", True),
        ("Zürich HB 7", True),
        ("مكتبة", True),
        ("ភ្នំពេញ", False),
        ("東京 龘", False),
        ("🎉", False),
        ("party 🎉", False),
        ("", False),
        ("\x00\x07", False),
        ("broken \ud800 half", False),
        ("word " * 126, True),
        ("word " * 127, False),
        ("x" * 100_000, False),
        ("ab, " * 30_000, False),
        ("New" + " " * 90_000 + "York", True),
    ],
)
def test_covers_only_texts_that_the_vector_stands_for(encoder, text, covered):
    assert encoder.covers([text, "Oslo"]).tolist() == [covered, True]


def test_very_long_texts_take_no_time(encoder):
    encoder.encode(["warm"])
    began = time.process_time()
    encoder.encode(["ab, " * 30_000, "x" * 100_000, "y z " * 25_000] * 5)
    assert time.process_time() - began < 5


def test_blanks_in_a_long_text_do_not_hide_its_end(encoder):
    spaced, plain = encoder.encode(["New" + " " * 90_000 + "York", "New York"])
    np.testing.assert_array_equal(spaced, plain)


def test_a_lone_surrogate_is_encoded_like_the_rest_of_the_text(encoder):
    broken, plain = encoder.encode(["broken \ud800half", "broken half"])
    np.testing.assert_array_equal(broken, plain)


def test_copies_and_pickles_hold_no_weights(encoder):
    vectors = encoder.encode(NAMES[:5])
    stored = pickle.dumps(encoder)
    assert len(stored) < 1_000
    np.testing.assert_array_equal(pickle.loads(stored).encode(NAMES[:5]), vectors)
    np.testing.assert_array_equal(copy.deepcopy(encoder).encode(NAMES[:5]), vectors)
    assert str(BUNDLED).encode() not in stored  # a pickle works in another installation


def test_a_pickle_of_a_folder_keeps_its_options(copy_of_bundled):
    folder, _ = copy_of_bundled
    again = pickle.loads(pickle.dumps(OnnxEncoder(folder, batch_size=3, threads=1)))
    assert again.__getstate__()["folder"] == ("folder", str(folder))
    assert (again.__getstate__()["batch_size"], again.__getstate__()["threads"]) == (3, 1)


def test_several_threads_share_one_encoder():
    encoder = OnnxEncoder(BUNDLED)
    found = {}

    def work(number):
        found[number] = encoder.encode(NAMES[number:] + NAMES[:number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    for number, vectors in found.items():
        np.testing.assert_array_equal(vectors, np.roll(_reference(), -number, axis=0))


def test_the_model_is_loaded_once(monkeypatch):
    import onnxruntime

    load_encoder().encode(["warm"])

    def refuse(*_args, **_options):
        raise AssertionError("loaded a second time")

    monkeypatch.setattr(onnxruntime, "InferenceSession", refuse)
    assert load_encoder(DEFAULT).encode(["again"]).shape == (1, 576)


@pytest.mark.parametrize("option", ["batch_size", "threads"])
def test_options_below_one_are_refused(option):
    with pytest.raises(InputError, match=f"{option} must be at least 1. Got 0"):
        OnnxEncoder(BUNDLED, **{option: 0})


def test_onnx_runtime_stores_nothing_about_the_machine(tmp_path):
    """By default its import writes an identifier into the user's cache folder."""
    code = "import pearljoin as pj; pj.load_encoder('default').encode(['Acme'])"
    kept = {
        n: v for n, v in os.environ.items() if n not in ("XDG_CACHE_HOME", "ORT_DISABLE_TELEMETRY")
    }
    subprocess.run([sys.executable, "-c", code], env={**kept, "HOME": str(tmp_path)}, check=True)
    assert list(tmp_path.rglob("*")) == []
