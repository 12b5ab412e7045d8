"""Validates croissant.json of small datasets with mlcroissant, the reference implementation of
MLCommons Croissant, and compares the records it reads with the output of
`selfplay head --json`.

    python croissant.py EXPORT DIR...

EXPORT is the built export program. mlcroissant reads Parquet files only. For Arrow datasets the
script validates croissant.json and compares no records.
"""

import json
import logging
import subprocess
import sys
from pathlib import Path

import mlcroissant

import jsonrows

# mlcroissant warns about the missing licence, and about split names, which it reads twice.
logging.disable(logging.WARNING)


def check(export, folder):
    """Checks one dataset and returns what was compared, as text."""
    described = mlcroissant.Dataset(jsonld=f"{folder}/croissant.json")
    problems = described.metadata.issues.errors
    assert not problems, problems
    for file in described.metadata.distribution:
        if isinstance(file, mlcroissant.FileObject):
            size = (folder / file.content_url).stat().st_size
            assert file.content_size == f"{size} B", file
    plan = json.loads((folder / "plan.json").read_text())["plan"]
    if plan["format"] != "parquet":
        return f"croissant.json is valid, {plan['format']} files not compared"
    head = subprocess.run([export, "head", "--json", "--rows", "100000", str(folder)], check=True, capture_output=True, text=True)
    want = {(row["game"], row["ply"]): row for row in map(jsonrows.row_of, head.stdout.splitlines())}
    rows = 0
    for split in described.records("splits"):
        for record in described.records("positions", filters={"positions/split": split["splits/name"]}):
            got = {name.removeprefix("positions/"): value for name, value in record.items()}
            assert got.pop("split").decode() == split["splits/name"], record
            row = want[got["game"], got["ply"]]
            for name, value in got.items():
                if isinstance(value, bytes):  # packed board: little-endian numbers
                    size = len(value) // len(row[name])
                    value = [int.from_bytes(value[i : i + size], "little") for i in range(0, len(value), size)]
                assert value == row[name], f"game {row['game']} ply {row['ply']}: {name} is {value}, want {row[name]}"
            rows += 1
    assert rows == len(want), f"{rows} rows, want {len(want)}"
    games = {record["games/game"] for record in described.records("games")}
    assert games >= {game for game, _ in want}
    return f"{rows} rows of {len(games)} games are equal"


if __name__ == "__main__":
    for folder in map(Path, sys.argv[2:]):
        print(f"{folder.name:34} croissant            {check(sys.argv[1], folder)}", flush=True)
