"""Grids of runs: resumed, shared, and each row what it says."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tiny_models import made_up_streams, tiny_config

from pearljoin._errors import InputError
from pearljoin_train.common.config import Config
from pearljoin_train.corpus.merge import write_rows
from pearljoin_train.corpus.phrase_types import label_names, type_id
from pearljoin_train.experiments import grid as experiments
from pearljoin_train.experiments.ablate import ablate, rows
from pearljoin_train.experiments.generalize import generalize
from pearljoin_train.experiments.grid import Grid, Result, Variant
from pearljoin_train.experiments.sweep import sweep
from pearljoin_train.experiments.tables import markdown, summarise
from pearljoin_train.models.phrase_model import PhraseModel, load_phrase_model
from pearljoin_train.training import run as module
from pearljoin_train.training.batches import Batches
from pearljoin_train.training.corpus_examples import read_corpus_examples

PROBE = ["ranmer stolin", "stolin, ran", "vakvak dolpex", "hubsal"]


pytestmark = pytest.mark.usefixtures("one_thread")


def measure(config: Config, model: PhraseModel) -> dict[str, float]:
    """How alike a name and its other name are, and two that have nothing to do with each other."""
    vectors = model.encode(PROBE)
    return {"same": float(vectors[0] @ vectors[1]), "far": float(1 - vectors[0] @ vectors[2])}


class Counted:
    """Counts readings and trainings, and keeps what was trained."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[Config] = []
        self.trained: list[Config] = []
        self.streams = []
        original = experiments.train

        def train(config, streams, out, *, development):
            self.trained.append(config)
            self.streams.append(streams)
            return original(config, streams, out, development=development)

        monkeypatch.setattr(experiments, "train", train)

    def reader(self, config: Config):
        self.read.append(config)
        return made_up_streams()


@pytest.fixture
def counted(monkeypatch) -> Counted:
    return Counted(monkeypatch)


def make_grid(tiny: Path, out: Path, counted: Counted, **changes) -> Grid:
    config = tiny_config(tiny, **{"steps": 3, "synonym_rate": 0.0, **changes})
    return Grid(config, out, measure, read=counted.reader)


@pytest.mark.thorough
def test_a_finished_grid_is_not_run_again(tiny, tmp_path, counted):
    variants = [Variant("full"), Variant("hot", {"learning_rate": 0.01})]
    first = make_grid(tiny, tmp_path, counted).run(variants, [0, 1])
    assert [(r.name, r.seed) for r in first] == [("full", 0), ("full", 1), ("hot", 0), ("hot", 1)]
    assert len(counted.trained) == 4
    assert [c.seed for c in counted.read] == [0, 1]  # Once a seed, as only sampling differs.
    assert len({r.scores["same"] for r in first}) == 4
    again = make_grid(tiny, tmp_path, counted).run(variants, [0, 1])
    assert again == first
    assert len(counted.trained) == 4
    assert len(counted.read) == 2


@pytest.mark.thorough
def test_a_stopped_run_goes_on_from_its_checkpoint(tiny, tmp_path, counted, monkeypatch):
    whole = make_grid(tiny, tmp_path / "whole", counted, steps=5).run([Variant("full")], [0])
    original = module.save_checkpoint

    def stop(*arguments, **options):
        original(*arguments, **options)
        raise KeyboardInterrupt

    grid = make_grid(tiny, tmp_path / "cut", counted, steps=5)
    monkeypatch.setattr(module, "save_checkpoint", stop)
    with pytest.raises(KeyboardInterrupt):
        grid.run([Variant("full")], [0])
    assert not list((tmp_path / "cut" / "results").glob("*.json"))
    monkeypatch.setattr(module, "save_checkpoint", original)
    resumed = make_grid(tiny, tmp_path / "cut", counted, steps=5).run([Variant("full")], [0])
    assert resumed == whole
    log = next((tmp_path / "cut" / "runs").glob("*/log.jsonl"))
    steps = [json.loads(line)["step"] for line in log.read_text().splitlines()]
    assert steps == [1, 2, 3, 4, 5]


