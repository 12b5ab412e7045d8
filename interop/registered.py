"""Compares games that the Python package learns from tables with the program that plays them.

    python registered.py PROGRAM GAME DIR

PROGRAM prints the table of GAME and has the commands of export. DIR is a folder for datasets.
"""

import csv
import subprocess
import sys
from pathlib import Path

import numpy

import selfplay


def run(*args, text=""):
    """Runs a command and returns its standard output."""
    return subprocess.run(args, input=text, check=True, capture_output=True, text=True).stdout


def rows_of(folder):
    """Returns the rows of all splits of a dataset in order."""
    ds = selfplay.open(folder)
    parts = [ds.to_numpy(split, ["game", "ply", "side", "board", "action"]) for split in ds.splits]
    rows = {name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = numpy.lexsort([rows["ply"], rows["game"]])
    return ds, {name: column[order] for name, column in rows.items()}


def main(program, name, folder):
    table = Path(folder) / f"{name}.json"
    table.write_text(run(program, "games", "--table", name), encoding="utf-8")
    game = selfplay.register(table)
    assert selfplay.game(name) is game and name in selfplay.games()

    numbers = range(game.actions)
    described = csv.DictReader(run(program, "actions", "--game", name).splitlines())
    assert [(d["from"], d["to"], d["kind"]) for d in described] == [game.describe(n) for n in numbers]
    assert (game.flip_actions(game.flip_actions(numbers)) == numbers).all()

    make = [program, "run", "--quiet", "--game", name, "--player", "random", "--games", "40", "--shard-games", "10", "--validation", "0.25"]
    run(*make, "--out", f"{folder}/board")
    run(*make, "--perspective", "mover", "--out", f"{folder}/mover")
    run(*make, "--layout", "planes", "--out", f"{folder}/planes")
    ds, board = rows_of(f"{folder}/board")
    _, mover = rows_of(f"{folder}/mover")
    _, planes = rows_of(f"{folder}/planes")
    assert ds.game is game and len(board["action"]) > 500
    second = board["side"] == 1
    flipped = numpy.where(second, game.flip_actions(board["action"]), board["action"])
    assert (game.turn_boards(board["board"], board["side"]) == mover["board"]).all() and (flipped == mover["action"]).all()
    drawn = game.unpack_planes(planes["board"])
    assert (drawn[:, game.plane_names.index("first")].all(axis=(1, 2)) == ~second).all()
    if "codes" in game.table["planes"]:
        assert (ds.planes(board) == drawn).all()
    print(f"{name}: {len(second)} rows agree")


if __name__ == "__main__":
    main(*sys.argv[1:])
