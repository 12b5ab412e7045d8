"""Converts chess datasets to the formats of trainers (`selfplay convert --format`), reads them with
small readers of its own, with python-chess, and on request with the readers of the trainers' own
crates, and compares every position with the rows of `selfplay convert --format jsonl`. Imports
positions as games again, those that a crate has written too, and compares their rows.

    python trainers.py [--formats PROGRAM] EXPORT DIR...

EXPORT is the built export program. PROGRAM is the built program of interop/formats. Each DIR is a
dataset of chess with boards of the layout compact.
"""

import argparse
import glob
import json
import struct
import subprocess
from itertools import zip_longest

import chess

NO_SCORE = 32002

# Directions and knight moves of action numbers, as (files, ranks): north first, clockwise.
DIRECTIONS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def move_of(action, board, flipped):
    """Returns the move of an action number; from*73 + plane, cells from a8."""
    cell, plane = divmod(action, 73)
    origin = cell ^ 56  # a1 = 0
    promotion = None
    if plane < 56:
        (files, ranks), n = DIRECTIONS[plane // 7], plane % 7 + 1
    elif plane < 64:
        (files, ranks), n = KNIGHT[plane - 56], 1
    else:
        files, ranks, n = (plane - 64) % 3 - 1, 1 if origin // 8 == 6 else -1, 1
        promotion = (chess.KNIGHT, chess.BISHOP, chess.ROOK)[(plane - 64) // 3]
    target = origin + n * (files + 8 * ranks)
    if flipped:
        origin, target = origin ^ 56, target ^ 56
    if promotion is None and board.piece_type_at(origin) == chess.PAWN and target // 8 in (0, 7):
        promotion = chess.QUEEN
    move = chess.Move(origin, target, promotion)
    assert move in board.legal_moves, (board.fen(), action, move)
    return move


class Row:
    """A row of the dataset."""

    def __init__(self, row, mover):
        self.board = chess.Board(row["position"])
        self.fen = row["position"]
        flipped = mover and row["side"] == 1
        self.played = move_of(row["action"], self.board, flipped).uci()
        best = move_of(row["best_action"], self.board, flipped)
        self.best, self.best_san = best.uci(), self.board.san(best)
        self.outcome = row["outcome"]
        score = row["score"]
        if abs(score) > 20000:  # a mate in n plies is 30000-n in a dataset, 32000-n in the formats
            score += 2000 if score > 0 else -2000
        self.score = score if row["searched"] else NO_SCORE
        self.ply = 2 * (self.board.fullmove_number - 1) + row["side"]

    def by_white(self, number):
        return number if self.board.turn == chess.WHITE or number == NO_SCORE else -number

    def bulletformat(self):
        board = self.board if self.board.turn == chess.WHITE else self.board.mirror()
        return board.board_fen(), self.score, self.outcome + 1, board.king(chess.WHITE), board.king(chess.BLACK) ^ 56

    def viriformat(self):
        return self.fen, self.played, self.by_white(self.score), self.by_white(self.outcome)

    def plain(self):
        return self.fen, self.best, self.score, self.ply, self.outcome

    binpack = plain

    def epd(self):
        result = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}[self.by_white(self.outcome)]
        return (self.fen, self.best_san, self.score, result) if self.score != NO_SCORE else (self.fen, None, None, result)


def pieces(occupied, nibbles):
    """Yields squares and the four bits of the piece on each."""
    squares = [s for s in range(64) if occupied >> s & 1]
    for i, square in enumerate(squares):
        yield square, nibbles[i // 2] >> i % 2 * 4 & 15


def read_bulletformat(data):
    for occupied, nibbles, score, result, own, other, rest in struct.iter_unpack("<Q16shBBB3s", data):
        board = chess.BaseBoard.empty()
        for square, piece in pieces(occupied, nibbles):
            board.set_piece_at(square, chess.Piece(1 + (piece & 7), piece < 8))
        assert rest == bytes(3)
        yield board.board_fen(), score, result, own, other


def castling_target(origin, rook):
    return origin + 2 if rook > origin else origin - 2


def read_viriformat(data):
    at = 0
    while at < len(data):
        occupied, nibbles, turn, half, full, score, result, extra = struct.unpack_from("<Q16sBBHhBB", data, at)
        at += 32
        assert score == 0 and extra == 0
        board = chess.Board(None)
        for square, piece in pieces(occupied, nibbles):
            if piece & 7 == 6:
                board.castling_rights |= chess.BB_SQUARES[square]
            board.set_piece_at(square, chess.Piece(chess.ROOK if piece & 7 == 6 else 1 + (piece & 7), piece < 8))
        board.turn, board.halfmove_clock, board.fullmove_number = turn < 128, half, full
        board.ep_square = turn & 127 if turn & 127 != 64 else None
        while True:
            number, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if number == 0:
                assert score == 0
                break
            origin, target, kind = number & 63, number >> 6 & 63, number >> 14
            if kind == 2:
                target = castling_target(origin, target)
            move = chess.Move(origin, target, 2 + (number >> 12 & 3) if kind == 3 else None)
            assert move in board.legal_moves, (board.fen(), move)
            assert (kind == 1) == board.is_en_passant(move) and (kind == 2) == board.is_castling(move), (board.fen(), move)
            yield board.fen(), move.uci(), score, result - 1
            board.push(move)


def unzigzag(n):
    return n >> 1 ^ -(n & 1)


def read_binpack(data):
    at = 0
    while at < len(data):
        magic, size = struct.unpack_from("<4sI", data, at)
        assert magic == b"BINP", magic
        at, end = at + 8, at + 8 + size
        while at < end:
            *stem, count = struct.unpack_from(">Q16sHHHHH", data, at)
            at += 34
            board, move, score, ply, result = read_stem(*stem)
            yield board.fen(), move.uci(), score, ply, result
            bits = Bits(data, at)
            for _ in range(count):
                board.push(move)
                move, ply, result = read_move(board, bits), ply + 1, -result
                score = (read_difference(bits) - score + 0x8000) % 0x10000 - 0x8000
                yield board.fen(), move.uci(), score, ply, result
            at = bits.end()
        assert at == end


class Bits:
    """Reads bits, the highest of a byte first."""

    def __init__(self, data, at):
        self.data, self.bit = data, 8 * at

    def read(self, n):
        value = 0
        for _ in range(n):
            value = 2 * value + (self.data[self.bit // 8] >> 7 - self.bit % 8 & 1)
            self.bit += 1
        return value

    def choice(self, items):
        return items[self.read((len(items) - 1).bit_length())]

    def end(self):
        return (self.bit + 7) // 8


def read_move(board, bits):
    """Returns the next move of movetext: a piece of the side to move, and one of its moves."""
    own, their = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    origin = bits.choice(sorted(chess.SquareSet(own)))
    kind = board.piece_type_at(origin)
    targets = board.attacks_mask(origin) & ~own
    if kind == chess.PAWN:
        targets &= their | (chess.BB_SQUARES[board.ep_square] if board.has_legal_en_passant() else 0)
        for n in range(1 + (chess.square_rank(origin) == (1 if board.turn else 6))):
            ahead = origin + (n + 1) * (8 if board.turn else -8)
            if board.occupied & chess.BB_SQUARES[ahead]:
                break
            targets |= chess.BB_SQUARES[ahead]
    moves = []
    for target in sorted(chess.SquareSet(targets)):
        last = kind == chess.PAWN and target // 8 in (0, 7)
        moves += [chess.Move(origin, target, piece) for piece in (range(chess.KNIGHT, chess.KING) if last else (None,))]
    if kind == chess.KING:
        rights = board.clean_castling_rights() & (chess.BB_RANK_1 if board.turn else chess.BB_RANK_8)
        moves += [chess.Move(origin, castling_target(origin, rook)) for rook in sorted(chess.SquareSet(rights))]
    move = bits.choice(moves)
    assert move in board.legal_moves, (board.fen(), move)
    return move


def read_difference(bits):
    value = shift = 0
    while True:
        group = bits.read(5)
        value |= (group & 15) << shift
        shift += 4
        if group < 16:
            return unzigzag(value)


def read_stem(occupied, nibbles, number, score, ply_result, half):
    board = chess.Board(None)
    passant = None
    for square, piece in pieces(occupied, nibbles):
        if piece == 12:
            passant = square
            board.set_piece_at(square, chess.Piece(chess.PAWN, square // 8 == 3))
        elif piece in (13, 14):
            board.castling_rights |= chess.BB_SQUARES[square]
            board.set_piece_at(square, chess.Piece(chess.ROOK, piece == 13))
        elif piece == 15:
            board.turn = chess.BLACK
            board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
        else:
            board.set_piece_at(square, chess.Piece(1 + piece // 2, piece % 2 == 0))
    ply = ply_result & 0x3FFF
    board.halfmove_clock, board.fullmove_number = half, ply // 2 + 1
    if passant is not None:
        board.ep_square = passant + 8 if board.turn == chess.WHITE else passant - 8
    kind, origin, target = number >> 14, number >> 8 & 63, number >> 2 & 63
    if kind == 2:
        target = castling_target(origin, target)
    move = chess.Move(origin, target, 2 + (number & 3) if kind == 1 else None)
    assert (kind == 3) == board.is_en_passant(move) and (kind == 2) == board.is_castling(move), (board.fen(), move)
    return board, move, unzigzag(score), ply, unzigzag(ply_result >> 14)


def read_plain(data):
    names = ("fen", "move", "score", "ply", "result")
    lines = data.decode().splitlines()
    for at in range(0, len(lines), 6):
        for name, line in zip(names, lines[at:]):
            assert line.startswith(name + " "), line
        assert lines[at + 5] == "e"
        fen, move, *numbers = (line.split(" ", 1)[1] for line in lines[at : at + 5])
        board = chess.Board(fen)
        assert board.is_valid() and chess.Move.from_uci(move) in board.legal_moves, (fen, move)
        yield fen, move, *map(int, numbers)


def read_epd(data):
    for line in data.decode().splitlines():
        board, operations = chess.Board.from_epd(line)
        assert board.is_valid(), line
        best = operations.get("bm")
        yield board.fen(), board.san(best[0]) if best else None, operations.get("ce"), operations["c9"]


READERS = {
    "bulletformat": read_bulletformat,
    "viriformat": read_viriformat,
    "binpack": read_binpack,
    "plain": read_plain,
    "epd": read_epd,
}

# The columns that interop/formats prints as text; the others are numbers.
TEXTS = {"bulletformat": 1, "viriformat": 2, "binpack": 2}


def read_crate(program, form, files):
    """Yields what the crate of a format reads."""
    with subprocess.Popen([program, form, *files], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            fields = line.rstrip("\n").split(" | ")
            yield *fields[: TEXTS[form]], *map(int, fields[TEXTS[form] :])
    assert process.returncode == 0, process.returncode


def normal(row):
    """Returns a row with en passant squares only where a capture is legal."""
    return (chess.Board(row[0]).fen(), *row[1:])


def compare(name, got, want):
    count = 0
    for a, b in zip_longest(got, want):
        if a != b:
            assert a is not None and b is not None and " " in a[0] and normal(a) == b, f"{name}: position {count}: {a}, want {b}"
        count += 1
    print(f"{name:60} {count:7} positions equal", flush=True)


def rows(export, folder, *flags):
    plan = json.loads(open(f"{folder}/plan.json").read())["plan"]
    assert plan["game"] == "chess", folder
    command = [export, "convert", "--quiet", "--format", "jsonl", "--boards", "text", "--out", "-", *flags, folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            yield Row(json.loads(line), plan.get("perspective") == "mover")
    assert process.returncode == 0, process.returncode


def convert(export, folder, out, form, *flags):
    """Converts a dataset and returns the files in the order of its rows."""
    subprocess.run([export, "convert", "--quiet", "--force", "--format", form, "--out", out, *flags, folder], check=True)
    shards = json.loads(open(f"{folder}/manifest.json").read())["files"]
    names = [f["name"] for s in shards for f in s["files"] if f["name"].startswith("positions/")]
    return [f"{out}/{name.split('/')[1].split('.')[0]}.{form}" for name in names]


# Fields of interop/formats; its lines have the board last.
RECORD = ("game", "nodes", "board", "score", "outcome", "side")


def check_records(export, folder, program, out):
    command = [export, "convert", "--quiet", "--format", "jsonl", "--out", "-", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        want = [[*(row[name] for name in RECORD if name != "board"), *row["board"]] for row in map(json.loads, process.stdout)]
    assert process.returncode == 0, process.returncode
    files = convert(export, folder, f"{out}/records", "records", "--fields", ",".join(RECORD))
    with subprocess.Popen([program, "records", *files], stdout=subprocess.PIPE, text=True) as process:
        got = [[int(n) for n in line.replace("|", " ").split()] for line in process.stdout]
    assert process.returncode == 0 and len(got) == len(want), (process.returncode, len(got), len(want))
    for i, (a, b) in enumerate(zip(got, want)):
        assert a == b, f"record {i}: {a}, want {b}"
    print(f"{folder + ': records, crate':60} {len(got):7} positions equal", flush=True)


def check_import(export, folder, name, form, files, want, out):
    target = f"{out}/imported-{name}"
    subprocess.run([export, "import", "--quiet", "--strict", "--validation", "0", "--format", form, "--out", target, *files], check=True)
    compare(f"{folder}: import of {name}", (row.plain() for row in rows(export, target)), want)


def check_imports(export, folder, program, out, want):
    """Imports the files of check, and binpack as its crate writes it."""
    files = {form: sorted(glob.glob(f"{out}/{form}/*.{form}"), key=lambda path: (path.split("-")[-1], path)) for form in ("binpack", "plain")}
    for form, paths in files.items():
        check_import(export, folder, form, form, paths, want, out)
    if program:
        packed = f"{out}/crate.binpack"
        with open(packed, "wb") as file:
            for path in files["plain"]:
                subprocess.run([program, "pack", path], stdout=file, check=True)
        check_import(export, folder, "binpack, crate", "binpack", [packed], want, out)


def check(export, folder, program, out):
    everything = list(rows(export, folder))
    searched = [row for row in everything if row.score != NO_SCORE]
    for form, read in READERS.items():
        only = form == "bulletformat"
        files = convert(export, folder, f"{out}/{form}", form, *(["--where", "!unsearched"] if only else []))
        want = [getattr(row, form)() for row in (searched if only else everything)]
        data = [open(path, "rb").read() for path in files]
        compare(f"{folder}: {form}", (row for part in data for row in read(part)), want)
        if program and form in TEXTS:
            compare(f"{folder}: {form}, crate", read_crate(program, form, files), want)
    if all(row.best == row.played for row in everything):  # else positions do not follow each other
        check_imports(export, folder, program, out, [row.plain() for row in everything])


def main():
    import tempfile

    parser = argparse.ArgumentParser()
    parser.add_argument("--formats")
    parser.add_argument("export")
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    for folder in args.folders:
        with tempfile.TemporaryDirectory() as out:
            check(args.export, folder, args.formats, out)
            if args.formats:
                check_records(args.export, folder, args.formats, out)


if __name__ == "__main__":
    main()
