"""Reads small datasets with common data tools and with the Python package, and compares every value of
every row with the output of `selfplay head --json`.

    python check.py [--torch] EXPORT DIR...

EXPORT is the built export program. Each DIR is a dataset of up to 100,000 rows. With --torch
they are also read as PyTorch tensors, and the script runs the Python code in each dataset's card.
"""

import json
import os
import re
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

import boards
import jsonrows
import selfplay

datasets.disable_progress_bars()


class Dataset:
    """A dataset and its rows according to the export program."""

    def __init__(self, export, folder):
        self.folder = Path(folder)
        document = json.loads((self.folder / "plan.json").read_text())
        self.plan, self.description = document["plan"], document["description"]
        self.format, self.packed = self.plan["format"], self.plan["board_type"] == "packed"
        self.positions = self.folder / "positions"
        out = subprocess.run([export, "head", "--json", "--rows", "100000", str(folder)],
                             check=True, capture_output=True, text=True).stdout
        self.stored = [jsonrows.row_of(line) for line in out.splitlines()]  # in the order of the files
        self.rows = sorted(self.stored, key=lambda row: (row["game"], row["ply"]))
        self.columns = self.plan["columns"]
        self.width = len(self.rows[0]["board"])
        kind = next(c["kind"] for c in self.description["columns"] if c["name"] == "board")
        self.dtype = numpy.dtype(kind).newbyteorder("<").str
        self.export = export
        self.shards = json.loads((self.folder / "manifest.json").read_text())["files"]

    def files(self, table="positions"):
        """Returns a glob pattern of the files of a table."""
        return f"{self.folder / table}/*.{self.format}"

    def split(self, name=""):
        """Returns one split, or both, for the functions of boards.py."""
        return boards.open_split(self.folder, name, self.export)

    def rows_of(self, split):
        """Returns the rows of a split in file order."""
        files = sorted((self.folder / "games").glob(f"{split}-*.{self.format}"))
        kind = "ipc" if self.format == "arrow" else "parquet"
        games = set(pyarrow.dataset.dataset(files, format=kind).to_table(columns=["game"])["game"].to_pylist())
        return [row for row in self.rows if row["game"] in games]


def to_json(value):
    """Converts a value to the types of JSON."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [to_json(v) for v in value]
    return value


def unpack(ds, value):
    """Returns the numbers of a packed board, decoded as the dataset's card says."""
    size = len(value) // ds.width
    return numpy.frombuffer(value, f"<u{size}").tolist()


def compare(ds, tool, rows):
    """Compares rows, each a dict, in any order, with those of the export program."""
    rows = sorted(rows, key=lambda row: (row["game"], row["ply"]))
    assert len(rows) == len(ds.rows), f"{tool}: {len(rows)} rows, want {len(ds.rows)}"
    for want, got in zip(ds.rows, rows):
        for column in ds.columns:
            value = got[column]
            value = unpack(ds, value) if isinstance(value, (bytes, bytearray)) else to_json(value)
            assert value == want[column], f"{tool}: game {want['game']} ply {want['ply']}: {column} is {value}, want {want[column]}"


# A reader returns the rows. It also checks that the tool reads boards as numbers without help.


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
    relation = duckdb.sql(f"from '{ds.files()}'")
    names = relation.columns
    if not ds.packed:
        kind = str(relation.types[names.index("board")])
        assert kind.startswith("U") and kind.endswith("]"), kind  # such as USMALLINT[138]
    return [dict(zip(names, row)) for row in relation.fetchall()]


def read_datasets(ds):
    rows = []
    for split in datasets.load_dataset(str(ds.folder)).values():
        check_board(ds, split.with_format("numpy")[0]["board"])
        rows.extend(split)
    return rows


def read_datasets_streaming(ds):
    rows = []
    for split in datasets.load_dataset(str(ds.folder), streaming=True).values():
        check_board(ds, next(iter(split.with_format("numpy")))["board"])
        rows.extend(split)
    return rows


def check_board(ds, board):
    assert ds.packed or board.dtype.kind in "iu" and board.shape == (ds.width,), board


def read_selfplay(ds):
    opened = selfplay.open(ds.folder)
    return [row for split in opened.splits for batch in opened.batches(split, 1000) for row in rows_of(batch)]


def read_selfplay_pipe(ds):
    rows = [row for batch in boards.stream(ds.split()) for row in rows_of(batch)]
    keys, want = ([(row["game"], row["ply"]) for row in each] for each in (rows, ds.stored))
    assert keys == want, "selfplay, pipe: rows are not in the order of the shards"
    return rows


