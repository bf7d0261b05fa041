"""The benchmark of few left rows over made-up aliases, end to end."""

import json

import numpy as np
import pytest

from benchmarks.sizes import __main__ as command
from pearljoin._matches import Matches

TOWNS = ["Bergheim", "Talstadt", "Seeburg", "Waldau", "Neukirch", "Altdorf"]
NAMES = {f"{town} Brewery Limited": [f"{town} Brewery Ltd"] for town in TOWNS}


def test_every_size_is_measured_with_all_answers_and_with_half_of_them():
    figures = list(command.measure(NAMES, [1, 4], rows=4))
    assert [(one["n_left"], one["answered"]) for one in figures] == [
        (n_left, answered) for answered in (True, False) for n_left in (1, 4, 6)
    ]
    # A legal form written out is nothing to doubt, and no town is another.
    assert all((one["precision"], one["recall"]) == (1, 1) for one in figures)


class FirstName:
    """Matches every row but those that are refused with the first name."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.asked: list[list[str]] = []

    def calibrate(self, aliases: list[str]):
        self.asked.append(aliases)
        return self

    def match(self, aliases: list[str]):
        assert aliases == self.asked[-1]
        return self

    def matches(self) -> Matches:
        kept = [row for row, alias in enumerate(self.asked[-1]) if alias not in self.refused]
        return Matches(np.array(kept), np.zeros(len(kept)), np.ones(len(kept)))


@pytest.mark.parametrize(
    ("refused", "rates"),
    [
        ((), (2 / 4, 2 / 3)),  # d has an answer, and another was given
        (("b",), (1 / 3, 1 / 3)),
        (("a", "b", "c", "d"), (0, 0)),
    ],
)
def test_matches_and_answers_are_counted_over_all_calls(refused, rates):
    queries = [
        command.Query("a", {"x"}),
        command.Query("b", {"x", "y"}),
        command.Query("c", {"gone"}),
        command.Query("d", {"y"}),
    ]
    matcher = FirstName(*refused)
    assert command._rates(matcher, ["x", "y"], queries, 3) == pytest.approx(rates)
    assert matcher.asked == [["a", "b", "c"], ["d"]]


def test_a_run_prints_a_line_a_size_and_keeps_the_figures(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "alias_names", lambda: {command.KINDS["clubs"]: NAMES})
    monkeypatch.setattr(command, "SIZES", (2,))
    target = tmp_path / "new" / "sizes.json"
    assert command.main(["--kinds", "clubs", "--json", str(target)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["clubs", "all", "2"], ["clubs", "all", "6"], ["clubs", "half", "2"], ["clubs", "half", "6"]
    ]  # fmt: skip
    kept = json.loads(target.read_text(encoding="utf-8"))
    assert [one["n_left"] for one in kept["results"]["clubs"]] == [2, 6, 2, 6]
    assert "commit" in kept


def test_missing_data_are_a_line_and_an_exit_code(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("PEARLJOIN_DATA", str(tmp_path))
    assert command.main([]) == 2
    assert capsys.readouterr().err.startswith("error: ")


def test_an_unknown_kind_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        command.main(["--kinds", "ships"])
    assert "invalid choice: 'ships'" in capsys.readouterr().err
