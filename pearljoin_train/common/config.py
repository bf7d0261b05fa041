"""The training config: one typed, frozen record, read from TOML or JSON."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Self, get_type_hints

from pearljoin._errors import InputError

__all__ = ["Config", "load_config", "recipe_names"]

WORKING = ("checkpoint_every", "evaluate_every", "threads", "micro_batch", "cached", "workers")
"""Fields that change how a run works, not what comes out of it."""

LICENCES = "ABC"
"""Classes: permissive or attribution, share-alike, none stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings that determine a training run.

    Attributes
    ----------
    base
        The language model to start from: ``"all-MiniLM-L6-v2"``, a folder in Hugging Face's
        layout, or a hub id.
    prefix
        Written before every phrase ("query: " for E5).
    max_tokens
        Longer phrases are cut, special tokens counted.
    seed
        The same seed gives the same batches, dropout and losses.
    steps
        Optimiser steps.
    alias_rows, alias_sources
        Rows of a batch that are two names of one thing, and from how many sources they come.
    paraphrase_rows
        Rows that are two words or phrases of one meaning.
    typed_rows
        Rows that are entities of a known type.
    general_rows
        Rows that are ordinary phrases, two views of the same one.
    neighbours
        A batch's rows come in groups of this size that look alike to the base model, so that the
        other rows of the batch are hard negatives; 1 turns that off.
    tree_age
        Steps for which the groups of neighbours stay as they are.
    first_window
        Rows of a source among which the first groups are sought, so that the first step comes soon;
        four times as many for each `tree_age` after it, until all are encoded. 0: all at once.
    source_cap
        Phrases taken from one source at most.
    phrase_share
        Share of the phrases that are trained on; the paper's other language models take 0.3.
    corpus
        What `python -m pearljoin_train corpus build` wrote, instead of the data folder's ordinary
        phrases; all of it is taken. None by default.
    views_file
        What `python -m pearljoin_train augment` wrote for the corpus: its paraphrases are other
        names. None by default.
    licences
        Licence classes of the alias and typed sources that may be trained on; those open upstream
        are taken whenever "A" is.
    wordnet
        Take synonyms from WordNet too, from which the Turney benchmark is derived.
    synonym_vectors
        Word vectors, as `pearljoin.WeightedWordEncoder` takes them, whose near neighbours are
        synonyms too; none by default.
    learning_rate, weight_decay
        Of AdamW (Adam where the decay is 0).
    head_learning_rate
        Of the type head, which starts from nothing; follows the same schedule.
    schedule
        ``"exponential"``: times `decay` every `decay_every` steps (the paper: 0.98 every 2,000);
        ``"stable"``: constant, then linear to 0 over the last `cooldown` of the steps.
    warmup
        Steps of linear warm-up.
    decay, decay_every, cooldown
        See `schedule`.
    temperature
        Of NT-Xent; 0.07 in the paper.
    type_weight
        Weight of the type loss; 0 turns the types off.
    type_head
        ``"linear"``: the paper's layer over the vector; ``"cosine"``: the cosine with a
        prototype a type over `type_temperature`, which shapes the space that is searched.
    type_set
        ``"paper"``: 95 labels, lexical by entity type; ``"fine"``: entity types with what OntoNotes
        calls other distinguished, and the lexical types of ordinary phrases.
    type_temperature
        See `type_head`.
    distil_weight
        Weight of staying close to the teacher's similarities among the general rows.
    teacher
        A folder in Hugging Face's layout, such as the average of earlier runs, whose similarities
        the general rows keep; the base by default.
    remine_at
        Share of the steps after which neighbours and hard negatives are sought anew, by the model
        as it is then; 0: never.
    character_rate, synonym_rate, swap_rate, phrase_rate
        Shares of views made by character-level, synonym and word-swap augmentation, and by another
        name of the thing; the rest is unchanged. Each is turned off by 0.
    noise_rate
        Share of alias views that are also corrupted.
    edition_rate
        Share of the alias sources in a batch whose names are given years, numbers or words that
        alone tell two rows apart.
    negatives
        Mined hard negatives drawn for each row that has some; the paper draws 2 of 12.
    negatives_file
        What `python -m pearljoin_train negatives` wrote.
    characters
        Folder of a LOVE character encoder to be joined to the phrase vector; none by default.
    character_dim
        Dimensions that the character encoder adds.
    dropout
        Of the language model.
    average
        Share of the base model in the final weights; the paper: 0.5.
    ema
        Decay of an exponential moving average of the weights, which is what is kept; 0: none.
    micro_batch
        Texts encoded at a time, sorted by length.
    cached
        Encode twice instead of keeping every text's graph (gradient caching): large batches on
        little memory, the same gradients.
    precision
        ``"float32"`` or ``"bfloat16"`` (mixed).
    checkpoint_every, evaluate_every
        Steps between checkpoints and between evaluations on the development split.
    threads
        Threads of the processor; 0: torch's own choice.
    workers
        Processes that make batches ahead of the steps; 0: none. A GPU wants several.
    """

    base: str = "all-MiniLM-L6-v2"
    prefix: str = ""
    max_tokens: int = 32
    seed: int = 0
    steps: int = 3000
    alias_rows: int = 192
    alias_sources: int = 4
    paraphrase_rows: int = 48
    typed_rows: int = 64
    general_rows: int = 48
    neighbours: int = 16
    tree_age: int = 100
    first_window: int = 1024
    source_cap: int = 15000
    phrase_share: float = 1.0
    corpus: str = ""
    views_file: str = ""
    licences: str = "A"
    wordnet: bool = False
    synonym_vectors: str = ""
    learning_rate: float = 5e-5
    head_learning_rate: float = 1e-3
    weight_decay: float = 0.01
    schedule: str = "stable"
    warmup: int = 50
    decay: float = 0.98
    decay_every: int = 2000
    cooldown: float = 0.3
    temperature: float = 0.05
    type_weight: float = 0.3
    type_head: str = "cosine"
    type_set: str = "fine"
    type_temperature: float = 0.1
    distil_weight: float = 1.0
    teacher: str = ""
    remine_at: float = 0.0
    character_rate: float = 0.12
    synonym_rate: float = 0.2
    swap_rate: float = 0.04
    phrase_rate: float = 0.9
    noise_rate: float = 0.12
    edition_rate: float = 0.0
    negatives: int = 0
    negatives_file: str = ""
    characters: str = ""
    character_dim: int = 64
    dropout: float = 0.0
    average: float = 0.0
    ema: float = 0.0
    micro_batch: int = 64
    cached: bool = False
    precision: str = "bfloat16"
    checkpoint_every: int = 100
    evaluate_every: int = 200
    threads: int = 0
    workers: int = 0

    def __post_init__(self) -> None:
        """Check every value before a run starts."""
        _choice("schedule", self.schedule, ("exponential", "stable"))
        _choice("type_head", self.type_head, ("linear", "cosine"))
        _choice("type_set", self.type_set, ("paper", "fine"))
        _choice("precision", self.precision, ("float32", "bfloat16"))
        for name in ("steps", "micro_batch", "neighbours", "source_cap", "checkpoint_every",
                     "evaluate_every", "decay_every", "alias_sources", "tree_age",
                     "character_dim"):  # fmt: skip
            _within(name, getattr(self, name), 1, float("inf"))
        for name in ("temperature", "type_temperature", "learning_rate", "head_learning_rate"):
            _within(name, getattr(self, name), 1e-12, float("inf"))
        _within("phrase_share", self.phrase_share, 1e-12, 1)
        for name in ("cooldown", "dropout", "average", "ema", "decay", "character_rate",
                     "synonym_rate", "swap_rate", "phrase_rate", "noise_rate",
                     "edition_rate", "remine_at"):  # fmt: skip
            _within(name, getattr(self, name), 0, 1)
        for name in ("alias_rows", "paraphrase_rows", "typed_rows", "general_rows", "negatives",
                     "warmup", "type_weight", "distil_weight", "weight_decay", "seed",
                     "threads", "workers", "first_window"):  # fmt: skip
            _within(name, getattr(self, name), 0, float("inf"))
        _within("max_tokens", self.max_tokens, 3, 512)
        if not self.licences or set(self.licences) - set(LICENCES):
            raise InputError(
                f"The config's licences are not known. Got {self.licences!r}. Hint: some of "
                f"{LICENCES}, such as 'A'."
            )
        if self.rows < 2:
            raise InputError(
                f"A batch needs at least 2 rows. Got {self.rows}. Hint: alias_rows=64."
            )
        if self.negatives and not self.negatives_file:
            raise InputError(
                f"Hard negatives need a file. Got negatives={self.negatives} and no negatives_file."
                " Hint: `python -m pearljoin_train negatives` writes one."
            )

    @property
    def rows(self) -> int:
        """Rows of a batch, each with two views."""
        return self.alias_rows + self.paraphrase_rows + self.typed_rows + self.general_rows

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other values, checked."""
        return dataclasses.replace(self, **changes)

    def to_json(self) -> str:
        """Write the config as JSON, one field a line."""
        return json.dumps(dataclasses.asdict(self), indent=1) + "\n"

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Make a config from a mapping of some of its fields.

        Raises
        ------
        InputError
            For a name that is no field, or a value of the wrong type.
        """
        types = get_type_hints(cls)
        for name, value in values.items():
            if name not in types:
                raise InputError(
                    f"A training config has no field of that name. Got {name!r}. "
                    f"Hint: one of {', '.join(types)}."
                )
            allowed = (int, float) if types[name] is float else types[name]
            if not isinstance(value, allowed) or (isinstance(value, bool) != (types[name] is bool)):
                raise InputError(
                    f"The config's field {name} has the wrong type. Got {value!r}. "
                    f"Hint: a value of type {types[name].__name__}."
                )
        return cls(**values)


def recipe_names() -> list[str]:
    """Return the names of the recipes that come with the package."""
    folder = resources.files("pearljoin_train") / "recipes"
    return sorted(item.name[:-5] for item in folder.iterdir() if item.name.endswith(".toml"))


def load_config(recipe: str, overrides: Mapping[str, Any] | None = None) -> Config:
    """Read a recipe, by name or as a TOML or JSON file, and change some of its fields.

    Raises
    ------
    InputError
        If there is no such recipe or file, it cannot be read, or a field is wrong.

    Examples
    --------
    >>> load_config("pearl-mini", {"steps": 10}).steps
    10
    """
    if recipe in recipe_names():
        text = (resources.files("pearljoin_train") / "recipes" / f"{recipe}.toml").read_text(
            "utf-8"
        )
        values = tomllib.loads(text)
    else:
        values = _read_file(Path(recipe))
    return Config.from_mapping({**values, **(overrides or {})})


def _read_file(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(
            f"There is no such recipe or file. Got {str(path)!r}. "
            f"Hint: one of {', '.join(recipe_names())}, or a TOML or JSON file."
        )
    try:
        text = path.read_text(encoding="utf-8")
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, UnicodeDecodeError) as error:
        raise InputError(
            f"The config file {path} cannot be read. Got: {error}. Hint: compare it with a recipe."
        ) from error
    if not isinstance(values, dict):
        raise InputError(f"The config file {path} holds no fields. Hint: compare with a recipe.")
    return values


def _choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(
            f"The config's {name} is not known. Got {value!r}. Hint: one of {', '.join(allowed)}."
        )


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high or value == float("inf"):
        raise InputError(
            f"The config's {name} is out of range. Got {value}. Hint: from {low:g} to {high:g}."
        )
