"""Reads datasets from `selfplay serve` as trainers and analysts do, and compares with the files on the disk.

Usage: serve.py EXPORT DATASET...
"""

import hashlib
import json
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet as pq
import selfplay
from fsspec.implementations.http import HTTPFileSystem


class DuckHTTP(HTTPFileSystem):
    """DuckDB asks for the time of a file. Its own extension for HTTP needs no such class."""

    def modified(self, path):
        return datetime.fromtimestamp(0, timezone.utc)


def local(folder, split):
    """Returns the rows of a split from the disk."""
    plan = json.loads((folder / "plan.json").read_text())["plan"]
    files = sorted((folder / "positions").glob(f"{split}-*"))
    if plan["format"] == "parquet":
        return pa.concat_tables(pq.read_table(f, partitioning=None) for f in files)
    return pa.concat_tables(pa.ipc.open_file(f).read_all() for f in files)


def stream(url, **params):
    with pa.ipc.open_stream(urlopen(f"{url}stream?{urlencode(params)}")) as reader:
        return reader.read_all()


def values(table, names=None):
    """Returns the rows of a table without the details of its schema, sorted."""
    rows = zip(*(table[n].to_pylist() for n in names or table.column_names))
    return sorted(map(repr, rows))


def check_stream(url, folder):
    for split in ("train", "validation"):
        want = local(folder, split)
        got = stream(url, dataset=folder.name, split=split)
        assert got.column_names == want.column_names, (got.schema, want.schema)
        assert all(got[n].to_pylist() == want[n].to_pylist() for n in want.column_names), (folder, split)
        names = ["game", "ply", "board"]
        batches = selfplay.stream(urlopen(f"{url}stream?{urlencode(dict(dataset=folder.name, split=split))}"))
        assert np.array_equal(np.concatenate([b["ply"] for b in batches]), want["ply"].to_numpy()), (folder, split)
        shares = [stream(url, dataset=folder.name, split=split, columns=",".join(names), shuffle=1000, seed=1, rank=r, world=2) for r in range(2)]
        assert values(pa.concat_tables(shares)) == values(want, names), (folder, split)


def check_files(url, folder):
    answer = json.load(urlopen(f"{url}api/datasets/{folder.name}/files?table=positions&split=train"))
    files = [url.rstrip("/") + f["url"] for f in answer["files"]]
    for f, entry in zip(files, answer["files"]):
        r = urlopen(Request(f, method="HEAD"))
        assert r.headers["ETag"] == f'"{entry["sha256"]}"', r.headers
        assert hashlib.sha256(urlopen(f).read()).hexdigest() == entry["sha256"], f
    if not files[0].endswith(".parquet"):
        return
    want = local(folder, "train")
    rows, total = want.num_rows, sum(want["outcome"].to_pylist())
    frame = polars.scan_parquet(files).select(n=polars.len(), total=polars.col("outcome").cast(polars.Int64).sum()).collect()
    assert frame.row(0) == (rows, total), frame
    handler = pyarrow.fs.PyFileSystem(pyarrow.fs.FSSpecHandler(HTTPFileSystem()))
    table = pyarrow.dataset.dataset(files, format="parquet", filesystem=handler).to_table(columns=["outcome"])
    assert (table.num_rows, sum(table["outcome"].to_pylist())) == (rows, total), table
    assert sum(len(pandas.read_parquet(f, columns=["game"])) for f in files) == rows
    duck = duckdb.connect()
    duck.register_filesystem(DuckHTTP())
    got = duck.sql(f"SELECT count(*), sum(outcome) FROM read_parquet({files!r})").fetchall()[0]
    assert got == (rows, total), got


def check_downloads(url, folder):
    """Compares the files of games with the list of games and with the rows on the disk."""
    games = f"{url}api/datasets/{folder.name}/games"
    listed = json.load(urlopen(games + "?limit=200&sort=-plies"))["games"]
    table = pq.read_table(pa.BufferReader(urlopen(games + "/download?format=parquet&sort=-plies").read()))
    assert list(zip(*(table[n].to_pylist() for n in ("game", "plies", "reason", "drop")))) == [(g["game"], g["plies"], g["reason"], g["drop"]) for g in listed]
    frame = pandas.read_csv(games + "/download?sort=-plies", dtype=str, keep_default_na=False)
    assert frame.values.tolist() == table.to_pandas().astype(str).values.tolist(), frame
    lines = urlopen(games + "/download?format=moves").read().splitlines()
    assert [len(json.loads(line)["moves"]) for line in lines] == [g["plies"] for g in sorted(listed, key=lambda g: g["game"])]
    number = listed[0]["game"]
    rows = pq.read_table(pa.BufferReader(urlopen(f"{games}/{number}/download?format=parquet").read()))
    stored = [row for split in ("train", "validation") for row in local(folder, split).select(["game", "ply", "action", "outcome"]).to_pylist() if row["game"] == number]
    assert rows.select(["game", "ply", "action", "outcome"]).to_pylist() == stored, folder


def main(export, *folders):
    folders = [Path(f) for f in folders]
    command = [export, "serve", "--quiet", "--listen", "127.0.0.1:0", "--cache", folders[0].parent / "serve-cache", *folders]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = server.stdout.readline().strip()
        names = {d["name"] for d in json.load(urlopen(url + "api/datasets"))["datasets"]}
        assert names == {f.name for f in folders}, names
        for folder in folders:
            check_stream(url, folder)
            check_files(url, folder)
            check_downloads(url, folder)
    finally:
        server.terminate()
        assert server.wait(10) == 0
    print(f"serve: {len(folders)} datasets over HTTP as on the disk")


if __name__ == "__main__":
    main(*sys.argv[1:])
