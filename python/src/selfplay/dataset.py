"""Datasets by path: metadata, rows, texts, batches; the rows of one split as a sequence: ds["train"]."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pyarrow as pa
import pyarrow.ipc
from numpy.typing import ArrayLike, NDArray

from .batches import WINDOW, Batches, Windows, fill_of
from .catalog import game
from .columns import Assembly, Rows, Values, view
from .files import ArrowFile, File, ParquetFile, RecordsFile, checked_parquet, records_layout
from .game import Game
from .metadata import Column, Element, Metadata
from .ragged import Ragged, legal_mask
from .sums import check_files

if TYPE_CHECKING:
    import pandas

    from .torch import TorchBatches

Row = dict[str, Any]

EXTENSIONS = (".parquet", ".arrow", ".arrows", ".records")
SPLITS = ("train", "validation")
STEP = 8192  # rows that an iteration over a split reads at once


class Dataset:
    """A dataset, a folder of rows that `selfplay shuffle` or `selfplay convert` wrote, or one file of rows.

    Its forms are Parquet, Arrow files and streams, and records. Only files with their final name are read, so a
    dataset may be open while a run extends it.
    """

    def __init__(self, path: str | Path, verify: bool = False) -> None:
        self.path, self._verify = Path(path).absolute(), verify
        self.plan: dict[str, Any] = {}  # of a dataset; empty for other folders
        if (self.path / "plan.json").exists():
            self.plan = json.loads((self.path / "plan.json").read_text("utf-8"))["plan"]
        folder = self.path / "positions" if self.plan else self.path
        if not self.path.exists():
            raise FileNotFoundError(f"open {path}: no such dataset")
        self._dtype: np.dtype[Any] | None = None  # of records
        if (folder / "dtype.json").exists():
            self._dtype, self.metadata = records_layout(folder / "dtype.json")
        if self.plan and not folder.exists():
            raise ValueError(f"open {path}: no shard is finished yet: `selfplay status` shows how far the run is")
        found = [f for f in ([folder] if folder.is_file() else folder.iterdir()) if f.suffix in EXTENSIONS]
        if not found and self.plan:
            raise ValueError(f"open {path}: no shard is finished yet: `selfplay status` shows how far the run is")
        if not found:
            raise ValueError(f"open {path}: no files of rows (Parquet, Arrow or records)")
        if (self._dtype is not None) != any(f.suffix == ".records" for f in found):
            raise ValueError(f"open {path}: records need the dtype.json of their folder, and only they have one")
        self._files = sorted(found)
        if verify:
            check_files([*self._files, *self._documents(folder)])
        if self._dtype is None:
            self.metadata = self._read_metadata()
        self.columns: dict[str, Column] = self.metadata.columns
        self.elements: list[Element] = self.metadata.elements

    def _documents(self, folder: Path) -> list[Path]:
        """Returns the files besides those of rows that say what rows mean. The manifest of an unfinished dataset has none."""
        if self.plan:
            return [self.path / "plan.json"] if (self.path / "manifest.json").exists() else []
        beside = folder.parent if folder.is_file() else folder
        return [f for f in (beside / "dtype.json", beside / "metadata.json") if f.exists()]

    def _read_metadata(self) -> Metadata:
        try:
            file = self.open_file(self._files[0])
            assert isinstance(file, ParquetFile | ArrowFile)
            return Metadata.parse(file.metadata)
        except ValueError as error:
            raise ValueError(f"open {self._files[0]}: {error}") from error

    def __repr__(self) -> str:
        return f"selfplay.open({str(self.path)!r})"

    # Rows as sequences

    def __len__(self) -> int:
        """The rows of all splits."""
        return sum(self.splits.values())

    def __getitem__(self, split: str) -> Split:
        """Returns the rows of a split as a sequence: ds["train"]. Raises KeyError if the dataset has no such split."""
        if split not in self.splits:
            raise KeyError(f"no split {split!r}: it has {', '.join(self.splits)}")
        return Split(self, split)

    def __iter__(self) -> Iterator[Row]:
        """Iterates over the rows of all splits, the training rows first."""
        for split in self.splits:
            yield from self[split]

    @property
    def features(self) -> dict[str, Column]:
        """The columns by name, with dtype, shape of a row and meaning."""
        return dict(self.columns)

    # What it is

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.metadata.raw["game"]

    @cached_property
    def game(self) -> Game:
        """The game. ValueError if this package does not know it, or has other versions of its numbers."""
        found = game(self.name)
        for key, what in (("layout_version", f"layout {self.layout}"), ("actions_version", "actions")):
            version = self.metadata.raw.get(key)
            if version is not None and int(version) != found.versions.get(what):
                raise ValueError(f"open {self.path}: {what} has version {version}, this package knows {found.versions.get(what)}")
        return found

    @property
    def layout(self) -> str:
        """compact or planes."""
        return self.metadata.raw.get("layout", "compact")

    @property
    def mover(self) -> bool:
        """Whether boards and actions are as the side to move sees them; otherwise they are absolute."""
        return self.metadata.raw.get("perspective") == "mover"

    @property
    def sides(self) -> list[str]:
        """The names of side 0, which moves first in the start position of the game, and of side 1."""
        return self.metadata.list("sides")

    @property
    def results(self) -> list[str]:
        """The names of results, by number."""
        return self.metadata.list("results")

    @property
    def reasons(self) -> list[str]:
        """The names of reasons for which a game ends, by number."""
        return self.metadata.list("reasons")

    def files(self, split: str = "train") -> list[Path]:
        """Returns the files of a split, or all if split is empty. A name without a split belongs to train."""
        if split and split not in SPLITS:
            raise ValueError(f"open {self.path}: no split {split!r}: want {' or '.join(SPLITS)}")
        list_ = [f for f in self._files if not split or f.name.startswith("validation") == (split == "validation")]
        if not list_:
            raise ValueError(f"open {self.path}: no files of the split {split}")
        return list_

    @property
    def splits(self) -> dict[str, int]:
        """The rows of each split that has files."""
        present = [s for s in SPLITS if any(f.name.startswith("validation") == (s == "validation") for f in self._files)]
        return {split: self.batches(split, 1, []).rows for split in present}

    def open_file(self, path: Path) -> File:
        """Opens one of files(), for Batches of files of several datasets."""
        if self._dtype is not None:
            return RecordsFile(path, self._dtype)
        return ParquetFile(path) if path.suffix == ".parquet" else ArrowFile(path)

    def _columns(self, names: Iterable[str] | None) -> list[Column]:
        if isinstance(names, str):
            raise ValueError(f"open {self.path}: columns are {names!r}: want a list of names")
        names = list(self.columns) if names is None else list(names)
        if missing := [n for n in names if n not in self.columns]:
            raise ValueError(f"open {self.path}: no column {', '.join(missing)}: it has {', '.join(self.columns)}")
        return [self.columns[n] for n in names]

    # Rows

    def batches(
        self,
        split: str = "train",
        size: int = 8192,
        columns: Iterable[str] | None = None,
        *,
        shuffle: bool = False,
        seed: int = 0,
        window: int = WINDOW,
        rank: int = 0,
        world_size: int = 1,
        drop_last: bool = False,
        even: bool = True,
        pad: Mapping[str, int] | None = None,
    ) -> Batches:
        """Returns batches of size rows of some columns, all by default. See batches.py for what the order is.

        window is the number of rows that are shuffled together; it is in memory. pad gives columns of lists a width:
        {"policy_action": 32, "policy_weight": 32}. They are then arrays, padded with -1 (weights with 0). Longer policies
        are cut; policy() keeps the largest weights instead. Other lists, such as legal actions, are never cut: ValueError.
        drop_last leaves out the last batch of an epoch if it has fewer rows than size.

        A batch is a dict by name: arrays [rows] or [rows, n] in the dtypes of features, a Ragged for a column of lists, a
        list for texts, all with memory of their own. rank and world_size share the rows among processes; with
        even=False every row belongs to one of them. Raises ValueError at a name that is no split or no column, and at
        numbers out of range.
        """
        return Batches(
            self.files(split), self.open_file, self._columns(columns), size, shuffle=shuffle, seed=seed, window=window,
            rank=rank, world_size=world_size, drop_last=drop_last, even=even, pad=pad,
        )  # fmt: skip

    def torch_batches(self, split: str = "train", size: int = 8192, columns: Iterable[str] | None = None, **options: Any) -> TorchBatches:
        """Returns the batches as a torch IterableDataset of dicts of tensors. It takes the options of batches().
        Iterate over it, or give it to a DataLoader with batch_size=None, which may have several workers. rank and
        world_size are those of torch.distributed, if it is initialised and options do not name them. Raises ImportError
        without torch."""
        from .torch import TorchBatches, place

        return TorchBatches(self.batches(split, size, columns, **(place() | options)))

    def to_numpy(self, split: str = "train", columns: Iterable[str] | None = None) -> dict[str, Any]:
        """Returns all rows of a split in the order of the files: arrays [rows] and [rows, n], a Ragged for lists, a
        list for texts."""
        batches = self.batches(split, 1, columns)
        return Windows(batches, 0).rows(0, batches.rows)

    def to_torch(self, split: str = "train", columns: Iterable[str] | None = None) -> dict[str, Any]:
        """Returns all rows of a split as tensors. A column of lists is a pair of tensors: values and offsets."""
        from .torch import tensors

        return tensors(self.to_numpy(split, columns))

    def games(self, split: str = "") -> pa.Table:
        """Returns the games of a split, or of both, the training games first: one row per game, with its actions, as a
        pyarrow table. Raises ValueError if there are none."""
        import pyarrow.dataset

        if split and split not in SPLITS:
            raise ValueError(f"open {self.path}: no split {split!r}: want {' or '.join(SPLITS)}")
        folder = self.path / "games"
        files = sorted(f for f in folder.iterdir() if f.name.startswith(split or SPLITS)) if folder.exists() else []
        if not files:
            raise ValueError(f"open {self.path}: no games{split and f' of the split {split}'}")
        if self._verify:
            check_files(files)
        form = checked_parquet() if files[0].suffix == ".parquet" else "arrow"
        return pa.dataset.dataset([str(f) for f in files], format=form).to_table()

    # What rows mean

    def boards(self, rows: Mapping[str, Any]) -> NDArray[Any]:
        """Returns the boards of rows in the layout compact, absolute. rows needs board and side."""
        self._need_compact()
        boards, sides = np.asarray(_column(rows, "board")), np.asarray(_column(rows, "side"))
        return self.game.turn_boards(boards, sides) if self.mover else boards

    def actions(self, rows: Mapping[str, Any], column: str = "action") -> NDArray[np.int32]:
        """Returns an action column of rows, absolute. rows needs it and, if rows are seen by the mover, side."""
        numbers = np.asarray(_column(rows, column), np.int32)
        if not self.mover:
            return numbers
        return np.where(np.asarray(_column(rows, "side")) == 1, self.game.flip_actions(numbers), numbers)

    def texts(self, rows: Mapping[str, Any]) -> list[str]:
        """Returns the positions of rows in the game's notation: FEN in chess. rows needs board, side and, for the
        move number of a FEN, ply and, if the dataset has it, start_ply."""
        sides, plies = np.asarray(_column(rows, "side")), rows.get("ply")
        if plies is not None and "start_ply" in self.columns:
            plies = np.asarray(plies, np.int64) + np.asarray(_column(rows, "start_ply"), np.int64)
        number = (lambda i: None) if plies is None else (lambda i: int(plies[i]))
        return [self.game.text(b, int(sides[i]), number(i)) for i, b in enumerate(self.boards(rows))]

    def moves(self, rows: Mapping[str, Any], column: str = "action") -> list[str]:
        """Returns the moves of an action column in the game's notation. rows needs it, board and side. See
        Game.move_text for what a number does not tell; the column move (--columns +move) has the whole text."""
        boards, actions = self.boards(rows), self.actions(rows, column)
        return [self.game.move_text(int(a), b) for a, b in zip(actions, boards)]

    def planes(self, rows: Mapping[str, Any]) -> NDArray[np.uint8]:
        """Returns planes [rows, planes, ranks, files] of 0 and 1, as the side to move sees them."""
        if self.layout == "planes":
            return self.game.unpack_planes(_column(rows, "board"))
        return self.game.planes(self.boards(rows), _column(rows, "side"))

    def legal_mask(self, rows: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Returns the mask [rows, actions] of the column legal_actions (--columns +legal_actions)."""
        if "legal_actions" not in self.columns:
            raise ValueError(f"mask of legal actions: {self.path} has no column legal_actions: `selfplay rows --columns +legal_actions` adds it")
        legal = _column(rows, "legal_actions")
        if not isinstance(legal, Ragged):
            raise ValueError("mask of legal actions: the column is padded, want it without pad")
        return legal_mask(legal, self.game.actions)

    def value(self, scores: ArrayLike, model: tuple[float, float] | None = None) -> NDArray[np.float32]:
        """Returns the outcome that scores predict, -1 to 1: win chance minus loss chance by the model of the
        dataset, or by another model (A, B). Use it where searched is true."""
        if model is None and "wdl" not in self.metadata.raw:
            raise ValueError(f"value of scores: {self.path} has no model of scores: pass model=(A, B), as `selfplay wdl {self.path}` fits it")
        if model is None:
            stored = json.loads(self.metadata.raw["wdl"])
            model = stored["a"], stored["b"]
        a, b = map(np.float32, model)
        score = np.asarray(scores, np.float32)
        win, loss = (1 / (1 + np.exp(np.clip((a - s) / b, -80, 80))) for s in (score, -score))
        return np.asarray(win - loss, np.float32)

    def _need_compact(self) -> None:
        if self.layout != "compact":
            raise ValueError(f"boards of {self.path}: layout {self.layout} does not hold the whole position")


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

    def __getitems__(self, numbers: Sequence[int]) -> list[Row]:
        """Returns the rows of a batch of a torch DataLoader, which calls this. Their lists are padded to the longest of the
        batch, with -1 (weights with 0), so that its default collate takes them."""
        rows = self._take(np.asarray(numbers, np.int64))
        padded: Rows = {name: c.padded(fill=fill_of(name)) if isinstance(c, Ragged) else c for name, c in rows.items()}
        return [_row(padded, i) for i in range(len(numbers))]

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


