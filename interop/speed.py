"""Measures how fast each tool makes one NumPy array [rows, 138] of the boards of a dataset,
and prints a Markdown table: thousand rows a second of CPU time, of all threads and
processes together, the median of three.

    python speed.py SELFPLAY EXPORT FOLDER [GAMES]

SELFPLAY and EXPORT are the built programs. The datasets are made in FOLDER, unless they are
there: CoTuLenh in both formats and board types, 1,000 games if not told otherwise.
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
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def measure(tool, export, folder):
    """Prints what one tool takes. It has a process of its own, so that no other tool's
    threads and memory are in its way."""
    import datasets
    import numpy

    import boards

    cache = Path(datasets.config.HF_DATASETS_CACHE)
    assert str(cache).startswith(os.environ["SPEED_CACHE"]), cache
    datasets.disable_progress_bars()
    split = boards.open_split(folder, "train", export)
    read = (boards.TOOLS | boards.TORCH)[tool]
    if tool in boards.TORCH:
        import training  # which takes longer than reading does
    rates = []
    for _ in range(3):
        shutil.rmtree(cache, ignore_errors=True)
        began, used = time.perf_counter(), cpu_seconds()
        got = read(split)
        took, used = time.perf_counter() - began, cpu_seconds() - used
        assert got.dtype == numpy.uint16 and got.shape[1:] == (138,), (got.dtype, got.shape)
        rates.append((len(got) / used, len(got) / took, len(got)))
    print(json.dumps([statistics.median(column) for column in zip(*rates)]))


def main(selfplay, export, folder, games="1000"):
    import boards

    print("| tool | " + " | ".join(f"{format}, {kind}" for format, kind in VARIANTS) + " |")
    print("|---" * (len(VARIANTS) + 1) + "|")
    for format, kind in VARIANTS:
        subprocess.run([selfplay, "run", "--quiet", "--game", "cotulenh", "--games", games, "--shard-games", "250",
                        "--format", format, "--board-type", kind, "--out", f"{folder}/{format}-{kind}"],
                       check=True, stdout=subprocess.DEVNULL)
    for tool in boards.TOOLS | boards.TORCH:
        cells = []
        for format, kind in VARIANTS:
            with tempfile.TemporaryDirectory() as cache:
                env = os.environ | {"HF_HOME": cache, "SPEED_CACHE": cache, "HF_HUB_OFFLINE": "1"}
                out = subprocess.run([sys.executable, __file__, "--one", tool, export, f"{folder}/{format}-{kind}"],
                                     check=True, env=env, capture_output=True, text=True).stdout
            rate, clock, rows = json.loads(out)
            print(f"{tool} {format} {kind}: {rows} rows, {rate:.0f} a second of CPU time, {clock:.0f} by the clock", file=sys.stderr, flush=True)
            cells.append(f"{rate / 1000:,.0f}")
        print(f"| {tool} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--one":
        measure(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
