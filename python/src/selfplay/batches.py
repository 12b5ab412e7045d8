"""Batches of rows: in order or shuffled, shared among ranks, resumable.

An epoch is a sequence of all rows of a split. Without shuffling it is the order of the files. With it, groups (row
groups, record batches) come in random order, as many as make a window are read at once, and the rows of a window come
in random order. Seed and epoch determine the sequence, for one version of NumPy.

Of n ranks, each takes one of n equal stretches of the sequence; up to n-1 rows are left over. So ranks have the same
number of batches, and over the epochs each sees different rows. With even=False no row is left over, for evaluations:
stretches differ by one row, and so a rank may have one batch more than another.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .columns import Assembly, Rows, joined
from .files import File
from .metadata import Column
from .ragged import Ragged

WINDOW = 65_536  # rows


def fill_of(name: str) -> int:
    """Returns what pads the lists of a column: actions end with -1, weights with 0."""
    return 0 if name == "policy_weight" else -1
OPEN_FILES = 64


class Batches:
    """Batches of a split, each a dict of columns with memory of its own.

    Every iteration is one epoch, from 0. state_dict() is where the last iteration stands; after load_state_dict() the
    next iteration goes on there, with the batches that it would have had.
    """

    def __init__(
        self,
        files: Sequence[Path],
        open_file: Callable[[Path], File],
        columns: Sequence[Column],
        size: int,
        *,
        shuffle: bool = False,
        seed: int = 0,
        window: int = WINDOW,
        rank: int = 0,
        world_size: int = 1,
        drop_last: bool = False,
        even: bool = True,
        pad: Mapping[str, int] | None = None,
    ) -> None:
        for name, value in (("size", size), ("window", window), ("world_size", world_size)):
            if value < 1:
                raise ValueError(f"make batches: {name} is {value}, want 1 or more")
        if not 0 <= rank < world_size:
            raise ValueError(f"make batches: rank is {rank}, want 0 to {world_size - 1} for a world_size of {world_size}")
        self.files, self.columns, self.size = list(files), list(columns), size
        self.shuffle, self.seed, self.window, self.drop_last = shuffle, seed, window, drop_last
        self.even = even
        self.rank, self.world_size, self.pad = rank, world_size, dict(pad or {})
        self._open_file = open_file
        self._opened: OrderedDict[int, File] = OrderedDict()
        self._groups: list[tuple[int, int, int]] | None = None  # file, group, rows
        self._next = (0, 0)  # epoch and batch of the next iteration
        self._now = (0, 0)  # of the current one

    @property
    def rows(self) -> int:
        """The rows of an epoch, of all ranks."""
        return sum(rows for _, _, rows in self.groups())

    def __len__(self) -> int:
        """The batches of an epoch of this rank."""
        begin, end = self._stretch()
        share = end - begin
        return share // self.size if self.drop_last else -(-share // self.size)

    def _stretch(self) -> tuple[int, int]:
        """Returns the first row and the end of the rows of this rank, in the sequence of an epoch."""
        if self.even:
            share = self.rows // self.world_size
            return self.rank * share, (self.rank + 1) * share
        begin, end = (self.rows * rank // self.world_size for rank in (self.rank, self.rank + 1))
        return begin, end

    def __iter__(self) -> Iterator[Rows]:
        return self.part(0, 1)

    def part(self, worker: int, workers: int) -> Iterator[Rows]:
        """Iterates over one of several equal stretches of the batches of an epoch, for worker processes. After
        load_state_dict() it leaves out the batches of the epoch that came before."""
        epoch, batch = self._next
        self._next = (epoch + 1, 0)
        self._now = (epoch, batch)
        begin, end = (len(self) * k // workers for k in (worker, worker + 1))
        return self._iterate(epoch, max(begin, batch), end)

    def _iterate(self, epoch: int, batch: int, end: int) -> Iterator[Rows]:
        first, last = self._stretch()
        windows = Windows(self, epoch)
        for n in range(batch, end):
            self._now = (epoch, n + 1) if n + 1 < end else (epoch + 1, 0)
            at = first + n * self.size
            yield self._padded(windows.rows(at, min(at + self.size, last)))

    def _padded(self, rows: Rows) -> Rows:
        for name, width in self.pad.items():
            column = rows[name]
            if not isinstance(column, Ragged):
                raise ValueError(f"pad {name}: not a column of lists")
            longest = int(column.lengths.max(initial=0))
            if longest > width and not name.startswith("policy_"):
                raise ValueError(f"pad {name}: width {width}, but a row has {longest} values: give it that many at least, or leave out pad")
            rows[name] = column.padded(width, fill_of(name))
        return rows

    # Resuming

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration that of an epoch. Worker processes count no epochs: call it before each one."""
        self._next = self._now = (epoch, 0)

    def _plan(self) -> dict[str, Any]:
        names = ("size", "shuffle", "seed", "window", "rank", "world_size", "drop_last", "even", "rows")
        return {name: getattr(self, name) for name in names}

    def state_dict(self) -> dict[str, Any]:
        """Returns where the last iteration stands, after the batch that it yielded last."""
        epoch, batch = self._now
        return self._plan() | {"epoch": epoch, "batch": batch}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Makes the next iteration go on where a state was taken. It raises ValueError if the batches would differ."""
        state = {"even": True} | dict(state)  # older states do not say so
        for name, value in self._plan().items():
            if state.get(name) != value:
                raise ValueError(f"resume batches: {name} was {state.get(name)}, now it is {value}")
        self._next = self._now = (int(state["epoch"]), int(state["batch"]))

    # Reading

    def groups(self) -> list[tuple[int, int, int]]:
        """Returns all groups in the order of the files, as file, group and rows."""
        if self._groups is None:
            self._groups = [(f, g, n) for f in range(len(self.files)) for g, n in enumerate(self.open(f).rows) if n]
        return self._groups

    def open(self, file: int) -> File:
        """Returns an open file. Few files stay open."""
        if file not in self._opened:
            self._opened[file] = self._open_file(self.files[file])
            if len(self._opened) > OPEN_FILES:
                self._opened.popitem(last=False)
        self._opened.move_to_end(file)
        return self._opened[file]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_opened": OrderedDict()}  # open files do not go to worker processes


class Windows:
    """The sequence of one epoch. It keeps one window in memory."""

    def __init__(self, batches: Batches, epoch: int) -> None:
        self.batches, self.epoch = batches, epoch
        self.windows = list(self._divide())
        self.ends = np.cumsum([sum(rows for _, _, rows in w) for w in self.windows], dtype=np.int64)
        self.current, self.columns = -1, {}  # type: int, Rows
        self.order: NDArray[Any] | None = None

    def _random(self, *stream: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence([self.batches.seed, self.epoch, *stream])))

    def _divide(self) -> Iterator[list[tuple[int, int, int]]]:
        """Yields the groups of each window; in order, a window is one group."""
        groups = self.batches.groups()
        if not self.batches.shuffle:
            yield from ([g] for g in groups)
            return
        window, rows = [], 0
        for i in self._random(0).permutation(len(groups)):
            window.append(groups[i])
            rows += groups[i][2]
            if rows >= self.batches.window:
                yield window
                window, rows = [], 0
        if window:
            yield window

    def rows(self, begin: int, end: int) -> Rows:
        """Returns the rows of the sequence from begin to end."""
        out = {c.name: Assembly(c, end - begin) for c in self.batches.columns}
        while begin < end:
            w = int(np.searchsorted(self.ends, begin, "right"))
            self._load(w)
            start = int(self.ends[w - 1]) if w else 0
            stop = min(end, int(self.ends[w]))
            rows: slice | NDArray[Any] = slice(begin - start, stop - start)
            if self.order is not None:
                rows = self.order[rows]
            for name, assembly in out.items():
                assembly.add(self.columns[name], rows)
            begin = stop
        return {name: assembly.result() for name, assembly in out.items()}

    def divide(self, numbers: NDArray[np.int64]) -> Iterator[tuple[Rows, NDArray[np.int64]]]:
        """Yields the columns of each window that has some of these rows, and which rows of it. Numbers ascend; the
        sequence is that without shuffling."""
        windows = np.searchsorted(self.ends, numbers, "right")
        for w in np.unique(windows).tolist():
            self._load(w)
            yield self.columns, numbers[windows == w] - (self.ends[w - 1] if w else 0)

    def _load(self, window: int) -> None:
        if window == self.current:
            return
        b = self.batches
        parts = [b.open(file).read(group, b.columns) for file, group, _ in self.windows[window]]
        self.columns = {c.name: joined([part[c.name] for part in parts]) for c in b.columns}
        self.order = None
        if b.shuffle:
            start = self.ends[window - 1] if window else 0
            self.order = self._random(1, window).permutation(int(self.ends[window] - start))
        self.current = window