def test_another_share_of_the_base_takes_no_training(tiny, tmp_path, counted):
    variants = [Variant(f"{share}", {"average": share}) for share in (0.0, 0.5, 1.0)]
    results = make_grid(tiny, tmp_path, counted).run(variants, [0])
    assert len(counted.trained) == 1
    base = make_grid(tiny, tmp_path, counted).untrained("base")
    assert results[2].scores == pytest.approx(base.scores, abs=1e-5)
    assert results[0].scores["same"] != pytest.approx(base.scores["same"], abs=1e-4)
    # Half the base's weights: as averaged by hand.
    grid = make_grid(tiny, tmp_path, counted)
    tuned = load_phrase_model(grid.config.replace(base=str(next(tmp_path.glob("runs/*/model")))))
    start = load_phrase_model(grid.config).encoder.state_dict()
    halves = {k: (w + start[k]) / 2 for k, w in tuned.encoder.state_dict().items()}
    tuned.encoder.load_state_dict(halves)
    assert results[1].scores == pytest.approx(measure(grid.config, tuned), abs=1e-5)


def test_a_base_is_measured_once_whatever_is_trained_from_it(tiny, tmp_path, counted):
    first = make_grid(tiny, tmp_path, counted).untrained("base")

    def never(config, model):
        raise AssertionError("measured again")

    config = tiny_config(tiny, steps=9, learning_rate=0.1)
    assert Grid(config, tmp_path, never).untrained("base") == first
    with pytest.raises(AssertionError, match="measured again"):
        Grid(config, tmp_path, never, about="other tasks").untrained("base")


def test_the_development_split_is_made_once_for_each_base(tiny, monkeypatch):
    made = []

    def development(config, base):
        made.append(config)
        return lambda model: {"mean": 0.0}

    monkeypatch.setattr(experiments, "Development", development)
    measure_once = experiments.measure_on_development()
    config = tiny_config(tiny)
    for changes in ({}, {"learning_rate": 0.1}, {"max_tokens": 9}, {"steps": 1}):
        measure_once(config.replace(**changes), load_phrase_model(config))
    assert [config.max_tokens for config in made] == [32, 9]


def test_two_rows_of_one_name_are_refused(tiny, tmp_path, counted):
    with pytest.raises(InputError, match="a name of its own"):
        make_grid(tiny, tmp_path, counted).run([Variant("a"), Variant("a")], [0])


def test_what_reads_other_rows_is_read_again(tiny, tmp_path, counted):
    variants = [Variant("all"), Variant("some", {"phrase_share": 0.5})]
    make_grid(tiny, tmp_path, counted, steps=1).run(variants, [0])
    assert sorted(c.phrase_share for c in counted.read) == [0.5, 1.0]


@pytest.mark.thorough
def test_each_row_of_the_ablation_turns_off_what_it_says(tiny, tmp_path, counted):
    grid = make_grid(tiny, tmp_path, counted, steps=2, average=0.5)
    text = ablate(grid, [0])
    config = grid.config
    named = {row.name: config.replace(**row.changes) for row in rows(config)}
    assert "without character encoder" not in named  # There is none to take away.
    of = {(c.type_weight, c.character_rate, c.swap_rate, c.phrase_rate, c.neighbours): s
          for c, s in zip(counted.trained, counted.streams, strict=True)}  # fmt: skip
    full = (config.type_weight, config.character_rate, config.swap_rate, config.phrase_rate, 4)
    assert full in of
    assert (0.0, *full[1:]) in of
    mixtures = {key: (s.mixture.character, s.mixture.word_swap) for key, s in of.items()}
    assert mixtures[full] == (config.character_rate, config.swap_rate)
    assert mixtures[(full[0], 0.0, *full[2:])] == (0.0, config.swap_rate)
    assert mixtures[(*full[:2], 0.0, *full[3:])] == (config.character_rate, 0.0)
    assert mixtures[(full[0], 0.0, 0.0, 0.0, 4)] == (0.0, 0.0)
    assert (*full[:4], 1) in of
    # Without augmentation the two views of a row are one.
    bare = named["without any augmentation"]
    batch = Batches(of[(full[0], 0.0, 0.0, 0.0, 4)], bare).batch(0)
    assert batch.first == batch.second
    assert named["without weight average"].average == 0
    assert len(counted.trained) == len(named) - 1
    assert text.count("\n") == len(named) + 3
    assert {"ablation.md", "ablation.json", "ablation.png", "ablation.svg"} <= {
        path.name for path in tmp_path.iterdir()
    }
    table = json.loads((tmp_path / "ablation.json").read_text())
    assert table["machine"]["cores"] >= 1
    assert "commit" in table
    written = table["rows"]
    assert set(written) == {"untrained", *named}


