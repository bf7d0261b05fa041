"""Distilling a static model: what it learns, and its way into a model folder."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_models import made_up_names, save_tiny_bert
from tokenizers import Tokenizer

from pearljoin import load_encoder
from pearljoin._errors import InputError
from pearljoin.ngrams import NgramPart, PieceTable
from pearljoin_train.data.splits import part_of
from pearljoin_train.export.export_int8 import export
from pearljoin_train.models.base import find_base
from pearljoin_train.models.tokens import PhraseTokens
from pearljoin_train.training.examples import UNKNOWN, Examples
from pearljoin_train.training.static import (
    AliasRows,
    StaticConfig,
    Taught,
    distil,
    first_table,
    principal_directions,
)
from pearljoin_train.training.static_command import distil_folder
from pearljoin_train.training.static_phrases import alias_lists, static_phrases

SMALL = StaticConfig(dim=8, epochs=30, batch=64, contrast=0.0, corrupted=0)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def bert(tmp_path_factory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("tiny") / "bert")


@pytest.fixture(scope="module")
def tokenizer(bert) -> Tokenizer:
    return Tokenizer.from_file(str(bert / "tokenizer.json"))


@pytest.fixture(scope="module")
def taught(tokenizer) -> Taught:
    """Phrases whose meanings are sums over their word pieces: a static model can hold them."""
    rng = np.random.default_rng(0)
    names = made_up_names(400)
    secret = rng.normal(size=(tokenizer.get_vocab_size(), 12))
    ids = [tokenizer.encode(name, add_special_tokens=False).ids for name in names]
    meanings = unit(np.array([secret[row].sum(axis=0) for row in ids]))
    return Taught(names, meanings, np.zeros((len(names), 4), np.float32))


def examples(phrases: dict[str, tuple[str, ...]], source: str = "towns") -> Examples:
    types = np.full(len(phrases), UNKNOWN)
    return Examples(source, list(phrases), list(phrases.values()), types, "open")


def encoder_names(n: int, seed: int = 0) -> list[str]:
    return [name for name in made_up_names(3 * n, seed) if part_of(name) == "encoder"][:n]


class TestLearning:
    def test_it_learns_vectors_that_a_static_model_can_hold(self, taught, tokenizer) -> None:
        config = replace(SMALL, dim=12)
        module = distil(taught, [], tokenizer, config)
        directions = principal_directions(taught.meanings, 12)
        with torch.no_grad():
            vectors = module(**module.collate(taught.phrases)).numpy()
        cosines = np.einsum("ij,ij->i", vectors, taught.meanings @ directions)
        assert cosines.mean() > 0.97
        inner = vectors[:60] @ vectors[:60].T - taught.meanings[:60] @ taught.meanings[:60].T
        assert np.abs(inner).mean() < 0.05

    def test_the_same_seed_gives_the_same_table(self, taught, tokenizer) -> None:
        config = replace(SMALL, epochs=2)
        first, again = (distil(taught, [], tokenizer, config).part().table for _ in range(2))
        assert np.array_equal(first, again)

    def test_other_names_of_one_thing_draw_near(self, taught, tokenizer) -> None:
        pairs = AliasRows(np.arange(0, 200), [[row + 200] for row in range(200)])

        def cosine(contrast: float) -> float:
            config = replace(SMALL, contrast=contrast, epochs=8)
            module = distil(taught, [pairs], tokenizer, config)
            with torch.no_grad():
                vectors = module(**module.collate(taught.phrases)).numpy()
            return float(np.einsum("ij,ij->i", vectors[:200], vectors[200:]).mean())

        assert cosine(1.0) > cosine(0.0) + 0.1

    def test_the_first_table_is_longer_for_rare_pieces(self) -> None:
        targets = unit(np.eye(4)[[0, 1, 2, 3]])
        # Piece 0 is in every phrase, the others in one each; piece 5 in none.
        tokens, starts = np.array([0, 1, 0, 2, 0, 3, 0, 4]), np.array([0, 2, 4, 6, 8])
        table = first_table(tokens, starts, targets, 6)
        lengths = np.linalg.norm(table, axis=1)
        assert np.isfinite(table).all()
        assert lengths[0] < lengths[1:5].min()
        assert table[1].argmax() == 0

    def test_what_runs_in_a_folder_is_what_was_trained(self, taught, tokenizer) -> None:
        shape = tokenizer.get_vocab_size(), 3
        module = PhraseTokens(tokenizer, np.random.default_rng(0).normal(size=shape))
        with torch.no_grad():
            expected = module(**module.collate(["ran", "stolin mer", ""])).numpy()
        collated = module.collate(["ran", "stolin mer", ""])
        starts = np.append(collated["starts"].numpy(), len(collated["tokens"]))
        found = module.part().encode(collated["tokens"].numpy(), starts)
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_nothing_to_learn_from_is_told(self, tokenizer) -> None:
        empty = Taught([], np.zeros((0, 4), np.float32), np.zeros((0, 2), np.float32))
        with pytest.raises(InputError, match="no phrase to learn from"):
            distil(empty, [], tokenizer, SMALL)

    @pytest.mark.parametrize(("name", "value"), [("dim", 0), ("share", 0.0), ("contrast", -1.0)])
    def test_settings_are_checked(self, name: str, value: float) -> None:
        with pytest.raises(InputError, match=f"{name} must be"):
            StaticConfig(**{name: value})


class TestPhrases:
    def test_names_that_are_held_out_are_left_out(self) -> None:
        names = made_up_names(200)
        named = examples({name: (f"{name} town",) for name in names})
        found = static_phrases([named], [], replace(SMALL, corrupted=0))
        assert {part_of(phrase) for phrase in found.phrases} == {"encoder"}
        assert len(found.phrases) > 200
        rows = found.lists[0]
        assert [found.phrases[row] + " town" for row in rows.names] == [
            found.phrases[aliases[0]] for aliases in rows.aliases
        ]

    def test_a_source_gives_no_more_than_its_share(self) -> None:
        named = examples(dict.fromkeys(encoder_names(50), ()))
        others = examples(dict.fromkeys(encoder_names(30, seed=1), ()), "phrases")
        found = static_phrases([named], [others], replace(SMALL, names_a_source=20))
        assert {s: n["phrases"] for s, n in found.sources.items()} == {"towns": 20, "phrases": 20}

    def test_some_are_learned_with_typing_errors(self) -> None:
        named = examples(dict.fromkeys(encoder_names(50), ()))
        plain, noisy = (static_phrases([named], [], replace(SMALL, corrupted=n)) for n in (0, 25))
        added = set(noisy.phrases) - set(plain.phrases)
        assert 15 <= len(added) <= 25

    def test_paraphrases_are_no_names(self) -> None:
        pair = {"ran": ("mer",)}
        rows = {"ran": 0, "mer": 1}
        assert alias_lists([examples(pair, "ppdb_lexical")], rows) == []


class TestFolder:
    @pytest.fixture
    def teacher(self, bert, tmp_path) -> Path:
        folder = export(find_base(str(bert)), tmp_path / "teacher", max_length=32)
        rng = np.random.default_rng(0)
        table = rng.normal(size=(256, 4)).astype(np.float32)
        content = NgramPart(table, np.zeros(256, np.float32), 0.5).to_bytes()
        (folder / "ngrams.npz").write_bytes(content)
        config = json.loads((folder / "config.json").read_text())
        config["files"]["ngrams.npz"] = sha256(content).hexdigest()
        config["dim"] += 4
        (folder / "config.json").write_text(json.dumps(config))
        return folder

    def test_a_model_folder_is_distilled_into_a_static_one(self, teacher, tmp_path) -> None:
        names = encoder_names(120)
        found = static_phrases(
            [examples({name: (names[at - 1],) for at, name in enumerate(names)})], [], SMALL
        )
        config = replace(SMALL, dim=16, contrast=0.1)
        out = distil_folder(str(teacher), tmp_path / "out", found, config, tmp_path / "cache")
        encoder, slow = load_encoder(out), load_encoder(teacher)
        assert encoder.dim == 16 + 4
        near, far = encoder.encode(names), slow.encode(names)
        upper = np.triu_indices(len(names), 1)
        assert np.corrcoef((near @ near.T)[upper], (far @ far.T)[upper])[0, 1] > 0.5
        described = json.loads((out / "config.json").read_text())
        assert described["provenance"]["distillation"]["config"]["dim"] == 16
        assert "towns" in (out / "MODEL_CARD.md").read_text()
        assert isinstance(
            PieceTable.from_bytes((out / "tokens.npz").read_bytes(), "it"), PieceTable
        )

    def test_a_teacher_without_ngrams_is_refused(self, bert, tmp_path) -> None:
        folder = export(find_base(str(bert)), tmp_path / "teacher", max_length=32)
        found = static_phrases([examples(dict.fromkeys(encoder_names(5), ()))], [], SMALL)
        with pytest.raises(InputError, match="has its teacher's n-grams"):
            distil_folder(str(folder), tmp_path / "out", found, SMALL)
