"""The character encoder's part of a phrase vector (PEARL, section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from pearljoin._errors import ModelError
from pearljoin_train.models.love.encoder import LoveEncoder
from pearljoin_train.models.love.network import Love
from pearljoin_train.models.love.vocabulary import PADDING, LoveVocabulary

__all__ = ["PhraseCharacters", "words_of_phrase"]

WORD = re.compile(r"\w+")
REDUCE = "reduce.safetensors"


def words_of_phrase(phrase: str) -> list[str]:
    """Split a phrase into words; one without letters or digits, at its spaces.

    Examples
    --------
    >>> words_of_phrase("O'Casey & Co., Ltd."), words_of_phrase("🎉 !"), words_of_phrase("")
    (['O', 'Casey', 'Co', 'Ltd'], ['🎉', '!'], [])
    """
    return WORD.findall(phrase) or phrase.split()


class PhraseCharacters(nn.Module):
    """The mean of a phrase's LOVE word vectors, projected to fewer dimensions.

    Parameters
    ----------
    love
        The character encoder, which is trained further.
    vocabulary
        What it reads.
    dim
        Numbers to add to the phrase vector. The paper reduces the dimension and does not say to
        what.

    Examples
    --------
    >>> from pearljoin_train.models.love.network import LoveConfig, build
    >>> vocabulary = LoveVocabulary.learn(["pearl", "oyster"], size=30)
    >>> love = build(LoveConfig(vocabulary_size=len(vocabulary), dim=16), seed=0)
    >>> part = PhraseCharacters(love, vocabulary, dim=4)
    >>> part(**part.collate(["pearl oyster", "oysters", ""])).shape
    torch.Size([3, 4])
    """

    def __init__(self, love: Love, vocabulary: LoveVocabulary, dim: int = 64) -> None:
        super().__init__()
        self.love = love
        self.vocabulary = vocabulary
        self.reduce = nn.Linear(love.config.dim, dim)

    @classmethod
    def of(cls, encoder: LoveEncoder, dim: int = 64) -> PhraseCharacters:
        """Return the part of a phrase model that starts from a trained character encoder."""
        return cls(encoder.love, encoder.vocabulary, dim)

    @property
    def dim(self) -> int:
        """Numbers that are added to the phrase vector."""
        return self.reduce.out_features

    def save(self, folder: Path) -> None:
        """Write a character encoder's folder, and ``reduce.safetensors`` into it."""
        LoveEncoder(self.love, self.vocabulary).save(folder)
        save_file({k: v.contiguous() for k, v in self.reduce.state_dict().items()}, folder / REDUCE)

    @classmethod
    def load(cls, folder: Path) -> PhraseCharacters:
        """Read what `save` wrote.

        Raises
        ------
        ModelError
            If there is none, or it is not whole.
        """
        encoder = LoveEncoder.load(folder)
        try:
            weights = load_file(folder / REDUCE)
            part = cls.of(encoder, len(weights["weight"]))
            part.reduce.load_state_dict(weights)
        except (OSError, KeyError, RuntimeError, SafetensorError) as error:
            raise ModelError(
                f"The folder {str(folder)!r} holds no character part of a phrase encoder. "
                f"Got: {error}. Hint: take a model folder that training wrote."
            ) from error
        return part

    def collate(self, phrases: Sequence[str]) -> dict[str, Tensor]:
        """Return phrases as tensors, the arguments of `forward`; each word is there once.

        Returns
        -------
        tensors
            ``characters``, int64 of shape (1 + n_words, length): the words, after a row of
            padding; ``words``, int64 of shape (n_phrases, most_words): rows of `characters`,
            ended by 0.
        """
        split = [words_of_phrase(phrase) for phrase in phrases]
        distinct = list(dict.fromkeys(word for words in split for word in words))
        rows = {word: row for row, word in enumerate(distinct, start=1)}
        characters = np.pad(
            self.vocabulary.encode(distinct), ((1, 0), (0, 0)), constant_values=PADDING
        )
        words = np.zeros((len(split), max(map(len, split), default=0)), dtype=np.int64)
        for place, found in enumerate(split):
            words[place, : len(found)] = [rows[word] for word in found]
        return {"characters": torch.from_numpy(characters), "words": torch.from_numpy(words)}

    def forward(self, characters: Tensor, words: Tensor) -> Tensor:
        """Return the phrases' vectors.

        Parameters
        ----------
        characters, words
            What `collate` returned.

        Returns
        -------
        vectors
            float of shape (n_phrases, dim), of any length. A phrase without words has the
            layer's bias.
        """
        vectors = self.love(characters)[words]  # (n_phrases, most_words, love dim)
        known = (words != 0).to(vectors.dtype)[:, :, None]
        mean = (vectors * known).sum(dim=1) / known.sum(dim=1).clamp(min=1.0)
        reduced: Tensor = self.reduce(mean)
        return reduced
