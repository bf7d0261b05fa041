"""The n-grams beside a language model: what they learn, and their way into a model folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_models import made_up_names, made_up_streams, tiny_config

from pearljoin import load_encoder
from pearljoin._errors import InputError, ModelError
from pearljoin_train.__main__ import main
from pearljoin_train.common.config import Config
from pearljoin_train.export.export_int8 import export
from pearljoin_train.export.float_weights import to_transformers
from pearljoin_train.finetune.tune import finetune
from pearljoin_train.finetune.user_pairs import Pair
from pearljoin_train.models.base import find_base
from pearljoin_train.models.characters import load_characters, save_characters
from pearljoin_train.models.ngrams import PhraseNgrams
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.training.batches import positive_mask
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.ngrams import (
    NamePairs,
    NgramConfig,
    OrdinaryPhrases,
    train_ngrams,
)
from pearljoin_train.training.ngrams_command import add_ngrams
from pearljoin_train.training.run import train

TEXTS = ["Ranmer Stolin", "stolin, ran", "", "🎉 !", "Ünnöm 7"]
SMALL = NgramConfig(buckets=512, dim=16, steps=40, sources=1, rows=32, noise_rate=0.0)


def turned_round(n: int = 64) -> Examples:
    """Names whose other names are the same words, cut and turned round."""
    names = made_up_names(n)
    aliases = [(f"{name.split()[1]}, {name.split()[0][:4]}",) for name in names]
    return Examples("turned", names, aliases, np.full(n, UNKNOWN), "GPL-9.9")


@pytest.fixture(scope="module")
def deaf() -> NamePairs:
    """Names, and a language model that tells none from another."""
    examples = turned_round()
    same = np.ones((len(examples), 4), np.float32) / 2
    aliases = [other for (other,) in examples.aliases]
    return NamePairs(examples.phrases, aliases, examples.aliases, same, same)


@pytest.fixture(scope="module")
def given_ngrams(tiny: Path, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("ngrams") / "with"
    add_ngrams(tiny, out, [turned_round()], SMALL)
    return out


def top1(bag: PhraseNgrams, names: NamePairs) -> float:
    part = bag.part(1.0)
    nearest = (part.encode(names.aliases) @ part.encode(names.names).T).argmax(axis=1)
    return float(np.mean(nearest == np.arange(len(nearest))))


def test_the_module_computes_what_the_folder_runs() -> None:
    torch.manual_seed(0)
    bag = PhraseNgrams(200, 8)
    bag.weigh(made_up_names(30))
    with torch.no_grad():
        vectors = bag(**bag.collate(TEXTS))
    np.testing.assert_allclose(bag.part(0.5).encode(TEXTS), vectors.numpy(), atol=1e-6)
    again = PhraseNgrams.of(bag.part(0.5))
    assert all(torch.equal(a, b) for a, b in zip(bag.parameters(), again.parameters(), strict=True))


def test_ngrams_of_few_phrases_weigh_more() -> None:
    bag = PhraseNgrams(10_000, 4)
    bag.weigh(["alpha"] + ["beta gamma"] * 30 + ["gamma"] * 60)
    alpha, beta, gamma = (
        float(bag.gates(found["grams"], found["starts"]).detach())
        for found in map(bag.collate, (["alpha"], ["beta"], ["gamma"]))
    )
    assert alpha > beta > gamma


def test_training_finds_other_names(deaf: NamePairs, one_thread) -> None:
    untrained = train_ngrams([deaf], NgramConfig(**{**vars(SMALL), "learning_rate": 1e-9}))
    trained = train_ngrams([deaf], NgramConfig(**{**vars(SMALL), "steps": 120}))
    assert top1(trained, deaf) > top1(untrained, deaf) + 0.1
    assert top1(trained, deaf) > 0.9


def test_ordinary_phrases_keep_their_similarities(deaf: NamePairs, one_thread) -> None:
    phrases = [f"{one} of the {two}" for one in "abcdefgh" for two in ("plan", "house", "day")]
    rows = np.random.default_rng(0).normal(size=(len(phrases), 4)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    kept = []
    for weight in (0.0, 10.0):
        config = NgramConfig(**{**vars(SMALL), "distil_weight": weight, "steps": 60})
        bag = train_ngrams([deaf], config, OrdinaryPhrases(phrases, rows))
        both = np.hstack([rows, config.share * bag.part(1.0).encode(phrases)])
        both /= np.linalg.norm(both, axis=1, keepdims=True)
        kept.append(np.corrcoef((both @ both.T).ravel(), (rows @ rows.T).ravel())[0, 1])
        assert top1(bag, deaf) > 0.5
    assert 1 - kept[1] < 0.6 * (1 - kept[0])


def test_the_same_seed_gives_the_same_bag(deaf: NamePairs, one_thread) -> None:
    one, two, other = (
        train_ngrams([deaf], NgramConfig(**{**vars(SMALL), "steps": 5, "seed": seed}))
        for seed in (0, 0, 1)
    )
    assert torch.equal(one.table.weight, two.table.weight)
    assert not torch.equal(one.table.weight, other.table.weight)


def test_the_language_model_stays_as_it_is(tiny: Path, given_ngrams: Path) -> None:
    before = load_phrase_model(Config(base=str(tiny))).encode(TEXTS)
    model = load_phrase_model(Config(base=str(given_ngrams)))
    vectors = model.encode(TEXTS)
    assert vectors.shape == (len(TEXTS), 32 + 16)
    meanings = vectors[:, :32] / np.linalg.norm(vectors[:, :32], axis=1, keepdims=True)
    np.testing.assert_allclose(meanings, before, atol=1e-6)
    assert float(model.share.detach()) == pytest.approx(SMALL.kept_share)


def test_the_folder_says_what_the_ngrams_learned_from(given_ngrams: Path, tmp_path: Path) -> None:
    facts = json.loads((given_ngrams / "training.json").read_text())["ngrams"]
    assert facts["config"]["buckets"] == SMALL.buckets
    assert facts["sources"] == {"turned": {"phrases": 64, "licence": "GPL-9.9"}}
    folder = export(find_base(str(given_ngrams)), tmp_path / "out", max_length=32)
    text = (folder / "MODEL_CARD.md").read_text()
    assert "512 hashed n-grams of 16 numbers" in text
    assert "| turned | 64 | GPL-9.9 |" in text
    assert "`ngrams.npz` is its character encoder" in text
    assert "are distinguished by their n-grams alone" in text


def test_a_folder_exported_again_keeps_no_ngrams_of_before(
    tiny: Path, given_ngrams: Path, tmp_path: Path
) -> None:
    export(find_base(str(given_ngrams)), tmp_path, max_length=32)
    export(find_base(str(tiny)), tmp_path, max_length=32)
    assert not (tmp_path / "ngrams.npz").exists()
    assert load_encoder(tmp_path).dim == 32


def test_ngrams_that_could_not_be_read_back_are_not_exported(
    given_ngrams: Path, tmp_path: Path
) -> None:
    shutil.copytree(given_ngrams, tmp_path / "odd")
    part, _ = load_characters(tmp_path / "odd" / "characters")
    save_characters(part, 20.0, tmp_path / "odd" / "characters")
    with pytest.raises(ModelError, match=r"cannot be kept\. Got: a share of 20"):
        export(find_base(str(tmp_path / "odd")), tmp_path / "out", max_length=32)


def test_rows_of_one_thing_are_not_told_apart() -> None:
    names = ["IBM", "Big Blue", "Oslo"]
    all_aliases = [("I.B.M.", "big blue"), ("IBM Corp",), ("Christiania",)]
    same = positive_mask(names, all_aliases, names, ["I.B.M.", "IBM Corp", "Christiania"])
    assert same.tolist() == [[True, True, False], [True, True, False], [False, False, True]]


def test_some_other_names_are_written_carelessly() -> None:
    class Lengths:
        dim = 2

        def encode(self, phrases):
            return np.array([[len(phrase), 1.0] for phrase in phrases], np.float32)

    examples = turned_round()
    clean, corrupted = (
        NamePairs.of(examples, Lengths(), np.random.default_rng(0), rate) for rate in (0.0, 1.0)
    )
    assert clean.aliases == [other for (other,) in examples.aliases]
    assert corrupted.aliases != clean.aliases
    # What the language model says is said of the name as it is written.
    assert corrupted.alias_vectors[:, 0].tolist() == [len(other) for other in corrupted.aliases]
    assert corrupted.all_aliases == examples.aliases


@pytest.mark.parametrize("device", ["cpu", "torch"])
def test_the_exported_folder_gives_the_trained_vectors(
    given_ngrams: Path, tmp_path: Path, device: str
) -> None:
    folder = export(find_base(str(given_ngrams)), tmp_path / "out", max_length=32, half=True)
    if device == "torch":
        config = json.loads((folder / "config.json").read_text())
        del config["files"]["model.onnx"]
        (folder / "config.json").write_text(json.dumps(config))
    encoder = load_encoder(folder)
    expected = load_phrase_model(Config(base=str(given_ngrams))).encode(TEXTS)
    vectors = encoder.encode(TEXTS)
    assert encoder.dim == vectors.shape[1] == 48
    assert (vectors * expected).sum(axis=1).min() > 0.99
    np.testing.assert_allclose(vectors[:, 32:], expected[:, 32:], atol=0.02)


def test_the_ngrams_come_back_from_a_folder(given_ngrams: Path, tmp_path: Path) -> None:
    folder = export(find_base(str(given_ngrams)), tmp_path / "out", max_length=32)
    back = to_transformers(folder, tmp_path / "floats")
    expected = load_encoder(folder).encode(TEXTS)
    found = load_phrase_model(Config(base=str(back))).encode(TEXTS)
    assert (found * expected).sum(axis=1).min() > 0.99


def test_training_on_trains_the_ngrams_too(given_ngrams: Path, tmp_path: Path) -> None:
    config = tiny_config(given_ngrams, steps=3)
    model = train(config, made_up_streams(), tmp_path / "run", development=False)
    before = PhraseNgrams.load(given_ngrams / "characters").table.weight
    after = PhraseNgrams.load(tmp_path / "run" / "model" / "characters").table.weight
    assert model.dim == 48
    facts = json.loads((tmp_path / "run" / "model" / "training.json").read_text())
    assert facts["ngrams"]["config"]["buckets"] == SMALL.buckets
    assert not torch.equal(before, after)


def test_a_model_with_ngrams_is_tuned_to_own_pairs(given_ngrams: Path, tmp_path: Path) -> None:
    examples = turned_round()
    pairs = [
        Pair(name, other, True)
        for name, (other,) in zip(examples.phrases, examples.aliases, strict=True)
    ]
    finetune(pairs, tmp_path / "mine", base=str(given_ngrams), steps=2)
    assert load_encoder(tmp_path / "mine").encode(TEXTS).shape == (len(TEXTS), 48)


def test_the_command_refuses_what_it_cannot_use(given_ngrams: Path, tmp_path: Path, capsys) -> None:
    arguments = ["ngrams", "--model", str(given_ngrams)]
    assert main([*arguments, "--out", str(tmp_path)]) == 1
    assert "something at" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "new"), "--steps", "0"]) == 1
    assert "steps must be at least 1. Got 0" in capsys.readouterr().err
    assert main([*arguments, "--out", str(tmp_path / "new"), "--share", "20"]) == 1
    assert "share must be above 0, and at most 10. Got 20.0" in capsys.readouterr().err
    with pytest.raises(InputError, match="has a character part already"):
        add_ngrams(given_ngrams, tmp_path / "new", [turned_round()], SMALL)
    assert not (tmp_path / "new").exists()
    with pytest.raises(InputError, match="no name to train on"):
        train_ngrams([], SMALL)
    with pytest.raises(ModelError, match="is a model in training with a character encoder"):
        load_encoder(given_ngrams)


def test_an_average_does_not_lose_the_ngrams(
    tiny: Path, given_ngrams: Path, tmp_path: Path, capsys
) -> None:
    out = ["--out", str(tmp_path / "out")]
    assert main(["average", "--base", str(given_ngrams), "--tuned", str(tiny), *out]) == 1
    assert "Only the base has a character part" in capsys.readouterr().err
    assert main(["average", "--base", str(tiny), "--tuned", str(given_ngrams), *out]) == 0
    assert load_phrase_model(Config(base=str(tmp_path / "out"))).dim == 48
    alone = ["--alone", "--out", str(tmp_path / "alone")]
    assert main(["average", "--base", str(given_ngrams), "--tuned", str(given_ngrams), *alone]) == 0
    assert load_phrase_model(Config(base=str(tmp_path / "alone"))).dim == 32
    assert "ngrams" not in json.loads((tmp_path / "alone" / "training.json").read_text())
    bare = ["--alone", "--out", str(tmp_path / "bare")]
    assert main(["average", "--base", str(given_ngrams), "--tuned", str(tiny), *bare]) == 0


def test_a_model_pooled_by_its_first_token_is_refused(tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "first")
    (tmp_path / "first" / "1_Pooling").mkdir()
    (tmp_path / "first" / "1_Pooling" / "config.json").write_text(
        '{"pooling_mode_cls_token": true}'
    )
    with pytest.raises(InputError, match="Only models pooled by mean are given n-grams"):
        add_ngrams(tmp_path / "first", tmp_path / "out", [turned_round()], SMALL)


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds no n-gram part"):
        PhraseNgrams.load(tmp_path)
