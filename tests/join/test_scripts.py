"""Names of two scripts meet; where all is of one, nothing is changed."""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frames import KINDS, FrameMaker, columns_of, pairs_of

import pearljoin as pj
from pearljoin._fitted import save_matcher
from pearljoin._tables import scripts

LATIN = [
    "Novosibirsk", "Kazan", "Chelyabinsk", "Krasnoyarsk", "Voronezh", "Volgograd", "Tyumen",
    "Yaroslavl", "Khabarovsk", "Magnitogorsk", "Stavropol", "Ulyanovsk",
]  # fmt: skip
CYRILLIC = [
    "Новосибирск", "Казань", "Челябинск", "Красноярск", "Воронеж", "Волгоград", "Тюмень",
    "Ярославль", "Хабаровск", "Магнитогорск", "Ставрополь", "Ульяновск",
]  # fmt: skip
SAME = [(row, row) for row in range(len(LATIN))]


def scores_of(result: Any) -> np.ndarray:
    found = result.matches(0.0, "m:m")
    return np.array(sorted(zip(found.left, found.right, found.score, strict=True)))


@pytest.mark.parametrize("kind", KINDS)
def test_two_tables_of_different_scripts_meet(kind: str) -> None:
    make = FrameMaker(kind)
    for one, other in ((LATIN, CYRILLIC), (CYRILLIC, LATIN)):
        result = pj.match(make({"city": one}), make({"city": other}), on="city")
        assert pairs_of(result.matches()) == SAME
        assert result.keys.kinds == ("text, romanised",)
        assert "city (text, romanised)" in repr(result)
        columns = columns_of(result.join())
        assert columns["city"] == one
        assert other in columns.values()


def test_greek_georgian_and_armenian_names_meet_latin_ones() -> None:
    latin = ["Glyfada", "Ioannina", "Kalamata", "Batumi", "Kutaisi", "Vanadzor", "Gyumri"]
    others = ["Γλυφάδα", "Ιωάννινα", "Καλαμάτα", "ბათუმი", "ქუთაისი", "Վանաձոր", "Գյումրի"]
    for one, other in ((latin, others), (others, latin)):
        found = pj.match(one, other).matches()
        assert pairs_of(found) == [(row, row) for row in range(len(latin))]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (LATIN[:8], LATIN[2:]),
        (CYRILLIC[:8], CYRILLIC[2:]),
        ([*CYRILLIC[:8], "Kazan"], CYRILLIC[2:]),
        ([*LATIN[:5], *CYRILLIC[5:9]], [*LATIN[:5], *CYRILLIC[5:9]]),
        ([*LATIN[:6], "α-Tocopherol", "5 Ω"], [*LATIN, "β-Carotene", "10 Ω", "北京"]),
    ],
)
def test_tables_of_one_script_are_compared_as_they_are(left, right, monkeypatch) -> None:
    found = pj.match(left, right)
    assert found.keys.kinds == ("text",)
    lookup = pj.Matcher().fit(right).match(left[:3])
    monkeypatch.setattr(scripts, "romanise", lambda text: text)
    np.testing.assert_array_equal(scores_of(found), scores_of(pj.match(left, right)))
    plain = pj.Matcher().fit(right).match(left[:3])
    np.testing.assert_array_equal(scores_of(lookup), scores_of(plain))


def test_a_fitted_latin_reference_answers_each_row_by_itself() -> None:
    matcher = pj.Matcher().fit(LATIN)
    rows = [*CYRILLIC[:4], *LATIN[4:8], "Θεσσαλονίκη"]
    whole = matcher.match(rows)
    assert pairs_of(whole.matches()) == SAME[:8]
    together = whole.matches(0.0, "m:m")
    for row, text in enumerate(rows):
        alone = matcher.match([text]).matches(0.0, "m:m")
        of_row = together.left == row
        np.testing.assert_array_equal(alone.right, together.right[of_row])
        np.testing.assert_allclose(alone.score, together.score[of_row], atol=1e-5)
    assert matcher.match([CYRILLIC[0]]).keys.kinds == ("text, romanised",)
    assert matcher.match([LATIN[0]]).keys.kinds == ("text",)


def test_a_calibration_on_latin_rows_has_a_cyrillic_reference_read_so() -> None:
    fitted = pj.Matcher().fit(CYRILLIC)
    assert not len(fitted.match(LATIN[:4]).matches())
    matcher = fitted.calibrate(LATIN[:8])
    assert pairs_of(matcher.match(LATIN[8:9]).matches()) == [(0, 8)]
    assert pairs_of(matcher.match(CYRILLIC[8:9]).matches()) == [(0, 8)]