def _column(rows: Mapping[str, Any], name: str) -> Any:
    """Returns a column that a method needs."""
    if not isinstance(rows, Mapping):
        raise ValueError(f"rows are of type {type(rows).__name__}: want a dict of columns, as batches() and to_numpy() return it")
    if name not in rows:
        raise ValueError(f"rows have no column {name}, only {', '.join(rows)}: read it, too")
    return rows[name]


def open(path: str | Path, *, verify: bool = False) -> Dataset:
    """Opens a dataset, a folder of converted rows, or a file of rows.

    With verify, all files are read once and compared with the SHA-256 that the dataset has of them, about a gigabyte a
    second; files of games when games() reads them. ValueError names a file that is damaged. Without it, compressed pages
    of Parquet and Arrow have checksums, and a flipped bit there is an error; uncompressed Arrow and records have none."""
    return Dataset(path, verify)


def stream(source: Any, columns: Sequence[str] | None = None) -> Iterator[Rows]:
    """Yields the batches of an Arrow stream as they come: what `selfplay convert --format arrow-stream --out -` writes to a
    pipe, or `/stream` of `selfplay serve` answers, opened with urllib.request.urlopen."""
    with pa.ipc.open_stream(source) as batches:
        known = Metadata.parse(batches.schema.metadata).columns
        chosen = [known[name] for name in columns or known]
        for batch in batches:
            yield {c.name: _own(view(batch.column(c.name), c), c) for c in chosen}


def _own(values: Any, column: Column) -> Any:
    if isinstance(values, Ragged):
        return values.slice(0, len(values)).take(np.arange(len(values)))
    return values if isinstance(values, list) else np.array(values, column.dtype)
