"""Loads lines of EPD: with python-chess, and with NumPy by hand. The lines have the result, but no score."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import chess
import numpy as np
from numpy.typing import NDArray

from .load import ROWS, Batch

PIECES = b"PNBRQKpnbrqk"
NUMBERS = np.zeros(256, np.uint8)  # of a character of the first field; 0 of a digit
NUMBERS[list(PIECES)] = range(1, 13)
WIDTHS = np.zeros(256, np.uint8)  # how many squares a character stands for
WIDTHS[list(PIECES)] = 1
WIDTHS[list(b"12345678")] = range(1, 9)


def chunks(folder: Path) -> Iterator[list[bytes]]:
    """Yields the lines of all files, a batch at a time."""
    for path in sorted(folder.glob("train-*.epd")):
        with path.open("rb") as file:
            yield from lines_of(file)


def lines_of(file: BinaryIO) -> Iterator[list[bytes]]:
    """Yields the lines of a file, a batch at a time."""
    while lines := list(islice(file, ROWS)):
        yield lines


def by_numpy(folder: Path) -> Iterator[Batch]:
    """Reads all lines with operations on whole arrays."""
    for lines in chunks(folder):
        yield parse(np.frombuffer(b"".join(lines), np.uint8))


def parse(text: NDArray[np.uint8]) -> Batch:
    """Reads whole lines."""
    starts = np.r_[0, np.flatnonzero(text == ord("\n"))[:-1] + 1]
    ends = next_of(text, " ", starts)  # of the first field
    edges = np.zeros(len(text), np.int8)
    edges[starts], edges[ends] = 1, -1
    field = text[np.cumsum(edges, dtype=np.int8).view(np.bool_)]
    boards = np.repeat(NUMBERS[field], WIDTHS[field]).reshape(-1, 64)
    black = text[ends + 1] == ord("b")
    result = next_of(text, '"', starts) + 1  # 1-0, 0-1 or 1/2-1/2
    white = np.where(text[result] == ord("1"), 1, -1) * (text[result + 1] == ord("-"))
    return Batch(boards, black.astype(np.uint8), np.where(black, -white, white).astype(np.int8))


def next_of(text: NDArray[np.uint8], character: str, starts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Returns where a character comes first, from each start on."""
    places = np.flatnonzero(text == ord(character))
    return places[np.searchsorted(places, starts)]


def by_python_chess(folder: Path, limit: int) -> Iterator[Batch]:
    """Reads the first batches, about limit lines."""
    for lines in islice(chunks(folder), -(-limit // ROWS)):
        read = [board_of(line.decode()) for line in lines]
        boards, sides, outcomes = zip(*read)
        yield Batch(np.array(boards), np.array(sides, np.uint8), np.array(outcomes, np.int8))


def board_of(line: str) -> tuple[NDArray[np.uint8], int, int]:
    """Returns pieces, side to move and outcome of a line."""
    board, operations = chess.Board.from_epd(line)
    cells = np.zeros(64, np.uint8)
    for square, piece in board.piece_map().items():
        cells[square ^ 56] = piece.piece_type + 6 * (not piece.color)
    white = {"1-0": 1, "0-1": -1}.get(str(operations["c9"]), 0)
    black = board.turn == chess.BLACK
    return cells, int(black), -white if black else white
