"""The report in a browser: what a reader sees and does, and that cells stay text."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Open
from made_report import HOSTILE, SCRIPT, plain_result
from playwright.sync_api import Page, expect
from reading import answer, cells, data_of, download, press
from repetitions import few

import pearljoin as pj

WIDTHS = [1280, 390]
LOOKS = [("dark", 1280), ("light", 390), ("light", 1280), ("dark", 390)]


def figures(page: Page, row: str) -> list[str]:
    return page.locator(f"#{row} td").all_inner_texts()


def move_slider(page: Page, threshold: float) -> None:
    page.locator("#cut").fill(str(threshold))


def test_it_says_what_was_joined_and_how(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    assert page.title() == "Made names"
    n_matched = len(set(result.matches().left.tolist()))
    expect(page.locator(".lead")).to_contain_text(f"{n_matched} of 99 left rows have a match among")
    how = page.locator("#how").inner_text()
    assert "name = company (text)" in how
    assert f"{result.threshold:.4f}, chosen without labels for a precision of 0.9" in how
    assert "contains data of the tables" in page.locator("header").inner_text()
    expect(page.locator("#histogram svg")).to_be_visible()
    expect(page.locator("#quality svg")).to_be_visible()


def test_the_slider_moves_the_threshold(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    in_force = len(result.matches())
    assert figures(page, "in-force")[0] == str(in_force)
    move_slider(page, 0.2)
    n = len(result.matches(0.2))
    assert n > in_force
    shown = figures(page, "tried")
    expected = result.expected_precision(0.2), result.expected_recall(0.2)
    assert shown[:3] == [str(n), str(n - in_force), "–"]
    assert shown[3:] == [f"{100 * share:.1f} %" for share in expected]
    page.select_option("#filter", "gained")
    assert cells(page, "outcome") == ["gained"] * (n - in_force)
    move_slider(page, 0.99)
    page.select_option("#filter", "lost")
    lost = in_force - len(result.matches(0.99))
    assert lost > 0
    assert figures(page, "tried")[1:3] == ["–", str(lost)]
    expect(page.locator("#count")).to_have_text(f"{lost} of {n_pairs(page)} pairs")
    page.click("#cut-reset")
    assert figures(page, "tried") == figures(page, "in-force")


def n_pairs(page: Page) -> int:
    return page.evaluate("report.pairs.length")


def test_the_slider_takes_arrow_keys(open_page: Open, report: Path) -> None:
    page = open_page(report)
    move_slider(page, 0.5)
    page.focus("#cut")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cut-value")).to_have_text("0.505")


def test_pairs_are_sorted_searched_and_filtered(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    doubt = [abs(float(score) - result.threshold) for score in cells(page, "score")]
    assert doubt == pytest.approx(sorted(doubt), abs=2e-3)
    button = page.get_by_role("button", name="Score")
    button.click()
    scores = [float(score) for score in cells(page, "score")]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    expect(page.locator("th[data-sort=score]")).to_have_attribute("aria-sort", "descending")
    button.press("Enter")
    scores = [float(score) for score in cells(page, "score")]
    assert scores == sorted(scores)
    page.get_by_role("button", name="Outcome").click()
    outcomes = cells(page, "outcome")
    assert outcomes == sorted(outcomes)
    doubtful = page.get_by_role("button", name="Most doubtful first")
    expect(doubtful).to_have_attribute("aria-pressed", "false")
    doubtful.click()
    assert [abs(float(score) - result.threshold) for score in cells(page, "score")] == doubt
    page.select_option("#filter", "match")
    expect(page.locator("#count")).to_contain_text(f"{len(result.matches())} of ")
    page.select_option("#filter", "all")
    page.fill("#search", "BAKERY fil")
    found = cells(page, "left")
    assert found
    assert all("Bakery" in text and "fil" in text.lower() for text in found)
    page.fill("#search", "nothing like it")
    assert cells(page, "left") == []


def test_more_pairs_are_shown_on_request(open_page: Open, report: Path) -> None:
    page = open_page(report)
    assert len(cells(page, "left")) == 50
    page.click("#more")
    assert len(cells(page, "left")) == n_pairs(page) <= 100
    expect(page.locator("#more")).to_be_hidden()


def test_a_pair_shows_what_spoke_for_and_against(open_page: Open, report: Path, result) -> None:
    page = open_page(report)
    page.fill("#search", "The Bacorden")
    page.get_by_role("button", name="Why").first.click()
    drawn = page.locator("tr.detail .chart")
    expect(drawn.locator("svg")).to_be_visible()
    expect(drawn).to_contain_text("← against · log odds · for →")
    told = drawn.get_attribute("aria-label") or ""
    assert told.startswith("What spoke for and against, in log odds: ")
    left = result._left.columns["name"].to_list()
    row = next(at for at, text in enumerate(left) if text and text.startswith("The Bacorden"))
    strongest = result.explain(row).reasons[0]
    assert strongest.kind in told
    page.get_by_role("button", name="Why").first.click()
    expect(page.locator("tr.detail")).to_have_count(0)


def test_every_step_is_explained(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.get_by_text("How to read Why").click()
    names = page.locator(".help dt").all_inner_texts()
    assert names == data_of(report)["step_names"]
    assert "base" in names
    assert all(page.locator(".help dd").all_inner_texts())


def test_the_threshold_that_is_tried_is_drawn_where_it_is_another(
    open_page: Open, report: Path
) -> None:
    page = open_page(report)
    lines = page.locator('#histogram line[stroke-width="2"]')
    expect(lines).to_have_count(1)
    move_slider(page, 0.2)
    expect(lines).to_have_count(2)
    page.click("#cut-reset")
    expect(lines).to_have_count(1)


def test_differences_are_marked(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.fill("#search", "The Bacorden Company")
    row = page.locator("#table tbody tr").first
    assert row.locator("td[data-name=left] mark").all_inner_texts() == ["The", "Company"]
    assert row.locator("td[data-name=right] mark").all_inner_texts() == ["Holdings Limited"]


def test_labels_are_set_by_keyboard_kept_and_downloaded(
    open_page: Open, report: Path, tmp_path: Path
) -> None:
    page = open_page(report)
    press(page, "ynusbbn")
    # The same, different, unsure; one is passed, and back to the third, which is set again.
    expect(page.locator("#progress-text")).to_contain_text("labelled: 1 the same, 2 different")
    page.reload()
    expect(page.locator("#progress-text")).to_contain_text("3 labelled")
    expect(page.locator("#progress-text")).to_contain_text("1 the same, 2 different, 0 unsure")
    page.select_option("#filter", "labelled")
    assert sorted(cells(page, "label")) == ["different", "different", "the same"]
    rows = download(page, tmp_path / "labels.csv")
    expect(page.locator("#review pre").first).to_contain_text("--labels labels.csv")
    assert list(rows[0]) == ["left_row", "right_row", "left", "right", "score", "label"]
    assert sorted(row["label"] for row in rows) == ["n", "n", "y"]
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#forget")
    expect(page.locator("#progress-text")).to_contain_text("0 labelled")


def is_same(left: str, right: str) -> bool:
    return next(word for word in left.split() if word[0].isupper() and word != "The") in right


def test_downloaded_labels_choose_a_threshold(
    open_page: Open, report: Path, result, tmp_path: Path
) -> None:
    page = open_page(report)
    answer(page, 20, is_same)
    path = tmp_path / "labels.csv"
    assert len(download(page, path)) == 20
    learned = pj.LabelledThreshold.from_file(path, precision=0.8)
    assert learned.n_labels == 20
    again = pj.LabelledThreshold.from_file(path, precision=0.8, result=result)
    assert again.slope == pytest.approx(learned.slope, abs=1e-4)
    labelled = plain_result(threshold=learned)
    page = open_page(labelled.report(tmp_path / "measured.html"))
    mean, ends = labelled.expected_precision(), labelled.precision_interval()
    mean, low, high = (f"{100 * share:.1f} %" for share in (mean, *ends))
    card = page.locator(".card").filter(has_text="measured precision").inner_text()
    assert card.split("\n") == [mean, "measured precision", f"{low} to {high}, from 20 labels"]
    expect(page.locator(".cards")).to_contain_text("from the labels")
    assert page.locator(".measured").inner_text() == (
        f"Measured on 20 labelled pairs: {mean} of the matches are right, with 95 % probability "
        f"between {low} and {high}."
    )


def test_labels_of_pairs_that_a_later_report_lacks_are_kept(
    open_page: Open, result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = result.report(tmp_path / "report.html")
    page = open_page(path)
    press(page, "yn")
    first = download(page, tmp_path / "first.csv")
    monkeypatch.setattr("pearljoin._report.match_report.MOST_PAIRS", 1)
    plain_result(threshold=0.99).report(path)
    page.reload()
    there = {(pair["left_row"], pair["right_row"]) for pair in data_of(path)["pairs"]}
    assert not any((int(row["left_row"]), int(row["right_row"])) in there for row in first)
    expect(page.locator("#progress-text")).to_contain_text("2 labelled: 1 the same, 1 different")
    press(page, "n")
    again = download(page, tmp_path / "again.csv")
    assert again[:2] == first
    assert (int(again[2]["left_row"]), int(again[2]["right_row"])) in there


def test_two_open_reports_of_the_same_tables_keep_each_others_labels(
    open_page: Open, report: Path, tmp_path: Path
) -> None:
    page = open_page(report)
    other = page.context.new_page()
    other.goto(plain_result(threshold=0.99).report(tmp_path / "other.html").as_uri())
    press(page, "yn")
    # A tab is told of what another one keeps.
    expect(other.locator("#progress-text")).to_contain_text("2 labelled")
    # A tab that was told of nothing writes over nothing either.
    other.evaluate("labels.clear()")
    other.evaluate("setLabel(pairs[pairs.length - 1], 'u')")
    for each in (page, other):
        each.reload()
        told = "3 labelled: 1 the same, 1 different, 1 unsure"
        expect(each.locator("#progress-text")).to_contain_text(told)


def test_the_review_says_when_labels_are_enough(open_page: Open, report: Path) -> None:
    page = open_page(report)
    told = page.locator("#progress-text")
    for button in ("#download", "#forget"):
        expect(page.locator(button)).to_be_disabled()
    expect(page.locator("#start")).to_have_text("Start the review")
    press(page, "nnnnnnnnu")
    expect(told).to_contain_text("9 labelled: 0 the same, 8 different, 1 unsure. 2 more, and")
    expect(page.locator("#start")).to_have_text("Continue the review")
    press(page, "nn")
    expect(told).to_contain_text("Label some that are the same, too: all labels are of one kind.")
    press(page, "y")
    expect(told).to_contain_text("Enough to be used")
    expect(page.locator("#download")).to_be_enabled()


def test_keys_of_the_review_press_no_button(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.focus("#start")
    page.keyboard.press("Enter")
    page.keyboard.press("n")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("#card-place")).to_contain_text("2 of ")
    page.keyboard.press("Tab")
    expect(page.locator("#close")).to_be_focused()


def test_capital_letters_answer_too(open_page: Open, report: Path) -> None:
    page = open_page(report)
    press(page, "YNU")
    expect(page.locator("#progress-text")).to_contain_text("1 the same, 1 different, 1 unsure")


def test_answers_stay_where_they_are(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.click("#start")
    places = set()
    for _ in range(10):
        box = page.locator("[data-answer=y]").bounding_box()
        places.add((box["x"], box["y"]))
        page.keyboard.press("s")
    assert len(places) == 1


def test_the_review_is_blind_on_request(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.click("#start")
    expect(page.locator("#card")).to_contain_text("Score")
    page.keyboard.press("Escape")
    page.check("#blind")
    page.click("#start")
    expect(page.locator("#card .text")).to_have_count(2)
    expect(page.locator("#card")).not_to_contain_text("Score")
    expect(page.locator("#card .chart")).to_have_count(0)


def test_labels_are_set_in_the_table(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.get_by_role("button", name="Why").first.click()
    page.locator("tr.detail").get_by_role("button", name="different").click()
    assert cells(page, "label")[0] == "different"
    expect(page.locator("#progress-text")).to_contain_text("1 different")


def test_cells_stay_text(open_page: Open, hostile: Path, tmp_path: Path) -> None:
    page = open_page(hostile)
    assert page.title() == SCRIPT
    assert n_pairs(page) >= len(HOSTILE)
    for button in page.get_by_role("button", name="Why").all():
        button.click()
    press(page, "y" * len(HOSTILE) * 2)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    shown = [text.split("\nrow")[0] for text in cells(page, "left")]
    for text in HOSTILE[:6]:
        assert text in shown
    assert max(map(len, shown)) <= 310
    rows = download(page, tmp_path / "labels.csv")
    written = [cell for row in rows for cell in (row["left"], row["right"])]
    assert any(cell.startswith("'=HYPERLINK") for cell in written)
    assert not [cell for cell in written if cell[:1] in "=+-@"]
    assert 'comma, "quote" and\nnew line' in written


def test_the_review_is_a_click_away_from_any_pair(open_page: Open, report: Path) -> None:
    page = open_page(report)
    page.locator("#table tbody tr").nth(40).scroll_into_view_if_needed()
    to_review = page.get_by_role("navigation").get_by_role("link", name="Review")
    expect(to_review).to_be_in_viewport()
    to_review.click()
    expect(page.locator("#review-title")).to_be_in_viewport()
    bar, title = page.locator("nav").bounding_box(), page.locator("#review-title").bounding_box()
    assert title["y"] >= bar["y"] + bar["height"]


def test_without_scripts_the_text_is_there(open_page: Open, report: Path) -> None:
    page = open_page(report, java_script_enabled=False)
    expect(page.locator(".lead")).to_contain_text("left rows have a match")


@pytest.mark.parametrize(("scheme", "width"), few(LOOKS, 1))
def test_it_is_accessible(
    open_page: Open, report: Path, hostile: Path, scheme: str, width: int
) -> None:
    for path in (report, hostile):
        page = open_page(path, width=width, color_scheme=scheme)
        expect(page.locator("#histogram svg")).to_be_visible()
        page.get_by_role("button", name="Why").first.click()
        page.locator("tr.detail").get_by_role("button", name="different").click()
        page.hover("#start")  # whose colours differ from those of other buttons
        assert faults(page) == []
        page.click("#start")
        expect(page.locator("#card .text")).to_have_count(2)
        assert faults(page) == []


# axe takes the colour of text in SVG for that of the text around it, so this is measured here.
CONTRASTS = """() => {
  const light = (colour) => {
    const parts = colour.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
    const linear = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const ground = (element) => {
    const colour = getComputedStyle(element).backgroundColor;
    return colour === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : colour;
  };
  return [...document.querySelectorAll("svg text")].map((text) => {
    const pair = [getComputedStyle(text).fill, ground(text.closest(".chart"))].map(light);
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  });
}"""


def faults(page: Page) -> list[str]:
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 20
    assert min(contrasts) >= 4.5
    found = Axe().run(page, context={"exclude": [["svg"]]}, options={"resultTypes": ["violations"]})
    return [
        f"{fault['id']}: {node['html'][:200]} {node['failureSummary']}"
        for fault in found.response["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(
    open_page: Open, report: Path, hostile: Path, width: int
) -> None:
    for path in (report, hostile):
        page = open_page(path, width=width)
        expect(page.locator("#histogram svg")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
