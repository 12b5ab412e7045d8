"""The boards of a dataset as one NumPy array [rows, numbers], in each tool.

A function a tool: it reads a split from the files and makes the array, packed boards
included. check.py compares what they return, speed.py measures them.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet


@dataclass
class Split:
    """The positions of one split or of both, and what the plan says of them."""

    root: Path
    name: str  # train, validation, or nothing for both
    format: str  # parquet or arrow
    packed: bool
    width: int  # numbers in a board
    dtype: str  # of these, little endian
    export: str = "export"  # the program

    @property
    def files(self):
        return sorted(str(f) for f in (self.root / "positions").glob(f"{self.name}*.{self.format}"))


def open_split(folder, name="", export="export"):
    """A split of a dataset, or all of it; export is the program, for the pipe."""
    root = Path(folder)
    told = json.loads((root / "plan.json").read_text())
    plan, columns = told["plan"], told["description"]["columns"]
    board = next(c for c in columns if c["name"] == "board")
    dtype = numpy.dtype(board["kind"]).newbyteorder("<").str
    return Split(root, name, plan["format"], plan["board_type"] == "packed", board["len"], dtype, export)


def of_lists(column):
    """The array of an Arrow column of lists, without a copy if it is in one chunk."""
    return column.combine_chunks().flatten().to_numpy()


def of_bytes(column, dtype):
    """The array of an Arrow column of bytes, in which all cells are of one length."""
    return numpy.frombuffer(column.combine_chunks().buffers()[-1], dtype)


def of_arrow(split, table):
    column = table["board"]
    return (of_bytes(column, split.dtype) if split.packed else of_lists(column)).reshape(-1, split.width)


def with_pyarrow(split):
    return of_arrow(split, pyarrow.dataset.dataset(split.files, format=split.format).to_table())


def with_pandas(split):
    read = pandas.read_feather if split.format == "arrow" else pandas.read_parquet
    boards = pandas.concat(read(file) for file in split.files)["board"]
    if split.packed:
        return numpy.frombuffer(b"".join(boards), split.dtype).reshape(-1, split.width)
    return numpy.stack(boards)


def with_polars(split):
    read = polars.read_ipc if split.format == "arrow" else polars.read_parquet
    boards = read(split.files)["board"]
    if split.packed:
        return numpy.frombuffer(b"".join(boards), split.dtype).reshape(-1, split.width)
    return boards.to_numpy()


def with_duckdb(split):
    if split.format == "arrow":
        rows = pyarrow.dataset.dataset(split.files, format="arrow")  # which DuckDB finds by this name
        found = duckdb.sql("from rows")
    else:
        found = duckdb.read_parquet(split.files)
    return of_arrow(split, found.to_arrow_table())


def with_datasets(split):
    rows = datasets.load_dataset(str(split.root), split=split.name)
    return of_arrow(split, rows.with_format("arrow")[:])


def with_datasets_streaming(split):
    rows = datasets.load_dataset(str(split.root), split=split.name, streaming=True)
    return numpy.concatenate([of_arrow(split, table) for table in rows.with_format("arrow").iter(10000)])


def with_torch(split, workers=2):
    import training

    return numpy.concatenate([batch["board"].numpy() for batch in training.loader(split, workers)])


def with_torch_pipe(split):
    import training

    return numpy.concatenate([batch["board"].numpy() for batch in training.stream(split)])


TOOLS = {
    "pyarrow": with_pyarrow,
    "pandas": with_pandas,
    "polars": with_polars,
    "duckdb": with_duckdb,
    "datasets": with_datasets,
    "datasets, streaming": with_datasets_streaming,
}

TORCH = {
    "torch, DataLoader": with_torch,
    "torch, pipe": with_torch_pipe,
}
