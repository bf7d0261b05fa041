"""Everything that a training run reads, as a folder of plain files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._errors import InputError
from pearljoin_train.benchmark.tasks import SETS
from pearljoin_train.common.config import Config
from pearljoin_train.data import find
from pearljoin_train.data.join import Join
from pearljoin_train.models.phrase_model import load_phrase_model, save_phrase_model
from pearljoin_train.models.token_ids import TokenIds
from pearljoin_train.negatives import HardNegatives
from pearljoin_train.portable.token_store import TokenStore
from pearljoin_train.training.batches import Streams
from pearljoin_train.training.development import DevelopmentSplit
from pearljoin_train.training.examples import Examples
from pearljoin_train.training.remine import sources_of
from pearljoin_train.training.streams import (
    lazy_teacher,
    lazy_vectors,
    make_mixture,
    needed_vectors,
    read_streams,
)

__all__ = ["Inputs", "read_inputs", "write_inputs"]

BASE, TEACHER, CHARACTERS, DATA = "base", "teacher", "characters", "data"
NEGATIVES = "negatives.parquet"
CONFIG, STREAMS, TOKENS, DEVELOPMENT = "config.json", "streams", "tokens.npz", "development.json"
ROLES = ("aliases", "paraphrases", "typed", "general")
AT_ONCE = 20_000
"""Texts tokenised at a time."""


@dataclass(frozen=True)
class Inputs:
    """What a run reads.

    Attributes
    ----------
    config
        Its settings.
    streams
        The rows.
    split
        The development split; None where nothing is measured along the way.
    data
        A data folder that holds benchmark sets; None for the one in force.
    tokenise
        Texts to token ids; None for the model's own tokenizer.
    """

    config: Config
    streams: Streams
    split: DevelopmentSplit | None = None
    data: Path | None = None
    tokenise: Callable[[Sequence[str]], TokenIds] | None = None

    @classmethod
    def from_data_folder(cls, config: Config, *, development: bool = True) -> Inputs:
        """Read a run's inputs from the data folder in force."""
        split = DevelopmentSplit.read(config.licences) if development else None
        return cls(config, read_streams(config), split)


def write_inputs(
    inputs: Inputs, folder: Path, *, tasks: Sequence[str] = (), teacher: Path | None = None
) -> dict[str, Any]:
    """Write a run's inputs into an empty folder.

    Parameters
    ----------
    inputs
        What is written: token ids of every text, texts, types, the development split.
    folder
        Gets the base in half precision, its tokenizer, and the files.
    tasks
        Sets of the benchmark whose files come along.
    teacher
        The folder of the teacher's weights, if there is one.

    Returns
    -------
    facts
        What is in it: rows and licence of each source, texts, tokens, tasks.

    Raises
    ------
    InputError
        If the config names word vectors, which are not packed.
    DataMissingError
        If a set is not in the data folder.
    """
    config = inputs.config
    if config.synonym_vectors:
        raise InputError(
            "Word vectors are not packed. Got synonym_vectors="
            f"{config.synonym_vectors!r}. Hint: --synonym-vectors ''."
        )
    # The base alone: neighbours and the teacher's similarities are its own.
    model = load_phrase_model(config.replace(characters=""))
    save_phrase_model(model, folder / BASE)
    if config.characters:
        shutil.copytree(config.characters, folder / CHARACTERS)
    if teacher is not None:
        taught = load_phrase_model(config.replace(base=str(teacher), characters=""))
        save_phrase_model(taught, folder / TEACHER)
    (folder / STREAMS).mkdir()
    facts: dict[str, Any] = {"sources": {}, "tasks": list(tasks)}
    for number, (role, source) in enumerate(_by_role(inputs.streams)):
        _write(folder / STREAMS / f"{number:03d}.json", {"role": role, **_plain(source)})
        facts["sources"][source.source] = {"rows": len(source), "licence": source.licence}
    texts = list(_texts(inputs.streams))
    parts = [
        model.tokenise(texts[start : start + AT_ONCE]) for start in range(0, len(texts), AT_ONCE)
    ]
    tokens = TokenIds.joined(parts)
    TokenStore.write(tokens, folder / TOKENS)
    if config.negatives:
        shutil.copyfile(config.negatives_file, folder / NEGATIVES)
    if inputs.split is not None:
        _write(folder / DEVELOPMENT, _plain_split(inputs.split))
    for task in tasks:
        _copy_set(SETS[task].place, folder / DATA)
    # Where they are is for the reader to say.
    written = config.replace(
        base=BASE,
        teacher=TEACHER if teacher is not None else "",
        negatives_file=NEGATIVES if config.negatives else "",
        characters=CHARACTERS if config.characters else "",
    )
    (folder / CONFIG).write_text(written.to_json(), encoding="utf-8")
    return {**facts, "texts": len(texts), "tokens": len(tokens.ids), "base": config.base}


