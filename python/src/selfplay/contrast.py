"""Contrast: texts, planes, and the functions of the game's public board encoding, version 2.

The public encoding is a list of 29 integers: 25 cells row by row from a5, each occupant*3 + tile, then the black and
gray tiles in black's hand and in white's. Its nested form is a board of five rows of cells
{"occupant": 0-2, "tile": 0-2} and the hands {"black": {"black_tiles": n, "gray_tiles": n}, "white": {...}}.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .board import Ints
from .game import Game

SIZE, CELLS, LENGTH = 5, 25, 29
SIDES = "xo"

Cell = dict[str, int]
Hands = dict[str, dict[str, int]]


def encode_cell(occupant: int, tile: int) -> int:
    """Returns the value of a cell: occupant 0 none, 1 black, 2 white; tile 0 none, 1 black, 2 gray."""
    if not (0 <= occupant <= 2 and 0 <= tile <= 2):
        raise ValueError(f"encode cell: occupant {occupant} and tile {tile}, want 0 to 2")
    return int(occupant) * 3 + int(tile)


def decode_cell(value: int) -> tuple[int, int]:
    """Returns the occupant and the tile of a cell."""
    if not 0 <= value <= 8:
        raise ValueError(f"decode cell: {value}, want 0 to 8")
    return int(value) // 3, int(value) % 3


def board_to_array(board: Sequence[Sequence[Mapping[str, int]]], tile_inventory: Mapping[str, Mapping[str, int]]) -> list[int]:
    """Returns the array of a nested board, the first row on top, and hands."""
    if len(board) != SIZE or any(len(row) != SIZE for row in board):
        raise ValueError(f"encode board: want {SIZE} rows of {SIZE} cells")
    cells = [encode_cell(cell["occupant"], cell["tile"]) for row in board for cell in row]
    hands = [int(tile_inventory[side][tile]) for side in ("black", "white") for tile in ("black_tiles", "gray_tiles")]
    return cells + hands


def array_to_board(array: Sequence[int]) -> tuple[list[list[Cell]], Hands]:
    """Returns the nested board and the hands of an array."""
    if len(array) != LENGTH:
        raise ValueError(f"decode board: {len(array)} elements, want {LENGTH}")
    cells = [dict(zip(("occupant", "tile"), decode_cell(v))) for v in array[:CELLS]]
    hands = [int(n) for n in array[CELLS:]]
    inventory = {
        "black": {"black_tiles": hands[0], "gray_tiles": hands[1]},
        "white": {"black_tiles": hands[2], "gray_tiles": hands[3]},
    }
    return [cells[i : i + SIZE] for i in range(0, CELLS, SIZE)], inventory


def migrate_v1_to_v2(v1_array: Sequence[int], strict: bool = False) -> list[int]:
    """Returns an array of version 1, which has the cells only, with full hands. If tiles lie on the board this is a
    guess, because version 1 does not say whose hands they came from; strict refuses it."""
    if len(v1_array) != CELLS:
        raise ValueError(f"migrate board: {len(v1_array)} elements, want {CELLS}")
    if strict and any(decode_cell(v)[1] for v in v1_array):
        raise ValueError("migrate board: tiles lie on the board, and 25 elements do not say whose hands they came from")
    return [encode_cell(*decode_cell(v)) for v in v1_array] + [3, 1, 3, 1]


class Contrast(Game):
    """Boards of 29 uint8, 31,875 actions."""

    def text(self, board: ArrayLike, side: int, ply: int | None = None) -> str:
        """Returns the numbers of a board, [29] integers, and x or o for the side to move."""
        return ",".join(map(str, self.values(board))) + " " + SIDES[side]

    def board(self, text: str) -> tuple[NDArray[Any], int]:
        """Returns the board of a text, uint8 [29], and the side to move. Raises ValueError at any other text."""
        match = re.fullmatch(r"(\d(?:,\d){28}) ([xo])", text)
        if not match:
            raise ValueError(f"read position {text!r}: want {LENGTH} digits separated by commas, a blank, and x or o")
        return np.array(match[1].split(","), self.dtype), SIDES.index(match[2])

    def move_text(self, action: int, board: ArrayLike | None = None) -> str:
        """Returns the cells of a move and its tile: a5,a4 -1 or a5,a4 c3b."""
        origin, target, kind = self.describe(action)
        if not origin:
            raise ValueError(f"action {action}: no move")
        return f"{origin},{target} {kind}"

    def action(self, text: str, board: ArrayLike | None = None) -> int:
        """Returns the number of a move. Raises ValueError at any other text.

        >>> contrast = selfplay.game("contrast")
        >>> contrast.move_text(contrast.action("a5,a4 c3b"))
        'a5,a4 c3b'
        """
        match = re.fullmatch(r"([a-e][1-5]),([a-e][1-5]) (-1|[a-e][1-5][bg])", text)
        numbers = self.between(self.cell(match[1]), self.cell(match[2])) if match else []
        if not match or not numbers:
            raise ValueError(f"read move {text!r}: expected a move such as 'a5,a4 -1' or 'a5,a4 c3b'")
        tile = match[3]
        return numbers[0] if tile == "-1" else numbers[1 + self.cell(tile[:2]) + CELLS * (tile[2] == "g")]

    def _plane(self, kind: int, side: int, ring: int) -> int:
        return side if kind == 0 else 1 + kind  # kind 0 is a piece, the others are tiles

    def _draw(self, drawn: NDArray[np.uint8], values: Ints) -> None:
        plane = self.plane_names.index("own_black_1")
        for hand in (values[:, CELLS : CELLS + 2], values[:, CELLS + 2 :]):  # own, then the opponent's
            for n in range(3):
                drawn[:, plane + n] = (hand[:, 0] > n)[:, None]
            drawn[:, plane + 3] = (hand[:, 1] > 0)[:, None]
            plane += 4
