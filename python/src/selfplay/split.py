"""The rows of one split as a sequence: ds["train"]."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .batches import Batches, Windows
from .columns import Assembly, Rows, Values
from .metadata import Column
from .ragged import Ragged

if TYPE_CHECKING:
    import pandas

    from .dataset import Dataset

Row = dict[str, Any]
STEP = 8192  # rows that an iteration reads at once


class Split:
    """The rows of one split of a dataset, in the order of the files.

        train = ds["train"]
        len(train), train.features           # rows; columns by name, with type and meaning
        train[0], train[-1]                  # a row: {"board": int16 [n], "score": int16, ...}
        train[100:200], train[[5, 3, 5]]     # rows: {"board": int16 [rows, n], "score": int16 [rows], ...}
        train["score"]                       # one column of all rows
        for row in train: ...

    Nothing is read before it is asked for. One group of rows (a row group, a record batch) stays in memory, so rows that
    are near each other are fast. For training, batches() is the way: whole batches, shuffled.
    """

    def __init__(self, dataset: Dataset, name: str, columns: Iterable[str] | None = None) -> None:
        self.dataset, self.name = dataset, name
        self._batches: Batches = dataset.batches(name, 1, columns)

    def __repr__(self) -> str:
        return f"<split {self.name} of {self.dataset!r}: {len(self):,} rows, columns {', '.join(self.features)}>"

    @property
    def features(self) -> dict[str, Column]:
        """The columns by name, with dtype, shape of a row and meaning."""
        return {column.name: column for column in self._batches.columns}

    def select(self, columns: Iterable[str]) -> Split:
        """Returns the split with some of its columns only: fewer columns are read faster. Raises ValueError at a name
        that is no column."""
        return Split(self.dataset, self.name, columns)

    # Rows

    def __len__(self) -> int:
        return self._batches.rows

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> Row: ...

    @overload
    def __getitem__(self, key: str) -> Values: ...

    @overload
    def __getitem__(self, key: slice | Sequence[int] | NDArray[Any]) -> Rows: ...

    def __getitem__(self, key: Any) -> Row | Rows | Values:
        """Returns a row (int), rows (slice, or integers of any order), or a column (name). All has memory of its own.

        Raises IndexError if there is no such row, KeyError if there is no such column, TypeError at other keys."""
        if isinstance(key, str):
            return self._column(key)
        if isinstance(key, slice):
            return self._slice(*key.indices(len(self)))
        numbers = np.asarray(key)
        if numbers.size == 0:
            numbers = numbers.astype(np.int64)
        if numbers.dtype.kind not in "iu" or numbers.ndim > 1:
            raise TypeError(f"rows {key!r}: want a number, a slice, a list of numbers, or the name of a column")
        numbers = numbers.astype(np.int64)
        return self._take(numbers) if numbers.ndim else _row(self._take(numbers[None]), 0)

    def __iter__(self) -> Iterator[Row]:
        for begin in range(0, len(self), STEP):
            rows = self._range(begin, min(begin + STEP, len(self)))
            yield from (_row(rows, i) for i in range(min(STEP, len(self) - begin)))

    @cached_property
    def _windows(self) -> Windows:
        return Windows(self._batches, 0)

    def _range(self, begin: int, end: int) -> Rows:
        return self._windows.rows(begin, end)

    def _column(self, name: str) -> Values:
        if name not in self.features:
            raise KeyError(f"no column {name}: it has {', '.join(self.features)}")
        return Split(self.dataset, self.name, [name])._range(0, len(self))[name]

    def _slice(self, start: int, stop: int, step: int) -> Rows:
        if step == 1:
            return self._range(start, max(start, stop))
        return self._take(np.arange(start, stop, step))

    def _take(self, numbers: NDArray[np.int64]) -> Rows:
        """Returns rows of any order. They are read in the order of the file, each group once."""
        wrong = numbers[(numbers < -len(self)) | (numbers >= len(self))]
        if len(wrong):
            raise IndexError(f"row {wrong[0]}: the split {self.name} has {len(self):,} rows")
        numbers = np.where(numbers < 0, numbers + len(self), numbers)
        order = np.argsort(numbers, kind="stable")
        rows = {c.name: Assembly(c, len(numbers)) for c in self._batches.columns}
        for window, inside in self._windows.divide(numbers[order]):
            for name, values in window.items():
                rows[name].add(values, inside)
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return {name: _picked(column.result(), back) for name, column in rows.items()}

    # Other forms

    def to_numpy(self) -> Rows:
        """Returns all rows: arrays [rows] and [rows, n], a Ragged for lists, a list for texts."""
        return self._range(0, len(self))

    def to_arrow(self) -> pa.Table:
        """Returns all rows as a pyarrow table, in the types of the files, such as uint16: those of to_numpy() are
        signed. Boards are lists of fixed size, or bytes where the dataset has packed ones."""
        b = self._batches
        names = list(self.features)
        return pa.concat_tables([self.dataset.open_file(file).table(names) for file in b.files])

    def to_pandas(self) -> pandas.DataFrame:
        """Returns all rows as a pandas DataFrame. Boards and lists are cells with an array. Raises ImportError without
        pandas, which this package does not need otherwise."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        return frame


def _row(rows: Rows, i: int) -> Row:
    return {name: column[i] for name, column in rows.items()}


def _picked(column: Values, rows: NDArray[Any]) -> Values:
    if isinstance(column, Ragged):
        return column.take(rows)
    return [column[i] for i in rows] if isinstance(column, list) else column[rows]
