"""Names of Cyrillic, Greek, Armenian and Georgian letters in Latin ones."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._text.normalise import normalise
from pearljoin._text.romanise import is_latin, is_romanised, romanise

WRITTEN = {
    "russian": {
        "Василий Хрущёв": "Vasily Khrushchev",
        "Юрий Жирков": "Yury Zhirkov",
        "ЮРИЙ ЩУКИН": "YURY SHCHUKIN",
        "Нижний Новгород": "Nizhny Novgorod",
        "Васильев, Григорьевна": "Vasilyev, Grigoryevna",
        "Мария Цой": "Maria Tsoy",
        "Объединённая": "Obyedinennaya",
        "ПАО «МегаФон»": "PAO «MegaFon»",
        "С. П. Иванов": "S. P. Ivanov",
    },
    "ukrainian": {
        "Київ": "Kyiv",
        "Кривий Ріг": "Kryvyi Rih",
        "Запоріжжя": "Zaporizhzhia",
        "Андрій Єрмак": "Andriy Yermak",
        "Юлія": "Yulia",
    },
    "bulgarian": {"Велико Търново": "Veliko Tarnovo", "Кърджали": "Kardzhali"},
    "serbian": {"Вучић": "Vucic", "Ђинђић": "Djindjic", "Љубиша Њежић": "Ljubisa Njezic"},
    "macedonian": {"Ѓорѓе Ќосев": "Gjorgje Kjosev"},
    "belarusian": {"Магілёў Гродна": "Mahileu Hrodna"},
    "kazakh": {"Нұрсұлтан": "Nursultan"},
    "bashkir": {"Башҡортостан": "Bashkortostan", "Яҙ, Ҫәсән": "Yaz, Sasan"},
    "tatar": {"Муса Җәлил": "Musa Jalil", "ҖӘЛИЛ": "JALIL"},
    "chuvash": {"Чӑваш, Ҫӗрпӳ": "Chavash, Serpu"},
    "yakut": {"Саха Өрөспүүбүлүкэтэ": "Sakha Orospuubulukete", "Таҥара": "Tangara"},
    "mongolian": {"Өвөрхангай": "Ovorkhangay"},
    "tajik": {"Ҷаҳонгир": "Jahongir"},
    "ossetian": {"Цӕгат Ирыстон": "Tsaegat Iryston"},
    "abkhaz": {"Аҧсны": "Apsny"},
    "chechen": {"Ӏаьржа": "arzha"},
    "komi": {"Йӧз, Кӧмі": "Yoz, Komi"},
    "greek": {
        "Ηράκλειο": "Irakleio",
        "Γλυφάδα": "Glyfada",
        "ΔΗΜΟΣ ΑΘΗΝΑΙΩΝ": "DIMOS ATHINAION",
        "Παύλος": "Pavlos",
        "Λευκάδα": "Lefkada",
        "Μπουτάρης, Ντίνος, Γκίκας": "Boutaris, Dinos, Gikas",
        "Αγγελόπουλος": "Angelopoulos",
        "Μαΐου, πραΰς": "Maiou, prays",
        "ῥόδος": "rodos",
    },
    "armenian": {"Երևան": "Yerevan", "Յուրի": "Yuri", "Ոսկան": "Voskan"},
    "georgian": {"თბილისი": "tbilisi", "ᲗᲑᲘᲚᲘᲡᲘ": "TBILISI", "ႧႡႨႪႨႱႨ": "TBILISI"},
}


@pytest.mark.parametrize("language", WRITTEN)
def test_names_are_written_as_in_english(language: str) -> None:
    for text, latin in WRITTEN[language].items():
        assert romanise(text) == latin, text
        assert romanise(unicodedata.normalize("NFD", text)) == latin, text


@pytest.mark.parametrize(
    "text",
    ["", "Acme", "São Paulo", "北京", "القاهرة", "α-Tocopherol", "Ω", "µ", "5 Ω", "10 µF", "1 234"],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert romanise(text) is text
    assert not is_romanised(text)


def test_each_letter_that_counts_becomes_latin() -> None:
    letters = [chr(at) for at in range(0x370, 0x2000)]
    letters = [one for one in letters if one.isalpha() and is_romanised(2 * one)]
    assert len(letters) > 800
    for letter in letters:
        name = unicodedata.name(letter)
        beside = {"CYRILLIC": "а", "GREEK": "α", "ARMENIAN": "ա"}.get(name.split()[0], "ა")
        written = romanise(beside + letter + beside)
        assert written.isascii(), name
        assert written.startswith("a"), name


def test_wrongly_decoded_names_are_mended_first() -> None:
    assert romanise("Владивосток".encode().decode("latin-1")) == "Vladivostok"


def test_most_letters_tell_the_script() -> None:
    assert romanise("Яндекс (Yandex)") == "Яндекс (Yandex)"
    assert romanise("ЗАО Яндекс Go") == "ZAO Yandeks Go"
    assert is_latin("Yandex (Я)")
    assert not any(map(is_latin, ["Я", "1 2", "Яндекс"]))


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.text(st.characters(min_codepoint=0x370, max_codepoint=0x58F)) | st.text())
def test_any_text_is_written_once(text: str) -> None:
    once = romanise(text)
    assert is_romanised(text) == (once != text) or normalise(once) == normalise(text)
    assert romanise(once) == once or is_romanised(once)


def test_long_words_of_marks_take_no_time() -> None:
    assert len(romanise("и" * 3 + "\u0306" * 100_000)) < 100
