"""Trains the network of model.py on a dataset and compares it with simple baselines.

    python train.py [--epochs N] [--seeds N] [--plot FILE] DIR

Prints one line per seed and epoch, then a summary. The exit code is 1 if any network beats a
baseline by less than the margins below, and 2 if DIR is not a suitable dataset.

The value is measured by its cross-entropy in nats. Its baseline predicts the shares of loss, draw
and win in the training split for every row. The policy is measured by how often the move played
is its first choice, or among its first five. Its baseline chooses from the legal moves uniformly.
"""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
import torch
import torch.nn.functional as F

from data import Batch, Split, check
from model import Network

BATCH, BUFFER = 256, 32_768  # rows
RATE, DECAY = 4e-3, 0.02
VALUE_MARGIN, POLICY_MARGIN = 0.05, 0.10  # nats and share of the moves


class Scores(NamedTuple):
    """Means over rows."""

    value: float  # cross-entropy of the outcome, nats
    policy: float  # cross-entropy of the move played, nats
    top1: float
    top5: float


def baseline(train: Split, validation: Split) -> Scores:
    """Returns the scores on the validation split of the shares of outcomes and of uniform legal moves."""
    shares = np.bincount(train.column("outcome") + 1, minlength=3) / train.rows
    outcome, legal = validation.column("outcome") + 1, validation.column("legal").astype(float)
    values = -np.log(shares[outcome]).mean(), np.log(legal).mean(), (1 / legal).mean(), np.minimum(1, 5 / legal).mean()
    return Scores(*map(float, values))


def measure(network: Network, batch: Batch) -> tuple[torch.Tensor, np.ndarray]:
    """Returns the loss to minimise, a mean, and the Scores summed over the rows of the batch."""
    value, policy = network(batch.board, batch.legal)
    value_loss = F.cross_entropy(value, batch.outcome)
    policy_loss = F.cross_entropy(policy, batch.chosen)
    better = (policy > policy.gather(1, batch.chosen[:, None])).sum(1)  # moves preferred to the one played
    means = (
        value_loss.item(),
        policy_loss.item(),
        (better < 1).float().mean().item(),
        (better < 5).float().mean().item(),
    )
    return value_loss + policy_loss, len(value) * np.array(means)


def train(folder: Path, seed: int, epochs: int) -> list[tuple[Scores, Scores]]:
    """Trains one network and returns its training and validation scores of every epoch. Training
    scores are taken during the epoch, before the step on each batch."""
    begin = time.process_time()
    torch.set_num_threads(1)  # the order of sums changes the last bits
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    training, validation = Split(folder, "train"), Split(folder, "validation")
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps = epochs * -(-training.rows // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.15)
    history = []
    for epoch in range(1, epochs + 1):
        sums = np.zeros((2, 4))
        network.train()
        for batch in training.batches(BATCH, BUFFER, order):
            loss, scores = measure(network, batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            sums[0] += scores
        network.eval()
        with torch.no_grad():
            for batch in validation.batches(BATCH):
                sums[1] += measure(network, batch)[1]
        history.append((Scores(*sums[0] / training.rows), Scores(*sums[1] / validation.rows)))
        report(seed, epoch, *history[-1])
    print(f"seed {seed} took {time.process_time() - begin:.0f} s of one core", file=sys.stderr, flush=True)
    return history


def report(seed: int, epoch: int, training: Scores, validation: Scores) -> None:
    """Prints the scores of an epoch."""
    pairs = zip(("value loss", "policy loss", "top-1", "top-5"), training, validation)
    text = "  ".join(f"{name} {a:.3f} {b:.3f}" for name, a, b in pairs)
    print(f"seed {seed}  epoch {epoch}  training, validation: {text}", flush=True)


def plot(file: Path, histories: list[list[tuple[Scores, Scores]]], base: Scores) -> None:
    """Plots value loss and top-1 accuracy by epoch, one line per seed, and the baselines."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    texts = (
        ("value", "value loss, nats", "constant: shares of outcomes"),
        ("top1", "top-1 accuracy, % of moves", "uniform over legal moves"),
    )
    for panel, (field, title, name) in zip(panels, texts):
        scale = 100 if field == "top1" else 1
        for n, history in enumerate(histories):
            epochs = range(1, len(history) + 1)
            for side, (label, style) in enumerate((("training", "C0--"), ("validation", "C1-"))):
                line = [scale * getattr(pair[side], field) for pair in history]
                panel.plot(epochs, line, style, marker=".", alpha=0.7, label=None if n else label)
        panel.axhline(scale * getattr(base, field), color="0.4", linestyle=":", label=name)
        panel.set(title=title, xlabel="epoch", xticks=epochs)
        panel.legend()
    panels[1].set_ylim(bottom=0)
    temporary = file.with_name(file.name + ".tmp")
    figure.savefig(temporary, dpi=110, format="png", metadata={"Software": None})
    temporary.replace(file)


def main() -> int:
    parser = argparse.ArgumentParser(description="Train a small value and policy network on a CoTuLenh dataset.")
    parser.add_argument("--epochs", type=int, default=3, help="passes over the training split (default: 3)")
    parser.add_argument("--seeds", type=int, default=1, help="networks to train, with seeds from 1 (default: 1)")
    parser.add_argument("--plot", type=Path, help="PNG to save the curves to")
    parser.add_argument("dir", type=Path, metavar="DIR", help="dataset made as by `run` in this folder")
    args = parser.parse_args()
    if args.epochs < 1 or args.seeds < 1:
        parser.error("--epochs and --seeds must be at least 1")
    try:
        check(args.dir)
        training, validation = Split(args.dir, "train"), Split(args.dir, "validation")
    except (OSError, ValueError) as error:
        print(f"train: {error}", file=sys.stderr)
        return 2

    base = baseline(training, validation)
    print(f"{training.rows} training rows, {validation.rows} validation rows")
    # One core per seed is faster than several cores for one, and gives the same bits on every machine of a kind.
    workers = min(args.seeds, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        jobs = [pool.submit(train, args.dir, seed, args.epochs) for seed in range(1, args.seeds + 1)]
        histories = [job.result() for job in jobs]

    last = np.array([history[-1][1] for history in histories])
    for name, reference, column in zip(("value loss", "policy loss", "top-1", "top-5"), base, last.T):
        spread = f"from {column.min():.3f} to {column.max():.3f}"
        print(f"validation {name:11}  baseline {reference:.3f}  mean {column.mean():.3f}  {spread}")
    if args.plot:
        plot(args.plot, histories, base)
    failed = (last[:, 0] > base.value - VALUE_MARGIN) | (last[:, 2] < base.top1 + POLICY_MARGIN) | np.isnan(last).any(1)
    if failed.any():
        margins = f"{VALUE_MARGIN} nats or {POLICY_MARGIN:.0%} of the moves"
        print(f"train: {failed.sum()} of {len(last)} networks beat a baseline by less than {margins}", file=sys.stderr)
    return int(failed.any())


if __name__ == "__main__":
    sys.exit(main())
