"""Entity types by a token classifier from the hub (paper: DeBERTa on OntoNotes)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pearljoin._errors import ModelError
from pearljoin._optional import require
from pearljoin_train.corpus.entities import OTHER, core
from pearljoin_train.corpus.phrase_types import ENTITY_TYPES
from pearljoin_train.corpus.sentence import Sentence, Span

__all__ = ["DEFAULT_MODEL", "HubTypes", "aligned"]

DEFAULT_MODEL = "tner/deberta-v3-large-ontonotes5"
# Names for the types of OntoNotes that other label sets use.
SYNONYMS = {"PER": "PERSON", "FACILITY": "FAC", "MISC": OTHER}


@dataclass
class HubTypes:
    """The `EntityTyper` that reads each sentence with a transformer.

    Parameters
    ----------
    model
        A hub id or a folder of a token classification model whose labels are those of OntoNotes.
    device
        Where it runs, e.g. "cpu" or "cuda:0".
    batch_size
        Sentences at once.
    """

    model: str = DEFAULT_MODEL
    device: str = "cpu"
    batch_size: int = 32
    _pipeline: Any = None

    def load(self) -> None:
        """Load the model, so that a missing one fails before any work.

        Raises
        ------
        ModelError
            If it is not to be had, or its labels are not those of OntoNotes.
        """
        if self._pipeline is not None:
            return
        transformers = require("transformers", extra="train", purpose="Entity types by a hub model")
        try:
            self._pipeline = transformers.pipeline(
                "token-classification",
                model=self.model,
                aggregation_strategy="simple",
                device=self.device,
                batch_size=self.batch_size,
            )
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The entity model cannot be loaded. Got: {self.model!r} ({_first_line(error)}). "
                "Hint: give a hub id or a folder of a token classification model, or use "
                "--entities lists, which needs no download."
            ) from error
        labels = self._pipeline.model.config.id2label.values()
        known = {_entity(label) for label in labels} & set(ENTITY_TYPES) - {OTHER}
        if not known:
            raise ModelError(
                f"The labels of {self.model!r} are no entity types. "
                f"Got: {sorted(set(labels))[:5]}. "
                f"Hint: use a model trained on OntoNotes, such as {DEFAULT_MODEL}."
            )

    def __call__(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """Return the entity type of each span."""
        self.load()
        texts = [" ".join(sentence.tokens) for sentence in sentences]
        filled = [text for text in texts if text]
        found = iter(self._pipeline(filled) if filled else [])
        return [
            aligned(sentence, next(found) if text else [])
            for sentence, text in zip(sentences, texts, strict=True)
        ]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pipeline": None}


def aligned(sentence: Sentence, entities: Sequence[Mapping[str, Any]]) -> list[str]:
    """Give each span the type of the entity that it is.

    Parameters
    ----------
    sentence
        Its tokens joined by one space are the text that was tagged.
    entities
        What a token-classification pipeline returns: ``entity_group``, ``start`` and ``end`` in
        characters.

    Returns
    -------
    types
        One of `ENTITY_TYPES` a span: that of an entity which begins and ends where the span does,
        prepositions and determiners at the start of either aside; else OTHER.

    Examples
    --------
    >>> sentence = Sentence(("in", "the", "New", "Forest"), ("IN", "DT", "NNP", "NNP"),
    ...                     (Span(0, 4, "PP"),))
    >>> aligned(sentence, [{"entity_group": "LOC", "start": 3, "end": 17}])
    ['LOC']
    """
    starts, place = {}, 0
    for number, token in enumerate(sentence.tokens):
        starts[number] = place
        place += len(token) + 1
    by_core = {}
    for entity in entities:
        first = max((n for n, start in starts.items() if start <= entity["start"]), default=0)
        last = max((n for n, start in starts.items() if start < entity["end"]), default=first)
        by_core[core(sentence, Span(first, last + 1, ""))] = _entity(entity["entity_group"])
    return [by_core.get(core(sentence, span), OTHER) for span in sentence.spans]


def _entity(label: str) -> str:
    name = label.split("-", 1)[-1].upper().replace(" ", "_")
    name = SYNONYMS.get(name, name)
    return name if name in ENTITY_TYPES else OTHER


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