def read_inputs(folder: Path, changes: dict[str, Any] | None = None) -> Inputs:
    """Read what `write_inputs` wrote.

    Parameters
    ----------
    folder
        Where it is.
    changes
        Fields of the config that are to be others.

    Raises
    ------
    InputError
        If the folder does not hold a run's inputs, or a field is wrong.
    """
    try:
        values = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        rows = [
            json.loads(path.read_text(encoding="utf-8"))
            for path in sorted((folder / STREAMS).glob("*.json"))
        ]
        tokens = TokenStore.read(folder / TOKENS)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"The folder {folder} does not hold the inputs of a run. Got: {error}. Hint: "
            "`python -m pearljoin_train pack --out FOLDER` writes them."
        ) from error
    for name in ("base", "teacher", "negatives_file", "characters"):
        values[name] = str(folder / values[name]) if values[name] else ""
    config = Config.from_mapping({**values, **(changes or {})})
    streams = _streams(rows, config)
    model = load_phrase_model(config)
    split = None
    if (folder / DEVELOPMENT).is_file():
        split = _split(json.loads((folder / DEVELOPMENT).read_text(encoding="utf-8")))
    return Inputs(
        config,
        streams,
        split,
        folder / DATA if (folder / DATA).is_dir() else None,
        TokenStore(_texts(streams), tokens, model.tokenise),
    )


def _streams(rows: Sequence[dict[str, Any]], config: Config) -> Streams:
    of: dict[str, list[Examples]] = {name: [] for name in ROLES}
    for row in rows:
        of[row["role"]].append(_examples(row))
    general = of["general"][0]
    needed = needed_vectors(config, of["aliases"], of["paraphrases"], general)
    return Streams(
        aliases=of["aliases"],
        paraphrases=of["paraphrases"],
        typed=of["typed"][0],
        general=general,
        vectors=lazy_vectors(config, needed),
        mixture=make_mixture(config, of["paraphrases"], general.phrases),
        negatives=HardNegatives.read(Path(config.negatives_file)) if config.negatives else None,
        teacher=lazy_teacher(config, general),
    )


def _by_role(streams: Streams) -> Iterator[tuple[str, Examples]]:
    for role, sources in zip(ROLES, (streams.aliases, streams.paraphrases), strict=False):
        for source in sources:
            yield role, source
    for role, one in zip(ROLES[2:], (streams.typed, streams.general), strict=True):
        if one is not None:
            yield role, one


def _texts(streams: Streams) -> Iterator[str]:
    """Yield every distinct text of the streams, in their order."""
    seen: dict[str, None] = {}
    for source in sources_of(streams):
        seen.update(dict.fromkeys(source.phrases))
        for aliases in source.aliases:
            seen.update(dict.fromkeys(aliases))
    yield from seen


def _plain(source: Examples) -> dict[str, Any]:
    return {
        "source": source.source,
        "licence": source.licence,
        "phrases": source.phrases,
        "aliases": [list(names) for names in source.aliases],
        "types": source.types.tolist(),
    }


def _examples(row: dict[str, Any]) -> Examples:
    aliases = [tuple(names) for names in row["aliases"]]
    types = np.array(row["types"], dtype=np.int64)
    return Examples(row["source"], row["phrases"], aliases, types, row["licence"])


def _plain_split(split: DevelopmentSplit) -> dict[str, Any]:
    joins = [asdict(join) | {"answers": [sorted(a) for a in join.answers]} for join in split.joins]
    return {
        "aliases": [_plain(source) for source in split.aliases],
        "paraphrases": [_plain(source) for source in split.paraphrases],
        "typed": _plain(split.typed),
        "general": _plain(split.general),
        "joins": joins,
    }


def _split(plain: dict[str, Any]) -> DevelopmentSplit:
    joins = [
        Join(join["source"], join["left"], join["right"], [frozenset(a) for a in join["answers"]])
        for join in plain["joins"]
    ]
    return DevelopmentSplit(
        [_examples(row) for row in plain["aliases"]],
        [_examples(row) for row in plain["paraphrases"]],
        _examples(plain["typed"]),
        _examples(plain["general"]),
        joins,
    )


def _write(path: Path, values: dict[str, Any]) -> None:
    path.write_text(json.dumps(values, ensure_ascii=False), encoding="utf-8")


def _copy_set(place: str, data: Path) -> None:
    """Copy a set's files to the same place in another data folder."""
    source, target = find(place), data / place
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copyfile(source, target)
