"""What the program says of one position: its text, moves, board, planes and picture."""

from __future__ import annotations

import base64
import json
import struct
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .board import Board
from .process import ERROR, Process, text_of
from .program import ProgramError

LOOK, SIGHT = 24, 25
MOVER, HELD, PICTURE = 2, 16, 32


class IllegalAction(ValueError):
    """An action is not legal. No action of the step was played."""

    def __init__(self, index: int, action: int, text: str) -> None:
        super().__init__(text)
        self.index = index  # of the position
        self.action = action


class Refused(ValueError):
    """A request that the program refuses, in its words."""

    def __init__(self, index: int, text: str) -> None:
        super().__init__(text)
        self.index = index  # of the position or the action at fault, -1 for none


def look(program: Process, body: bytes) -> Sight:
    """Asks what a position looks like."""
    kind, reply = program.ask(LOOK, body)
    if kind == ERROR and len(reply) >= 4:
        raise Refused(struct.unpack_from("<i", reply.data)[0], text_of(reply))
    try:
        if kind != SIGHT:
            raise ValueError(f"a frame of kind {kind}")
        return Sight(json.loads(bytes(reply)))
    except (ValueError, KeyError, TypeError) as err:
        program.close()
        raise ProgramError(f"the program sent a look that cannot be read: {err!r}") from None


class Sight:
    """What the program says of one position."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values
        self.text, self.side, self.check = str(values["text"]), int(values["side"]), bool(values["check"])
        self.result, self.reason, self.moves = int(values["result"]), str(values["reason"]), list[str](values["moves"])

    @cached_property
    def actions(self) -> NDArray[np.uint16]:
        """The numbers of the legal actions, in the order of moves."""
        return np.array(self.values["actions"], np.uint16)

    def board(self, game: Board) -> NDArray[Any]:
        """Returns the absolute board of the layout compact, [n] in the dtype of the game."""
        return np.array(self.values["board"], game.dtype)

    def planes(self, game: Board) -> NDArray[np.uint8]:
        """Returns the planes that the side to move sees, uint8 [planes, ranks, files], 0 or 1."""
        packed = np.frombuffer(base64.b64decode(self.values["planes"]), np.uint8)
        planes: NDArray[np.uint8] = game.unpack_planes(packed)[0]
        return planes
