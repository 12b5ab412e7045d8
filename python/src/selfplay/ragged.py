"""Columns of lists: policies and legal actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass
class Ragged:
    """A list of numbers per row. Row i is values[offsets[i]:offsets[i+1]], and so is column[i]. A slice of a column
    is a column.

    >>> column = Ragged(np.array([4, 5, 6]), np.array([0, 2, 2, 3]))
    >>> len(column), column[0], column[1:].tolist()
    (3, array([4, 5]), [[], [6]])
    >>> column.padded()
    array([[ 4,  5],
           [-1, -1],
           [ 6, -1]])
    """

    values: NDArray[Any]
    offsets: NDArray[Any]  # [rows + 1], from 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, row: int) -> NDArray[Any]: ...

    @overload
    def __getitem__(self, row: slice) -> Ragged: ...

    def __getitem__(self, row: int | slice) -> NDArray[Any] | Ragged:
        if isinstance(row, slice):
            return self.take(np.arange(len(self))[row])
        row = range(len(self))[row]
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[row] for row in range(len(self)))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of values of each row."""
        return np.diff(self.offsets).astype(np.int64)

    def tolist(self) -> list[list[Any]]:
        """Returns the rows as lists of Python's numbers."""
        return [row.tolist() for row in self]

    def take(self, rows: ArrayLike) -> Ragged:
        """Returns these rows, with memory of their own."""
        rows = np.asarray(rows)
        lengths = self.lengths[rows]
        ends = np.cumsum(lengths)
        offsets = np.concatenate([[0], ends]).astype(np.int64)
        index = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return Ragged(self.values[index], offsets)

    def slice(self, begin: int, end: int) -> Ragged:
        """Returns the rows from begin to end, as a view of the values."""
        offsets = self.offsets[begin : end + 1].astype(np.int64)
        return Ragged(self.values[offsets[0] : offsets[-1]], offsets - offsets[0])

    @staticmethod
    def concatenate(parts: Sequence[Ragged]) -> Ragged:
        """Returns the rows of all parts, one after the other, with memory of their own."""
        lengths = np.concatenate([part.lengths for part in parts])
        values = [part.values[part.offsets[0] : part.offsets[-1]] for part in parts]
        return Ragged(np.concatenate(values), np.concatenate([[0], np.cumsum(lengths)]))

    def padded(self, width: int | None = None, fill: Any = -1) -> NDArray[Any]:
        """Returns an array [rows, width]: shorter lists end with fill, longer ones are cut. Without width, that of
        the longest list is used. The dtype is that of the values if it can hold fill, else one that holds both: -1 makes
        int32 of uint16."""
        lengths = self.lengths
        if width is None:
            width = int(lengths.max(initial=0))
        result = np.full((len(self), width), fill, np.result_type(self.values.dtype, np.min_scalar_type(fill)))
        inside = np.arange(width) < lengths[:, None]
        index = self.offsets[:-1, None] + np.arange(width)
        result[inside] = self.values[index[inside]]
        return result


def policy(actions: Ragged, weights: Ragged, width: int | None = None) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Returns the columns policy_action and policy_weight as arrays [rows, width]: actions, padded with -1, and
    probabilities, padded with 0. The sum of a row is 1; rows without a policy have only padding. Rows longer than width
    keep the entries of largest weight, in their order.

    >>> offsets = np.array([0, 2, 2])
    >>> policy(Ragged(np.array([7, 9]), offsets), Ragged(np.array([3, 1]), offsets))[1]
    array([[0.75, 0.25],
           [0.  , 0.  ]], dtype=float32)
    """
    longest = int(actions.lengths.max(initial=0))
    width = longest if width is None else width
    numbers, counts = actions.padded(max(longest, width), -1), weights.padded(max(longest, width), 0)
    if width < longest:
        heaviest = np.sort(np.argsort(-counts.astype(np.int64), axis=1, kind="stable")[:, :width], axis=1)
        numbers, counts = np.take_along_axis(numbers, heaviest, axis=1), np.take_along_axis(counts, heaviest, axis=1)
    shares = counts.astype(np.float32)
    sums = shares.sum(axis=1, keepdims=True)
    return numbers, np.divide(shares, sums, out=shares, where=sums > 0)


def legal_mask(legal_actions: Ragged, actions: int) -> NDArray[np.bool_]:
    """Returns an array [rows, actions] that is true for the legal actions. A row takes as many bytes as the game has
    actions: 55,441 in CoTuLenh. With so many, gather the legal ones instead: legal_actions.padded().

    >>> legal_mask(Ragged(np.array([0, 3]), np.array([0, 2])), 4)
    array([[ True, False, False,  True]])
    """
    mask = np.zeros((len(legal_actions), actions), np.bool_)
    mask[np.repeat(np.arange(len(legal_actions)), legal_actions.lengths), legal_actions.values] = True
    return mask


def legal_bits(legal_actions: Ragged, actions: int) -> NDArray[np.uint8]:
    """Returns the mask of legal_mask() as bits, uint8 [rows, (actions + 7) // 8]: bit i, counted from the lowest bit of
    the first byte, is action i. np.unpackbits(bits, axis=1, count=actions, bitorder="little") is the mask.

    >>> legal_bits(Ragged(np.array([0, 3]), np.array([0, 2])), 4)
    array([[9]], dtype=uint8)
    """
    width = (actions + 7) // 8
    bits = np.zeros((len(legal_actions), width), np.uint8)
    values = legal_actions.values.astype(np.int64)
    at = np.repeat(np.arange(len(legal_actions)) * width, legal_actions.lengths) + (values >> 3)
    np.bitwise_or.at(bits.reshape(-1), at, np.left_shift(1, values & 7).astype(np.uint8))
    return bits
