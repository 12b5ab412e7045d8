"""Cờ Tư Lệnh: texts of positions and steps, planes.

A text of a position is: placement, side, two fields -, half-move clock, full-move number and, during a deployment,
ORIGIN:MEMBERS:LANDED. A text of a step is: what moves, the cell that it leaves, > for a deployment, a mark, the cell
that it goes to. Marks: x captures, _ captures and stays, @ captures and dies, & joins an own stack.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .board import Ints
from .game import Game

SIDES = "rb"
COMMIT = "commit"
WHOLE, STAY, DEPLOY = 0, 1, 2  # what moves: the stack, the stack that captures and stays, DEPLOY + slot: a member

_cell = re.compile(r"\d+|\([+A-Za-z]+\)|\+?[A-Za-z]")
_step = re.compile(r"(\([+A-Z]+\)|\+?[A-Z])([a-k]\d+)(>?)([x_@&]?)([a-k]\d+)")


class CoTuLenh(Game):
    """Boards of 138 uint16, 55,441 actions."""

    def text(self, board: ArrayLike, side: int, ply: int | None = None) -> str:
        """Returns the text of a board, [138] integers, with its clocks and its open deployment. ply is not needed.

        >>> cotulenh = selfplay.game("cotulenh")
        >>> cotulenh.text(*cotulenh.board(cotulenh.start)) == cotulenh.start
        True
        """
        v = self.values(board)
        clocks = f"{v[self.elements['half_move']][0]} {v[self.elements['full_move']][0]}"
        text = f"{self._ranks_text([self.codes[c] for c in v[: self.cells]])} {SIDES[side]} - - {clocks}"
        origin, rest = int(v[self.elements["origin"]][0]), int(v[self.elements["rest"]][0])
        if not origin:
            return text
        members = [p._replace(side=0) for slot, p in enumerate(self.pieces[v[origin - 1]]) if rest >> slot & 1]
        landed = ",".join(self.cell_name(int(c) - 1) for c in v[self.elements["landed"]] if c) or "-"
        return f"{text} {self.cell_name(origin - 1)}:{self._code_text(members)}:{landed}"

    def board(self, text: str) -> tuple[NDArray[Any], int]:
        """Returns the board of a text, uint16 [138], and the side to move. Raises ValueError at any other text."""
        fields = text.split()
        if len(fields) not in (6, 7) or fields[1] not in ("r", "b"):
            raise ValueError(f"read position {text!r}: want six or seven fields")
        board = np.zeros(self.length, self.dtype)
        board[: self.cells] = [code for rank in fields[0].split("/") for code in self._rank(rank)]
        board[self.elements["half_move"]], board[self.elements["full_move"]] = int(fields[4]), int(fields[5])
        if len(fields) == 7:
            self._session(board, fields[6])
        return board, SIDES.index(fields[1])

    def _rank(self, text: str) -> list[int]:
        row: list[int] = []
        if _cell.sub("", text):
            raise ValueError(f"read position: rank {text!r}")
        for part in _cell.findall(text):
            if part.isdigit():
                row += [0] * int(part)
            elif part in self.codes:
                row.append(self.codes.index(part))
            else:
                raise ValueError(f"read position: unknown stack {part!r} in rank {text!r}")
        if len(row) != self.files:
            raise ValueError(f"read position: rank {text!r} has {len(row)} cells, want {self.files}")
        return row

    def _session(self, board: NDArray[Any], text: str) -> None:
        origin, rest, landed = text.split(":")
        cell = self.cell(origin)
        board[self.elements["origin"]] = cell + 1
        for member in re.findall(r"\+?[A-Z]", rest):
            board[self.elements["rest"]] |= 1 << self._slot(int(board[cell]), member)
        cells = [] if landed == "-" else [self.cell(name) + 1 for name in landed.split(",")]
        board[self.elements["landed"]] = (cells + [0, 0])[:2]

    def _slot(self, code: int, member: str) -> int:
        """Returns the slot of a member, in upper case, in a stack."""
        members = ["+" * p.heroic + p.letter for p in self.pieces[code]]
        if member not in members:
            raise ValueError(f"member {member}: not in the stack {self.codes[code] or 'of an empty cell'}")
        return members.index(member)

    def move_text(self, action: int, board: ArrayLike | None = None) -> str:
        """Returns the text of a step. A capture has the mark x unless the action itself says that the capturer
        stays: whether it dies, or a deployed member stays, follows from the rules. The column move has that."""
        if board is None:
            raise ValueError("text of a CoTuLenh action: want the board, because the text names what moves")
        origin, target, kind = self.describe(action)
        if not origin:
            if kind == COMMIT:
                return COMMIT
            raise ValueError(f"action {action}: no move")
        v, what = self.values(board), action % int(self.table["actions"]["whats"])
        stack, there = self.pieces[v[self.cell(origin)]], self.pieces[v[self.cell(target)]]
        if len(stack) <= max(0, what - DEPLOY):
            raise ValueError(f"action {action}: nothing on {origin} moves so")
        movers = stack if what < DEPLOY else [stack[what - DEPLOY]]
        mark = "" if not there else "&" if there[0].side == stack[0].side else "_" if what == STAY else "x"
        return self._code_text([p._replace(side=0) for p in movers]) + origin + ">" * (what >= DEPLOY) + mark + target

    def action(self, text: str, board: ArrayLike | None = None) -> int:
        """Returns the number of a step; a deployment needs the board. Raises ValueError at any other text.

        >>> selfplay.game("cotulenh").action("Ic5c6")
        33180
        """
        if text == COMMIT:
            return self.actions - 1  # the last number
        match = _step.fullmatch(text)
        if not match:
            raise ValueError(f"read step {text!r}: expected a step such as Ic5c6, Tc3>xd3 or {COMMIT}")
        mover, origin, deploys, mark, target = match.groups()
        what = STAY if mark == "_" else WHOLE
        if deploys:
            if board is None:
                raise ValueError(f"read step {text!r}: a deployment needs the board")
            what = DEPLOY + self._slot(int(self.values(board)[self.cell(origin)]), mover)
        numbers = self.between(self.cell(origin), self.cell(target))
        if not numbers:
            raise ValueError(f"read step {text!r}: no ray leads from {origin} to {target}")
        return numbers[what]

    def _plane(self, kind: int, side: int, ring: int) -> int:
        kinds = len(self.table["kinds"])
        return kind + kinds * ring + 2 * kinds * side

    def _draw(self, drawn: NDArray[np.uint8], values: Ints) -> None:
        origin = values[:, self.elements["origin"].start] - 1
        rest = values[:, self.elements["rest"].start]
        self._draw_cell(drawn, "origin", origin)
        for slot in range(3):
            self._draw_cell(drawn, f"rest_{slot}", np.where(rest >> slot & 1, origin, -1))
        for i in range(2):
            self._draw_cell(drawn, f"landed_{i}", values[:, self.elements["landed"].start + i] - 1)
        self._draw_clock(drawn, values[:, self.elements["half_move"].start])
