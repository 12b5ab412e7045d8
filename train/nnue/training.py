"""Epochs of training, validation after each, and the best network of them.

A network is a function of data, settings and number of threads, on one kind of processor and with one release each of
PyTorch and NumPy.
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
from .policy import cross_entropy
from .quantise import Weights, take
from .targets import Target

CLIP = 8  # steps from one clipping of weights to the next
MAX_THREADS = 1024  # far more end PyTorch with a segmentation fault


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
    policy: float = 0.0  # weight of the cross entropy of a policy head in the loss; 0: without a head
    target: Target = field(default_factory=Target)

    def __post_init__(self) -> None:
        if self.hidden % 16 or not 16 <= self.hidden <= 512:
            raise ValueError(f"--hidden {self.hidden}: want a multiple of 16 from 16 to 512")
        if self.buckets is not None and not 1 <= self.buckets <= 16:
            raise ValueError(f"--buckets {self.buckets}: want 1 to 16")
        for name in ("epochs", "patience", "batch"):
            if getattr(self, name) < 1:
                raise ValueError(f"--{name} {getattr(self, name)}: want at least 1")
        if self.validation_rows < 1:
            raise ValueError(f"validation rows {self.validation_rows}: want at least 1")
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"--threads {self.threads}: want 1 to {MAX_THREADS}")
        if not 0 <= self.seed < 1 << 64:
            raise ValueError(f"--seed {self.seed}: want a number of 64 bits, at least 0")
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise ValueError(f"--rate {self.rate}: want a number above 0")
        for name in ("decay", "policy"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value >= 0):
                raise ValueError(f"--{name} {value}: want a number of at least 0")


@dataclass(frozen=True)
class Epoch:
    """Losses are means over rows: while training, of all that is learned, before the step on each batch; validation,
    of the score, and policy, of the policy head, at the end."""

    number: int
    train: float
    validation: float
    rows: int  # trained on
    seconds: float  # CPU time of training
    policy: float = 0.0


def best_of(history: list[Epoch], settings: Settings) -> Epoch:
    """Returns the epoch with the lowest loss of all that is learned."""
    return min(history, key=lambda e: e.validation + settings.policy * e.policy)


Report = Callable[[Epoch], None]


def train(
    data: Data, settings: Settings, report: Report = lambda _: None, start: Weights | None = None, frozen: bool = False
) -> tuple[Network, list[Epoch]]:
    """Returns the network with the lowest validation loss, and the losses of all epochs. It begins with the weights of
    start in place of random ones and reports them as epoch 0; if they are frozen, only the policy head learns."""
    torch.set_num_threads(settings.threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.manual_seed(settings.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    network = Network(data.features, settings.hidden, settings.buckets, settings.policy > 0).to(device)
    if start is not None:
        take(network, start)
    if frozen:
        network.freeze()
    learning = [p for p in network.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learning, settings.rate, weight_decay=settings.decay)
    steps = settings.epochs * len(data.batches("train", settings.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: falling(step / steps))
    validation = list(data.validation(settings.batch, settings.validation_rows, network.buckets))
    if start is not None and not frozen:
        report(Epoch(0, math.nan, measure(network, validation, settings.target), 0, 0))
    best, history = copy.deepcopy(network.state_dict()), list[Epoch]()
    for number in range(1, settings.epochs + 1):
        begin = time.process_time()
        loss, rows = _epoch(network, data, settings, number, optimizer, schedule, device)
        seconds = time.process_time() - begin
        found = measure(network, validation, settings.target)
        policy = measure_policy(network, validation) if settings.policy else 0.0
        history.append(Epoch(number, loss, found, rows, seconds, policy))
        report(history[-1])
        lowest = best_of(history, settings)
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
        loss = whole_loss(network, batch.to(device), settings)
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


def whole_loss(network: Network, batch: Batch, settings: Settings) -> Tensor:
    """Returns the mean of all that is learned."""
    if batch.moves is None:
        return losses(network, batch, settings.target).mean()
    x = network.activations(batch)
    outputs = network.outputs(x, batch.bucket)
    values = settings.target.losses(outputs, batch.base, batch.score, batch.outcome).mean()
    return values + settings.policy * cross_entropy(network.part_logits(x), batch.moves).mean()


@torch.no_grad()
def measure_policy(network: Network, batches: list[Batch]) -> float:
    """Returns the mean cross entropy of the policy head."""
    device, total = str(network.bias.device), 0.0
    for batch in (b.to(device) for b in batches):
        assert batch.moves is not None
        total += cross_entropy(network.part_logits(network.activations(batch)), batch.moves).sum().item()
    return total / max(sum(len(batch.score) for batch in batches), 1)


@torch.no_grad()
def measure(network: Network, batches: list[Batch], target: Target) -> float:
    """Returns the mean loss of batches."""
    device = str(network.bias.device)
    total = sum(losses(network, batch.to(device), target).sum().item() for batch in batches)
    return total / max(sum(len(batch.score) for batch in batches), 1)
