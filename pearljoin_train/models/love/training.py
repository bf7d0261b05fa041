"""Training the character encoder to imitate word vectors (Chen et al. 2022, sections 4.3, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from tqdm.auto import tqdm

from pearljoin._atomic import atomic_file
from pearljoin._errors import InputError
from pearljoin_train.augment import misspell
from pearljoin_train.models.love.network import Love
from pearljoin_train.models.love.targets import Targets
from pearljoin_train.models.love.vocabulary import LoveVocabulary
from pearljoin_train.models.love.word_negatives import lookalikes

__all__ = ["LoveTraining", "imitation_loss", "train_love"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoveTraining:
    """Settings of LOVE's training.

    Attributes
    ----------
    epochs
        Times that every word is met.
    batch
        Words of a batch, to each of which come `negatives` more.
    negatives
        Words that look alike and mean something else, drawn anew for each word and batch; any
        words where it has too few.
    negative_cosine
        Words whose vectors are as close as this are no negatives of each other.
    misspelt
        Share of words that are read in a misspelt form: one of five forms of the paper is the
        word itself.
    temperature
        Of NT-Xent.
    spelling
        Weight of a second NT-Xent, which the paper has not: between what is made of the word as
        it is and as it is read. It keeps misspelt forms beside their words, which imitation
        alone does not (docs/training/love.md); it takes twice the time.
    learning_rate, decay
        Of Adam; times `decay` after each epoch.
    checkpoint_every
        Steps between checkpoints.
    seed
        The same seed gives the same weights, batches, misspellings and dropout.
    """

    epochs: int = 20
    batch: int = 32
    negatives: int = 3
    negative_cosine: float = 0.7
    misspelt: float = 0.8
    temperature: float = 0.07
    spelling: float = 0.0
    learning_rate: float = 2e-3
    decay: float = 0.97
    checkpoint_every: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        """Check what would else fail, or train nothing, in the middle of a run."""
        positive = ("epochs", "batch", "temperature", "learning_rate", "decay", "checkpoint_every")
        wrong = [name for name in positive if getattr(self, name) <= 0]
        wrong += [name for name in ("negatives", "spelling") if getattr(self, name) < 0]
        wrong += ["misspelt"] * (not 0.0 <= self.misspelt <= 1.0)
        if wrong:
            raise InputError(
                f"The option {wrong[0]} is out of range. Got {getattr(self, wrong[0])}. "
                "Hint: sizes and rates are above 0, shares from 0 to 1."
            )


def imitation_loss(targets: Tensor, produced: Tensor, word: Tensor, temperature: float) -> Tensor:
    """NT-Xent between words' vectors and what was made of their spelling (equation 5).

    Parameters
    ----------
    targets, produced
        float of shape (n, dim), unit rows.
    word
        int64 of shape (n,): which word a row is of. Rows of one word are no negatives.
    temperature
        Cosines are divided by it.

    Returns
    -------
    loss
        Mean over the 2n rows, each of which has to find its other view among all the others.
    """
    n = len(word)
    views = torch.cat([targets, produced])
    cosines = views @ views.T / temperature  # (2n, 2n)
    rows = torch.arange(2 * n, device=word.device)
    partner = (rows + n) % (2 * n)
    same = word.repeat(2)[:, None] == word.repeat(2)[None, :]
    same[rows, partner] = False
    return functional.cross_entropy(cosines.masked_fill(same, float("-inf")), partner)


def train_love(
    love: Love,
    vocabulary: LoveVocabulary,
    targets: Targets,
    config: LoveTraining,
    *,
    checkpoint: Path | None = None,
    verbose: bool | None = None,
) -> list[float]:
    """Train a network in place.

    Parameters
    ----------
    love
        The network; it stays on the device it is on.
    vocabulary
        What it reads.
    targets
        What to imitate.
    config
        How.
    checkpoint
        A file that is written every so often, and resumed from if it is there; a run that was
        killed and resumed gives the weights and losses of one that was not.
    verbose
        A progress bar: None shows it on a terminal.

    Returns
    -------
    losses
        The loss of each step.

    Raises
    ------
    InputError
        If the checkpoint is of a run with other options or words.
    """
    device = love.embedding.weight.device
    near = lookalikes(targets.words, targets.vectors, cosine=config.negative_cosine)
    vectors = torch.from_numpy(targets.vectors)
    optimiser = torch.optim.Adam(love.parameters(), lr=config.learning_rate)
    losses = _resume(checkpoint, love, optimiser, targets, config)
    steps = -(-len(targets) // config.batch)
    bar = tqdm(
        total=config.epochs * steps, initial=len(losses), desc="training", unit="step",
        leave=False, disable=None if verbose is None else not verbose,
    )  # fmt: skip
    love.train()
    with bar, torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        for step, rows, rng in _batches(near, config, start=len(losses)):
            words = [targets.words[row] for row in rows]
            read = [misspell(w, rng) if rng.random() < config.misspelt else w for w in words]
            # Seeded by the step, so that a resumed run drops the same numbers.
            torch.manual_seed(rng.getrandbits(63))
            made, place = love(_tensor(vocabulary, read, device)), rows.to(device)
            loss = imitation_loss(vectors[rows].to(device), made, place, config.temperature)
            if config.spelling:
                clean = love(_tensor(vocabulary, words, device))
                spelt = imitation_loss(clean, made, place, config.temperature)
                loss = loss + config.spelling * spelt
            for group in optimiser.param_groups:
                group["lr"] = config.learning_rate * config.decay ** (step // steps)
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
            losses.append(float(loss.detach()))
            bar.update()
            if checkpoint is not None and len(losses) % config.checkpoint_every == 0:
                _write(checkpoint, love, optimiser, losses, targets, config)
    love.eval()
    return losses


def _tensor(vocabulary: LoveVocabulary, words: Sequence[str], device: torch.device) -> Tensor:
    return torch.from_numpy(vocabulary.encode(words)).to(device)


def _batches(
    near: Sequence[NDArray[np.int64]], config: LoveTraining, start: int
) -> Iterator[tuple[int, Tensor, Random]]:
    """Yield each step from `start`: its number, the rows of its words, and its source of chance."""
    steps = -(-len(near) // config.batch)
    for step in range(start, config.epochs * steps):
        epoch, place = divmod(step, steps)
        if step == start or place == 0:
            order = np.random.default_rng([config.seed, epoch]).permutation(len(near))
        anchors = order[place * config.batch : (place + 1) * config.batch]
        rng = np.random.default_rng([config.seed, epoch, place])
        drawn = [_draw(near[anchor], config.negatives, len(near), rng) for anchor in anchors]
        rows = torch.from_numpy(np.concatenate([anchors, *drawn]))
        yield step, rows, Random(int(rng.integers(2**62)))


def _draw(
    near: NDArray[np.int64], wanted: int, n_words: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    chosen = rng.permutation(near)[:wanted]
    return np.concatenate([chosen, rng.integers(n_words, size=wanted - len(chosen))])


def _identity(love: Love, targets: Targets, config: LoveTraining) -> dict[str, Any]:
    """Return what a checkpoint and the resuming run must share."""
    options = asdict(love.config) | asdict(config)
    options.pop("checkpoint_every")
    return options | {"words": crc32("\n".join(targets.words).encode("utf-8", "replace"))}


def _write(
    path: Path,
    love: Love,
    optimiser: torch.optim.Optimizer,
    losses: list[float],
    targets: Targets,
    config: LoveTraining,
) -> None:
    state = {"love": love.state_dict(), "optimiser": optimiser.state_dict(), "losses": losses}
    with atomic_file(path, what="checkpoint") as temporary:
        torch.save(state | {"identity": _identity(love, targets, config)}, temporary)


def _resume(
    path: Path | None,
    love: Love,
    optimiser: torch.optim.Optimizer,
    targets: Targets,
    config: LoveTraining,
) -> list[float]:
    if path is None or not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    expected = _identity(love, targets, config)
    other = [name for name, value in expected.items() if state["identity"].get(name) != value]
    if other:
        raise InputError(
            f"The checkpoint {path} is of another run. Got {other[0]} = {expected[other[0]]}, "
            f"there {state['identity'].get(other[0])}. Hint: delete it, or take its options."
        )
    love.load_state_dict(state["love"])
    optimiser.load_state_dict(state["optimiser"])
    return list(state["losses"])