def test_a_character_encoder_and_mined_negatives_have_rows_of_their_own():
    config = Config(characters="love", negatives=2, negatives_file="mined.parquet")
    named = {row.name: config.replace(**row.changes) for row in rows(config)}
    assert named["without character encoder"].characters == ""
    bare = named["without hard negatives"]
    assert (bare.negatives, bare.neighbours) == (0, 1)
    assert named["with weight average 0.5"].average == 0.5


def test_a_base_that_cannot_be_had_is_reported_and_the_rest_goes_on(tiny, tmp_path, counted):
    grid = make_grid(tiny, tmp_path, counted, steps=2)
    text = generalize(grid, {"Gone": str(tmp_path / "gone"), "Tiny": str(tiny)}, [0])
    assert "| Gone | none | none | none |" in text
    assert "Gone: cannot be had on this machine. The base model cannot be loaded." in text
    row = json.loads((tmp_path / "generalization.json").read_text())["rows"]["Tiny"]
    before, after, gain = (row[key]["mean"] for key in ("before", "after", "gain"))
    assert gain == pytest.approx(after - before)
    assert gain != 0
    untrained = measure(grid.config, load_phrase_model(grid.config).eval())
    assert before == pytest.approx(np.mean(list(untrained.values())), abs=1e-6)
    assert (tmp_path / "generalization.png").is_file()


@pytest.mark.thorough
def test_a_sweep_varies_one_setting_at_a_time(tiny, tmp_path, counted):
    text = sweep(make_grid(tiny, tmp_path, counted, steps=1), [0], [1e-4, 1e-2], [1, 4])
    seen = {(c.learning_rate, c.neighbours) for c in counted.trained}
    assert seen == {(1e-4, 4), (1e-2, 4), (1e-3, 1), (1e-3, 4)}
    assert "| learning rate 0.01 |" in text
    assert (tmp_path / "sweep.svg").is_file()


def test_tables_hold_mean_and_deviation_and_what_is_missing():
    runs = [Result("a", 0, {"x": 0.2}), Result("a", 1, {"x": 0.4}), Result("b", 0, {}, "gone")]
    table = summarise(runs)
    assert table["a"]["x"].mean == pytest.approx(0.3)
    assert table["a"]["x"].deviation == pytest.approx(0.02**0.5)
    assert markdown(table, "row", {"b": "gone"}) == (
        "| row | x |\n|---|--:|\n| a | 30.0 ± 14.1 |\n| b | none |\n\nb: gone\n"
    )


def test_a_corpus_gives_typed_rows_with_paraphrases(tmp_path):
    write_rows([("in Rome", "PP", "GPE", 3), ("Rome", "NP", "GPE", 9)], tmp_path / "c.parquet")
    pq.write_table(
        pa.table({
            "phrase": ["Rome"],
            "views": [["Roma", "Rmoe", "Rome", "Roma"]],
            "methods": [["paraphrase", "character", "paraphrase", "paraphrase"]],
        }),
        tmp_path / "v.parquet",
    )  # fmt: skip
    found = read_corpus_examples(tmp_path / "c.parquet", views=tmp_path / "v.parquet")
    assert found.phrases == ["in Rome", "Rome"]
    assert found.aliases == [(), ("Roma",)]
    assert found.types.tolist() == [type_id("PP", "GPE"), type_id("NP", "GPE")]
    fine = read_corpus_examples(tmp_path / "c.parquet", type_set="fine")
    assert [label_names("fine")[t] for t in fine.types] == ["PP", "GPE"]
    with pytest.raises(InputError, match="corpus build"):
        read_corpus_examples(tmp_path / "none.parquet")
