"""Labels in files, labelled pairs that are not asked about again, and fits on a few labels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_report import plain_result

import pearljoin as pj

HEAD = "left_row,right_row,left,right,score,label\n"


def write(path: Path, *rows: str, head: str = HEAD) -> Path:
    path.write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def labelled_rows(n: int = 24) -> list[str]:
    return [f"{at},{at},a,b,{at / n:.3f},{'y' if at > n / 2 else 'n'}" for at in range(n)]


def test_a_file_gives_the_fit_of_its_labels(tmp_path: Path) -> None:
    rows = labelled_rows()
    path = write(tmp_path / "labels.csv", *rows, "30,30,a,b,0.5,u", "31,31,a,b,0.5,")
    scores = [at / 24 for at in range(24)]
    wanted = pj.LabelledThreshold.fit(
        pd.DataFrame({"score": np.round(scores, 3)}), [at > 12 for at in range(24)], precision=0.7
    )
    assert pj.LabelledThreshold.from_file(path, precision=0.7) == wanted
    assert wanted.n_labels == 24


def test_labels_may_be_words_and_the_file_may_have_a_mark(tmp_path: Path) -> None:
    names = {"y": "Yes", "n": "different"}
    rows = [f"{row[:-1]}{names[row[-1]]}" for row in labelled_rows()]
    path = write(tmp_path / "labels.csv", *rows, head=f"\ufeff{HEAD}")
    plain = write(tmp_path / "plain.csv", *labelled_rows())
    found, wanted = map(pj.LabelledThreshold.from_file, (path, plain))
    assert found == wanted


def test_a_spreadsheet_may_have_written_semicolons(tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.csv", *labelled_rows())
    rows = [row.replace(",", ";").replace(".", ",") for row in labelled_rows()]
    path = write(tmp_path / "labels.csv", *rows, head=f"\ufeff{HEAD.replace(',', ';')}")
    found, wanted = map(pj.LabelledThreshold.from_file, (path, plain))
    assert found == wanted


def test_a_result_gives_the_scores_by_row(tmp_path: Path) -> None:
    result = plain_result()
    asked = result.suggest_labels(24)
    pairs = list(zip(asked["left_row"], asked["right_row"], strict=True))
    labels = [at % 3 > 0 for at in range(24)]
    rows = [
        f"{left},{right},,,0.5,{'y' if label else 'n'}"
        for (left, right), label in zip(pairs, labels, strict=True)
    ]
    path = write(tmp_path / "labels.csv", *rows)
    found = pj.LabelledThreshold.from_file(path, result=result)
    wanted = pj.LabelledThreshold.fit(asked, labels)  # whose scores are rounded
    assert (found.slope, found.intercept) == pytest.approx((wanted.slope, wanted.intercept), 1e-3)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,1,a,b,0.5,maybe", r"label in '.*' is not understood. Got 'maybe' in line 2. Hint: y"),
        ("1,1,a,b,0.5", r"ends before its label. Got line 2. Hint: download the labels again"),
        ('1,1,"a,b,0.5,y', r"ends before its label. Got line 2"),
        ("1,1,a,b,high,y", r"has no row numbers or no score. Got line 2"),
        ("1.5,1,a,b,0.5,y", r"has no row numbers or no score. Got line 2"),
        ("1,1,a,b,1.5,y", r"not in the tables. Got rows 1 and 1 with score 1.5 in line 2"),
        ("1,-1,a,b,0.5,y", r"not in the tables. Got rows 1 and -1"),
        (f"{10**22},1,a,b,0.5,y", r"not in the tables. Got rows 10{22} and 1 with score 0.5"),
        (f"1,{2**63},a,b,0.5,y", r"not in the tables. Got rows 1 and 9223372036854775808"),
        ("1,1,a,b,0.5,y", r"too few labels .* Got 1, of at least 10"),
    ],
)
def test_rows_that_cannot_be_read_are_told(row: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(pj.InputError, match=message):
        pj.LabelledThreshold.from_file(write(tmp_path / "labels.csv", row))


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(pj.InputError, match=r"labels cannot be read. Got '.*none.csv': .*Hint"):
        pj.LabelledThreshold.from_file(tmp_path / "none.csv")
    path = write(tmp_path / "other.csv", "1,2", head="left_row,score\n")
    with pytest.raises(pj.InputError, match=r"no file of labels. .* without 'right_row'"):
        pj.LabelledThreshold.from_file(path)
    (tmp_path / "bytes.csv").write_bytes(HEAD.encode() + b"1,1,\xff,b,0.5,y\n")
    with pytest.raises(pj.InputError, match=r"labels cannot be read"):
        pj.LabelledThreshold.from_file(tmp_path / "bytes.csv")


def test_labelled_pairs_are_not_asked_about_again() -> None:
    result = plain_result()
    everything = result.suggest_labels(1_000)
    first = result.suggest_labels(20)
    later = result.suggest_labels(1_000, exclude=first)
    rows = ["left_row", "right_row"]
    asked = set(first.select(rows).iter_rows())
    assert len(asked) == 20
    assert set(later.select(rows).iter_rows()) == set(everything.select(rows).iter_rows()) - asked
    again = result.suggest_labels(1_000, exclude=sorted(asked))
    assert again.equals(later)
    assert result.suggest_labels(5, exclude=[]).equals(result.suggest_labels(5))
    # The last left row is null: it is in no pair.
    assert result.suggest_labels(5, exclude=[(98, 0)]).equals(result.suggest_labels(5))


def test_a_row_with_equal_keys_stands_for_the_others() -> None:
    result = pj.match(["Acme Corp", "Acme Corp", "Globex"], ["Acme Corporation", "Globex Inc"])
    left = result.suggest_labels(9, exclude=[(1, 0)])["left"].tolist()
    assert left == ["Globex"]


@pytest.mark.parametrize("pair", [(999, 0), (0, 999)])
def test_pairs_to_exclude_must_be_in_the_tables(pair) -> None:
    with pytest.raises(
        pj.InputError, match=r"exclude is not in the tables. Got row 999 of a table"
    ):
        plain_result().suggest_labels(5, exclude=[pair])


def test_intervals_of_a_few_labels_hold_the_truth() -> None:
    """Ten to thirty labels of calibrated scores: 95 % intervals hold the share in most tables."""
    rng = np.random.default_rng(0)
    held, widths = [], []
    for n in [10, 15, 20, 30] * 50:
        scores = rng.random(400).astype(np.float32)
        right = rng.random(400) < scores
        if 0 < right[:n].sum() < n:
            fit = pj.LabelledThreshold.fit(
                pd.DataFrame({"score": scores[:n]}), right[:n].tolist(), precision=0.9
            )
            low, high = fit.interval(scores)
            held.append(low <= right.mean() <= high)
            widths.append(high - low)
    assert len(held) > 190
    assert np.mean(held) > 0.93
    assert np.mean(widths) < 0.45
