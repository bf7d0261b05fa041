"""`python -m pearljoin_train nano --out FOLDER`: distil a static model from a model folder."""

from __future__ import annotations

import argparse
import dataclasses
import json
import logging
import sys
import time
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from pearljoin import load_encoder
from pearljoin._errors import InputError
from pearljoin._progress import progress
from pearljoin.ngrams import NGRAMS, NgramPart
from pearljoin_train.common.cached_encoder import CachedEncoder
from pearljoin_train.common.config_options import add_fields, chosen_fields
from pearljoin_train.common.dry_run import add_dry_run, in_words, seconds_a_text
from pearljoin_train.common.environment import machine
from pearljoin_train.export.export_static import export_static
from pearljoin_train.scorer.write_scorer import attach
from pearljoin_train.training.static import StaticConfig, Taught, distil
from pearljoin_train.training.static_phrases import StaticPhrases, read_static_phrases

__all__ = ["distil_folder", "main"]

log = logging.getLogger(__name__)

SCORER = "scorer.json"

NAMES_A_LIST = 200
"""Names of each list that the mean vector is taken over."""

ENCODED_AT_ONCE = 16_384
"""Phrases after which the vectors are kept, where there is a folder for them."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m pearljoin_train nano", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="model folder to write")
    parser.add_argument("--teacher", default="pearl-mini", help="name or folder of the teacher")
    parser.add_argument("--cache", type=Path, help="folder that keeps the teacher's vectors")
    add_dry_run(parser)
    add_fields(parser, StaticConfig)
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config = StaticConfig(**chosen_fields(options, StaticConfig))
    if options.dry_run:
        sys.stdout.write(_plan(options.teacher, options.out, config))
        return 0
    distil_folder(options.teacher, options.out, read_static_phrases(config), config, options.cache)
    return 0


def _plan(teacher: str, out: Path, config: StaticConfig) -> str:
    known = read_static_phrases(config)
    n_phrases = len(known.phrases)
    seconds = n_phrases * seconds_a_text(load_encoder(teacher, device="cpu").encode, known.phrases)
    return (
        f"reads {n_phrases:,} phrases of {len(known.sources)} sources\n"
        f"encodes them with {teacher}: about {in_words(seconds)}, less what --cache holds\n"
        f"distils {config.epochs * -(-n_phrases // config.batch):,} steps of {config.batch:,} "
        f"phrases, minutes\nwrites {out}\n"
    )


def distil_folder(
    teacher: str, out: Path, known: StaticPhrases, config: StaticConfig, cache: Path | None = None
) -> Path:
    """Distil a model folder into a static one.

    Parameters
    ----------
    teacher
        Name or folder of the teacher, a model folder with n-grams.
    out
        The folder to write.
    known
        The phrases.
    config
        The settings.
    cache
        Folder that keeps the teacher's vectors for another run; None keeps them in memory.

    Raises
    ------
    InputError
        If the teacher is no model folder, or has no n-grams.
    """
    encoder = load_encoder(teacher, device="cpu")
    folder = getattr(encoder, "folder", None)
    if folder is None or not (Path(folder) / NGRAMS).is_file():
        raise InputError(
            f"A static model has its teacher's n-grams. Got {teacher!r}, which has none. "
            "Hint: `python -m pearljoin_train ngrams` gives a model some."
        )
    folder = Path(folder)
    ngrams = NgramPart.from_bytes((folder / NGRAMS).read_bytes(), repr(str(folder / NGRAMS)))
    cached = CachedEncoder(encoder, folder=cache)
    starts = range(0, len(known.phrases), ENCODED_AT_ONCE)
    for start in progress(starts, total=len(starts), label="encoding", unit="block", verbose=None):
        cached.encode(known.phrases[start : start + ENCODED_AT_ONCE])
    started = time.monotonic()
    vectors = cached.encode(known.phrases)
    meanings, spelled = vectors[:, : -ngrams.dim], vectors[:, -ngrams.dim :]
    # The teacher's rows are of unit length with their n-grams; here the language model's part is.
    lengths = np.maximum(np.linalg.norm(meanings, axis=1, keepdims=True), 1e-6)
    spelled = spelled / lengths * (config.share / ngrams.share)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    module = distil(
        Taught(known.phrases, meanings / lengths, spelled), known.lists, tokenizer, config
    )
    facts = {
        "config": dataclasses.asdict(config),
        "phrases": len(known.phrases),
        "sources": known.sources,
        "seconds": round(time.monotonic() - started),
        "machine": machine(),
    }
    described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    export_static(
        module.part(),
        ngrams,
        tokenizer,
        out,
        teacher=described,
        share=config.share,
        facts=facts,
    )
    if (folder / SCORER).is_file():
        _lend_scorer(folder, out, known)
    return out


def _lend_scorer(teacher: Path, out: Path, known: StaticPhrases) -> None:
    """Give a model its teacher's match scorer, with its own mean vector."""
    rows = [row for names in known.lists for row in names.names[:NAMES_A_LIST]]
    phrases = [known.phrases[row] for row in rows] or known.phrases
    middle = load_encoder(str(out)).encode(phrases).mean(axis=0)
    scorer = json.loads((teacher / SCORER).read_text(encoding="utf-8"))
    attach(scorer | {"middle": middle.tolist()}, out)
