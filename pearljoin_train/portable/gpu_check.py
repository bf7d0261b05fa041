"""Checks of what runs on a GPU against the processor: vectors, search, gradients, speed, memory.

``python -m pearljoin_train gpu-check --model FOLDER --out report.json``. With ``--device cpu`` it
is a rehearsal: the same code, the processor against itself, and its speeds are the processor's.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from accelerate import Accelerator

from pearljoin import load_encoder
from pearljoin._atomic import write_text
from pearljoin._search.dense_torch import search
from pearljoin._typing import FloatMatrix
from pearljoin_train.common.config import Config
from pearljoin_train.models.phrase_model import load_phrase_model
from pearljoin_train.models.token_ids import TokenIds
from pearljoin_train.models.type_head import make_head
from pearljoin_train.training.accelerators import accelerator_of
from pearljoin_train.training.batches import Batch
from pearljoin_train.training.loop import Trainer
from pearljoin_train.training.tiny import tiny_names

__all__ = ["Check", "check_encoding", "check_gradients", "check_search", "main"]

LEAST_COSINE = 0.9999
SEED = 0


@dataclass(frozen=True)
class Check:
    """One thing measured.

    Attributes
    ----------
    name
        What it is.
    value, unit
        What was found.
    needed
        In words, what it has to be; "" where nothing is asked.
    ok
        Whether it is so.
    """

    name: str
    value: float
    unit: str = ""
    needed: str = ""
    ok: bool = True

    def __str__(self) -> str:
        """Write it on a line."""
        needed = f" (needed: {self.needed})" if self.needed else ""
        verdict = "" if not self.needed else "ok   " if self.ok else "WRONG"
        return f"{verdict:<5} {self.name}: {self.value:,.6g} {self.unit}{needed}"


def check_encoding(
    folder: Path, phrases: Sequence[str], device: str, *, least_speed: float = 0.0
) -> list[Check]:
    """Compare a model's vectors on a device with the processor's, and time them.

    Parameters
    ----------
    folder
        In Hugging Face's layout.
    phrases
        What is encoded; the processor encodes 2,048 of them at most. On the processor itself the
        comparison is of bfloat16, as a GPU computes, with float32.
    device
        "cpu" or "cuda".
    least_speed
        Phrases a second that are needed; 0: none.
    """
    few = phrases[:: max(1, len(phrases) // 2_048)][:2_048]
    wanted = load_encoder(folder, device="cpu", verbose=False).encode(few)
    encoder = load_encoder(folder, device=device, verbose=False)
    half = torch.autocast("cpu", torch.bfloat16) if device == "cpu" else nullcontext()
    with half:
        found = encoder.encode(few)
    cosines = (found * wanted).sum(axis=1)
    # The first time a GPU loads its kernels for every shape.
    first, speed = (
        len(phrases) / _timed(lambda: encoder.encode(phrases), device) for _ in range(2)
    )
    return [
        Check(
            "least cosine with the processor's vectors", float(cosines.min()),
            needed=f"at least {LEAST_COSINE}", ok=bool(cosines.min() >= LEAST_COSINE),
        ),
        Check("mean cosine with the processor's vectors", float(cosines.mean())),
        Check(f"encoding of {len(phrases):,} phrases, first time", first, "phrases a second"),
        Check(
            "encoding of the same phrases again, tokenising among it", speed, "phrases a second",
            f"at least {least_speed:,.0f}" if least_speed else "", speed >= least_speed,
        ),
    ]  # fmt: skip


def check_search(
    n_queries: int, n_reference: int, device: str, *, dim: int = 384, k: int = 10
) -> list[Check]:
    """Compare the search on a device with every product, in double precision, and time it.

    Parameters
    ----------
    n_queries, n_reference
        Random unit vectors; 200 queries at most are compared.
    device
        "cpu" or "cuda"; faiss searches too, where the installed one is built for GPUs.
    dim, k
        Of the vectors; neighbours.
    """
    rng = np.random.default_rng(SEED)
    queries, reference = _unit(rng, n_queries, dim), _unit(rng, n_reference, dim)
    exact = queries[:200].astype(np.float64) @ reference.T.astype(np.float64)
    wanted = -np.sort(-np.partition(exact, -k, axis=1)[:, -k:], axis=1)
    checks = []
    for name, searched in _searches(device):
        began = time.perf_counter()
        _, rows = searched(queries, reference, k)
        seconds = time.perf_counter() - began
        found = np.take_along_axis(exact, rows[:200], axis=1)
        # Neighbours may change places where their products are equal to the last bits.
        worst = float(np.abs(np.sort(found, axis=1)[:, ::-1] - wanted).max())
        checks += [
            Check(
                f"{name}: greatest lack of a neighbour's product", worst, needed="below 0.00001",
                ok=worst < 1e-5,
            ),
            Check(f"{name}: {n_queries:,} in {n_reference:,} vectors", seconds, "seconds"),
        ]  # fmt: skip
    return checks


def check_gradients(folder: Path, device: str, *, rows: int = 64, large: int = 0) -> list[Check]:
    """Compare cached gradients with those of graphs that are kept, and time a large batch.

    Parameters
    ----------
    folder
        The model, in Hugging Face's layout.
    device
        "cpu" or "cuda".
    rows
        Of the batch that is compared, in float32.
    large
        Rows of a batch in bfloat16 whose gradients are cached and timed; 0: none.
    """
    config = Config(base=str(folder), precision="float32", micro_batch=32, type_weight=0.0)
    accelerator = accelerator_of(device)
    # TensorFloat-32 would round the two differently.
    torch.set_float32_matmul_precision("highest")
    kept = _gradients(config, accelerator, rows)
    cached = _gradients(config.replace(cached=True), accelerator, rows)
    size = float(torch.cat([g.flatten() for g in kept]).norm())
    apart = torch.cat([(a - b).flatten() for a, b in zip(kept, cached, strict=True)])
    share = float(apart.norm()) / size
    checks = [
        Check(
            "cached gradients, relative difference", share, needed="below 0.0001", ok=share < 1e-4
        )
    ]
    if large:
        accelerator_of(device)  # TensorFloat-32 again, as in training.
        wide = config.replace(cached=True, precision="bfloat16", micro_batch=2_048)
        trainer = _trainer(wide, accelerator)
        batch = _batch(trainer, large)
        trainer.gradients(batch)
        seconds = _timed(lambda: trainer.gradients(batch), device)
        checks += [
            Check(f"gradients of {large:,} pairs in bfloat16, cached", seconds, "seconds"),
            Check("pairs trained", large / seconds, "pairs a second"),
        ]
    return checks


def _gradients(config: Config, accelerator: Accelerator, rows: int) -> list[torch.Tensor]:
    trainer = _trainer(config, accelerator)
    trainer.gradients(_batch(trainer, rows))
    named = trainer.model.named_parameters()
    return [p.grad.detach().clone() for _, p in named if p.grad is not None]


def _trainer(config: Config, accelerator: Accelerator) -> Trainer:
    model = load_phrase_model(config)
    torch.manual_seed(SEED)
    trainer = Trainer(model, make_head(model.dim, config), _NoBatches(), config, accelerator)
    trainer.model.train()
    return trainer


class _NoBatches:
    """Stands where batches are drawn: here they are given."""

    def batch(self, step: int) -> Batch:
        raise NotImplementedError


def _batch(trainer: Trainer, rows: int) -> Batch:
    pairs = [pair for kind in tiny_names()[0].values() for pair in kind]
    pairs = (pairs * -(-rows // len(pairs)))[:rows]
    first, second = [name for name, _ in pairs], [other for _, other in pairs]
    tokens: TokenIds = trainer.model.tokenise([*first, *second])
    itself = np.stack([np.arange(rows), np.arange(rows)])
    none = np.zeros(0, dtype=np.int64)
    return Batch(first, second, np.full(rows, -1), itself, [], none, None, tokens)


Searched = Callable[[FloatMatrix, FloatMatrix, int], tuple[FloatMatrix, np.ndarray]]


def _searches(device: str) -> Iterable[tuple[str, Searched]]:
    yield f"torch on {device}", lambda q, r, k: search(q, r, k, device)
    try:
        import faiss
    except ImportError:
        return
    if device == "cuda" and faiss.get_num_gpus():
        held = faiss.StandardGpuResources()
        yield (
            "faiss on cuda",
            lambda q, r, k: faiss.knn_gpu(held, q, r, k, metric=faiss.METRIC_INNER_PRODUCT),
        )


def _unit(rng: np.random.Generator, n: int, dim: int) -> FloatMatrix:
    rows = rng.standard_normal((n, dim), dtype=np.float32)
    unit: FloatMatrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def _timed(work: Callable[[], object], device: str) -> float:
    began = time.perf_counter()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - began


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns 1 where something is wrong."""
    options = _parse(arguments)
    device = str(accelerator_of(options.device).device.type)
    torch.set_float32_matmul_precision("highest")
    names = [text for kind in tiny_names()[0].values() for pair in kind for text in pair]
    phrases = [f"{names[at % len(names)]} {at // len(names)}" for at in range(options.phrases)]
    where = torch.cuda.get_device_name() if device == "cuda" else "cpu: a rehearsal"
    sys.stdout.write(f"{where}, torch {torch.__version__}\n")
    checks: list[Check] = []
    needed = options.least_speed if device == "cuda" else 0.0
    every: list[Callable[[], list[Check]]] = [
        lambda: check_encoding(options.model, phrases, device, least_speed=needed),
        lambda: check_search(options.queries, options.reference, device),
        lambda: check_gradients(options.model, device, large=options.rows),
    ]
    for measure in every:
        for check in measure():
            checks.append(check)
            sys.stdout.write(f"{check}\n")
            sys.stdout.flush()
    if device == "cuda":
        checks.append(Check("peak memory", torch.cuda.max_memory_allocated() / 2**30, "GiB"))
        sys.stdout.write(f"{checks[-1]}\n")
    if options.out is not None:
        report = {"device": where, "torch": torch.__version__, "checks": [*map(asdict, checks)]}
        write_text(options.out, json.dumps(report, indent=1) + "\n")
    return 0 if all(check.ok for check in checks) else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pearljoin_train gpu-check", description=__doc__
    )
    parser.add_argument(
        "--model", type=Path, required=True, help="folder of a model in Hugging Face's layout"
    )
    parser.add_argument("--out", type=Path, help="JSON file for what was found")
    parser.add_argument(
        "--device", default="auto", choices=("auto", "cpu", "cuda"), help="cpu is a rehearsal"
    )
    parser.add_argument(
        "--phrases", type=int, default=200_000, help="phrases to encode (default: %(default)s)"
    )
    parser.add_argument(
        "--least-speed", type=float, default=100_000,
        help="phrases a second that a GPU has to encode (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--queries", type=int, default=1_000_000, help="vectors to seek (default: %(default)s)"
    )
    parser.add_argument(
        "--reference", type=int, default=558_542, help="vectors to find (default: %(default)s)"
    )
    parser.add_argument(
        "--rows", type=int, default=4_096, help="pairs of the large batch (default: %(default)s)"
    )
    return parser.parse_args(arguments)
