"""Measures how fast the Python package makes batches from each form of a dataset, and prints a Markdown table.

    python feed.py SELFPLAY EXPORT FOLDER [GAMES]

SELFPLAY and EXPORT are the built programs. The forms are made in FOLDER, or reused if they exist: GAMES games of
CoTuLenh (default: 1100, some 550,000 rows). A batch is 8,192 rows of board (int16), score and outcome in arrays with
memory of their own. A cell is million rows per second of CPU time of one process with one thread: the best and the
median of seven epochs, after the epoch that opens the files, and that first one. Forms of other codecs and row groups
are rewritten by pyarrow.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

COLUMNS = ["board", "score", "outcome"]
EPOCHS = 7

# Forms by name: the command of export with its flags.
FORMS = {
    "Parquet, list": ["shuffle"],
    "Parquet, packed": ["shuffle", "--board-type", "packed"],
    "Arrow, list": ["shuffle", "--format", "arrow"],
    "Arrow, packed": ["shuffle", "--format", "arrow", "--board-type", "packed"],
    "arrow-stream, list": ["shuffle", "--format", "arrow-stream"],
    "arrow-stream, packed": ["shuffle", "--format", "arrow-stream", "--board-type", "packed"],
    "records": ["shuffle", "--format", "records"],
}

# Forms that pyarrow rewrites from packed Parquet: the form, its codec and the rows of a group.
REWRITTEN = {
    "Parquet, packed, lz4": ("parquet", "lz4", 65_536),
    "Parquet, packed, not compressed": ("parquet", "none", 65_536),
    "Parquet, packed, groups of 8,192": ("parquet", "zstd", 8_192),
    "Parquet, packed, groups of 524,288": ("parquet", "zstd", 524_288),
    "Arrow, packed, lz4": ("arrow", "lz4", 8_192),
}


def rewrite(source, folder, form, codec, group):
    """Writes the files of a folder again."""
    import pyarrow
    import pyarrow.parquet

    folder.mkdir()
    for file in sorted(source.glob("*.parquet")):
        table = pyarrow.parquet.read_table(file)
        out = folder / f"{file.stem}.{form}"
        if form == "parquet":
            pyarrow.parquet.write_table(table, out, row_group_size=group, compression=codec, use_dictionary=False)
            continue
        options = pyarrow.ipc.IpcWriteOptions(compression=codec)
        with pyarrow.ipc.new_file(str(out), table.schema, options=options) as writer:
            writer.write_table(table.combine_chunks(), max_chunksize=group)


def measure(folder):
    """Prints the figures of one form as JSON: bytes per row, then best, median and first of both orders."""
    import selfplay

    ds = selfplay.open(folder)
    size = sum(file.stat().st_size for file in ds.files("train"))
    figures = []
    for shuffle in (False, True):
        batches = ds.batches("train", 8192, COLUMNS, shuffle=shuffle, seed=1)
        rates = []
        for _ in range(1 + EPOCHS):
            cpu, rows = time.process_time(), 0
            for batch in batches:
                rows += len(batch["score"])
            rates.append(rows / (time.process_time() - cpu) / 1e6)
        figures += [max(rates[1:]), statistics.median(rates[1:]), rates[0]]
    print(json.dumps([size / batches.rows, *figures]))


def make(selfplay, export, folder, games):
    """Yields the name and the folder of every form."""
    folder.mkdir(exist_ok=True)
    source = folder / "source"
    subprocess.run([selfplay, "run", "--quiet", "--game", "cotulenh", "--player", "random", "--games", games, "--shard-games", "1000",
                    "--validation", "0", "--out", source], check=True, stdout=subprocess.DEVNULL)
    known = subprocess.run([export, "shuffle", "--help"], check=True, capture_output=True, text=True).stdout
    for name, (command, *flags) in FORMS.items():
        out = folder / name.replace(", ", "-")
        if name == "records" and "records" not in known:
            continue
        if not out.exists():
            subprocess.run([export, command, "--quiet", *flags, "--out", out, source], check=True, stdout=subprocess.DEVNULL)
        yield name, out
    for name, variant in REWRITTEN.items():
        out = folder / name.replace(", ", "-").replace(" ", "-")
        if not out.exists():
            rewrite(folder / "Parquet-packed", out, *variant)
        yield name, out


def main(selfplay, export, folder, games="1100"):
    print("| form | bytes a row | in order: best | median | first | shuffled: best | median | first |")
    print("|---|" + "---|" * 7)
    for name, path in make(selfplay, export, Path(folder), games):
        out = subprocess.run([sys.executable, __file__, "--one", path], check=True, capture_output=True, text=True, env=os.environ).stdout
        size, *figures = json.loads(out)
        print(f"| {name} | {size:.0f} | " + " | ".join(f"{f:.1f}" for f in figures) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        measure(sys.argv[2])
    else:
        main(*sys.argv[1:])
