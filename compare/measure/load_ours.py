"""Loads with the Python package of this project."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import selfplay

from .load import ROWS, Batch

COLUMNS = ["board", "side", "score", "outcome"]


def batches(folder: Path) -> Iterator[Batch]:
    """Reads a dataset, or a folder that export has converted."""
    for rows in selfplay.open(folder).batches("train", ROWS, COLUMNS):
        board, side, _, outcome = (np.asarray(rows[name]) for name in COLUMNS)
        yield Batch(board, side, outcome)
