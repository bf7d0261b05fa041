"""A saved large reference: what it derives from its texts is read, not computed again."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up import names_of_syllables
from numpy.testing import assert_array_equal

import pearljoin as pj
from pearljoin._fitted import checked_folder, save_matcher, saved_forms, saved_indexes
from pearljoin._records.text_forms import TextForms, forms_beside
from pearljoin._search import approximate, inverted_lists, tfidf
from pearljoin._search.approximate import InvertedFile

N_NAMES = 300


@pytest.fixture(scope="module")
def names() -> list[str]:
    odd = "Smith, John", "Hello (Adele) [live]", "Hello", "Ørsted"
    return names_of_syllables(N_NAMES, odd)


@pytest.fixture(autouse=True)
def large_from_fifty_rows(monkeypatch) -> None:
    monkeypatch.setattr(approximate, "EXACT_ROWS", 50)
    monkeypatch.setattr(save_matcher, "MANY_TEXTS", 50)


@pytest.fixture
def saved(names, tmp_path: Path) -> tuple[pj.Matcher, Path]:
    matcher = pj.Matcher(encoder="pearl-nano").fit(names)
    matcher.save(tmp_path / "m")
    return matcher, tmp_path / "m"


@pytest.fixture
def formed(monkeypatch) -> Iterator[list[str]]:
    """The texts whose forms are computed from here on."""
    found: list[str] = []
    compute = TextForms.of.__func__

    def of(cls: type[TextForms], texts: list[str]) -> TextForms:
        found.extend(texts)
        return compute(cls, texts)

    monkeypatch.setattr(TextForms, "of", classmethod(of))
    return found


def assert_match_alike(one: pj.Matcher, other: pj.Matcher, left: list[str]) -> None:
    found = [matcher.match(left).matches(threshold=0.0) for matcher in (one, other)]
    assert_array_equal(found[0].left, found[1].left)
    assert_array_equal(found[0].right, found[1].right)
    assert_array_equal(found[0].score, found[1].score)
    assert len(found[0].left)


def test_nothing_is_computed_again(saved, names, formed, monkeypatch) -> None:
    matcher, folder = saved
    loaded = pj.Matcher.load(folder)
    # Of some texts they are, to tell whether they are those of today.
    assert len(formed) <= saved_forms.SAMPLED

    def never(*_: object, **__: object) -> None:
        raise AssertionError("an index is built again")

    monkeypatch.setattr(approximate, "fill_lists", never)
    left = [name[1:] for name in names]
    with monkeypatch.context() as built:
        built.setattr(tfidf, "present_columns", never)
        loaded.match(left[:3]).matches()
    assert_match_alike(matcher, loaded, left)


def test_a_loaded_one_is_saved_again_whole(saved, names, tmp_path: Path, formed) -> None:
    matcher, folder = saved
    pj.Matcher.load(folder).save(tmp_path / "again")
    formed.clear()
    again = pj.Matcher.load(tmp_path / "again")
    assert len(formed) <= saved_forms.SAMPLED
    assert {path.name for path in folder.iterdir()} == {
        path.name for path in (tmp_path / "again").iterdir()
    }
    assert_match_alike(matcher, again, [name[:-1] for name in names])


def test_rows_are_added_to_an_opened_one(saved, names, formed) -> None:
    matcher, folder = saved
    loaded = pj.Matcher.load(folder)
    formed.clear()
    more = ["Zanzibar Quay (north)", "Ørsted A/S"]
    loaded.add(more)
    assert formed == more
    matcher.add(more)
    assert_match_alike(matcher, loaded, ["Zanzibar Quay", *names[:40]])


def test_what_is_added_alone_is_entered_in_lists(saved, names, monkeypatch) -> None:
    matcher, folder = saved
    loaded = pj.Matcher.load(folder)
    left = [name[1:] for name in names[:40]] + ["Zanzibar Quay", "Nor Quay"]

    def never(*_: object) -> None:
        raise AssertionError("all rows are entered again")

    more = ["Zanzibar Quay (north)", names[3], "Nortig Quay", names[3]]
    matcher.add(more)
    with monkeypatch.context() as entered:
        entered.setattr(approximate, "fill_lists", never)
        loaded.add(more[:2]).add(more[2:])
        loaded.match(left[:2]).matches()
    assert_match_alike(matcher, loaded, left)
    # As if the lists were filled anew with all of them.
    again = pj.Matcher.load(folder).add(more)
    reference = again._check_fitted().learned().reference
    fresh = InvertedFile(reference.encoded.meaning, plan=reference.search_plan)
    for one, other in zip(fresh.lists, reference.encoded.meaning_index.lists, strict=True):
        assert_array_equal(one, other)
    for some in (matcher, loaded):
        some.remove(names[10:20])
    assert_match_alike(matcher, loaded, left)


def test_what_another_version_wrote_is_computed_again(saved, names, formed, monkeypatch) -> None:
    matcher, folder = saved
    monkeypatch.setattr(save_matcher, "forms_version", lambda: "another")
    loaded = pj.Matcher.load(folder)
    assert set(names) <= set(formed)
    assert_match_alike(matcher, loaded, [name[1:] for name in names])


def test_lists_of_another_faiss_are_filled_again(saved, names, monkeypatch) -> None:
    matcher, folder = saved
    monkeypatch.setattr(saved_indexes, "faiss_version", lambda: "another")
    loaded = pj.Matcher.load(folder)
    known = loaded._check_fitted().learned().reference._known_indexes
    assert known.lists is None
    assert known.postings is not None
    assert_match_alike(matcher, loaded, [name[1:] for name in names])


def test_forms_of_other_texts_are_not_taken(names) -> None:
    arrays = saved_forms.forms_arrays(TextForms.of(names), 0)
    assert saved_forms.read_forms(arrays, 0, names) is not None
    assert saved_forms.read_forms(arrays, 0, names[::-1]) is None
    with pytest.raises(ValueError, match="of 299"):
        saved_forms.read_forms(arrays, 0, names[:-1])


def as_lists(forms: TextForms) -> list[object]:
    """All but the counts, which are wide."""
    return [forms.normal, forms.brackets, forms.bare, forms.n_before_comma]


ODD = ["a (b), c", "[d] e", "É\ud800", "x\ny", "S&atilde;o"]
TEXTS = st.lists(
    st.one_of(st.text(max_size=8), st.sampled_from(ODD)),
    max_size=6,
    unique=True,
)


@pytest.mark.thorough
@given(TEXTS, TEXTS)
def test_known_forms_are_those_that_would_be_computed(texts: list[str], known: list[str]) -> None:
    position = {text: at for at, text in enumerate(known)}
    source = np.array([position.get(text, -1) for text in texts], dtype=np.int64)
    found, expected = forms_beside(texts, TextForms.of(known), source), TextForms.of(texts)
    assert as_lists(found) == as_lists(expected)
    assert (found.counts.astype(int) != expected.counts.astype(int)).sum() == 0


@pytest.mark.thorough
@given(TEXTS.filter(len))
def test_forms_survive(texts: list[str]) -> None:
    forms = TextForms.of(texts)
    found = saved_forms.read_forms(saved_forms.forms_arrays(forms, 1), 1, texts)
    assert found is not None
    assert as_lists(found) == as_lists(forms)
    assert (found.counts != forms.counts).sum() == 0


def test_lists_are_taken_out_and_put_back() -> None:
    rng = np.random.default_rng(1)
    # A cluster apart leaves some of the lists empty once most rows are gone.
    reference = rng.normal(size=(500, 16)).astype(np.float32)
    reference /= np.linalg.norm(reference, axis=1, keepdims=True)
    whole = InvertedFile(reference)
    few = InvertedFile(reference[:7], plan=whole.plan)
    assert (few.lists.sizes == 0).any()
    for index, rows in ((whole, reference), (few, reference[:7])):
        again = InvertedFile(rows, plan=whole.plan, lists=index.lists)
        longer = InvertedFile(reference, plan=whole.plan, lists=index.lists)
        for one, other in zip(whole.lists, longer.lists, strict=True):
            assert_array_equal(one, other)
        for one, other in zip(
            index.nearest(reference, 5), again.nearest(reference, 5), strict=True
        ):
            assert_array_equal(one, other)
        for one, other in zip(index.lists, again.lists, strict=True):
            assert_array_equal(one, other)
    with pytest.raises(ValueError, match="not"):
        inverted_lists.check_lists(whole.lists._replace(rows=whole.lists.rows[1:]), whole.plan)
    # Their sum is right in 64 bits, which wrap.
    sizes = whole.lists.sizes.copy()
    sizes[:4] += 2**62
    with pytest.raises(ValueError, match="lists of 500 rows"):
        inverted_lists.check_lists(whole.lists._replace(sizes=sizes), whole.plan)


@pytest.mark.parametrize("number", [np.inf, np.nan, 0, -1])
def test_counts_that_are_none_are_refused(names, number: float) -> None:
    arrays = saved_forms.forms_arrays(TextForms.of(names), 0)
    data = arrays["counts_0_data"].astype(np.float32)
    data[-2] = number
    with pytest.raises(ValueError, match="not within"):
        saved_forms.read_forms({**arrays, "counts_0_data": data}, 0, names)


def test_columns_beyond_those_of_the_spelling_are_refused(saved, monkeypatch) -> None:
    content, arrays, files = checked_folder.read_store(saved[1])
    columns = arrays["postings_columns"].copy()
    columns[-1] = 10**9
    changed = {**arrays, "postings_columns": columns}
    monkeypatch.setattr(save_matcher, "read_store", lambda _: (content, changed, files))
    with pytest.raises(pj.ModelError, match="not within"):
        pj.Matcher.load(saved[1])


def test_what_is_saved_hangs_on_no_lookup(saved, names, tmp_path: Path) -> None:
    matcher, folder = saved
    matcher.match(names[:2]).matches()
    matcher.save(tmp_path / "used")
    longer = pj.Matcher.load(folder).add(["Zanzibar Quay"])
    longer.save(tmp_path / "longer")
    for other in ("used", "longer"):
        found = {path.name for path in (tmp_path / other).iterdir()}
        assert found == {path.name for path in folder.iterdir()}