@pytest.mark.parametrize("right", [LATIN, CYRILLIC], ids=["latin", "cyrillic"])
def test_a_saved_matcher_reads_as_it_did(tmp_path: Path, right: list[str]) -> None:
    left = CYRILLIC if right is LATIN else LATIN
    matcher = pj.Matcher(on="city").fit(pd.DataFrame({"city": right}))
    matcher.calibrate(pd.DataFrame({"city": left}))
    matcher.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m")
    for rows in (left[2:5], right[5:8], left[:1]):
        table = pd.DataFrame({"city": rows})
        np.testing.assert_array_equal(
            scores_of(loaded.match(table)), scores_of(matcher.match(table))
        )
    matcher.add(pd.DataFrame({"city": ["Петрозаводск"]}))
    loaded.add(pd.DataFrame({"city": ["Петрозаводск"]}))
    for one in (matcher, loaded):
        assert pairs_of(one.match({"city": "Petrozavodsk"}).matches()) == [(0, len(right))]


def test_a_folder_of_an_earlier_version_reads_each_script_by_itself(tmp_path, monkeypatch) -> None:
    pj.Matcher().fit(LATIN).save(tmp_path / "m")
    content, *rest = save_matcher.read_store(tmp_path / "m")
    assert content.pop("romanised_keys") == [[0], [0]]
    monkeypatch.setattr(save_matcher, "read_store", lambda folder: (content, *rest))
    loaded = pj.Matcher.load(tmp_path / "m")
    assert pairs_of(loaded.match(LATIN[:3]).matches()) == SAME[:3]
    assert not len(loaded.match(CYRILLIC[:3]).matches())


def test_names_among_several_columns_meet() -> None:
    family = ["Petrov", "Sokolov", "Morozov", "Volkov"] * 6
    given = ["Viktor", "Marina", "Roman", "Galina", "Anton", "Ivan"] * 4
    days = [f"19{50 + row}-03-1{row % 9}" for row in range(24)]
    cyrillic = {
        "Petrov": "Петров", "Sokolov": "Соколов", "Morozov": "Морозов", "Volkov": "Волков",
        "Viktor": "Виктор", "Marina": "Марина", "Roman": "Роман", "Galina": "Галина",
        "Anton": "Антон", "Ivan": "Иван",
    }  # fmt: skip
    right = pd.DataFrame({"family": family, "given": given, "born": days})
    left = right.assign(**{name: right[name].map(cyrillic) for name in ("family", "given")})
    on = ["family", "given", "born"]
    for kinds in (None, {"family": "person", "given": "person"}):
        result = pj.match(left, right, on=on, kinds=kinds)
        assert pairs_of(result.matches()) == [(row, row) for row in range(24)]
        assert [kind.endswith(", romanised") for kind in result.keys.kinds] == [True, True, False]


def test_one_table_of_both_scripts_is_deduplicated() -> None:
    extra = ["Kirov", "Ryazan", "Lipetsk", "Smolensk", "Surgut"]
    table = pd.DataFrame({"city": [*LATIN, *CYRILLIC, *extra]})
    clusters = list(pj.find_duplicates(table, on="city").clusters())
    assert clusters[:12] == clusters[12:24]
    assert len(set(clusters)) == len(LATIN) + len(extra)
    mostly = pd.DataFrame({"city": [*CYRILLIC, *CYRILLIC[:6], "Kirov"]})
    assert "romanised" not in repr(pj.find_duplicates(mostly, on="city"))


def test_the_log_says_that_a_column_was_romanised(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="pearljoin"):
        pj.match(LATIN, CYRILLIC).matches()
    assert any("left = right (text, romanised)" in line for line in caplog.messages)


def test_explanations_show_the_texts_as_they_stand() -> None:
    shown = pj.match(LATIN, CYRILLIC).explain(0)
    assert shown.left == LATIN[0]
    assert shown.right == CYRILLIC[0]


def test_an_encoder_that_is_loaded_reads_as_its_name_does(tmp_path: Path) -> None:
    named = pj.match(LATIN, CYRILLIC, encoder="pearl-nano")
    loaded = pj.load_encoder("pearl-nano")
    for encoder in (loaded, pj.load_encoder("pearl-nano", cache=tmp_path), loaded.folder):
        found = pj.match(LATIN, CYRILLIC, encoder=encoder)
        assert found.keys == named.keys
        assert np.array_equal(scores_of(found), scores_of(named))


def test_an_own_encoder_reads_texts_as_they_stand() -> None:
    own = pj.match(LATIN, CYRILLIC, encoder=lambda texts: [[len(text), 1.0] for text in texts])
    assert "romanised" not in repr(own.keys)
