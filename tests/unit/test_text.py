"""normalise: what counts when two texts are compared; mend: wrong decodings undone; brackets."""

import re
import unicodedata

import pytest
from ftfy import fix_encoding
from ftfy.badness import BADNESS_RE, MOJIBAKE_CATEGORIES, is_bad
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pearljoin._text.normalise import _MAY_BE_WRONG, mend, normalise, split_brackets


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ""),
        ("   ", ""),
        ("Acme", "acme"),
        ("  Acme\t\n Corp  ", "acme corp"),
        ("Acme, Inc.", "acme inc"),
        ("Café Été", "cafe ete"),
        ("Cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("Łódź Ørsted Æon Œuvre Đà", "lodz orsted aeon oeuvre da"),
        ("İstanbul", "istanbul"),
        ("ＡＣＭＥ　１２", "acme 12"),
        ("ﬁne", "fine"),
        ("²", "2"),
        ("AT&T", "at and t"),
        ("Marks & Spencer", "marks and spencer"),
        ("U.S.A.", "usa"),
        ("J. R. R. Tolkien", "jrr tolkien"),
        ("J.R. R. Tolkien", "jrr tolkien"),
        ("J. V. Smith", "jv smith"),
        ("U.S. v. Nixon", "us v nixon"),
        ("Acme, L.L.C. v. Zenith", "acme llc v zenith"),
        ("St. Louis", "st louis"),
        ("O'Neill’s", "oneills"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("50%", "50%"),
        ("M*A*S*H", "m*a*s*h"),
        ("user@example.com", "user@example com"),
        ("3.14", "3.14"),
        ("Version 3.14.", "version 3.14"),
        ("-5 degrees", "-5 degrees"),
        ("1990-2000", "1990 2000"),
        ("well-known", "well known"),
        ("“quoted”", "quoted"),
        ("a/b\\c,d", "a b c d"),
        ("???", "???"),
        (" !? ", "!?"),
        ("Αθήνα", "αθηνα"),
        ("Ёлка", "елка"),
        ("中文 名字", "中文 名字"),
        ("がぎ", "がぎ"),
        ("हिन्दी", "हिन्दी"),
        ("🎉 Party", "🎉 party"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("€5", "€5"),
        ("\u200bAcme\u200d Corp\ufeff", "acme corp"),
        ("co\u00adoperate", "cooperate"),
        ("\u202bمرحبا\u202c", "مرحبا"),
        ("می\u200cخواهم", "می خواهم"),
        ("می\u200c خواهم\u200c", "می خواهم"),
        ("ന്\u200d", "ൻ"),
        ("അവർ അവര്\u200d", "അവർ അവർ"),
        ("ക്\u200cഷ", "ക്ഷ"),
        ("葛\U000e0100城", "葛城"),
        ("क्\u200dष", "क्ष"),
        ("❤\ufe0f\u200d🔥", "❤\u200d🔥"),
        ("❤\ufe0f Café", "❤ cafe"),
        ("\u200b", "\u200b"),
    ],
)
def test_what_is_levelled_and_what_stays(text: str, wanted: str) -> None:
    assert normalise(text) == wanted


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("C++", "C#"),
        ("C", "C++"),
        ("???", "!!!"),
        ("->", ">"),
        ("^_^", "^^"),
        ("ʼ", "ʻ"),
        ("3.14", "314"),
        ("-5", "5"),
        ("が", "か"),
    ],
)
def test_texts_that_differ_in_what_counts_stay_different(one: str, two: str) -> None:
    assert normalise(one) != normalise(two)


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(st.characters(), max_size=20))
@example("A.\u0301 B.")
@example("ß.ẞ")
@example("\ue000.\ue001")
@example("\ud800 \udfff")
@example("a.b.c. d.")
@example("ΑΣ. Σ")
@example("´`'.")
@example("& &")
@example("¨ a")
@example("１.２ －３")
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


# Letters, signs and marks that meet once something between them is removed.
MEETING = st.sampled_from(
    "ǽǿǼǾǢæøłıͅ\u0338\u0301\u0307\u1dcc\u05ad\U0001e8d1\u08e5かガ\u3099각가"
    "\ue000\ue001\u200d'`´ʹ.-& 1２½aA"
    "👩❤\ufe0f\u200b\u00ad\u200cیخന്"
)


