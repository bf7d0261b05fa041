"""What a model folder says of itself."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tiny_models import made_up_names, made_up_streams

from pearljoin_train.common.config import Config
from pearljoin_train.common.facts import TRAINING
from pearljoin_train.export.export_int8 import export
from pearljoin_train.export.model_card import main as card
from pearljoin_train.models.base import find_base
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.ngrams import NgramConfig
from pearljoin_train.training.ngrams_command import add_ngrams
from pearljoin_train.training.provenance import run_facts
from pearljoin_train.training.run import train
from pearljoin_train.training.weight_average import main as average

pytestmark = pytest.mark.usefixtures("one_thread")

CONFIG = Config(
    steps=2, alias_rows=8, paraphrase_rows=4, typed_rows=4, general_rows=4, precision="float32"
)


@pytest.fixture(scope="module")
def run(tiny: Path, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run") / "run"
    train(CONFIG.replace(base=str(tiny)), made_up_streams(), out, development=False)
    return out


def test_a_trained_folder_says_what_it_was_trained_on(run: Path) -> None:
    facts = json.loads((run / "model" / TRAINING).read_text())
    assert facts["config"]["steps"] == 2
    streams = made_up_streams()
    assert facts["sources"][streams.aliases[0].source] == {
        "phrases": len(streams.aliases[0]),
        "licence": "not stated",
    }


def test_sources_that_gave_no_row_are_not_named(run: Path) -> None:
    streams = made_up_streams()
    config = CONFIG.replace(typed_rows=0, general_rows=0, paraphrase_rows=0)
    assert list(run_facts(config, streams, run / "log.jsonl")["sources"]) == [
        each.source for each in streams.aliases
    ]


def test_the_time_of_a_run_leaves_pauses_out(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    # Two steps of 3 s, an hour of nothing, and a step done again after the resumption.
    log.write_text("".join(json.dumps({"time": t}) + "\n" for t in (0, 3, 6, 3606, 3609)))
    assert run_facts(CONFIG, made_up_streams(), log)["seconds"] == 9


def test_the_card_tells_training_scores_and_scorer(run: Path, tmp_path: Path) -> None:
    folder = export(find_base(str(run / "model"), name="ours"), tmp_path / "ours", max_length=32)
    assert "2 steps of 20 rows" in (folder / "MODEL_CARD.md").read_text()
    scores = {"model": "ours", "tasks": {"turney": {"accuracy": 0.512}}, "average7": None}
    (tmp_path / "ours.json").write_text(json.dumps(scores))
    report = {
        "held_out": ["a", "b"],
        "figures": {
            "calibration_error": 0.0213,
            "n_rows": 1234,
            "target_0.9": {"precision": 0.911, "recall": 0.622},
        },
    }
    (tmp_path / "scorer.json").write_text(json.dumps(report))
    options = ["--scores", str(tmp_path / "ours.json"), "--scorer", str(tmp_path / "scorer.json")]
    assert card(["--folder", str(folder), *options]) == 0
    text = (folder / "MODEL_CARD.md").read_text()
    assert "| `ours` | measured here |" in text
    assert "51.2" in text
    assert "calibration error 0.021 over 1,234 rows" in text
    assert "{" not in text


def test_an_average_says_how_much_of_the_base_is_in_it(
    run: Path, tiny: Path, tmp_path: Path
) -> None:
    out = tmp_path / "averaged"
    options = ["--base", str(tiny), "--tuned", str(run / "model"), "--share", "0.25"]
    assert average([*options, "--out", str(out)]) == 0
    assert json.loads((out / TRAINING).read_text())["base_share"] == 0.25
    again = tmp_path / "again"
    options = ["--base", str(tiny), "--tuned", str(out), "--share", "0.5"]
    assert average([*options, "--out", str(again)]) == 0
    assert json.loads((again / TRAINING).read_text())["base_share"] == 1 - 0.75 * 0.5


def test_a_soup_says_what_went_into_it(run: Path, tiny: Path, tmp_path: Path) -> None:
    def averaged(base: Path, tuned: Path, name: str) -> Path:
        options = ["--base", str(base), "--tuned", str(tuned), "--share", "0.5"]
        assert average([*options, "--out", str(tmp_path / name)]) == 0
        return tmp_path / name

    def another(seconds: int) -> Path:
        folder = shutil.copytree(run / "model", tmp_path / f"run{seconds}")
        facts = json.loads((folder / TRAINING).read_text())
        (folder / TRAINING).write_text(json.dumps({**facts, "seconds": seconds}))
        return folder

    two = averaged(averaged(tiny, another(1), "half"), another(2), "two")
    facts = json.loads((two / TRAINING).read_text())
    assert (facts["base_share"], len(facts["others"])) == (0.25, 1)
    three = averaged(two, another(3), "three")
    facts = json.loads((three / TRAINING).read_text())
    assert (facts["base_share"], len(facts["others"])) == (0.125, 2)
    again = averaged(two, three, "again")
    facts = json.loads((again / TRAINING).read_text())
    assert (facts["base_share"], len(facts["others"])) == (0.1875, 2)
    assert all("others" not in other for other in facts["others"])
    names = Examples("turned", *names_turned_round())
    add_ngrams(three, tmp_path / "spelled", [names], NgramConfig(buckets=99, dim=4, steps=1))
    folder = export(find_base(str(tmp_path / "spelled")), tmp_path / "ours", max_length=32)
    text = (folder / "MODEL_CARD.md").read_text()
    assert text.count("2 steps of 20 rows (8 alias, 4 paraphrase, 4 typed, 4 general)") == 3
    assert "of the language model's weights, 12 % are the base's" in text
    assert "99 hashed n-grams of 4 numbers" in text
    assert "| turned | 8 | GPL-9.9 |" in text


def names_turned_round() -> tuple[list[str], list[tuple[str, ...]], np.ndarray, str]:
    names = made_up_names(8)
    return names, [(name[::-1],) for name in names], np.full(8, UNKNOWN), "GPL-9.9"
