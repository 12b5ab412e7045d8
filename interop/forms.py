"""Converts small datasets to every form for other tools (`selfplay convert --format`), reads them
with these tools, and compares every value of every row with the output of
`selfplay head --json`.

    python forms.py EXPORT DIR...

EXPORT is the built export program. Each DIR is a dataset of up to 100,000 rows.
"""

import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import duckdb
import numpy
import pandas
import polars
import pyarrow

import jsonrows


def run(*args, **options):
    """Runs a command and returns its standard output."""
    return subprocess.run(args, check=True, stdout=subprocess.PIPE, **options).stdout


class Dataset:
    """A dataset, its rows according to the export program, and a folder for conversions."""

    def __init__(self, export, folder, out):
        self.export, self.folder, self.out = export, folder, Path(out)
        self.plan = json.loads((Path(folder) / "plan.json").read_text())["plan"]
        self.columns = self.plan["columns"]
        text = run(export, "head", "--json", "--rows", "100000", folder, text=True)
        self.rows = sorted(map(jsonrows.row_of, text.splitlines()), key=lambda row: (row["game"], row["ply"]))

    def convert(self, form, *flags):
        """Converts the dataset, checks SHA256SUMS and returns the shards' files in order."""
        out = self.out / "-".join((form, *flags))
        run(self.export, "convert", "--quiet", "--format", form, "--out", out, *flags, self.folder)
        for line in (out / "SHA256SUMS").read_text().splitlines():
            want, name = line.split("  ")
            assert hashlib.sha256((out / name).read_bytes()).hexdigest() == want, name
        return sorted(path for path in out.iterdir() if path.name.startswith(("train-0", "validation-0")))

    def stream(self, form, *flags):
        """Yields a pipe with the converted dataset, then checks the exit code."""
        command = [self.export, "convert", "--quiet", "--format", form, "--out", "-", *flags, self.folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            yield process.stdout
        assert process.returncode == 0, process.returncode


def compare(ds, form, rows):
    """Compares rows, each a dict, in any order, with those of the export program."""
    rows = sorted(rows, key=lambda row: (row["game"], row["ply"]))
    assert len(rows) == len(ds.rows), f"{form}: {len(rows)} rows, want {len(ds.rows)}"
    for want, got in zip(ds.rows, rows):
        for column in got.keys() & ds.columns if form in PARTIAL else ds.columns:
            assert got[column] == want[column], f"{form}: game {want['game']} ply {want['ply']}: {column} is {got[column]}, want {want[column]}"
    name = f"{ds.plan['game']} {ds.plan['format']} {ds.plan['board_type']} {ds.plan['layout']}"
    print(f"{name:34} {form:26} {len(rows):6} rows equal", flush=True)


# A reader converts the dataset and returns the rows.


def read_arrow_stream(ds, *flags):
    for pipe in ds.stream("arrow-stream", *flags):
        table = pyarrow.ipc.open_stream(pipe).read_all()
    board = table.schema.field("board").type
    if pyarrow.types.is_fixed_size_binary(board):
        rows, dtype = table.to_pylist(), f"<u{board.byte_width // len(ds.rows[0]['board'])}"
        for row in rows:
            row["board"] = numpy.frombuffer(row["board"], dtype).tolist()
        return rows
    assert pyarrow.types.is_integer(board.value_type), board
    return table.to_pylist()


def read_arrow_files(ds):
    files = ds.convert("arrow-stream", "--compress", "--board-type", "list")
    return [row for path in files for row in polars.read_ipc_stream(path).to_dicts()]


def numbers(text):
    """Returns the numbers of a list that CSV stores as text with blanks in between."""
    return [int(n) for n in str(text).split()] if isinstance(text, (str, int)) else []


def read_csv(ds):
    frame = pandas.concat(pandas.read_csv(path) for path in ds.convert("csv"))
    assert frame["searched"].dtype == bool and frame["score"].dtype.kind == "i", frame.dtypes
    return parse_lists(ds, frame.to_dict("records"))


def read_csv_stream(ds):
    for pipe in ds.stream("csv"):
        return parse_lists(ds, polars.read_csv(pipe.read(), infer_schema_length=None).to_dicts())


def parse_lists(ds, rows):
    """Replaces the text of list columns by lists. pandas reads a column of single numbers and
    empty lists as floats, with NaN for the empty ones."""
    lists = [c for c in ds.columns if isinstance(ds.rows[0][c], list)]
    for row in rows:
        row.update({c: numbers(int(row[c]) if isinstance(row[c], float) and row[c] == row[c] else row[c]) for c in lists})
    return rows


def read_jsonl(ds):
    files = [str(path) for path in ds.convert("jsonl")]
    relation = duckdb.sql(f"from read_json({files!r}, format = 'newline_delimited', sample_size = -1)")
    return [jsonrows.with_hash(dict(zip(relation.columns, row))) for row in relation.fetchall()]


def read_npz(ds, *flags):
    rows = []
    for path in ds.convert("npz", *flags):
        arrays = dict(numpy.load(path))
        metadata = json.loads(arrays["metadata"].tobytes())
        assert metadata["selfplay.game"] == ds.plan["game"] and "selfplay.reasons" in metadata
        board = arrays["board"]
        if ds.plan["layout"] == "planes":
            planes, ranks, files = arrays["plane_shape"]
            bits = numpy.unpackbits(board.reshape(len(board), planes, -1), axis=2, count=ranks * files, bitorder="little")
            assert bits.reshape(-1, planes, ranks, files).shape[0] == len(board)
        for i in range(len(board)):
            rows.append({c: cell(arrays, c, i) for c in ds.columns})
    return rows


def cell(arrays, column, row):
    """Returns a cell; lists and texts of a column c are cut by c_offsets."""
    if (offsets := arrays.get(f"{column}_offsets")) is not None:
        values = arrays[column][offsets[row] : offsets[row + 1]]
        return values.tobytes().decode() if column == "move" else values.tolist()
    return arrays[column][row].tolist()


def read_webdataset(ds):
    files = {path.name: path for path in ds.convert("webdataset")}
    for index in files[min(files)].parent.glob("*-index.json"):
        for shard in json.loads(index.read_text())["shardlist"]:
            data = files[shard["url"]].read_bytes()
            assert len(data) == shard["filesize"] and hashlib.md5(data).hexdigest() == shard["md5sum"], shard
    rows = {}
    for path in files.values():
        with tarfile.open(path) as archive:
            for member in archive:
                key, _, kind = member.name.partition(".")
                data = archive.extractfile(member).read()
                rows.setdefault(key, {}).update({"board": numpy.load(io.BytesIO(data)).tolist()} if kind == "board.npy" else jsonrows.row_of(data))
    return list(rows.values())


def read_records(ds):
    """Reads the columns of fixed length, and policies that are long enough for every row."""
    longest = max((len(row.get("policy_action", [])) for row in ds.rows), default=0)
    files = ds.convert("records", *(["--policy", str(longest)] if longest else []))
    described = json.loads((files[0].parent / "dtype.json").read_text())
    fields = described["fields"]
    dtype = numpy.dtype({
        "names": [f["name"] for f in fields],
        "formats": [(f["type"], tuple(f["shape"])) for f in fields],
        "offsets": [f["offset"] for f in fields],
        "itemsize": described["record_bytes"],
    })
    texts = {c for c in ds.columns if isinstance(ds.rows[0][c], str)}
    assert set(dtype.names) == set(ds.columns) - texts - {"legal_actions"} - ({"policy_action", "policy_weight"} if not longest else set()), dtype
    rows = []
    for path, file in zip(files, sorted(described["files"], key=lambda f: f["name"]), strict=True):
        records = numpy.memmap(path, dtype, "r")
        assert path.name == file["name"] and len(records) == file["records"], file
        for record in records:
            row = {name: record[name].tolist() for name in dtype.names}
            if longest:
                used = sum(weight > 0 for weight in row["policy_weight"])
                assert not any(row["policy_action"][used:] + row["policy_weight"][used:]), row
                row.update({c: row[c][:used] for c in ("policy_action", "policy_weight")})
            rows.append(row)
    return rows


# Forms that have some of the columns.
PARTIAL = {"records"}

READERS = {
    "arrow-stream, pipe": read_arrow_stream,
    "arrow-stream, packed pipe": lambda ds: read_arrow_stream(ds, "--board-type", "packed"),
    "arrow-stream, zstd files": read_arrow_files,
    "csv, files": read_csv,
    "csv, pipe": read_csv_stream,
    "jsonl, files": read_jsonl,
    "npz, stored": read_npz,
    "npz, deflated": lambda ds: read_npz(ds, "--compress"),
    "webdataset": read_webdataset,
    "records": read_records,
}


def main(export, folders):
    for folder in folders:
        for form, read in READERS.items():
            with tempfile.TemporaryDirectory() as out:
                ds = Dataset(export, folder, out)
                compare(ds, form, read(ds))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
