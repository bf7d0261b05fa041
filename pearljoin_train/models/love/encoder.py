"""A trained LOVE encoder: words to vectors, saved as a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save

from pearljoin._atomic import atomic_file, write_text
from pearljoin._errors import ModelError
from pearljoin._typing import FloatMatrix
from pearljoin_train.models.love.network import Love, LoveConfig, build
from pearljoin_train.models.love.vocabulary import LoveVocabulary

__all__ = ["LoveEncoder"]

FORMAT = 1
CONFIG, VOCABULARY, WEIGHTS = "config.json", "vocabulary.txt", "model.safetensors"
BATCH = 1024


class LoveEncoder:
    """Vectors of words from their characters: an `Encoder`, also as ``unknown=`` for word tables.

    Parameters
    ----------
    love
        The network.
    vocabulary
        What it reads.
    about
        What else its folder says: how it was trained, and how well it does.

    Examples
    --------
    >>> from pearljoin_train.models.love.network import LoveConfig, build
    >>> vocabulary = LoveVocabulary.learn(["pearl", "pear"], size=30)
    >>> love = build(LoveConfig(vocabulary_size=len(vocabulary), dim=8), seed=0)
    >>> LoveEncoder(love, vocabulary).encode_words(["pearls", "prael"]).shape
    (2, 8)
    """

    def __init__(
        self, love: Love, vocabulary: LoveVocabulary, about: dict[str, Any] | None = None
    ) -> None:
        if love.config.vocabulary_size != len(vocabulary):
            raise ModelError(
                "The network and the vocabulary do not belong together. Got "
                f"{love.config.vocabulary_size} rows and {len(vocabulary)} entries. "
                "Hint: take both from one folder."
            )
        self.love = love
        self.vocabulary = vocabulary
        self.about = about or {}

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return self.love.config.dim

    def encode_words(self, words: Sequence[str]) -> FloatMatrix:
        """Return the words' vectors.

        Parameters
        ----------
        words
            Any strings. Each is read as one word, whatever it holds; the empty one too has a
            vector, which says nothing.

        Returns
        -------
        vectors
            float32 of shape (n_words, dim), unit rows.
        """
        distinct = sorted(set(words), key=len)
        places = {word: row for row, word in enumerate(distinct)}
        found = np.zeros((len(distinct), self.dim), dtype=np.float32)
        device = self.love.embedding.weight.device
        was_training = self.love.training
        self.love.eval()
        with torch.inference_mode():
            for start in range(0, len(distinct), BATCH):
                ids = torch.from_numpy(self.vocabulary.encode(distinct[start : start + BATCH]))
                found[start : start + BATCH] = self.love(ids.to(device)).float().cpu().numpy()
        self.love.train(was_training)
        return np.asarray(found[[places[word] for word in words]], dtype=np.float32)

    encode = encode_words

    def save(self, folder: Path) -> None:
        """Write ``config.json``, ``vocabulary.txt`` and ``model.safetensors`` into a folder.

        Each file is either there whole or not at all.
        """
        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: value.contiguous() for name, value in self.love.state_dict().items()}
        with atomic_file(folder / WEIGHTS) as temporary:
            temporary.write_bytes(save(weights))
        write_text(folder / VOCABULARY, "".join(f"{entry}\n" for entry in self.vocabulary.entries))
        config = {"format": FORMAT, "kind": "love", "input": self.vocabulary.kind}
        config |= {"shape": asdict(self.love.config), "about": self.about}
        write_text(folder / CONFIG, json.dumps(config, indent=1) + "\n")

    @classmethod
    def load(cls, folder: str | Path) -> LoveEncoder:
        """Read a folder that `save` wrote.

        Raises
        ------
        ModelError
            If there is none, or it is not whole.
        """
        folder = Path(folder)
        try:
            config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
            if config.get("kind") != "love" or config["format"] != FORMAT:
                raise ModelError(f"it is of kind {config.get('kind')!r}")
            entries = (folder / VOCABULARY).read_text(encoding="utf-8").split("\n")[:-1]
            love = build(LoveConfig(**config["shape"]), seed=0)
            love.load_state_dict(load_file(folder / WEIGHTS))
            return cls(love.eval(), LoveVocabulary(entries, config["input"]), config["about"])
        except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
            raise ModelError(
                f"The folder {str(folder)!r} holds no character encoder. Got: {error}. "
                "Hint: `python -m pearljoin_train love --out FOLDER` makes one."
            ) from error