@settings(derandomize=True, deadline=None, max_examples=2_000)
@given(st.text(MEETING, max_size=9))
@example("2\u1dcc'\u05ad")
def test_normalising_twice_changes_nothing_where_letters_meet(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


SEEN = {"ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "INTERLINEAR", "TAG", "LANGUAGE", "CANCEL"}
"""Signs above numbers and between lines are seen, and flags are made of tags."""


def test_format_characters_that_are_not_seen_do_not_count() -> None:
    signs = map(chr, range(0x110000))
    formats = [sign for sign in signs if unicodedata.category(sign) == "Cf"]
    unseen = [sign for sign in formats if unicodedata.name(sign).split()[0] not in SEEN]
    assert len(unseen) >= 30
    for sign in unseen:
        assert normalise(f"{sign}Ac{sign}me é{sign}") == "acme e", hex(ord(sign))


def test_every_letter_is_settled_at_once() -> None:
    codes = [*range(0x3000), *range(0xF900, 0x10000), *range(0x1D400, 0x1D800)]
    once = [normalise(chr(code)) for code in codes]
    assert [normalise(text) for text in once] == once


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Rǿ", "ro"),
        ("Ǽ", "ae"),
        ("ø\u0301.ǽ", "oae"),
        ("a\ue000b", "ab"),
        ("ab\ue000c", "ab c"),
        ("1\ue0002", "1.2"),
        ("\ue001 5", "5"),
        ("2\u1dcc'\u05ad", "2\u05ad\u1dcc"),
    ],
)
def test_what_settles_at_the_second_step(text: str, wanted: str) -> None:
    assert normalise(text) == wanted


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(st.characters(), max_size=20))
def test_words_are_separated_by_single_spaces(text: str) -> None:
    normal = normalise(text)
    assert normal == " ".join(normal.split())
    assert (normal == "") == (not text.strip())


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(st.sampled_from("abcXYZ é.,-'&09 "), max_size=20))
def test_case_does_not_count(text: str) -> None:
    assert normalise(text.upper()) == normalise(text) == normalise(text.lower())


# Mending ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("SÃ£o Paulo", "São Paulo"),
        ("LukÃ¡Å¡ NovÃ¡k", "Lukáš Novák"),
        ("The Mona Lisa doesnâ€™t have eyebrows.", "The Mona Lisa doesn’t have eyebrows."),
        ("1990â€“2000", "1990–2000"),
        ("Ð½Ð¾Ð²Ð¾", "ново"),
        ("l&amp;l", "l&l"),
        ("A. M&uuml;ller, &hellip;", "A. Müller, …"),
        ("1990&#8211;2000 &#x2014;", "1990–2000 —"),
    ],
)
def test_wrong_decodings_are_undone(text: str, wanted: str) -> None:
    assert mend(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "São Paulo",
        "Ångström",
        "BÃ",
        "Москва",
        "中文",
        "R&D; AT&T",
        "&nosuch; &#99999999;",
        "ﬁne",
        "a\x00b",
        "\ud800",
    ],
)
def test_what_looks_right_stays(text: str) -> None:
    assert mend(text) == text


TOLD = re.compile(f"[{''.join(MOJIBAKE_CATEGORIES.values())}]")
ODD = "".join(
    letter
    for letter in map(chr, range(0x80, 0x3000))
    if TOLD.match(letter) or letter in BADNESS_RE.pattern
)
"""Letters that ftfy knows wrong decodings by."""


@settings(derandomize=True, deadline=None, max_examples=2_000)
@given(st.text(ODD + " aZ.,?!0", max_size=4))
def test_what_ftfy_takes_for_wrong_is_shown_to_it(text: str) -> None:
    assert _MAY_BE_WRONG.search(text) or not is_bad(text)


@pytest.mark.parametrize("text", ["\x85", "œ d", "aÂ ", "Ã b", "Ã©", "â€™"])
def test_signs_of_a_wrong_decoding(text: str) -> None:
    assert is_bad(text)
    assert mend(text) == fix_encoding(text)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_any_text_can_be_mended(text: str) -> None:
    assert isinstance(mend(text), str)
    if text.isascii() and "&" not in text:
        assert mend(text) == text


