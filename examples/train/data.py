"""Rows of a CoTuLenh dataset as batches of tensors, in an order determined by a seed.

Rows are stored in game order. Rows of one game resemble each other and share an outcome, so
training has to shuffle them. A dataset may be larger than memory. Therefore row groups are read
in random order into a buffer, and batches are drawn from the buffer at random. Memory holds the
buffer and one row group, about 1 kB per row during the shuffle. A buffer as large as the split
shuffles it completely.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from torch import Tensor

COLUMNS = ["board", "action", "outcome", "legal", "legal_actions"]


@dataclass
class Batch:
    """B rows as the side to move sees them; L is the largest number of legal moves in them."""

    board: Tensor  # [B, 138] int64, layout compact
    legal: Tensor  # [B, L] int64, actions, padded with -1
    chosen: Tensor  # [B] int64, index in legal of the move played
    outcome: Tensor  # [B] int64, 0 loss, 1 draw, 2 win of the side to move


def tensors(table: pa.Table) -> Batch:
    """Converts rows to tensors and pads lists of moves to the longest."""
    board = table["board"].combine_chunks().flatten().to_numpy().reshape(table.num_rows, -1)
    count = table["legal"].to_numpy()
    legal = np.full((table.num_rows, count.max()), -1, np.int64)
    legal[np.arange(count.max()) < count[:, None]] = table["legal_actions"].combine_chunks().flatten().to_numpy()
    chosen = (legal == table["action"].to_numpy()[:, None]).argmax(1)
    outcome = table["outcome"].to_numpy().astype(np.int64) + 1
    return Batch(*map(torch.from_numpy, (board.astype(np.int64), legal, chosen, outcome)))


class Split:
    """The rows of one split, "train" or "validation". No game has rows in both."""

    def __init__(self, folder: Path, name: str) -> None:
        self.paths = sorted(folder.glob(f"positions/{name}-*.parquet"))
        if not self.paths:
            raise ValueError(f"open {folder}: no files positions/{name}-*.parquet")
        self.files = [pq.ParquetFile(path) for path in self.paths]
        self.rows = sum(file.metadata.num_rows for file in self.files)

    def column(self, name: str) -> np.ndarray:
        """Returns a scalar column, [rows]."""
        return np.concatenate([pq.read_table(path, columns=[name])[name].to_numpy() for path in self.paths])

    def batches(self, size: int, buffer: int = 0, order: np.random.Generator | None = None) -> Iterator[Batch]:
        """Yields every row once in batches of size rows, shuffled by order in a buffer of at least
        buffer rows. Without order rows keep their order in the files."""
        groups = [(file, i) for file in self.files for i in range(file.num_row_groups)]
        if order is not None:
            order.shuffle(groups)
        tables: list[pa.Table] = []  # the buffer
        for n, (file, i) in enumerate(groups, start=1):
            tables.append(file.read_row_group(i, COLUMNS))
            rows = sum(table.num_rows for table in tables)
            last = n == len(groups)
            if rows < buffer and not last:
                continue
            table = pa.concat_tables(tables)
            if order is not None:
                table = table.take(order.permutation(rows))
            end = rows if last else rows - rows % size  # the rest waits for the next group
            for at in range(0, end, size):
                yield tensors(table.slice(at, min(size, end - at)))
            tables = [table.slice(end)]


def check(folder: Path) -> None:
    """Raises ValueError for a dataset that the network would misread."""
    plan = json.loads((folder / "plan.json").read_text())["plan"]
    required = {"game": "cotulenh", "format": "parquet", "layout": "compact", "board_type": "list", "perspective": "mover"}
    for key, want in required.items():
        if plan.get(key) != want:
            raise ValueError(f"open {folder}: {key} is {plan.get(key)}, want {want}")
    if missing := set(COLUMNS) - set(plan["columns"]):
        raise ValueError(
            f"open {folder}: no column {', '.join(sorted(missing))}; make the dataset with --columns +legal,+legal_actions"
        )
