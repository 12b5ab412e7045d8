"""Reads small datasets with the tools that people already use, without any loader of
our own, and compares every value of every row with what `export head --json` prints.

    python check.py EXPORT DIR...

EXPORT is the built export program. Each DIR is a dataset of up to 100,000 rows.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import datasets
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.parquet

datasets.disable_progress_bars()


class Dataset:
    """A dataset as its own program tells it."""

    def __init__(self, export, folder):
        self.folder = Path(folder)
        self.plan = json.loads((self.folder / "plan.json").read_text())["plan"]
        self.format, self.packed = self.plan["format"], self.plan["board_type"] == "packed"
        self.positions = self.folder / "positions"
        out = subprocess.run([export, "head", "--json", "--rows", "100000", str(folder)],
                             check=True, capture_output=True, text=True).stdout
        self.rows = [json.loads(line) for line in out.splitlines()]
        self.columns = self.plan["columns"]
        self.width = len(self.rows[0]["board"])

    def files(self):
        return f"{self.positions}/*.{self.format}"


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def unpack(ds, value):
    """The board of a packed dataset, as its card says to read it."""
    size = len(value) // ds.width
    return numpy.frombuffer(value, f"<u{size}").tolist()


def compare(ds, tool, rows):
    """Compares rows, each a dict, in any order."""
    rows = sorted(rows, key=lambda row: (row["game"], row["ply"]))
    assert len(rows) == len(ds.rows), f"{tool}: {len(rows)} rows, want {len(ds.rows)}"
    for want, got in zip(ds.rows, rows):
        for column in ds.columns:
            value = got[column]
            value = unpack(ds, value) if column == "board" and ds.packed else plain(value)
            assert value == want[column], f"{tool}: game {want['game']} ply {want['ply']}: {column} is {value}, want {want[column]}"


# Each reader returns the rows, and checks that boards came as numbers by themselves.


def read_pyarrow(ds):
    table = pyarrow.dataset.dataset(ds.positions, format="ipc" if ds.format == "arrow" else "parquet").to_table()
    if not ds.packed:
        assert pyarrow.types.is_integer(table.schema.field("board").type.value_type), table.schema
        boards = table["board"].combine_chunks().flatten().to_numpy().reshape(-1, ds.width)
        assert boards.shape[0] == table.num_rows
    return table.to_pylist()


def read_pandas(ds):
    frame = pandas.read_parquet(ds.positions)
    if not ds.packed:
        assert frame["board"].iloc[0].dtype.kind == "u", frame["board"].iloc[0].dtype
    return frame.to_dict("records")


def read_polars(ds):
    frame = polars.read_ipc(ds.files()) if ds.format == "arrow" else polars.read_parquet(ds.files())
    if not ds.packed:
        assert frame.schema["board"].inner.is_integer(), frame.schema
    return frame.to_dicts()


def read_duckdb(ds):
    found = duckdb.sql(f"from '{ds.files()}'")
    names = found.columns
    if not ds.packed:
        kind = str(found.types[names.index("board")])
        assert kind.startswith("U") and kind.endswith("]"), kind
    return [dict(zip(names, row)) for row in found.fetchall()]


def read_datasets(ds):
    rows = []
    for split in datasets.load_dataset(str(ds.folder)).values():
        if not ds.packed:
            first = split.with_format("numpy")[0]["board"]
            assert first.dtype.kind in "iu" and first.shape == (ds.width,), first
        rows.extend(split)
    return rows


def read_datasets_streaming(ds):
    return [row for split in datasets.load_dataset(str(ds.folder), streaming=True).values() for row in split]


READERS = {
    "pyarrow": read_pyarrow,
    "pandas": read_pandas,
    "polars": read_polars,
    "duckdb": read_duckdb,
    "datasets": read_datasets,
    "datasets, streaming": read_datasets_streaming,
}

# What these tools read of Arrow files: pandas and DuckDB read Parquet.
ARROW = {"pyarrow", "polars", "datasets", "datasets, streaming"}


def main(export, folders):
    for folder in folders:
        ds = Dataset(export, folder)
        for tool, read in READERS.items():
            if ds.format == "arrow" and tool not in ARROW:
                continue
            begin = time.perf_counter()
            rows = read(ds)
            took = time.perf_counter() - begin
            compare(ds, tool, rows)
            name = f"{ds.plan['game']} {ds.format} {ds.plan['board_type']} {ds.plan['layout']}"
            print(f"{name:34} {tool:20} {len(rows):6} rows equal, read in {took:.2f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
