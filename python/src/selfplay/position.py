"""One position of a game, for people and notebooks: game.start(), game.position(text).

    game = selfplay.game("chess")
    p = game.start()
    p.play("e2e4").play("e7e5")
    p.moves, p.actions, p.board, p.text

The program selfplay plays by the rules. All single positions of a game share one process of it, which starts with the
first one and ends with Python.
"""

from __future__ import annotations

import os
import struct
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .board import Board
from .process import Process
from .sight import MOVER, PICTURE, IllegalAction, Refused, Sight, look

_Key = tuple[str, str, str]
_shared: dict[_Key, Process] = {}
_lock = threading.Lock()


class Position:
    """A position of a game, which is played on. Its history counts: repetitions are seen."""

    def __init__(
        self,
        game: Board,
        text: str = "",
        *,
        variant: str = "",
        perspective: str = "mover",
        program: str | os.PathLike[str] | None = None,
    ) -> None:
        """Sets up a text, by default the start of the game.

        Actions are those that the side to move sees, as planes are; with perspective="board" they are absolute, as in
        Game.move_text(). Raises ValueError if the text is no position that a game can reach."""
        if perspective not in ("mover", "board"):
            raise ValueError(f"perspective {perspective!r}: want 'mover' or 'board'")
        self.game, self.played = game, list[int]()  # the actions since the text
        self._begin, self._flags = text, MOVER * (perspective == "mover")
        self._key = (game.name, variant, os.fspath(program or ""))
        self._sights = [self._look([])]  # after each action

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def play(self, action: int | str) -> Position:
        """Plays a legal action, by its number or by the text of its move, and returns the position itself.

        A turn may take several actions: side says who moves then. Raises IllegalAction, which is a ValueError; nothing
        has changed then."""
        number = self._number(action)
        sight = self._look([*self.played, number])
        self.played.append(number)
        self._sights.append(sight)
        return self

    def _number(self, action: int | str) -> int:
        if isinstance(action, str):
            if action not in self.moves:
                raise IllegalAction(0, -1, f"move {action!r} is not legal in {self.text}")
            return int(self.actions[self.moves.index(action)])
        if not 0 <= action < self.game.actions:
            raise IllegalAction(0, int(action), f"action {action}: want 0 to {self.game.actions - 1}")
        return int(action)

    def undo(self) -> Position:
        """Takes the last action back, and returns the position itself."""
        if not self.played:
            raise ValueError("undo: no action has been played")
        self.played.pop()
        self._sights.pop()
        return self

    def line(self) -> str:
        """Returns the first text and the moves since, each after a tab, as Player.search() takes positions with their history."""
        moves = (sight.moves[sight.actions.tolist().index(action)] for sight, action in zip(self._sights, self.played))
        return "\t".join([self._begin, *moves])

    def copy(self) -> Position:
        """Returns a position with the same history, which can be played on apart."""
        other = Position.__new__(Position)
        other.game, other.played, other._sights = self.game, list(self.played), list(self._sights)
        other._begin, other._flags, other._key = self._begin, self._flags, self._key
        return other

    @property
    def text(self) -> str:
        """The text of the position, such as the FEN of chess."""
        return self._sight.text

    @property
    def side(self) -> int:
        """The side to move, 0 or 1: game.sides names them."""
        return self._sight.side

    @property
    def check(self) -> bool:
        """The king or the commander of the side to move is attacked."""
        return self._sight.check

    @property
    def result(self) -> str:
        """The name of the side that has won, "draw", or "" while the game goes on."""
        return ["", *self.game.sides, "draw"][self._sight.result]

    @property
    def reason(self) -> str:
        """Why the game has ended, such as checkmate; "" while it goes on."""
        return self._sight.reason

    @property
    def actions(self) -> NDArray[np.uint16]:
        """The numbers of the legal actions, ascending; none after the end of the game."""
        return self._sight.actions

    @property
    def moves(self) -> list[str]:
        """The texts of the legal actions, in the order of actions."""
        return self._sight.moves

    @property
    def board(self) -> NDArray[Any]:
        """The absolute board of the layout compact, [n], as Game.text() takes it."""
        return self._sight.board(self.game)

    @property
    def planes(self) -> NDArray[np.uint8]:
        """The planes that the side to move sees, [planes, ranks, files], of 0 and 1."""
        return self._sight.planes(self.game)

    def svg(self) -> str:
        """Returns a drawing of the position, as the program makes it."""
        sight = self._look(self.played, PICTURE)
        return str(sight.values["picture"])

    _repr_svg_ = svg  # for notebooks

    @property
    def _sight(self) -> Sight:
        return self._sights[-1]

    def _look(self, actions: list[int], flags: int = 0) -> Sight:
        text = self._begin.encode()
        body = struct.pack("<II", self._flags | flags, len(text)) + text + np.array(actions, "<u2").tobytes()
        try:
            with _lock:
                return look(self._program(), body)
        except Refused as refused:
            if actions and refused.index >= 0:
                raise IllegalAction(0, actions[-1], str(refused)) from None
            raise

    def _program(self) -> Process:
        """Returns the process that all positions of the game share. One that has ended is replaced."""
        program = _shared.get(self._key)
        if program is None or not program.usable():
            _, variant, named = self._key
            program = _shared[self._key] = Process(self.game, variant=variant, program=named or None)
        return program
