"""Flips single bits of the Parquet files of datasets and reads them in other tools. Checks that every page is a frame of zstd
with a checksum, and that no tool reads other values where a bit of a frame is flipped. Prints what remains: bits of page
headers and of the footer, which have no checksum.

    python flips.py FLIPS DIR...

FLIPS is the number of bits for each tool. Each DIR is a dataset; those of Arrow files are left out.
"""

import os
import random
import struct
import sys
import tempfile
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.parquet

TOOLS = {
    "pyarrow": lambda path: pyarrow.parquet.read_table(path),
    "DuckDB": lambda path: duckdb.read_parquet(str(path)).to_arrow_table(),
    "Polars": lambda path: polars.read_parquet(path).to_arrow(),
}
CHECKSUM = 4  # a bit of the descriptor of a frame


def varint(data, at):
    """Returns the zigzag number at a place of a page header, and the place behind it."""
    value = shift = 0
    while True:
        byte, at = data[at], at + 1
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value >> 1, at


def frames(data, chunk):
    """Returns start and end of the pages of a column chunk. Headers begin with type, size and compressed size."""
    at = chunk.dictionary_page_offset if chunk.has_dictionary_page else chunk.data_page_offset
    end, found = at + chunk.total_compressed_size, []
    while at < end:
        header = at
        for _ in range(3):
            assert data[header] == 0x15, f"page header at {at}"  # the next field, a number
            size, header = varint(data, header + 1)
        start = data.index(b"\x28\xb5\x2f\xfd", header)
        assert start - at < 64 and data[start + 4] & CHECKSUM, f"page at {at}: no frame of zstd with a checksum"
        at = start + size
        found.append((start, at))
    assert at == end, f"the last page ends at {at}, its chunk at {end}"
    return found


def outcome(read, good, bad):
    """Reads a damaged file in a process of its own: refused, equal, or other values. A crash is a refusal."""
    process = os.fork()
    if process == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os._exit(10 if read(bad).equals(read(good)) else 11)
        except BaseException:
            os._exit(12)
    return {10: "equal", 11: "other values"}.get(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), "refused")


def check(folder, flips, out):
    path = min(folder.glob("positions/train-*.parquet"))
    data = path.read_bytes()
    groups = pyarrow.parquet.ParquetFile(path).metadata
    pages = [page for g in range(groups.num_row_groups) for c in range(groups.num_columns) for page in frames(data, groups.row_group(g).column(c))]
    footer = len(data) - 8 - struct.unpack("<I", data[-8:-4])[0]
    places = {"frames": sum(end - start for start, end in pages), "footer": len(data) - footer}
    places["page headers"] = len(data) - sum(places.values())
    print(f"{folder.name}: {len(data)} bytes, {len(pages)} pages; " + ", ".join(f"{n} {place}" for place, n in places.items()))
    bad = Path(out) / "bad.parquet"
    for tool, read in TOOLS.items():
        assert outcome(read, path, path) == "equal", tool
        draw, counts = random.Random(1), {}
        for _ in range(flips):
            at, flipped = draw.randrange(len(data)), bytearray(data)
            flipped[at] ^= 1 << draw.randrange(8)
            bad.write_bytes(flipped)
            place = "footer" if at >= footer else "frames" if any(start <= at < end for start, end in pages) else "page headers"
            key = outcome(read, path, bad), place
            counts[key] = counts.get(key, 0) + 1
        print(f"    {tool:8} " + ", ".join(f"{n} {what} ({place})" for (what, place), n in sorted(counts.items())), flush=True)
        assert ("other values", "frames") not in counts, f"{tool} read other values from a frame with a flipped bit"


def main(flips, *folders):
    with tempfile.TemporaryDirectory() as out:
        for folder in map(Path, folders):
            if list(folder.glob("positions/*.parquet")):
                check(folder, int(flips), out)


if __name__ == "__main__":
    main(*sys.argv[1:])
