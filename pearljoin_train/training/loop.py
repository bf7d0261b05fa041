"""The training loop: one batch a step, over any number of processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn

from pearljoin_train.common.config import Config
from pearljoin_train.models.phrase_model import PhraseModel, by_length
from pearljoin_train.models.token_ids import DeviceTokens
from pearljoin_train.models.type_head import TypeHead
from pearljoin_train.training.batches import Batch
from pearljoin_train.training.losses import distillation, nt_xent, type_loss

__all__ = ["BatchSource", "Step", "Trainer"]


class BatchSource(Protocol):
    """Gives the batch of a step: `Batches`, or `Prefetched` ones."""

    def batch(self, step: int) -> Batch:
        """Return the batch of a step."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One optimiser step: its number, from 1, and its losses by name."""

    number: int
    losses: dict[str, float]


class Trainer:
    """Trains a model on batches.

    The texts of a batch are cut into micro-batches of like length, shared among the processes.
    Their vectors are put together, the loss is taken of all of them at once, and each
    micro-batch's graph is given the gradient of its vectors (Gao et al. 2021). So any number of
    processes gives the gradients of one, and with `Config.cached` the graphs are made anew, one at
    a time, so that memory does not bound the batch.
    """

    def __init__(
        self,
        model: PhraseModel,
        head: TypeHead,
        batches: BatchSource,
        config: Config,
        accelerator: Accelerator,
    ) -> None:
        self.model = model.to(accelerator.device)
        self.head = head.to(accelerator.device)
        self.batches = batches
        self.config = config
        self.accelerator = accelerator
        self.optimiser = _optimiser(model, head, config)
        self.average: dict[str, Tensor] = {}
        self.done = 0

    def run(self, steps: int) -> Iterator[Step]:
        """Train until so many steps are done, yielding each."""
        self.model.train()
        while self.done < steps:
            batch = self.batches.batch(self.done)
            for group in self.optimiser.param_groups:
                group["lr"] = group["peak"] * schedule(self.config, self.done)
            losses = self.gradients(batch)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimiser.step()
            self._update_average()
            self.done += 1
            yield Step(self.done, losses)

    def gradients(self, batch: Batch) -> dict[str, float]:
        """Leave a batch's gradients in the parameters; returns its losses."""
        self.optimiser.zero_grad(set_to_none=True)
        texts = batch.texts
        ids = self.model.tokenise(texts) if batch.tokens is None else batch.tokens
        tokens = self.model.on_device(ids)
        order = by_length(tokens.lengths)
        size = self.config.micro_batch
        micro = [order[start : start + size] for start in range(0, len(order), size)]
        of_process = range(
            self.accelerator.process_index, len(micro), self.accelerator.num_processes
        )
        device = self.accelerator.device
        vectors = torch.zeros(len(texts), self.model.dim, device=device)
        graphs: dict[int, Tensor] = {}
        for at in of_process:
            with torch.set_grad_enabled(not self.config.cached):
                graphs[at] = self._encode(tokens, texts, micro[at], at)
            vectors[torch.from_numpy(micro[at])] = graphs[at].detach()
        vectors = self.accelerator.reduce(vectors, "sum").requires_grad_()
        losses = self._losses(vectors, batch)
        torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
        assert vectors.grad is not None
        for at in of_process:
            if self.config.cached:
                graph = self._encode(tokens, texts, micro[at], at)
            else:
                graph = graphs.pop(at)
            graph.backward(vectors.grad[micro[at]])  # type: ignore[no-untyped-call]
        self._sum_over_processes()
        return {name: float(loss.detach()) for name, loss in losses.items()}

    def _encode(
        self, tokens: DeviceTokens, texts: list[str], rows: np.ndarray, number: int
    ) -> Tensor:
        """Encode a micro-batch; its dropout depends on its number alone, not on who encodes it."""
        torch.manual_seed((self.config.seed * 1_000_003 + self.done) * 1_009 + number)
        # Not the accelerator's: a process could then train in one precision only.
        mixed = self.config.precision == "bfloat16"
        with torch.autocast(self.accelerator.device.type, torch.bfloat16, enabled=mixed):
            return self.model.vectors(tokens.padded(rows), [texts[at] for at in rows])

    def _losses(self, vectors: Tensor, batch: Batch) -> dict[str, Tensor]:
        n, config = len(batch.first), self.config
        first, second, negatives = vectors[:n], vectors[n : 2 * n], vectors[2 * n :]
        same = torch.zeros(n, n, dtype=torch.bool, device=vectors.device)
        same[tuple(torch.from_numpy(batch.pairs).to(vectors.device))] = True
        losses = {"nt_xent": nt_xent(first, second, same, config.temperature, negatives)}
        if config.type_weight:
            types = torch.from_numpy(batch.types).to(vectors.device)
            logits = self.head(vectors[: 2 * n])
            losses["type"] = config.type_weight * type_loss(logits, types.repeat(2))
        if config.distil_weight and batch.teacher is not None:
            teacher = torch.from_numpy(batch.teacher).to(vectors.device)
            general = first[torch.from_numpy(batch.general).to(vectors.device)]
            losses["distil"] = config.distil_weight * distillation(
                general, teacher, config.temperature
            )
        return losses

    def _sum_over_processes(self) -> None:
        """Add up the encoder's gradients; the head's are the same everywhere, as its input is."""
        if self.accelerator.num_processes == 1:
            return
        parameters = list(self.model.parameters())
        has_one = torch.tensor([float(p.grad is not None) for p in parameters])
        used = self.accelerator.reduce(has_one.to(self.accelerator.device), "sum").tolist()
        for parameter in (p for p, n in zip(parameters, used, strict=True) if n):
            gradient = parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)
            parameter.grad = self.accelerator.reduce(gradient, "sum")

    @torch.no_grad()
    def _update_average(self) -> None:
        if not self.config.ema:
            return
        # Early on the average follows the weights more closely, or it would remember the start.
        decay = min(self.config.ema, (1 + self.done) / (10 + self.done))
        for name, parameter in self.model.named_parameters():
            kept = self.average.setdefault(name, parameter.detach().clone())
            kept.lerp_(parameter.detach(), 1 - decay)


def schedule(config: Config, step: int) -> float:
    """Return the share of its peak that the learning rate has at a step, counted from 0."""
    warm = min(1.0, (step + 1) / max(1, config.warmup))
    if config.schedule == "exponential":
        return float(warm * config.decay ** (step // config.decay_every))
    left = (config.steps - step) / max(1.0, config.cooldown * config.steps)
    return float(warm * min(1.0, left))


def _optimiser(model: nn.Module, head: nn.Module, config: Config) -> torch.optim.Optimizer:
    groups = [
        {"params": list(model.parameters()), "peak": config.learning_rate},
        {"params": list(head.parameters()), "peak": config.head_learning_rate},
    ]
    on_gpu = next(model.parameters()).is_cuda
    return torch.optim.AdamW(
        groups, lr=config.learning_rate, weight_decay=config.weight_decay, fused=on_gpu
    )
