"""Compares the Python package in ../python with the programs: every function, on small datasets.

    python package.py [--torch] SELFPLAY EXPORT DIR...

SELFPLAY and EXPORT are the built programs. Each DIR is a dataset of the layout compact with absolute boards and the
columns legal, legal_actions and move. With --torch the batches are also read as tensors.
"""

import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

import jsonrows
import selfplay
from selfplay import contrast

TESTDATA = Path(__file__).parent.parent / "encode" / "testdata"
MARKS = str.maketrans("", "", "x_@")  # of captures: an action number does not have them all


def run(*args, text=""):
    """Runs a command and returns the lines of its standard output."""
    return subprocess.run(args, input=text, check=True, capture_output=True, text=True).stdout.splitlines()


class Check:
    """One dataset, its rows according to the export program, and other forms of it."""

    def __init__(self, selfplay_program, export, folder, out):
        self.selfplay, self.export, self.folder, self.out = selfplay_program, export, folder, Path(out)
        self.ds = selfplay.open(folder)
        self.game = self.ds.game
        rows = [jsonrows.row_of(line) for line in run(export, "head", "--json", "--rows", "100000", folder)]
        self.want = sorted(rows, key=lambda row: (row["game"], row["ply"]))
        self.rows = concatenated([self.ds.to_numpy(split) for split in self.ds.splits])
        order = numpy.lexsort([self.rows["ply"], self.rows["game"]])
        self.rows = {name: take(column, order) for name, column in self.rows.items()}

    def rows_of(self, *flags):
        """Makes other rows of the same games and returns the dataset and its rows in order."""
        folder = self.out / "-".join(flags).strip("-")
        run(self.export, "rows", "--quiet", *flags, "--out", str(folder), self.folder)
        ds = selfplay.open(folder)
        rows = concatenated([ds.to_numpy(split) for split in ds.splits])
        order = numpy.lexsort([rows["ply"], rows["game"]])
        return ds, {name: take(column, order) for name, column in rows.items()}


def take(column, index):
    return [column[i] for i in index] if isinstance(column, list) else column.take(index) if hasattr(column, "offsets") else column[index]


def concatenated(parts):
    """Returns the rows of several splits as one."""
    result = {}
    for name, first in parts[0].items():
        columns = [part[name] for part in parts]
        if isinstance(first, list):
            result[name] = sum(columns, [])
        else:
            result[name] = (selfplay.Ragged.concatenate if isinstance(first, selfplay.Ragged) else numpy.concatenate)(columns)
    return result


def check_columns(c):
    for name in c.ds.columns:
        got = c.rows[name] if isinstance(c.rows[name], list) else c.rows[name].tolist()
        want = [row[name] for row in c.want]
        if name == "hash":  # handed out as int64
            got = [v % 2**64 for v in got]
        assert got == want, f"column {name} differs"


def check_actions(c):
    """Every action number, its meaning and its flip."""
    lines = list(csv.reader(io.StringIO("\n".join(run(c.export, "actions", "--game", c.game.name)))))[1:]
    assert len(lines) == c.game.actions
    for number, *meaning in lines:
        assert tuple(meaning) == c.game.describe(int(number)), (number, meaning)
    origin, target, kind = c.game.parts(numpy.arange(c.game.actions))
    for (number, start, to, _), o, t in zip(lines, origin, target):
        assert (start or None) == (c.game.cell_name(o) if o >= 0 else None), number
        assert (to or None) == (c.game.cell_name(t) if t >= 0 else None), number
    flipped = c.game.flip_actions(numpy.arange(c.game.actions))
    text = "".join(f"{n},{f}\n" for n, f in enumerate(flipped))
    frozen = (TESTDATA / c.game.name / "flipped_actions.txt").read_text()
    assert frozen == f"sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


