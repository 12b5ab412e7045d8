"""Loading positions to NumPy. Every loader yields the same arrays, so that the work is the same."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .clock import Work, measure

ROWS = 8192  # of a batch


@dataclass(frozen=True)
class Batch:
    """Some positions in the order of the games."""

    boards: NDArray[np.uint8]  # [n, 64 or more]: pieces from a8, numbered as in the layout compact; then other state
    sides: NDArray[np.uint8]  # [n], 1 if black is to move
    outcomes: NDArray[np.int8]  # [n], for the side to move


def read_all(batches: Iterator[Batch]) -> Work:
    """Reads all positions."""
    return measure(lambda: sum(len(batch.boards) for batch in batches))


def same(first: Batch, second: Batch, rows: int = 1000) -> bool:
    """Reports whether two loaders yield the same first positions."""
    pairs = [(first.boards[:rows, :64], second.boards[:rows, :64]), (first.sides[:rows], second.sides[:rows]),
             (first.outcomes[:rows], second.outcomes[:rows])]  # fmt: skip
    return all(np.array_equal(a, b) for a, b in pairs)
