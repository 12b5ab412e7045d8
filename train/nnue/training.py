"""Epochs of training, validation after each, and the best network of them.

A network is a function of data, settings and number of threads, on one kind of processor and release of PyTorch.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from .data import Data
from .model import Batch, Network
from .targets import Target

CLIP = 8  # steps from one clipping of weights to the next


@dataclass(frozen=True)
class Settings:
    """What a network depends on beside its data."""

    hidden: int = 64  # units of each side's accumulator, H
    buckets: int | None = None  # that of the feature set
    epochs: int = 8
    patience: int = 2  # epochs without a better validation loss before training stops
    batch: int = 8192  # rows
    rate: float = 1e-3  # of Adam at the start; it falls to a twentieth along a cosine
    decay: float = 0.5  # of weights, times the rate, a step
    seed: int = 1
    threads: int = 1
    validation_rows: int = 200_000
    target: Target = field(default_factory=Target)

    def __post_init__(self) -> None:
        if self.hidden % 16 or not 16 <= self.hidden <= 512:
            raise ValueError(f"hidden {self.hidden}: want a multiple of 16 from 16 to 512")
        if self.buckets is not None and not 1 <= self.buckets <= 16:
            raise ValueError(f"buckets {self.buckets}: want 1 to 16")
        for name in ("epochs", "patience", "batch", "threads", "validation_rows"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} {getattr(self, name)}: want at least 1")
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise ValueError(f"rate {self.rate}: want a number above 0")


@dataclass(frozen=True)
class Epoch:
    """Losses are means over rows: while training, before the step on each batch; validation, at the end."""

    number: int
    train: float
    validation: float
    rows: int  # trained on
    seconds: float  # CPU time of training


Report = Callable[[Epoch], None]


def train(data: Data, settings: Settings, report: Report = lambda _: None) -> tuple[Network, list[Epoch]]:
    """Returns the network with the lowest validation loss, and the losses of all epochs."""
    torch.set_num_threads(settings.threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.manual_seed(settings.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network(data.features, settings.hidden, settings.buckets).to(device)
    optimizer = torch.optim.AdamW(network.parameters(), settings.rate, weight_decay=settings.decay)
    steps = settings.epochs * len(data.batches("train", settings.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: falling(step / steps))
    validation = list(data.validation(settings.batch, settings.validation_rows, network.buckets))
    best, history = copy.deepcopy(network.state_dict()), list[Epoch]()
    for number in range(1, settings.epochs + 1):
        begin = time.process_time()
        loss, rows = _epoch(network, data, settings, number, optimizer, schedule, device)
        seconds = time.process_time() - begin
        history.append(Epoch(number, loss, measure(network, validation, settings.target), rows, seconds))
        report(history[-1])
        lowest = min(history, key=lambda e: e.validation)
        if lowest.number == number:
            best = copy.deepcopy(network.state_dict())
        if number - lowest.number >= settings.patience or not math.isfinite(loss):
            break
    network.load_state_dict(best)
    return network.cpu(), history


def falling(done: float) -> float:
    """Returns the share of the learning rate after this share of the steps."""
    return 0.05 + 0.95 * (1 + math.cos(math.pi * min(done, 1))) / 2


def _epoch(
    network: Network,
    data: Data,
    settings: Settings,
    number: int,
    optimizer: torch.optim.Optimizer,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    device: str,
) -> tuple[float, int]:
    """Trains on every row once; returns the mean loss and the number of rows."""
    total, rows = 0.0, 0
    for step, batch in enumerate(data.train(settings.batch, settings.seed, number, network.buckets), 1):
        loss = losses(network, batch.to(device), settings.target).mean()
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
        if step % CLIP == 0:
            network.clip()
        total += loss.item() * len(batch.score)
        rows += len(batch.score)
    network.clip()
    return total / max(rows, 1), rows


def baseline(data: Data, settings: Settings) -> float:
    """Returns the validation loss of a network whose output is 0: all positions are even, or as the base says."""
    batches = list(data.validation(settings.batch, settings.validation_rows, 1))
    parts = [settings.target.losses(torch.zeros_like(b.base), b.base, b.score, b.outcome).sum() for b in batches]
    return sum(part.item() for part in parts) / max(sum(len(b.score) for b in batches), 1)


def losses(network: Network, batch: Batch, target: Target) -> Tensor:
    return target.losses(network(batch), batch.base, batch.score, batch.outcome)


@torch.no_grad()
def measure(network: Network, batches: list[Batch], target: Target) -> float:
    """Returns the mean loss of batches."""
    device = str(network.bias.device)
    total = sum(losses(network, batch.to(device), target).sum().item() for batch in batches)
    return total / max(sum(len(batch.score) for batch in batches), 1)
