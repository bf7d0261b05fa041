"""The documented limits are those of the code, and hold at their edges."""

import json
import re
from pathlib import Path

import pytest

from pearljoin import ModelError
from pearljoin._candidates.blocking import MOST_ALIKE, MOST_PAIRS
from pearljoin._encoders import model_folder, onnx_encoder, onnx_file, tokenizer, word_grams
from pearljoin._encoders.tokenizer_checks import LONGEST_TEXT, MOST_GROWTH, check_tokenizer
from pearljoin._features import text_profiles
from pearljoin._fitted.checked_folder import LARGEST_MANIFEST
from pearljoin._kinds import read_quantity, spelling
from pearljoin._kinds.lists import MOST_ENTRIES
from pearljoin._records import whole_record
from pearljoin._search import tfidf
from pearljoin._tables.backends import LARGEST_EXACT, uniform
from pearljoin._text import normalise, tokens
from pearljoin._word_vectors import load

PAGE = Path(__file__).parent.parent / "docs" / "limits.md"

LIMITS = {
    "pairs listed by one call": MOST_PAIRS,
    "right rows with a key that is alike once normalised, compared with a left row": MOST_ALIKE,
    "combining marks in a row": normalise._MOST_MARKS,
    "characters of a text compared by spelling": tfidf.LONGEST,
    "characters of a text compared by string measures": tokens.LONGEST,
    "characters of a code or an address whose edits are counted one by one": spelling.LONGEST,
    "words of a text compared one by one": text_profiles.MOST_WORDS,
    "characters of a text in the vector of a whole record": whole_record.LONGEST,
    "characters of a number with its unit": read_quantity.LONGEST,
    "entries of a list in a cell": MOST_ENTRIES,
    "whole numbers that are numbers beside fractions": LARGEST_EXACT,
    "characters of a phrase that the tokenizer reads, for each token of the maximum length": (
        tokenizer._CHARACTERS_PER_TOKEN
    ),
    "characters of a phrase that the character encoder reads": word_grams.LONGEST_TEXT,
    "characters of a word of which n-grams are taken": word_grams._LONGEST_WORD,
    **{f"bytes of `{name}`": limit for name, limit in model_folder._MAX_BYTES.items()},
    "bytes of `model.onnx` and `model.safetensors`": model_folder._MAX_WEIGHT_BYTES,
    "columns of an encoder's vectors": model_folder._MAX_DIM,
    "tokens of a phrase": model_folder._MAX_LENGTH,
    "levels of messages in `model.onnx`": onnx_file._DEEPEST,
    "characters of a text that a tokenizer puts into a phrase": LONGEST_TEXT,
    "times that a tokenizer's replacements lengthen a text": MOST_GROWTH,
    "seconds of the first phrase in a folder that is not bundled": onnx_encoder._FIRST_SECONDS,
    "bytes of a saved matcher's `manifest.json`": LARGEST_MANIFEST,
    "bytes of a word in a file of word vectors": load.LONGEST_WORD,
    "bytes in which the first row of a file of word vectors ends": load.LONGEST_ROW,
}

# Limits whose edge is tested where the rest of the part is.
IN_WORDS = {
    "years of dates that are keys",
    "characters of a name or a prefix in `config.json`",
    "operators in `model.onnx`",
    "regular expressions of a tokenizer",
}


def documented() -> dict[str, str]:
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {what: limit for what, limit in rows if what != "what"}


def test_the_page_lists_the_limits_of_the_code() -> None:
    page = documented()
    assert set(page) == {*LIMITS, *IN_WORDS}
    for what, limit in LIMITS.items():
        assert page[what] == f"{limit:,.0f}", what


def test_spelling_reads_the_beginning_of_a_text() -> None:
    text = "ab " * (tfidf.LONGEST // 3) + "a"
    assert len(text) == tfidf.LONGEST
    whole, longer, shorter = tfidf.count([text, text + "xyz", text[:-1] + "xyz"])
    assert (whole != longer).nnz == 0
    assert (whole != shorter).nnz > 0


def test_words_beyond_the_limit_are_not_compared() -> None:
    words = [f"w{at}" for at in range(text_profiles.MOST_WORDS)]
    assert text_profiles._shortened(" ".join(words)) == " ".join(words)
    assert text_profiles._shortened(" ".join([*words, "one"])) == " ".join(words)


def test_marks_beyond_the_limit_are_left_out() -> None:
    most = "a" + "\u0301\u0323" * (normalise._MOST_MARKS // 2)
    assert normalise.cut_marks(most) == most
    assert normalise.cut_marks(most + "\u0301b") == most + "b"


def test_n_grams_are_of_the_beginning_of_a_word_and_a_text() -> None:
    word = "a" * word_grams._LONGEST_WORD

    def grams(text: str) -> list[int]:
        return word_grams.word_grams([text], 100_000).grams.tolist()

    assert grams(word) == grams(word + "b")
    assert grams(word) != grams(word[:-1] + "b")
    text = "b" * word_grams.LONGEST_TEXT
    assert word_grams._cut(text) == word_grams._cut(text + "c") == text


def test_whole_numbers_beside_fractions_are_numbers_while_they_are_exact() -> None:
    assert uniform([LARGEST_EXACT, 0.5]) == [float(LARGEST_EXACT), 0.5]
    assert uniform([LARGEST_EXACT + 1, 0.5]) == [str(LARGEST_EXACT + 1), "0.5"]


def test_a_tokenizer_may_put_so_many_characters_into_a_phrase() -> None:
    check_tokenizer({"normalizer": {"type": "Prepend", "prepend": "a" * LONGEST_TEXT}})
    with pytest.raises(ValueError, match=r"a 'prepend' of 201 characters"):
        check_tokenizer({"normalizer": {"type": "Prepend", "prepend": "a" * (LONGEST_TEXT + 1)}})
    for length, fits in ((MOST_GROWTH, True), (MOST_GROWTH + 1, False)):
        replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * length}
        if fits:
            check_tokenizer({"normalizer": replace})
        else:
            with pytest.raises(ValueError, match=r"101 times as long"):
                check_tokenizer({"normalizer": replace})


@pytest.mark.parametrize("name", ["config.json", "scorer.json"])
def test_a_file_of_a_model_folder_may_be_so_large(tmp_path, name: str) -> None:
    most = model_folder._MAX_BYTES[name]
    content = json.dumps({"a": ""}).encode()
    (tmp_path / name).write_bytes(content + b" " * (most - len(content)))
    assert model_folder.read_json(tmp_path / name) == {"a": ""}
    (tmp_path / name).write_bytes(content + b" " * (most - len(content) + 1))
    with pytest.raises(ModelError, match=rf"too large .* at most {most:,} are read"):
        model_folder.read_json(tmp_path / name)


def test_larger_files_are_judged_by_their_size_alone(tmp_path) -> None:
    for name, most in model_folder._MAX_BYTES.items():
        with (tmp_path / name).open("wb") as file:
            file.truncate(most + 1)  # sparse: it takes no room
        with pytest.raises(ModelError, match=r"too large"):
            model_folder.read_json(tmp_path / name)


def test_string_measures_read_the_beginning_of_a_text() -> None:
    text = "ab " * (tokens.LONGEST // 3) + "ab"
    assert len(text) == tokens.LONGEST
    assert text_profiles._in_order([text, text + "z z"]).tolist() == [text, text]