def check_texts(c):
    """Positions as text and back, and all legal moves as action numbers and back."""
    lines = "".join(json.dumps({"board_array": r["board"], "side": c.ds.sides[r["side"]]}) + "\n" for r in c.want)
    answers = [json.loads(line) for line in run(c.selfplay, "moves", "--game", c.game.name, "--batch", text=lines)]
    texts = c.ds.texts({k: v for k, v in c.rows.items() if k != "ply"})
    moves = c.ds.moves(c.rows)
    for i, (row, answer) in enumerate(zip(c.want, answers)):
        where = f"game {row['game']} ply {row['ply']}"
        assert texts[i] == answer["position"], f"{where}: {texts[i]}, want {answer['position']}"
        board, side = c.game.board(answer["position"])
        if c.game.name == "chess":
            board[c.game.elements["repetitions"]] = row["board"][c.game.elements["repetitions"].start]
        assert board.tolist() == row["board"] and side == row["side"], where
        numbers = [c.game.action(text, board) for text in answer["moves"]]
        assert sorted(numbers) == row["legal_actions"], where
        for number, text in zip(numbers, answer["moves"]):
            got = c.game.move_text(number, board)
            assert got == text or c.game.name == "cotulenh" and got.translate(MARKS) == text.translate(MARKS), (got, text)
        assert moves[i].translate(MARKS) == row["move"].translate(MARKS), where
    stream = run(c.export, "convert", "--quiet", "--format", "jsonl", "--boards", "text", "--out", "-", c.folder)
    want = {(r["game"], r["ply"]): r["position"] for r in map(json.loads, stream)}
    assert c.ds.texts(c.rows) == [want[row["game"], row["ply"]] for row in c.want]


def check_stacks(c):
    if "stacks" in c.ds.metadata.raw:
        assert c.game.codes == json.loads(c.ds.metadata.raw["stacks"])
    codes = {code for row in c.want for code in row["board"][: c.game.cells]}
    assert all(len(c.game.pieces[code]) > 0 for code in codes if code)


def check_flips(c):
    mover, rows = c.rows_of("--perspective", "mover")
    assert mover.mover and not c.ds.mover
    assert (c.game.turn_boards(c.rows["board"], c.rows["side"]) == rows["board"]).all()
    assert (mover.boards(rows) == c.rows["board"]).all()
    for column in ("action", "best_action"):
        assert (mover.actions(rows, column) == c.rows[column]).all(), column
    assert mover.texts(rows) == c.ds.texts(c.rows) and mover.moves(rows) == c.ds.moves(c.rows)
    assert (mover.planes(rows) == c.ds.planes(c.rows)).all()


def check_planes(c):
    planes, rows = c.rows_of("--layout", "planes")
    assert (planes.planes(rows) == c.ds.planes(c.rows)).all()
    names = [e.name for e in planes.elements]
    assert names == c.game.plane_names and planes.planes(rows).shape[1:] == (len(names), c.game.ranks, c.game.files)


def check_lists(c):
    """Masks of legal actions, and padded policies."""
    mask = c.ds.legal_mask(c.rows)
    assert [numpy.flatnonzero(row).tolist() for row in mask] == [row["legal_actions"] for row in c.want]
    numbers, shares = selfplay.policy(c.rows["policy_action"], c.rows["policy_weight"], 4)
    for row, n, share in zip(c.want, numbers, shares):
        best, weights = row["policy_action"][:4], row["policy_weight"][:4]
        assert n.tolist() == best + [-1] * (4 - len(best))
        assert numpy.allclose(share[: len(best)] * sum(weights), weights, rtol=1e-5) and not share[len(best) :].any()


