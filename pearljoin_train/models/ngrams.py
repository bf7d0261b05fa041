"""The n-gram character part in training: hashed n-grams of words.

Stands where `love_phrases.PhraseCharacters` does in a `PhraseModel`, the paper's network: a bag is
a thousand times faster, and needs no pre-training.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from pearljoin._atomic import write_text
from pearljoin._errors import ModelError
from pearljoin.ngrams import NgramPart, word_grams

__all__ = ["KIND", "PhraseNgrams"]

KIND = "ngrams"
CONFIG, WEIGHTS = "config.json", "model.safetensors"


class PhraseNgrams(nn.Module):
    """A phrase's vector from the n-grams of its words; the formula is `NgramPart`'s.

    Parameters
    ----------
    buckets, dim
        Rows and columns of the table.

    Examples
    --------
    >>> part = PhraseNgrams(buckets=1_000, dim=4)
    >>> part(**part.collate(["pearl oyster", "Oysters", ""])).shape
    torch.Size([3, 4])
    """

    def __init__(self, buckets: int, dim: int) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(buckets, dim, mode="sum")
        self.gates = nn.EmbeddingBag(buckets, 1, mode="mean")
        nn.init.normal_(self.table.weight, std=dim**-0.5)
        nn.init.zeros_(self.gates.weight)

    @classmethod
    def of(cls, part: NgramPart) -> PhraseNgrams:
        """Return what was trained before, to train it further."""
        module = cls(*part.table.shape)
        with torch.no_grad():
            module.table.weight.copy_(torch.from_numpy(part.table))
            module.gates.weight.copy_(torch.from_numpy(part.gates)[:, None])
        return module

    @property
    def dim(self) -> int:
        """Numbers that are added to the phrase vector."""
        return self.table.embedding_dim

    @torch.no_grad()
    def weigh(self, phrases: Sequence[str]) -> None:
        """Start from idf: n-grams of few phrases are longer, and their gates are wider open."""
        buckets = len(self.table.weight)
        found = word_grams(phrases, buckets)
        frequencies = np.zeros(buckets)
        uses = np.bincount(found.words, minlength=len(found.gram_starts) - 1)
        np.add.at(frequencies, found.grams, np.repeat(uses, np.diff(found.gram_starts)))
        idf = torch.from_numpy(np.log1p(len(phrases) / (1 + frequencies))).float()
        idf /= idf.mean()
        self.gates.weight.copy_(idf.log()[:, None])
        self.table.weight.mul_(idf[:, None])

    def collate(self, phrases: Sequence[str]) -> dict[str, Tensor]:
        """Return phrases as tensors, the arguments of `forward`; each word is there once."""
        found = word_grams(phrases, len(self.table.weight))
        rows = np.repeat(np.arange(len(phrases)), np.diff(found.word_starts))
        return {
            "grams": torch.from_numpy(found.grams),
            "starts": torch.from_numpy(found.gram_starts[:-1]),
            "words": torch.from_numpy(found.words),
            "rows": torch.from_numpy(rows),
            "n_phrases": torch.tensor(len(phrases)),
        }

    def forward(
        self, grams: Tensor, starts: Tensor, words: Tensor, rows: Tensor, n_phrases: Tensor
    ) -> Tensor:
        """Return the phrases' vectors, float (n_phrases, dim), shorter than 1; zeros without words.

        Parameters
        ----------
        grams, starts, words, rows, n_phrases
            What `collate` returned.
        """
        vectors = functional.normalize(self.table(grams, starts)) * self.gates(grams, starts).exp()
        found = torch.zeros(int(n_phrases), self.dim, device=grams.device)
        sums = found.index_add(0, rows, vectors[words])
        return sums / (1 + sums.square().sum(dim=1, keepdim=True)).sqrt()

    def part(self, share: float) -> NgramPart:
        """Return what runs in a model folder."""
        table, gates = (each.weight.detach().cpu().numpy() for each in (self.table, self.gates))
        return NgramPart(table.astype(np.float32), gates[:, 0].astype(np.float32), share)

    def save(self, folder: Path) -> None:
        """Write ``config.json`` and ``model.safetensors`` into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        weights = {name: value.contiguous() for name, value in self.state_dict().items()}
        save_file(weights, folder / WEIGHTS)
        write_text(folder / CONFIG, json.dumps({"format": 1, "kind": KIND}) + "\n")

    @classmethod
    def load(cls, folder: Path) -> PhraseNgrams:
        """Read what `save` wrote; raises ModelError if it is not there whole."""
        try:
            weights = load_file(folder / WEIGHTS)
            module = cls(*weights["table.weight"].shape)
            module.load_state_dict(weights)
        except (OSError, KeyError, TypeError, RuntimeError, SafetensorError) as error:
            raise ModelError(
                f"The folder {str(folder)!r} holds no n-gram part. Got: {error}. Hint: "
                "`python -m pearljoin_train ngrams` makes a model that has one."
            ) from error
        return module
