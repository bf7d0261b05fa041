"""Phrase-level augmentation: a text-to-text model writes paraphrases (PEARL, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pearljoin import ModelError
from pearljoin._optional import require
from pearljoin_train.augment.rules import Chance, pick

__all__ = ["PARROT", "Paraphraser"]

PARROT = "prithivida/parrot_paraphraser_on_T5"
"""The paraphraser of the paper (Damodaran 2021)."""


class Paraphraser:
    """A text-to-text model that writes paraphrases by beam search, so without chance.

    Parameters
    ----------
    source
        Hub id or folder of a sequence-to-sequence model; Parrot by default.
    prefix
        Put before every text; ``"paraphrase: "`` is what Parrot was trained with.
    beams
        Paraphrases asked for a text, at most so many given; at least 1.
    max_length
        Tokens of a text and of a paraphrase that count.
    batch_size
        Texts a pass.
    device
        A torch device; ``"auto"`` takes a GPU where there is one.

    Raises
    ------
    ModelError
        If the model is neither in the folder, nor in the local hub cache, nor to be fetched.
    """

    def __init__(
        self,
        source: str | Path = PARROT,
        *,
        prefix: str = "paraphrase: ",
        beams: int = 5,
        max_length: int = 32,
        batch_size: int = 64,
        device: str = "auto",
    ) -> None:
        torch = require("torch", extra="train", purpose="A paraphraser")
        transformers = require("transformers", extra="train", purpose="A paraphraser")
        self.prefix, self.beams, self.max_length = prefix, beams, max_length
        self.batch_size = batch_size
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(source)
            self._model: Any = transformers.AutoModelForSeq2SeqLM.from_pretrained(source)
        except (OSError, ValueError) as error:
            first_line = (str(error).splitlines() or [""])[0]
            raise ModelError(
                f"The paraphraser {str(source)!r} cannot be had on this machine. Got "
                f"{type(error).__name__}: {first_line}. Hint: name a folder that holds it, go "
                "online once, after which the hub's cache serves it, or do without: the alias "
                "pairs of train/alias_pairs.tsv.gz need no model (`--paraphraser none`)."
            ) from error
        if device == "auto":
            device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = self._model.to(device).eval()

    def paraphrases(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """Write paraphrases.

        Parameters
        ----------
        texts
            Any strings.

        Returns
        -------
        paraphrases
            Of each text, the best first, at most `beams`. None is empty, and no two of one text,
            nor one and the text itself, have the same letters and digits but for case.
        """
        written: list[tuple[str, ...]] = [()] * len(texts)
        order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            found = self._generate([self.prefix + texts[row] for row in rows])
            for at, row in enumerate(rows):
                beams = found[at * self.beams : (at + 1) * self.beams]
                written[row] = _distinct(texts[row], beams)
        return written

    def __call__(self, text: str, rng: Chance) -> str:
        """Return one paraphrase, each as likely, or the text where there is none.

        Runs the model for this text alone: for many texts, `paraphrases` is far quicker.
        """
        found = self.paraphrases([text])[0]
        return pick(found, rng) if found else text

    def _generate(self, texts: list[str]) -> list[str]:
        """Return `beams` strings a text, one text's after another's."""
        import torch

        tokens = self._tokenizer(
            texts, padding=True, truncation=True, max_length=self.max_length, return_tensors="pt"
        ).to(self._model.device)
        with torch.inference_mode():
            written = self._model.generate(
                input_ids=tokens["input_ids"],
                attention_mask=tokens["attention_mask"],
                do_sample=False,
                num_beams=self.beams,
                num_return_sequences=self.beams,
                max_new_tokens=self.max_length,
            )
        return list(self._tokenizer.batch_decode(written, skip_special_tokens=True))


def _distinct(text: str, written: Sequence[str]) -> tuple[str, ...]:
    """Drop paraphrases with the same letters."""
    seen = {_letters(text), ""}
    kept = []
    for paraphrase in written:
        letters = _letters(paraphrase)
        if letters not in seen:
            seen.add(letters)
            kept.append(" ".join(paraphrase.split()))
    return tuple(kept)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
