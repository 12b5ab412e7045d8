"""Small datasets, written by pyarrow with the metadata of the program; and the program itself."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
import pytest

# A shell starts what runs in its background with SIGINT ignored, and tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

COLUMNS = [
    {"name": "game", "kind": "uint64", "len": 0, "doc": ""},
    {"name": "ply", "kind": "uint16", "len": 0, "doc": ""},
    {"name": "side", "kind": "uint8", "len": 0, "doc": ""},
    {"name": "board", "kind": "uint16", "len": 138, "doc": ""},
    {"name": "action", "kind": "uint16", "len": 0, "doc": ""},
    {"name": "searched", "kind": "bool", "len": 0, "doc": ""},
    {"name": "score", "kind": "int16", "len": 0, "doc": ""},
    {"name": "policy_action", "kind": "uint16", "len": -1, "doc": ""},
    {"name": "policy_weight", "kind": "uint16", "len": -1, "doc": ""},
    {"name": "move", "kind": "string", "len": -1, "doc": ""},
]
ELEMENTS = [("cells", 132), ("half_move", 1), ("full_move", 1), ("origin", 1), ("rest", 1), ("landed", 2)]
METADATA = {
    "selfplay.game": "cotulenh",
    "selfplay.table": "positions",
    "selfplay.columns": json.dumps(COLUMNS),
    "selfplay.layout": "compact",
    "selfplay.layout_version": "1",
    "selfplay.actions_version": "1",
    "selfplay.layout_elements": json.dumps([{"name": n, "count": c, "doc": ""} for n, c in ELEMENTS]),
    "selfplay.perspective": "board",
    "selfplay.sides": '["red","blue"]',
}


def make_rows(rows: int, first: int = 0) -> dict:
    """Returns the columns of rows; game counts them, and the other columns follow from it."""
    rng = np.random.default_rng(first)
    board = rng.integers(0, 285, (rows, 138)).astype(np.uint16)
    board[:, 132:] = rng.integers(0, 8, (rows, 6))
    game = np.arange(first, first + rows, dtype=np.uint64)
    lists = [list(range(int(g) % 5)) for g in game]
    return {
        "game": game,
        "ply": (game % 50000).astype(np.uint16),
        "side": (game % 2).astype(np.uint8),
        "board": board,
        "action": (game * 7 % 55441).astype(np.uint16),
        "searched": game % 3 == 0,
        "score": (game % 1000).astype(np.int16) - 500,
        "policy_action": [[55440 - i for i in row] for row in lists],
        "policy_weight": lists,
        "move": [f"move {g}" for g in game],
    }


def table_of(rows: dict, packed: bool) -> pa.Table:
    board = rows["board"]
    if packed:
        boards = pa.FixedSizeBinaryArray.from_buffers(pa.binary(276), len(board), [None, pa.py_buffer(board.tobytes())])
    else:
        boards = pa.FixedSizeListArray.from_arrays(pa.array(board.ravel()), 138)
    arrays = {name: pa.array(column) for name, column in rows.items() if name != "board"}
    arrays["policy_action"] = pa.array(rows["policy_action"], pa.list_(pa.uint16()))
    arrays["policy_weight"] = pa.array(rows["policy_weight"], pa.list_(pa.uint16()))
    table = pa.table({c["name"]: boards if c["name"] == "board" else arrays[c["name"]] for c in COLUMNS})
    return table.replace_schema_metadata(METADATA)


def write(path: Path, table: pa.Table, group: int, compression: str | None = None) -> None:
    """Writes a file in the form that its extension names, with groups of so many rows."""
    if path.suffix == ".parquet":
        pa.parquet.write_table(table, path, row_group_size=group)
        return
    new = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
    with new(str(path), table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as writer:
        writer.write_table(table, max_chunksize=group)


@pytest.fixture(params=["parquet", "arrow", "arrows", "arrow-zstd", "arrow-packed", "parquet-packed"])
def folder(request, tmp_path):
    """A folder of 1,000 training rows in two files, in groups of 64, and 100 rows for validation."""
    form, _, kind = request.param.partition("-")
    for name, first, rows in (("train-00000", 0, 600), ("train-00001", 600, 400), ("validation-00000", 1000, 100)):
        table = table_of(make_rows(rows, first), kind == "packed")
        write(tmp_path / f"{name}.{form}", table, 64, "zstd" if kind == "zstd" else None)
    return tmp_path


ROOT = Path(__file__).parents[2]


@pytest.fixture
def started(monkeypatch):
    """The processes that the package starts. At the end none of them runs, or is a zombie."""
    made, popen = [], subprocess.Popen

    class Popen(popen):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            made.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    yield made
    assert made and all(process.returncode is not None for process in made)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """The program: RULES_PROGRAM names it, or go builds it."""
    if path := os.environ.get("RULES_PROGRAM"):
        return path
    if not shutil.which("go") or not (ROOT / "go.mod").exists():
        pytest.skip("no program: set RULES_PROGRAM")
    path = tmp_path_factory.mktemp("program") / "selfplay"
    subprocess.run(["go", "build", "-pgo=off", "-o", path, "./cmd/selfplay"], cwd=ROOT, check=True)
    return str(path)
