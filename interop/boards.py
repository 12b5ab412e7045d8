"""The boards of a dataset as one NumPy array of shape [rows, numbers], with each tool.

TOOLS and TORCH have one function per tool. It reads a split from its files and returns the
array, for lists and packed boards alike. check.py compares the arrays, speed.py measures
the functions.
"""

import json
import subprocess
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

import selfplay


@dataclass
class Split:
    """The positions of one split, or of both, and how the plan stores them."""

    root: Path  # of the dataset
    name: str  # train, validation, or empty for both
    format: str  # parquet or arrow
    packed: bool  # boards are bytes, not lists
    width: int  # numbers per board
    dtype: str  # of a number, little endian
    export: str = "export"  # the export program, for stream

    @property
    def files(self):
        return sorted(str(f) for f in (self.root / "positions").glob(f"{self.name}*.{self.format}"))


def open_split(folder, name="", export="export"):
    """Opens one split of a dataset, or all of it. export is the path of the export program."""
    root = Path(folder)
    document = json.loads((root / "plan.json").read_text())
    plan, columns = document["plan"], document["description"]["columns"]
    board = next(c for c in columns if c["name"] == "board")
    dtype = numpy.dtype(board["kind"]).newbyteorder("<").str
    return Split(root, name, plan["format"], plan["board_type"] == "packed", board["len"], dtype, export)


def from_lists(column):
    """Returns the values of an Arrow column of lists, without a copy if it has one chunk."""
    return column.combine_chunks().flatten().to_numpy()


def from_bytes(column, dtype):
    """Returns the values of an Arrow column of bytes whose cells have the same length."""
    return numpy.frombuffer(column.combine_chunks().buffers()[-1], dtype)


def from_arrow(split, table):
    column = table["board"]
    return (from_bytes(column, split.dtype) if split.packed else from_lists(column)).reshape(-1, split.width)


def with_pyarrow(split):
    return from_arrow(split, pyarrow.dataset.dataset(split.files, format=split.format).to_table())


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
        rows = pyarrow.dataset.dataset(split.files, format="arrow")
        relation = duckdb.sql("from rows")  # DuckDB finds the local variable by its name
    else:
        relation = duckdb.read_parquet(split.files)
    return from_arrow(split, relation.to_arrow_table())


def with_datasets(split):
    rows = datasets.load_dataset(str(split.root), split=split.name)
    return from_arrow(split, rows.with_format("arrow")[:])


def with_datasets_streaming(split):
    rows = datasets.load_dataset(str(split.root), split=split.name, streaming=True)
    return numpy.concatenate([from_arrow(split, table) for table in rows.with_format("arrow").iter(10000)])


def with_selfplay(split):
    return selfplay.open(split.root).to_numpy(split.name)["board"].view(split.dtype)


def with_selfplay_torch(split):
    return selfplay.open(split.root).to_torch(split.name)["board"].numpy().view(split.dtype)


def with_selfplay_pipe(split):
    return numpy.concatenate([rows["board"] for rows in stream(split)]).view(split.dtype)


def stream(split):
    """Yields the batches that `selfplay convert` writes to a pipe."""
    flags = ["--split", split.name] if split.name else []
    command = [split.export, "convert", "--quiet", "--format", "arrow-stream", *flags, "--out", "-", str(split.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield from selfplay.stream(process.stdout)
    assert process.returncode == 0, f"{' '.join(command)}: exit code {process.returncode}"


TOOLS = {
    "pyarrow": with_pyarrow,
    "pandas": with_pandas,
    "polars": with_polars,
    "duckdb": with_duckdb,
    "datasets": with_datasets,
    "datasets, streaming": with_datasets_streaming,
    "selfplay": with_selfplay,
    "selfplay, pipe": with_selfplay_pipe,
}

TORCH = {"selfplay, tensors": with_selfplay_torch}
