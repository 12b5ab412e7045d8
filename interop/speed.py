"""Measures how fast each tool reads the boards of a dataset into one NumPy array of shape
[rows, 138], and prints a Markdown table. A cell is thousands of rows per second of CPU time,
summed over all threads and processes: the median of three runs.

    python speed.py SELFPLAY EXPORT FOLDER [GAMES]

SELFPLAY and EXPORT are the built programs. The datasets are made in FOLDER, or reused if they
exist: GAMES games of CoTuLenh (default: 1000) in both formats and both board types.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VARIANTS = [(format, kind) for format in ("parquet", "arrow") for kind in ("list", "packed")]


def cpu_seconds():
    """Returns the CPU time of this process and its finished children."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(tool, export, folder):
    """Prints the medians of one tool as JSON: rows per second of CPU time, rows per second of
    wall time, rows. It runs in a process of its own, apart from the threads and the memory of
    other tools."""
    import datasets
    import numpy

    import boards

    cache = Path(datasets.config.HF_DATASETS_CACHE)
    assert str(cache).startswith(os.environ["SPEED_CACHE"]), cache
    datasets.disable_progress_bars()
    split = boards.open_split(folder, "train", export)
    read = (boards.TOOLS | boards.TORCH)[tool]
    if tool in boards.TORCH:
        import torch  # before the clock starts: the import takes longer than reading
    rates = []
    for _ in range(3):
        shutil.rmtree(cache, ignore_errors=True)
        wall, cpu = time.perf_counter(), cpu_seconds()
        got = read(split)
        wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
        assert got.dtype == numpy.uint16 and got.shape[1:] == (138,), (got.dtype, got.shape)
        rates.append((len(got) / cpu, len(got) / wall, len(got)))
    print(json.dumps([statistics.median(column) for column in zip(*rates)]))


def main(selfplay, export, folder, games="1000"):
    import boards

    print("| tool | " + " | ".join(f"{format}, {kind}" for format, kind in VARIANTS) + " |")
    print("|---" * (len(VARIANTS) + 1) + "|")
    for format, kind in VARIANTS:
        subprocess.run([selfplay, "run", "--quiet", "--game", "cotulenh", "--player", "random", "--games", games, "--shard-games", "250",
                        "--format", format, "--board-type", kind, "--out", f"{folder}/{format}-{kind}"],
                       check=True, stdout=subprocess.DEVNULL)
    for tool in boards.TOOLS | boards.TORCH:
        cells = []
        for format, kind in VARIANTS:
            with tempfile.TemporaryDirectory() as cache:
                env = os.environ | {"HF_HOME": cache, "SPEED_CACHE": cache, "HF_HUB_OFFLINE": "1"}
                out = subprocess.run([sys.executable, __file__, "--one", tool, export, f"{folder}/{format}-{kind}"],
                                     check=True, env=env, capture_output=True, text=True).stdout
            per_cpu, per_wall, rows = json.loads(out)
            print(f"{tool} {format} {kind}: {rows} rows, {per_cpu:.0f} per second of CPU time, {per_wall:.0f} per second of wall time",
                  file=sys.stderr, flush=True)
            cells.append(f"{per_cpu / 1000:,.0f}")
        print(f"| {tool} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        measure(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
