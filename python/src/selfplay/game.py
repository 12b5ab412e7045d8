"""Boards and actions of a game: cells, codes, flips, numbers.

A Game is read from games/NAME.json, which the Go program generates. Boards are arrays of the layout compact, of any
integer type: one board [n], or many [rows, n]. The int16 views that datasets hand out count as unsigned. Boards and
actions are absolute, as both sides see them, unless a function says otherwise; sides are 0, who moves first, and 1.
"""

import json
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]

NO_ACTION = "none"  # the kind of numbers that stand for no move on any board


class Action(NamedTuple):
    """The meaning of an action number. Cells are names, empty if the action has none."""

    origin: str
    target: str
    kind: str


class Piece(NamedTuple):
    """A piece on a cell, or a tile."""

    kind: str  # its name
    letter: str  # upper case
    side: int  # 0 or 1, -1 for neither side
    heroic: bool


class Game:
    """What a reader needs of a game. Get one from game(); a subclass adds texts and planes."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.name: str = table["name"]
        self.title: str = table["title"]
        self.sides: list[str] = table["sides"]
        self.files: int = table["files"]
        self.ranks: int = table["ranks"]
        self.cells: int = self.files * self.ranks
        self.start: str = table["start"]  # text of the first position
        self.plane_names: list[str] = table["planes"]["names"]
        self.versions = {
            "layout compact": table["layout"]["version"],
            "layout planes": table["planes"]["version"],
            "actions": table["actions"]["version"],
        }
        self.elements: dict[str, slice] = {}  # of a board, by name
        for e in table["layout"]["elements"]:
            at = sum(s.stop - s.start for s in self.elements.values())
            self.elements[e["name"]] = slice(at, at + e["count"])
        self.length = max(s.stop for s in self.elements.values())
        self.dtype = np.dtype(table["layout"]["kind"])
        self.pieces = [self._pieces(list_) for list_ in table["pieces"]]  # by code of a cell, the lead first
        a = table["actions"]
        self.actions: int = a["count"]
        self._rays: int = a["rays"]
        self._whats: int = a["whats"]
        self._block: int = self._rays * self._whats

    def _pieces(self, members: list[list[int]]) -> list[Piece]:
        return [Piece(self.table["kinds"][k], self.table["letters"][k], side, bool(ring)) for k, side, ring in members]

    def __repr__(self) -> str:
        return f"selfplay.game({self.name!r})"

    # Cells

    def cell_name(self, cell: int) -> str:
        """Returns the name of a cell, such as e4. Cells are counted row by row from the top left."""
        if not 0 <= cell < self.cells:
            raise ValueError(f"cell {cell}: want 0 to {self.cells - 1}")
        return f"{chr(ord('a') + cell % self.files)}{self.ranks - cell // self.files}"

    def cell(self, name: str) -> int:
        """Returns the number of a cell."""
        try:
            return self._cell_numbers[name]
        except KeyError:
            raise ValueError(f"cell {name!r}: not on a board of {self.files} x {self.ranks}") from None

    @cached_property
    def _cell_numbers(self) -> dict[str, int]:
        return {self.cell_name(c): c for c in range(self.cells)}

    @cached_property
    def codes(self) -> list[str]:
        """The text of every code of a cell: upper case for side 0, + before a heroic piece, stacks in
        parentheses; empty for an empty cell."""
        return [self._code_text(pieces) for pieces in self.pieces]

    def _code_text(self, pieces: Sequence[Piece]) -> str:
        letters = ["+" * p.heroic + (p.letter if p.side == 0 else p.letter.lower()) for p in pieces]
        return f"({''.join(letters)})" if len(letters) > 1 else "".join(letters)

    # Boards

    def values(self, boards: ArrayLike) -> Ints:
        """Returns boards as int64, [n] or [rows, n]. An int16 view counts as unsigned."""
        array = np.asarray(boards)
        if array.dtype == np.int16:
            array = array.view(np.uint16)
        if array.shape[-1:] != (self.length,) or array.dtype.kind not in "iu":
            raise ValueError(f"board of {self.name}: shape {array.shape} of {array.dtype}, want {self.length} integers")
        return array.astype(np.int64)

    def flip_boards(self, boards: ArrayLike) -> NDArray[Any]:
        """Returns the boards as the other side sees them, with the sides exchanged. It is its own inverse."""
        values = self.values(boards)
        cells, places = slice(0, self.cells), self.table["flip"]["places"]
        to = np.array(self.table["flip"]["to"])
        values[..., cells] = np.array(self.table["flip"]["codes"])[values[..., cells]]
        for place in places:  # elements that hold a cell + 1
            cell = values[..., place]
            values[..., place] = np.where(cell > 0, to[np.maximum(cell - 1, 0)] + 1, 0)
        flipped = np.empty_like(values)
        flipped[..., to] = values
        return flipped.astype(np.asarray(boards).dtype)

    def turn_boards(self, boards: ArrayLike, sides: ArrayLike) -> NDArray[Any]:
        """Returns boards [rows, n], flipped where the side is 1: absolute boards become those of the side to move,
        and those of the side to move become absolute."""
        array = np.array(boards)
        second = np.asarray(sides) == 1
        array[second] = self.flip_boards(array[second])
        return array

    def planes(self, boards: ArrayLike, sides: ArrayLike) -> NDArray[np.uint8]:
        """Returns the planes [rows, planes, ranks, files] of absolute boards, as the side to move sees them. They
        have the values 0 and 1 and equal those of the layout planes."""
        sides = np.asarray(sides)
        values = self.values(self.turn_boards(boards, sides))
        drawn = np.zeros((len(values), len(self.plane_names), self.cells), np.uint8)
        pieces = self._piece_planes()
        drawn[:, : pieces.shape[1]] = pieces[values[:, : self.cells]].transpose(0, 2, 1)
        self._draw(drawn, values)
        drawn[:, self.plane_names.index("first")] = (sides == 0)[:, None]
        return drawn.reshape(len(values), -1, self.ranks, self.files)

    def unpack_planes(self, boards: ArrayLike) -> NDArray[np.uint8]:
        """Returns boards of the layout planes, [rows, bytes], as planes [rows, planes, ranks, files]."""
        array = np.asarray(boards, np.uint8).reshape(-1, len(self.plane_names), -(-self.cells // 8))
        bits = np.unpackbits(array, axis=2, count=self.cells, bitorder="little")
        return bits.reshape(-1, len(self.plane_names), self.ranks, self.files)

    def _plane(self, kind: int, side: int, ring: int) -> int:
        """Returns the plane of a piece if side 0 is to move."""
        raise NotImplementedError

    def _draw(self, drawn: NDArray[np.uint8], values: Ints) -> None:
        """Draws everything but pieces and the plane first; values are seen by the side to move."""
        raise NotImplementedError

    def _piece_planes(self) -> NDArray[np.uint8]:
        """Returns which planes each code sets, [codes, planes]."""
        planes = [[self._plane(*piece) for piece in members] for members in self.table["pieces"]]
        table = np.zeros((len(planes), 1 + max(max(p, default=0) for p in planes)), np.uint8)
        for code, list_ in enumerate(planes):
            table[code, list_] = 1
        return table

    def _draw_clock(self, drawn: NDArray[np.uint8], clock: Ints) -> None:
        first = self.plane_names.index("half_move_1")
        for bit in range(7):
            drawn[:, first + bit] = (np.minimum(clock, 127) >> bit & 1)[:, None]

    def _draw_cell(self, drawn: NDArray[np.uint8], plane: str, cells: Ints) -> None:
        """Sets one cell a row; -1 sets none."""
        rows = np.flatnonzero(cells >= 0)
        drawn[rows, self.plane_names.index(plane), cells[rows]] = 1

    # Texts, which each game defines

    def text(self, board: ArrayLike, side: int, ply: int | None = None) -> str:
        """Returns the text of the position with this absolute board. ply, the number of earlier plies, gives chess
        its move number; without it, that is 1."""
        raise NotImplementedError

    def board(self, text: str) -> tuple[NDArray[Any], int]:
        """Returns the board and the side to move of a text as text() writes it. It checks the form, not the rules."""
        raise NotImplementedError

    def move_text(self, action: int, board: ArrayLike | None = None) -> str:
        """Returns the text of the move with this number on an absolute board. CoTuLenh and chess need the board."""
        raise NotImplementedError

    def action(self, text: str, board: ArrayLike | None = None) -> int:
        """Returns the number of the move with this text. CoTuLenh needs the board for deployments."""
        raise NotImplementedError

    # Actions

    def parts(self, actions: ArrayLike) -> tuple[Ints, Ints, Ints]:
        """Returns for each action its cell of origin and its target, -1 for none, and its ray and kind of move as
        one index of the list of kinds."""
        n = self._checked(actions)
        origin = n // self._block
        extra = origin >= self.cells
        to = self._to[np.where(extra, 0, n // self._whats)]
        to = np.where(extra, -1, to)
        return np.where(to < 0, -1, origin), to, np.where(extra, -1, n % self._block)

    def describe(self, action: int) -> Action:
        """Returns the meaning of an action number, as `export actions` prints it."""
        n = int(self._checked(action))
        if n >= self.cells * self._block:
            return Action("", "", self.table["actions"]["extra"][n - self.cells * self._block])
        to = int(self._to[n // self._whats])
        if to < 0:
            return Action("", "", NO_ACTION)
        return Action(self.cell_name(n // self._block), self.cell_name(to), self.table["actions"]["kinds"][n % self._block])

    def flip_actions(self, actions: ArrayLike) -> NDArray[np.int32]:
        """Returns the numbers of the same moves on the flipped board. It is its own inverse."""
        n = self._checked(actions)
        a, to = self.table["actions"], np.array(self.table["flip"]["to"])
        origin = np.minimum(n // self._block, self.cells - 1)
        ray, what = n // self._whats % self._rays, n % self._whats
        rays, whats = np.array(a["flip_rays"]), np.array(a["flip_whats"])
        flipped = (to[origin] * self._rays + rays[ray]) * self._whats + whats[what]
        return np.where(n >= self.cells * self._block, n, flipped).astype(np.int32)

    def _checked(self, actions: ArrayLike) -> Ints:
        n = np.asarray(actions, np.int64)
        if n.size and not (0 <= n.min() and n.max() < self.actions):
            wrong = n[(n < 0) | (n >= self.actions)].flat[0]
            raise ValueError(f"action of {self.name}: {wrong}: want 0 to {self.actions - 1}")
        return n

    @cached_property
    def _to(self) -> Ints:
        return np.array(self.table["actions"]["to"])

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], list[int]]:
        """The numbers of the actions from one cell to another."""
        numbers: dict[tuple[int, int], list[int]] = {}
        for ray, to in enumerate(self._to.tolist()):
            if to >= 0:
                origin = ray // self._rays
                numbers.setdefault((origin, to), []).extend(range(ray * self._whats, (ray + 1) * self._whats))
        return numbers

    def between(self, origin: int, target: int) -> list[int]:
        """Returns the numbers of all actions from one cell to another, ascending."""
        return self._numbers.get((origin, target), [])

    def _ranks_text(self, codes: Sequence[str]) -> str:
        """Returns a placement: ranks separated by /, with runs of empty cells as numbers."""
        rows = []
        for row in range(self.ranks):
            text, empty = "", 0
            for code in [*codes[row * self.files : (row + 1) * self.files], None]:
                if code == "":
                    empty += 1
                    continue
                text += (str(empty) if empty else "") + (code or "")
                empty = 0
            rows.append(text)
        return "/".join(rows)


def games() -> list[str]:
    """Returns the names of the games that this package knows."""
    files = resources.files(__package__).joinpath("games").iterdir()
    return sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json"))


@cache
def game(name: str) -> Game:
    """Returns the game with this name."""
    from . import chess, contrast, cotulenh

    kinds: dict[str, type[Game]] = {"chess": chess.Chess, "contrast": contrast.Contrast, "cotulenh": cotulenh.CoTuLenh}
    if name not in kinds:
        raise ValueError(f"unknown game {name!r}: want one of {', '.join(sorted(kinds))}")
    text = resources.files(__package__).joinpath("games", f"{name}.json").read_text("utf-8")
    return kinds[name](json.loads(text))