def read_selfplay_torch(ds):
    opened = selfplay.open(ds.folder)
    return [row for split in opened.splits for batch in opened.torch_batches(split, 1000, shuffle=True) for row in rows_of(batch)]


def rows_of(batch):
    """Returns the rows of a batch of arrays or tensors. Numbers of 64 bits are handed out with a sign."""
    cells = {}
    for name, column in batch.items():
        if isinstance(column, tuple):  # tensors of variable-length lists
            column = selfplay.Ragged(*(part.numpy() for part in column))
        cells[name] = column if isinstance(column, list) else column.tolist()
        if name == "hash":
            cells[name] = [value % 2**64 for value in cells[name]]
    return [dict(zip(cells, row)) for row in zip(*cells.values())]


READERS = {
    "pyarrow": read_pyarrow,
    "pandas": read_pandas,
    "polars": read_polars,
    "duckdb": read_duckdb,
    "datasets": read_datasets,
    "datasets, streaming": read_datasets_streaming,
    "selfplay": read_selfplay,
    "selfplay, pipe": read_selfplay_pipe,
}

TORCH = {"selfplay, tensors": read_selfplay_torch}

# Tools that read Arrow files only through pyarrow, as boards.py does.
PARQUET_ONLY = {"pandas", "duckdb"}


def check_boards(ds, tools):
    """Checks that every tool reads the boards into the same array."""
    for split in sorted({Path(file["name"]).name.split("-")[0] for shard in ds.shards for file in shard["files"]}):
        want = numpy.array([row["board"] for row in ds.rows_of(split)])
        for tool, read in tools.items():
            got = read(ds.split(split))
            assert got.dtype.str == ds.dtype and got.shape == want.shape, f"{tool}: {got.dtype} {got.shape}, want {ds.dtype} {want.shape}"
            assert (got == want).all(), f"{tool}: boards differ"


def check_card(ds):
    """Checks that the card declares the rows and the features of the files, for both tables."""
    rows = {"positions": len(ds.rows), "games": sum(s["games"] for s in ds.shards)}
    for table, count in rows.items():
        declared = datasets.load_dataset(str(ds.folder), table)
        files = datasets.load_dataset(ds.format, data_files=ds.files(table), split="train")
        assert sum(len(split) for split in declared.values()) == count, declared
        for split in declared.values():
            assert split.features == files.features, f"{table}: {split.features}, but the files have {files.features}"


def run_card(ds):
    """Runs the Python code in the card and checks the variables it defines."""
    previous, names = os.getcwd(), {}
    os.chdir(ds.folder)
    try:
        for code in re.findall(r"```python\n(.*?)```", Path("README.md").read_text(), re.DOTALL):
            exec(code, names)
    finally:
        os.chdir(previous)
    rows = ds.rows_of("train")
    assert len(names["table"]) == len(names["frame"]) == len(names["rows"]["side"]) == len(rows)
    assert sum(len(batch["side"]) for batch in names["batches"]) == len(rows)
    assert names["outcome"].tolist() == [row["outcome"] for row in rows]
    made = names["boards"].reshape(len(rows), -1)
    if "perspective" not in ds.plan:  # absolute boards are no input without the side to move
        assert names["inputs"][:, -1].tolist() == [row["side"] for row in rows]
    if "value" in names:
        assert names["value"].abs().max() <= 1
    if ds.plan["layout"] == "compact":
        assert made.tolist() == [row["board"] for row in rows]
    else:  # planes: the card unpacks bits, and each plane has whole bytes
        assert made.sum(1).tolist() == [sum(b.bit_count() for b in row["board"]) for row in rows]


def main(export, folders, torch=False):
    for folder in folders:
        ds = Dataset(export, folder)
        check_card(ds)
        check_boards(ds, boards.TOOLS | (boards.TORCH if torch else {}))
        if torch:
            run_card(ds)
        for tool, read in (READERS | (TORCH if torch else {})).items():
            if ds.format == "arrow" and tool in PARQUET_ONLY:
                continue
            begin = time.perf_counter()
            rows = read(ds)
            seconds = time.perf_counter() - begin
            compare(ds, tool, rows)
            name = f"{ds.plan['game']} {ds.format} {ds.plan['board_type']} {ds.plan['layout']}"
            print(f"{name:34} {tool:20} {len(rows):6} rows equal, read in {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    args = sys.argv[1:]
    torch = args[0] == "--torch"
    main(args[torch], args[torch + 1 :], torch)
