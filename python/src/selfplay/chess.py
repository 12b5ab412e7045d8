"""Chess: FEN, moves in UCI notation, planes.

A FEN here is canonical: castling rights in the order KQkq, and an en passant square only if such a capture is legal.
That is what the program writes; a FEN of another source may name a square after every double step, and its board
then has en_passant set where a board of a dataset has 0. In the variant chess960 the letters KQkq mean the outermost
rook, and another rook has the letter of its file (X-FEN); files of outermost rooks (Shredder-FEN) are read, too.
"""

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .board import Ints
from .game import Game

RIGHTS = "KQkq"
FILES = "ABCDEFGH"
CORNERS = (7, 0, 7, 0)  # files of the rooks of standard chess, by right
SIDES = "wb"

_move = re.compile(r"([a-h][1-8]){2}[qnbr]?")


class Chess(Game):
    """Boards of 72 uint8, 4,672 actions."""

    def text(self, board: ArrayLike, side: int, ply: int | None = None) -> str:
        """Returns the FEN of an absolute board, [72] integers. Without ply, the number of plies since the
        start of the game, the move number is 1.

        >>> chess = selfplay.game("chess")
        >>> board, side = chess.board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31")
        >>> chess.text(board, side, ply=60)
        '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 31'
        """
        v = self.values(board)
        rooks = v[self.elements["castling"]].tolist()
        rights = "".join(self._right(v, right, rook) for right, rook in enumerate(rooks) if rook) or "-"
        file = int(v[self.elements["en_passant"]][0])
        passant = f"{chr(ord('a') + file - 1)}{'63'[side]}" if file else "-"
        move = 1 if ply is None else 1 + ply // 2
        placement = self._ranks_text([self.codes[c] for c in v[: self.cells]])
        return f"{placement} {SIDES[side]} {rights} {passant} {v[self.elements['half_move']][0]} {move}"

    def board(self, text: str) -> tuple[NDArray[Any], int]:
        """Returns the board of a FEN, uint8 [72], and the side to move. Raises ValueError at a text that is no FEN."""
        fields = text.split()
        if len(fields) != 6 or fields[1] not in ("w", "b") or not set(fields[2]) <= set(RIGHTS + FILES + FILES.lower() + "-"):
            raise ValueError(f"read FEN {text!r}: want six fields")
        board = np.zeros(self.length, self.dtype)
        board[: self.cells] = self._placement(fields[0])
        for letter in fields[2].strip("-"):
            right, rook = self._rook(board, letter)
            board[self.elements["castling"]][right] = rook
        if fields[3] != "-":
            board[self.elements["en_passant"]] = self.cell(fields[3]) % self.files + 1
        board[self.elements["half_move"]] = int(fields[4])
        return board, SIDES.index(fields[1])

    def _home(self, values: Ints, right: int) -> tuple[list[str], int]:
        """Returns the pieces on the first rank of a right's side, and the file of its king, -1 elsewhere."""
        row = [self.codes[code] for code in (values[56:64] if right < 2 else values[:8])]
        king = "KKkk"[right]
        return row, row.index(king) if king in row else -1

    def _outermost(self, values: Ints, right: int) -> int:
        """Returns the file of the rook that is farthest from the king on the side of a right, else the corner file."""
        row, king = self._home(values, right)
        files = range(king) if right % 2 else range(7, king, -1)
        return next((file for file in files if row[file] == "RRrr"[right]), CORNERS[right])

    def _right(self, values: Ints, right: int, rook: int) -> str:
        """Returns the letter of a castling right; rook is its element of a board."""
        file = rook - 1 if rook > 1 else CORNERS[right]
        if file == self._outermost(values, right):
            return RIGHTS[right]
        return FILES[file] if right < 2 else FILES[file].lower()

    def _rook(self, board: Ints, letter: str) -> tuple[int, int]:
        """Returns the castling right that a letter means, and its element of a board."""
        right = RIGHTS.find(letter)
        if right >= 0:
            file = self._outermost(board, right)
        else:
            file, side = FILES.index(letter.upper()), 0 if letter.isupper() else 2
            right = side if file > self._home(board, side)[1] else side + 1
        return right, 1 if file == CORNERS[right] else file + 1

    def _placement(self, text: str) -> list[int]:
        cells: list[int] = []
        for rank in text.split("/"):
            row: list[int] = []
            for letter in rank:
                if letter in "12345678":
                    row += [0] * int(letter)
                elif letter in self.codes:
                    row.append(self.codes.index(letter))
                else:
                    raise ValueError(f"read FEN: unknown piece {letter!r} in rank {rank!r}")
            if len(row) != self.files:
                raise ValueError(f"read FEN: rank {rank!r} has {len(row)} cells, want {self.files}")
            cells += row
        if len(cells) != self.cells:
            raise ValueError(f"read FEN: {len(cells)} cells, want {self.cells}")
        return cells

    def move_text(self, action: int, board: ArrayLike | None = None) -> str:
        """Returns UCI notation: e2e4, e1g1, e7e8q. The board tells whether a pawn becomes a queen."""
        if board is None:
            raise ValueError("text of a chess action: want the board, because a pawn on its last rank becomes a queen")
        origin, target, kind = self.describe(action)
        if not origin:
            raise ValueError(f"action {action}: no move")
        if kind.startswith("promote_"):
            return origin + target + kind[-1]
        pawn = self.codes[self.values(board)[self.cell(origin)]] in ("P", "p")
        return origin + target + ("q" if pawn and target[1] in "18" else "")

    def action(self, text: str, board: ArrayLike | None = None) -> int:
        """Returns the number of a move in UCI notation. Raises ValueError at any other text.

        >>> selfplay.game("chess").action("e7e8n")
        941
        """
        if not _move.fullmatch(text):
            raise ValueError(f"read move {text!r}: want two cells and an optional promotion, such as e2e4 or e7e8q")
        origin, target, promotion = text[:2], text[2:4], text[4:]
        kinds = [f"promote_{promotion}"] if promotion in ("n", "b", "r") and promotion else ["slide", "knight"]
        for number in self.between(self.cell(origin), self.cell(target)):
            if self.describe(number).kind in kinds:
                return number
        raise ValueError(f"read move {text!r}: no action goes from {origin} to {target} in this way")

    def _plane(self, kind: int, side: int, ring: int) -> int:
        return kind + 6 * side

    def _draw(self, drawn: NDArray[np.uint8], values: Ints) -> None:
        at = self.plane_names.index
        castling = at("own_castling_king")
        rooks = values[:, self.elements["castling"]]
        # A rook off the corner file, file + 1, shows its file alone.
        shown = (rooks == 1)[:, :, None] | (rooks > 1)[:, :, None] & (np.arange(self.cells) % self.files + 1 == rooks[:, :, None])
        drawn[:, castling : castling + 4] = shown
        file = values[:, self.elements["en_passant"].start]
        self._draw_cell(drawn, "en_passant", np.where(file > 0, 2 * self.files + file - 1, -1))
        repetitions = values[:, self.elements["repetitions"].start]
        drawn[:, at("repeated_1")] = (repetitions > 0)[:, None]
        drawn[:, at("repeated_2")] = (repetitions > 1)[:, None]
        self._draw_clock(drawn, values[:, self.elements["half_move"].start])
