"""Boards and actions of a game: cells, codes, flips, numbers.

A Board is made from a table, which the program that plays the game prints: selfplay games --table NAME. Boards are arrays of the layout compact, of any
integer type: one board [n], or many [rows, n]. The int16 views that datasets hand out count as unsigned. Boards and
actions are absolute, as both sides see them, unless a function says otherwise; sides are 0, who moves first in the start position of the game, and 1.
"""

from collections.abc import Sequence
from functools import cached_property
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


class _Actions(NamedTuple):
    """All actions, by number. Cells are -1 if the action has none."""

    origin: Ints
    target: Ints
    kind: Ints  # as index of kinds
    flip: Ints
    kinds: list[str]


class Board:
    """What a reader needs of a game: see Game."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.table = table
        self.name: str = table["name"]
        self.title: str = table["title"]
        self.sides: list[str] = table["sides"]
        self.files: int = table["files"]
        self.ranks: int = table["ranks"]
        self.cells: int = self.files * self.ranks
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

    def _pieces(self, members: list[list[int]]) -> list[Piece]:
        return [Piece(self.table["kinds"][k], self.table["letters"][k], side, bool(ring)) for k, side, ring in members]

    def __repr__(self) -> str:
        return f"selfplay.game({self.name!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> "Board":
        return self  # nothing changes it, and tables are large

    # Cells

    def cell_name(self, cell: int) -> str:
        """Returns the name of a cell. Cells are counted row by row from the top left. Raises ValueError beyond the board.

        >>> selfplay.game("chess").cell_name(36), selfplay.game("chess").cell("e4")
        ('e4', 36)
        """
        if not 0 <= cell < self.cells:
            raise ValueError(f"cell {cell}: want 0 to {self.cells - 1}")
        row = cell // self.files
        rank = row + 1 if self.table.get("rank_one_on_top") else self.ranks - row
        return f"{chr(ord('a') + cell % self.files)}{rank}"

    def cell(self, name: str) -> int:
        """Returns the number of a cell. Raises ValueError at a name that is not on the board."""
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
        """Returns the planes, uint8 [rows, planes, ranks, files], of absolute boards, as the side to move sees them. They
        have the values 0 and 1 and equal those of the layout planes.

        >>> chess = selfplay.game("chess")
        >>> board, side = chess.board(chess.start)
        >>> chess.planes(board[None], [side]).shape
        (1, 27, 8, 8)
        """
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
        raise self._unknown("draws planes: take them from rows of the layout planes")

    def _draw(self, drawn: NDArray[np.uint8], values: Ints) -> None:
        """Draws everything but pieces and the plane first; values are seen by the side to move."""
        if "codes" in self.table["planes"]:
            return  # there is nothing else
        raise self._unknown("draws planes: take them from rows of the layout planes")

    def _unknown(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"game {self.name}: its table alone neither reads nor {what}, or register a subclass of selfplay.Game")

    def _piece_planes(self) -> NDArray[np.uint8]:
        """Returns which planes each code sets, [codes, planes]."""
        planes = self.table["planes"].get("codes") or [[self._plane(*piece) for piece in members] for members in self.table["pieces"]]
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

    # Texts, which a subclass defines

    def text(self, board: ArrayLike, side: int, ply: int | None = None) -> str:
        """Returns the text of the position with this absolute board. ply, the number of plies since the start of the
        game, which is start_ply + ply of a row, gives chess its move number; without it, that is 1."""
        raise self._unknown("writes texts: take those of the column move")

    def board(self, text: str) -> tuple[NDArray[Any], int]:
        """Returns the board and the side to move of a text as text() writes it. It checks the form, not the rules."""
        raise self._unknown("writes texts: take those of the column move")

    def move_text(self, action: int, board: ArrayLike | None = None) -> str:
        """Returns the text of the move with this number on an absolute board. CoTuLenh and chess need the board."""
        raise self._unknown("writes texts: take those of the column move")

    def action(self, text: str, board: ArrayLike | None = None) -> int:
        """Returns the number of the move with this text. CoTuLenh needs the board for deployments."""
        raise self._unknown("writes texts: take those of the column move")

    # Actions

    def parts(self, actions: ArrayLike) -> tuple[Ints, Ints, Ints]:
        """Returns for each action its cell of origin and its target, -1 for none, and its kind of move as an index of
        the kinds, in games with factors by ray and kind."""
        n, a = self._checked(actions), self._actions
        return a.origin[n], a.target[n], np.where(a.kind[n] < len(self.table["actions"]["kinds"]), a.kind[n], -1)

    def describe(self, action: int) -> Action:
        """Returns the meaning of an action number, as `export actions` prints it. Raises ValueError beyond the last one.

        >>> selfplay.game("chess").describe(941)
        Action(origin='e7', target='e8', kind='promote_n')
        """
        n, a = int(self._checked(action)), self._actions
        names = [self.cell_name(int(cell)) if cell >= 0 else "" for cell in (a.origin[n], a.target[n])]
        return Action(names[0], names[1], a.kinds[a.kind[n]] or NO_ACTION)

    def flip_actions(self, actions: ArrayLike) -> NDArray[np.int32]:
        """Returns the numbers, int32 of the same shape, of the same moves on the flipped board. It is its own inverse.

        >>> chess = selfplay.game("chess")
        >>> chess.flip_actions(chess.action("e2e4")) == chess.action("e7e5")
        np.True_
        """
        return self._actions.flip[self._checked(actions)].astype(np.int32)

    def action_parts(self, actions: ArrayLike) -> tuple[Ints, Ints, Ints]:
        """Returns the cell, the ray and the what of actions whose numbers are made of them. Those without an origin have cell
        and ray -1, and a what of their own. Raises ValueError if actions of the game have no parts.

        >>> selfplay.game("cotulenh").action_parts([33180, 55440])
        (array([79, -1]), array([ 0, -1]), array([0, 5]))
        """
        n, a = self._checked(actions), self.table["actions"]
        if "rays" not in a:
            raise ValueError(f"actions of {self.name} have no parts")
        rays, whats = a["rays"], a["whats"]
        extra = n - self.cells * rays * whats
        cell, ray, what = (np.where(extra < 0, part, -1) for part in (n // (rays * whats), n // whats % rays, n % whats))
        return cell, ray, np.where(extra < 0, what, whats + extra)

    def _checked(self, actions: ArrayLike) -> Ints:
        n = np.asarray(actions, np.int64)
        if n.size and not (0 <= n.min() and n.max() < self.actions):
            wrong = n[(n < 0) | (n >= self.actions)].flat[0]
            raise ValueError(f"action of {self.name}: {wrong}: want 0 to {self.actions - 1}")
        return n

    @cached_property
    def _actions(self) -> _Actions:
        a = self.table["actions"]
        if "rays" not in a:
            origin, target, kind, flip = (np.array(a[name], np.int64) for name in ("from", "to", "kind", "flip"))
            return _Actions(origin, target, kind, flip, a["kinds"])
        return self._factored(a)

    def _factored(self, a: dict[str, Any]) -> _Actions:
        """Returns the actions of a game whose numbers are (from*rays + ray)*whats + what, and after those of the last
        cell the ones without an origin."""
        rays, whats, n = a["rays"], a["whats"], np.arange(a["count"])
        block, last = rays * whats, self.cells * rays * whats
        with_origin = n < last
        target = np.where(with_origin, np.array(a["to"])[np.minimum(n // whats, len(a["to"]) - 1)], -1)
        origin = np.where(target < 0, -1, n // block)
        kind = np.where(with_origin, np.where(target < 0, block + len(a["extra"]), n % block), block + n - last)
        cell = np.array(self.table["flip"]["to"])[np.minimum(n // block, self.cells - 1)]
        ray, what = np.array(a["flip_rays"])[n // whats % rays], np.array(a["flip_whats"])[n % whats]
        flip = np.where(with_origin, (cell * rays + ray) * whats + what, n)
        return _Actions(origin, target, kind, flip, [*a["kinds"], *a["extra"], NO_ACTION])

    @cached_property
    def _numbers(self) -> dict[tuple[int, int], list[int]]:
        """The numbers of the actions from one cell to another."""
        numbers: dict[tuple[int, int], list[int]] = {}
        for n, pair in enumerate(zip(self._actions.origin.tolist(), self._actions.target.tolist())):
            if pair[1] >= 0:
                numbers.setdefault(pair, []).append(n)
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
