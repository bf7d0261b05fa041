"""The report of a deduplication: figures against the result, and what a reader sees."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open
from frames import TrigramEncoder
from made_report import HOSTILE, NAMES, SCRIPT
from playwright.sync_api import expect
from reading import answer, cells, data_of, download
from repetitions import few

import pearljoin as pj
from pearljoin._report.differences import different_spans_of_cells

WIDTHS = [1280, 390]
LOOKS = [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")]


def people() -> pd.DataFrame:
    """Twelve rows of people; the index is not their positions."""
    rows = [
        ("Anna Schmidt", "anna@acme.com", "Berlin", "2021-04-01"),
        ("Schmidt, Anna", None, "Berlin", "2023-09-30"),
        ("Ana Schmid", "anna@acme.com", None, "2022-02-14"),
        ("Peter Hansen", "ph@globex.dk", "Aarhus", "2020-01-05"),
        ("P. Hansen", "ph@globex.dk", "Århus", "2024-06-01"),
        ("Anna Schmidt", "a.schmidt@initech.de", "Wien", "2022-01-01"),
        ("Peter Hansen", "ph@globex.dk", "Aarhus", "2019-01-05"),
        ("Rita Costa", "rita@initech.de", "Porto", None),
        (None, None, None, "2018-01-01"),
    ]
    table = pd.DataFrame(rows, columns=["name", "email", "city", "updated"])
    return table.set_index(np.arange(100, 109))


def find(table: object = None, **options: object) -> pj.DedupeResult:
    """Duplicates among the people, or in another table."""
    on = ["name", "email", "city"] if table is None else None
    return pj.find_duplicates(people() if table is None else table, on=on, **options)


@pytest.fixture(scope="module")
def result() -> pj.DedupeResult:
    return find()


@pytest.fixture(scope="module")
def report(result: pj.DedupeResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return result.report(tmp_path_factory.mktemp("people") / "report.html")


def test_pairs_are_those_of_the_result(result, report: Path) -> None:
    shown = data_of(report)["pairs"]
    listed = result.pairs(0.0)
    scores = {(row.left_row, row.right_row): row for row in listed.itertuples()}
    # Rows 3 and 6 have equal keys: one record, which row 3 stands for.
    assert not any(6 in (pair["left_row"], pair["right_row"]) for pair in shown)
    wanted = {rows for rows in scores if 6 not in rows}
    assert {tuple(sorted((p["left_row"], p["right_row"]))) for p in shown} == wanted
    for pair in shown:
        row = scores[tuple(sorted((pair["left_row"], pair["right_row"])))]
        assert pair["score"] == pytest.approx(row.score, abs=1e-5)
        assert pair["is_match"] == bool(row.same_cluster)
        assert (pair["n_left"], pair["n_right"]) == tuple(
            2 if at == 3 else 1 for at in (pair["left_row"], pair["right_row"])
        )


def test_steps_add_up_to_the_log_odds_and_are_those_of_the_explanation(result, report) -> None:
    data = data_of(report)
    n_checked = 0
    for pair in data["pairs"]:
        steps = {data["step_names"][at]: effect for at, effect in pair["steps"]}
        total = sum(steps.values())
        assert 1 / (1 + np.exp(-total)) == pytest.approx(pair["score"], abs=0.002)
        for reason in result.explain(pair["left_row"], pair["right_row"]).reasons:
            assert steps[reason.kind] == pytest.approx(reason.effect, abs=1e-3)
            n_checked += 1
    assert n_checked > 20


@pytest.mark.parametrize("on", [["name"], ["name", "city"]])
def test_the_legend_tells_columns_from_other_evidence(on: list[str], tmp_path: Path) -> None:
    path = pj.find_duplicates(people(), on=on).report(tmp_path / "report.html")
    page = path.read_text(encoding="utf-8")
    legend = page.split("How to read <em>Why</em>")[1].split("</details>")[0]
    told = dict(re.findall(r"<dt>(.*?)</dt><dd><bdi>(.*?)</bdi></dd>", legend, re.DOTALL))
    assert list(told) == data_of(path)["step_names"]
    assert [name for name, meaning in told.items() if meaning == "a key column"] == on
    assert told["whole record"] == "all key columns, read as one text"


@pytest.mark.parametrize("options", [{}, {"max_size": 2}])
def test_figures_by_threshold_are_those_of_the_result(options, tmp_path: Path) -> None:
    result = find(**options)
    data = data_of(result.report(tmp_path / "report.html"))
    grid = data["grid"]
    for threshold in (None, 0.05, 0.3, 0.6, 0.95, 1.0):
        at = result if threshold is None else result.at(threshold)
        labels = at.clusters()
        sizes = np.bincount(labels)
        figures = grid["in_force"]
        if threshold is not None:
            step = round(threshold / grid["step"])
            names = ("matches", "precision", "recall")
            figures = {name: grid[name][step] for name in names}
            for pair in data["pairs"]:
                is_one = labels[pair["left_row"]] == labels[pair["right_row"]]
                assert pair["together"] >> step & 1 == is_one
        assert figures["matches"] == (sizes * (sizes - 1) // 2).sum()
        for name in ("precision", "recall"):
            expected = getattr(at, f"expected_{name}")()
            found = np.nan if figures[name] is None else figures[name]
            assert found == pytest.approx(expected, abs=1e-4, nan_ok=True)


def test_the_histogram_counts_pairs_of_rows(result, report: Path) -> None:
    counts = data_of(report)["histogram"]["counts"]
    scores = result.pairs(0.0)["score"].to_numpy()
    assert counts == np.histogram(scores[scores < 1], 50, (0, 1))[0].tolist()
    assert "pairs with equal keys, which score 1 (1)" in report.read_text(encoding="utf-8")


def test_the_review_asks_what_should_be_labelled(result, report: Path) -> None:
    data = data_of(report)
    asked = [data["pairs"][at] for at in data["review"]]
    suggested = result.suggest_labels(200)
    assert [(p["left_row"], p["right_row"]) for p in asked] == list(
        zip(suggested["left_row"], suggested["right_row"], strict=True)
    )


def test_similarities_are_reported_too(tmp_path: Path) -> None:
    names = ["red apple", "red apples", "green pear", "pears, green", "red apple", "quince"]
    result = find(names, encoder=TrigramEncoder(), threshold=0.4)
    data = data_of(result.report(tmp_path / "report.html"))
    assert data["grid"]["precision"] is None
    assert data["grid"]["first"] == pytest.approx(0.3)
    assert data["grid"]["matches"][0] == data["grid"]["matches"][6]
    assert data["steps_unit"] == "score"
    for pair in data["pairs"]:
        assert sum(effect for _, effect in pair["steps"]) == pytest.approx(pair["score"], abs=0.01)


@pytest.mark.parametrize("table", [[], [None, None], ["Le Monde"], ["Le Monde"] * 3, ["a", "zzz"]])
def test_tables_with_little_in_them_are_reported(table, tmp_path: Path) -> None:
    result = find(pd.DataFrame({"name": pd.Series(table, dtype=object)}))
    data = data_of(result.report(tmp_path / "report.html"))
    sizes = np.bincount(result.clusters(), minlength=1)
    assert data["grid"]["in_force"]["matches"] == (sizes * (sizes - 1) // 2).sum()


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_tables_of_all_kinds_are_reported(kind, tmp_path: Path) -> None:
    # Names that golden() refuses are no hindrance.
    table = kind({"name": ["Acme Corp.", "ACME Corp", "Globex"], "cluster": [1, 2, 3]})
    path = pj.find_duplicates(table, on="name").report(tmp_path / "report.html")
    assert len(data_of(path)["pairs"]) >= 1


def test_differences_are_found_column_by_column() -> None:
    left, right = ("Schmidt, Anna", "", "Berlin"), ("Anna Schmidt", "anna@acme.com", "")
    spans = different_spans_of_cells(left, right)
    joined = [" | ".join(cells) for cells in (left, right)]
    shown = [
        [text[a:b] for a, b in zip(own[::2], own[1::2], strict=True)]
        for text, own in zip(joined, spans, strict=True)
    ]
    assert "Berlin" in shown[0]
    assert "anna@acme.com" in shown[1]
    assert not any("|" in part for side in shown for part in side)


@pytest.mark.thorough
def test_a_report_stays_small_whatever_the_cells_hold(tmp_path: Path) -> None:
    # Each of these characters takes six in JSON that stands in HTML.
    # Names longer than these take most of the time to align; 5,000 pairs are twice too many, too.
    names = [f"{n} " + "<&>'" * 25 for n in range(300)]
    names += [f"{name}." for name in names]
    wide = {f"column {at}": ["'<\U0001f468>'" * 200] * len(names) for at in range(60)}
    table = pl.DataFrame({"name": names, **wide})
    pairs = [(n, n + 300) for n in range(300)]
    options = {"encoder": TrigramEncoder(), "threshold": 1.0, "must_link": pairs}
    result = pj.find_duplicates(table, on="name", **options)
    path = result.report(tmp_path / "report.html")
    assert path.stat().st_size < 5_000_000
    assert 100 < len(data_of(path)["pairs"]) <= 5_000
    assert 5 < path.read_text(encoding="utf-8").count("Golden record") <= 100


def _with_dashes(text: str) -> str:
    """A record as the page shows it: with a dash for a null."""
    return " | ".join(cell or "–" for cell in text.split(" | "))


@pytest.mark.parametrize("width", WIDTHS)
def test_the_golden_record_of_the_page_is_that_of_the_result(
    open_page: Open, report: Path, result, width: int
) -> None:
    page = open_page(report, width=width)
    golden = result.golden(provenance=True)
    doubtful = result.doubtful()
    section = page.locator("#clusters details")
    expect(section).to_have_count(len(doubtful))
    for at, link in enumerate(doubtful.itertuples()):
        cluster = section.nth(at)
        shown = " ".join((cluster.text_content() or "").split())
        assert f"{link.n_rows} rows" in shown
        assert f"Weakest link: score {link.score:.3f}" in shown
        for name in ("name", "email", "city", "updated"):
            value, row = golden[name][link.cluster], golden[f"{name}_row"][link.cluster]
            assert f"{value} (row {row})" in shown
        rows = np.flatnonzero(result.clusters() == link.cluster).tolist()
        # Of two rows, both ends of the link are listed already.
        rows += [link.left_row, link.right_row] if link.n_rows > 2 else []
        assert cluster.locator("li .hint").all_text_contents() == [f"row {row}" for row in rows]
        texts = cluster.locator("li bdi").all_text_contents()
        assert texts[-2:] == [_with_dashes(link.left), _with_dashes(link.right)]


def test_it_says_what_was_found_and_how(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    assert page.title() == "Duplicates by name, email, city"
    n_things = len(set(result.clusters().tolist()))
    expect(page.locator(".lead")).to_contain_text(f"9 rows name {n_things} things")
    how = page.locator("#how").inner_text()
    assert "How duplicates were found" in how
    assert f"{result.threshold:.4f}, chosen without labels for a precision of 0.9" in how
    assert "email (email)" in how
    expect(page.locator("#histogram svg")).to_be_visible()
    expect(page.locator("#quality svg")).to_be_visible()
    doubt = [abs(float(score) - result.threshold) for score in cells(page, "score")]
    assert doubt == pytest.approx(sorted(doubt), abs=2e-3)
    assert page.locator("#table mark").count() > 5
    assert set(cells(page, "outcome")) == {"one cluster", "apart"}
    expect(page.locator("#table")).to_contain_text("row 3 and 1 more alike")


def test_the_slider_clusters_anew(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    page.locator("#cut").fill("0.95")
    labels = result.at(0.95).clusters()
    sizes = np.bincount(labels)
    n_pairs = int((sizes * (sizes - 1) // 2).sum())
    assert page.locator("#tried td").first.inner_text() == str(n_pairs)
    page.select_option("#filter", "lost")
    before = result.clusters()
    lost = {
        (pair["left_row"], pair["right_row"])
        for pair in data_of(report)["pairs"]
        if before[pair["left_row"]] == before[pair["right_row"]]
        and labels[pair["left_row"]] != labels[pair["right_row"]]
    }
    assert len(lost) > 0
    assert cells(page, "outcome") == ["lost"] * len(lost)


def test_labels_are_set_by_keyboard_and_choose_a_threshold(open_page: Open, tmp_path: Path) -> None:
    names = [f"The {name} Company" for name in NAMES[:40]] + [f"{n} Company" for n in NAMES[:40]]
    result = pj.find_duplicates(pd.DataFrame({"name": names}))
    page = open_page(result.report(tmp_path / "report.html"))
    expect(page.locator("#review pre").first).to_contain_text("pearljoin dedupe TABLE")
    expect(page.locator("#review pre").nth(1)).to_contain_text("pj.find_duplicates(...")
    answer(page, 20, lambda left, right: left.removeprefix("The ") == right.removeprefix("The "))
    assert len(download(page, tmp_path / "labels.csv")) == 20
    learned = pj.LabelledThreshold.from_file(tmp_path / "labels.csv", precision=0.8)
    assert learned.n_labels == 20
    html = result.at(learned).report(tmp_path / "again.html").read_text("utf-8")
    assert "Measured on 20 labelled pairs" in html
    assert "measured precision" in html
    assert data_of(tmp_path / "again.html")["id"] == page.evaluate("report.id")


@pytest.mark.parametrize(("width", "scheme"), few(LOOKS, 1))
def test_everybody_can_use_it(open_page: Open, report: Path, width: int, scheme: str) -> None:
    page = open_page(report, width=width, color_scheme=scheme)
    page.get_by_role("button", name="Why").first.click()
    expect(page.locator("tr.detail svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_hostile_cells_stay_text(open_page: Open, tmp_path: Path) -> None:
    # Lists of Python hold lone surrogates, which few tables do.
    result = pj.find_duplicates([*HOSTILE, *(f"{text} of Oslo" for text in HOSTILE)], threshold=0.2)
    page = open_page(result.report(tmp_path / "report.html", title=SCRIPT))
    assert page.title() == SCRIPT
    page.locator("#clusters summary").last.click()
    page.get_by_role("button", name="Why").first.click()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, main svg[onload]").count() == 0
    shown = page.locator("#clusters li bdi").all_text_contents()
    assert HOSTILE[0] in shown
    assert "<img" not in result._repr_html_()


def test_hostile_names_of_columns_stay_text(open_page: Open, tmp_path: Path) -> None:
    names = [SCRIPT, HOSTILE[2], "__proto__"]
    texts = [text for text in HOSTILE if text.isprintable()]
    table = pd.DataFrame({name: [*texts, *(f"{text} Ltd" for text in texts)] for name in names})
    found = pj.find_duplicates(table, on=names, threshold=0.2)
    joined = pj.match(table, table, on=names)
    for result in (found, joined):
        page = open_page(result.report(tmp_path / "report.html"))
        page.get_by_role("button", name="Why").first.click()
        page.get_by_text("How to read Why").click()
        assert set(names) <= set(page.locator(".help dt").all_text_contents())
        heading = page.locator("th[data-sort=left]").inner_text()
        assert " | ".join(names) in heading
        assert page.evaluate("window.hacked") is None
        assert page.locator("main svg[onload], img").count() == 0
        assert "<svg/onload" not in result._repr_html_()
    page = open_page(found.report(tmp_path / "report.html"))
    assert set(names) <= set(page.locator("#clusters dt").all_text_contents())


def test_a_result_shows_its_weakest_links(result) -> None:
    shown = result._repr_html_()
    link = result.doubtful().iloc[0]
    for text in ("DedupeResult", "rows <b>9</b>", link["left"], f"{link['score']:.3f}"):
        assert text in shown
    assert f"clusters <b>{len(set(result.clusters().tolist()))}</b>" in shown
    assert "<table" not in pj.find_duplicates(["Le Monde", "ABBA"])._repr_html_()


def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(pj.InputError, match=r"report.*Hint: give a file in a folder"):
        find().report(tmp_path / "nowhere" / "report.html")
