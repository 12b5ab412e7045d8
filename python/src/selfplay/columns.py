"""Columns of rows as NumPy arrays.

A cell column is a Values: an array [rows] or [rows, n], a Ragged for lists, or a list of texts. Functions named view
share memory with the file; everything that a Dataset hands out has memory of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .metadata import Column
from .ragged import Ragged

Values = NDArray[Any] | Ragged | list[str]
Rows = dict[str, Values]


def view(array: pa.Array, column: Column) -> Values:
    """Returns the values of an Arrow array, without a copy except for bools and texts. Boards are lists of fixed
    length or, packed, bytes. uint16 boards are seen as int16 and uint64 as int64."""
    if column.is_text:
        return [str(text) for text in array.to_pylist()]
    if column.is_list:
        return Ragged(_numbers(array.values, column), _numbers(array.offsets, OFFSETS))
    if pa.types.is_boolean(array.type):
        bits = np.frombuffer(array.buffers()[1], np.uint8)
        return np.unpackbits(bits, count=array.offset + len(array), bitorder="little")[array.offset :].view(np.bool_)
    if pa.types.is_fixed_size_binary(array.type):
        width = array.type.byte_width
        data = np.frombuffer(array.buffers()[1], np.uint8, len(array) * width, array.offset * width)
        return signed(data.view(column.stored).reshape(len(array), *column.shape), column)
    values = _numbers(array.flatten() if column.len > 0 else array, column)
    return signed(values.reshape(len(array), *column.shape), column)


OFFSETS = Column("offsets", "int32")


def _numbers(array: pa.Array, column: Column) -> NDArray[Any]:
    """Returns an array of numbers as a view. Array.to_numpy() would import pandas, where it is installed."""
    if array.null_count or pa.types.is_nested(array.type) or array.type.bit_width != 8 * column.stored.itemsize:
        raise ValueError(f"column {column.name}: type {array.type} with {array.null_count} nulls, want {column.kind}")
    if not len(array):
        return np.empty(0, column.stored)
    return np.frombuffer(array.buffers()[1], column.stored, len(array), array.offset * column.stored.itemsize)


def signed(values: NDArray[Any], column: Column) -> NDArray[Any]:
    """Returns the values in the type in which they are handed out, if that only reads the bits differently."""
    same_size = values.dtype.itemsize == column.dtype.itemsize
    return values.view(column.dtype) if same_size and values.dtype != column.dtype else values


def joined(parts: Sequence[Values]) -> Values:
    """Returns the values of all parts, one after the other; of a single part without a copy."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if isinstance(first, Ragged):
        return Ragged.concatenate([p for p in parts if isinstance(p, Ragged)])
    if isinstance(first, list):
        return [str(text) for part in parts for text in part]
    return np.concatenate(parts)  # type: ignore[arg-type]


class Assembly:
    """Collects pieces of a column into memory of its own."""

    def __init__(self, column: Column, rows: int) -> None:
        self.column, self.done = column, 0
        self.array: NDArray[Any] | None = None
        self.parts: list[Values] = []
        if not column.is_list and not column.is_text:
            self.array = np.empty((rows, *column.shape), column.dtype)

    def add(self, values: Values, rows: slice | NDArray[Any]) -> None:
        """Appends rows of values: a range of them, or these rows in this order."""
        if isinstance(values, Ragged):
            part = values.slice(rows.start, rows.stop) if isinstance(rows, slice) else values.take(rows)
            self.parts.append(part)
        elif isinstance(values, list):
            self.parts.append(values[rows] if isinstance(rows, slice) else [values[i] for i in rows])
        else:
            self._copy(values, rows)

    def _copy(self, values: NDArray[Any], rows: slice | NDArray[Any]) -> None:
        assert self.array is not None
        if isinstance(rows, slice):
            out = self.array[self.done : self.done + rows.stop - rows.start]
            out[...] = values[rows]
        else:
            out = self.array[self.done : self.done + len(rows)]
            if values.dtype == out.dtype:
                np.take(values, rows, 0, out, "clip")  # with another mode, take copies twice
            else:
                out[...] = values[rows]
        self.done += len(out)

    def result(self) -> Values:
        """Returns the column, which shares memory with nothing else."""
        if self.array is not None:
            return self.array
        if self.column.is_text:
            return [str(text) for part in self.parts for text in part]
        lists = [part for part in self.parts if isinstance(part, Ragged)]
        whole = Ragged.concatenate(lists) if lists else Ragged(np.empty(0), np.zeros(1, np.int64))
        return Ragged(whole.values.astype(self.column.dtype), whole.offsets)