def check_forms(c):
    """The same rows from every form that the package reads, in order and shuffled."""
    forms = {"parquet": "shuffle", "arrow": "shuffle", "arrow-stream": "convert", "records": "convert"}
    known = " ".join(run(c.export, "convert", "--help"))
    want = keys(c.ds.to_numpy())
    for form, command in forms.items():
        if not re.search(rf"\b{form}\b", known):
            continue
        for flags in (["--board-type", "packed"], ["--board-type", "list"]) if form != "records" else ([],):
            out = c.out / "-".join([form, *flags])
            run(c.export, command, "--quiet", "--format", form, *flags, "--out", str(out), c.folder)
            ds = selfplay.open(out)
            assert keys(ds.to_numpy()) == want, out
            check_batches(ds, want)
    pipe = subprocess.Popen([c.export, "convert", "--quiet", "--format", "arrow-stream", "--out", "-", c.folder], stdout=subprocess.PIPE)
    assert keys(concatenated(list(selfplay.stream(pipe.stdout)))) == keys(c.rows)
    assert pipe.wait() == 0


def check_batches(ds, want):
    batches = ds.batches("train", 64, shuffle=True, seed=1, window=200)
    first, second = list(batches), list(batches)
    assert keys(concatenated(first)) == want == keys(concatenated(second))
    assert not (first[0]["board"][:50] == second[0]["board"][:50]).all()
    assert all(column.base is None for column in first[0].values() if isinstance(column, numpy.ndarray))


def keys(rows):
    """Returns the rows as a sorted list, to compare sets."""
    return sorted(zip(rows["game"].tolist(), rows["ply"].tolist(), rows["score"].tolist(), map(bytes, rows["board"])))


def check_contrast(c):
    """The functions of the public encoding."""
    for row in c.want:
        board, hands = contrast.array_to_board(row["board"])
        assert contrast.board_to_array(board, hands) == row["board"] == row["board_array"]
        inventory = row["tile_inventory"]
        assert hands["black"] == {f"{t}_tiles": n for t, n in inventory["black_player"].items()}
        assert hands["white"] == {f"{t}_tiles": n for t, n in inventory["white_player"].items()}
        assert all(contrast.encode_cell(*contrast.decode_cell(v)) == v for v in row["board"][:25])
    old = [json.dumps({"board_array": row["board"][:25], "side": "black"}) for row in c.want]
    for strict in (False, True):
        answers = run(c.selfplay, "moves", "--game", "contrast", "--batch", *["--strict"] * strict, text="\n".join(old) + "\n")
        for row, answer in zip(c.want, map(json.loads, answers)):
            try:
                assert contrast.migrate_v1_to_v2(row["board"][:25], strict) == answer.get("board_array")
            except ValueError:
                assert strict and answer["kind"] == "ARRAY_AMBIGUOUS", answer


def check_torch(c):
    import torch

    got = c.ds.to_torch("train", ["board", "score", "legal_actions"])
    want = c.ds.to_numpy("train", ["board", "score", "legal_actions"])
    assert (got["board"].numpy() == want["board"]).all() and got["score"].dtype == torch.int16
    assert (got["legal_actions"][0].numpy() == want["legal_actions"].values).all()
    batches = c.ds.torch_batches("train", 64, ["game", "ply", "score", "board"], shuffle=True, seed=1)
    for workers in (0, 2):
        loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
        parts = [{name: column.numpy() for name, column in batch.items()} for batch in loader]
        assert keys(concatenated(parts)) == keys(c.ds.to_numpy()), workers


def main(selfplay_program, export, folders, torch=False):
    for folder in folders:
        if selfplay.open(folder).name not in selfplay.games():
            print(f"{folder}: the package does not know this game")
            continue
        with tempfile.TemporaryDirectory() as out:
            c = Check(selfplay_program, export, folder, out)
            checks = [check_columns, check_actions, check_texts, check_stacks, check_flips, check_planes, check_lists, check_forms]
            for check in checks + [check_contrast] * (c.game.name == "contrast") + [check_torch] * torch:
                check(c)
            print(f"{c.game.name:10} Python package: {len(c.want)} rows, {c.game.actions} actions equal", flush=True)


if __name__ == "__main__":
    args = sys.argv[1:]
    torch = args[0] == "--torch"
    main(args[torch], args[torch + 1], args[torch + 2 :], torch)
