"""Rows of datasets as batches of features and targets.

Rows are read through the Python package of the repository, shuffled in large windows; seed and epoch determine the
order. Boards may be absolute or as the mover sees them. Features are looked up in tables: a core makes some 800,000
rows a second, several times what a step of training takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import selfplay
from selfplay.ragged import Ragged

from .bags import tensor_bags
from .features import Bags, of_game
from .model import Batch
from .policy import moves_of
from .policy import of_game as parts_of_game

STATIC = "static_score"
LEGAL = "legal_actions"
POLICY = ("policy_action", "policy_weight")
WINDOW = 8_388_608  # rows that are shuffled together, about 2 GB; fewer let a network fit the games of a window


class Data:
    """The rows of datasets of one game, as one source."""

    def __init__(self, folders: Sequence[Path], base: str = "none", policy: bool = False) -> None:
        self.base = [STATIC] if base == "static" else []
        self.datasets = [selfplay.open(folder) for folder in folders]
        extra = [*self.base, *([LEGAL] if policy else [])]
        for ds in self.datasets:
            _check(ds, self.datasets[0], extra)
        self.features = of_game(self.datasets[0].name)
        self.parts = parts_of_game(self.datasets[0].name) if policy else None  # of moves
        self.policy: list[str] = []  # columns that a policy head learns from
        if policy:
            recorded = all(name in ds.columns for ds in self.datasets for name in POLICY)
            self.policy = [LEGAL, "best_action", *(POLICY if recorded else [])]

    @property
    def plans(self) -> list[str]:
        """The hashes of the plans."""
        return [ds.metadata.raw.get("plan_hash", "") for ds in self.datasets]

    def batches(self, split: str, size: int, seed: int | None = None) -> selfplay.Batches:
        """Returns batches of columns; with a seed, shuffled."""
        first = self.datasets[0]
        owners = {path: ds for ds in self.datasets for path in ds.files(split)}
        columns = [first.columns[name] for name in ("board", "side", "ply", "score", "outcome", "searched")]
        columns += [first.columns[name] for name in (*self.base, *self.policy)]
        return selfplay.Batches(
            list(owners), lambda path: owners[path].open_file(path), columns, size,
            shuffle=seed is not None, seed=seed or 0, window=WINDOW,
        )  # fmt: skip

    def mover_bags(self, rows: Mapping[str, Any]) -> Bags:
        """Returns the features that the side to move sees."""
        bags = self.features.bags(np.asarray(rows["board"]))
        if self.datasets[0].mover:
            return bags
        return self.features.other_where(np.asarray(rows["side"]) == 1, bags)

    def mover_actions(self, rows: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the columns for a policy head, with actions that the side to move sees."""
        columns = {name: rows[name] for name in self.policy}
        if self.datasets[0].mover:
            return columns
        turned = {n: self._turned(columns[n], rows["side"]) for n in self.policy if n != "policy_weight"}
        return columns | turned

    def _turned(self, actions: Any, side: NDArray[Any]) -> Any:
        """Returns actions as the side to move sees them; on absolute boards, they are the other way round."""
        if isinstance(actions, Ragged):
            return Ragged(self._turned(actions.values, np.repeat(side, actions.lengths)), actions.offsets)
        return np.where(np.asarray(side) == 1, self.features.game.flip_actions(actions), actions)

    def base_of(self, rows: Mapping[str, Any]) -> NDArray[Any]:
        """Returns the scores to which the network adds its own: 0 without a base."""
        return np.asarray(rows[STATIC]) if self.base else np.zeros(len(rows["score"]), np.int16)

    def train(self, size: int, seed: int, epoch: int, buckets: int) -> Iterator[Batch]:
        """Yields the training rows of an epoch in random order."""
        source = self.batches("train", size, seed)
        source.set_epoch(epoch)
        yield from self._batches(map(searched, source), buckets)

    def validation(self, size: int, limit: int, buckets: int) -> Iterator[Batch]:
        """Yields about limit rows of the validation split, from all of it."""
        source = self.batches("validation", size)
        step = max(1, source.rows // limit)
        yield from self._batches((searched(every(rows, step)) for rows in source), buckets)

    def _batches(self, parts: Iterable[Mapping[str, Any]], buckets: int) -> Iterator[Batch]:
        """Yields parts as tensors. It leaves out empty ones, whose mean loss is NaN."""
        for rows in parts:
            if len(rows["score"]):
                yield self.batch(rows, buckets)

    def batch(self, rows: Mapping[str, Any], buckets: int) -> Batch:
        """Returns rows as tensors."""
        mover = self.mover_bags(rows)
        other = self.features.other(mover)
        size = self.features.size
        return Batch(
            tensor_bags(mover, size),
            tensor_bags(other, size),
            torch.from_numpy(self.features.bucket(mover.counts, buckets)),
            torch.from_numpy(self.base_of(rows).astype(np.float32)),
            torch.from_numpy(np.asarray(rows["score"], np.float32)),
            torch.from_numpy((np.asarray(rows["outcome"], np.float32) + 1) / 2),
            moves_of(self.parts, self.mover_actions(rows)) if self.parts else None,
        )


def every(rows: Mapping[str, Any], step: int) -> dict[str, Any]:
    """Returns every step-th row."""
    index = np.arange(0, len(rows["searched"]), step)
    return {name: taken(column, index) for name, column in rows.items()}


def searched(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the rows with a score."""
    keep = rows["searched"]
    return dict(rows) if keep.all() else {name: taken(column, np.flatnonzero(keep)) for name, column in rows.items()}


def taken(column: Any, index: NDArray[Any]) -> Any:
    """Returns some rows of a column of numbers, arrays or lists."""
    return column.take(index) if isinstance(column, Ragged) else column[index]


def _check(ds: selfplay.Dataset, first: selfplay.Dataset, extra: list[str]) -> None:
    """Raises ValueError for a dataset that a network could not learn from together with the first one."""
    if ds.layout != "compact":
        raise ValueError(f"open {ds.path}: layout {ds.layout}, want compact")
    if missing := {"score", "outcome", "searched", "side", "ply"} - set(ds.columns):
        raise ValueError(f"open {ds.path}: no column {', '.join(sorted(missing))}")
    for name in extra:
        if name not in ds.columns:
            raise ValueError(f"open {ds.path}: no column {name}; make the dataset with --columns +{name}")
    if len(ds.splits) < 2:
        raise ValueError(f"open {ds.path}: no validation split; play more games, or a larger --validation")
    for split in ds.splits:
        if not any(np.asarray(rows["searched"]).any() for rows in ds.batches(split, 65536, ["searched"])):
            raise ValueError(f"open {ds.path}: the split {split} has no searched rows; use a player that searches")
    for what in ("name", "mover"):
        if getattr(ds, what) != getattr(first, what):
            raise ValueError(f"open {ds.path}: {what} is {getattr(ds, what)}, of {first.path} {getattr(first, what)}")