@pytest.mark.parametrize(
    ("text", "outside", "inside"),
    [
        ("Hello", "Hello", ""),
        ("Hello (Adele)", "Hello", "Adele"),
        ("Hello [Adele] (live)", "Hello", "Adele live"),
        ("Hello (Adele (live))", "Hello", "Adele live"),
        ("Hello （アデル） ［live］", "Hello", "アデル live"),
        ("(Sittin' On) The Dock", "The Dock", "Sittin' On"),
        ("a) b (c", "a) b (c", ""),
        ("(Adele)", "", "Adele"),
        ("()", "", ""),
    ],
)
def test_what_stands_in_brackets(text: str, outside: str, inside: str) -> None:
    assert split_brackets(text) == (outside, inside)


def test_deep_brackets_take_no_longer() -> None:
    text = "(" * 100_000 + "a" + ")" * 100_000
    assert split_brackets(text)[1] == "a"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Water 0.5 L", "water 500 ml"),
        ("Water 0,5 l", "water 500 ml"),
        ("Water, 50cl", "water 500 ml"),
        ("Water 500ml", "water 500 ml"),
        ("½ litre of water", "500 ml of water"),
        ("Cola 6x33cl", "cola 6x330 ml"),
        ("Flour 1000 g", "flour 1 kg"),
        ("Flour, 1,000 grams", "flour 1 kg"),
        ("Flour 1,5 kg", "flour 1.5 kg"),
        ("Flour 1500 g", "flour 1.5 kg"),
        ("Flour 10 000 g", "flour 10 kg"),
        ("Metformin 1 g", "metformin 1000 mg"),
        ("Engine 1400 ml", "engine 1.4 l"),
        ("Vitamin D 0.025 mg", "vitamin d 25 mcg"),
        ("Vitamin D 25 µg", "vitamin d 25 mcg"),
        ("Cable 1,8 m", "cable 1.8 m"),
        ("1,500 W", "1500 w"),
        # Nothing says whether these are thousands, and below the smallest unit is no whole number.
        ("1.500 ml", "1.500 ml"),
        ("0.0005 ml", "0.0005 ml"),
        # A network, a model, a flat, a legal form, a sum, and a unit that is none.
        ("Galaxy S 5G", "galaxy s 5g"),
        ("E3L, x330ml", "e3l x330ml"),
        ("007 g", "007 g"),
        ("0 g", "0 g"),
        ("Flat 5 G", "flat 5 g"),
        ("Meier 2 KG", "meier 2 kg"),
        ("1,234,500 cl", "1234500 cl"),
        ("1,234,000 mg", "1234000 mg"),
        ("1 500 ml", "1 500 ml"),
        ("0.4 l'eau", "0.4 leau"),
        ("2013 MLS Cup", "2013 mls cup"),
        ("1,2 and 3", "1 2 and 3"),
    ],
)
def test_amounts_are_written_in_one_way(text: str, expected: str) -> None:
    assert normalise(text) == normalise(expected) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wood screw 1/2 inch", "wood screw 0.5 inch"),
        ('Pipe 1½"', "pipe 1.5"),
        ("Pipe, 1 1/2-in", "pipe 1.5 in"),
        ("Hex Bolt 1/4 in x 2 in", "hex bolt 0.25x2 in"),
        ("Bolt 1/4x2", "bolt 0.25x2"),
        ("Screw #8 x 1-1/4", "screw #8x1.25"),
        ("Screw #8 x 1-1/4 in", "screw #8x1.25 in"),
        ('Board 2" × 1/2"', "board 2x0.5"),
        ("Board 1/4 in x 1 1/2 in", "board 0.25x1.5 in"),
        ("Tee 3/4 x 1/2 x 1/2", "tee 0.75x0.5x0.5"),
        ("Drive 1/2 in stock", "drive 1 2 in stock"),
        ("¾ cup", "0.75 cup"),
        ("12 ½ kg", "12.5 kg"),
        ("5/16''", "0.3125"),
        # A flat and a house, a day of a month, and what is no fraction.
        ("Flat 1/2, Elm Road", "flat 1 2 elm road"),
        ("1/3 M Street", "1 3 m street"),
        ("1/2/2020 in Oslo", "1 2 2020 in oslo"),
        ("24/8 kg", "24 8 kg"),
        ("1/0 in", "1 0 in"),
    ],
)
def test_fractions_of_a_unit_are_decimals(text: str, expected: str) -> None:
    assert normalise(text) == normalise(expected) == expected
