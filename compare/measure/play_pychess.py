"""Random chess by python-chess. Planes are made by hand from its bitboards."""

import random

import chess
import numpy as np
from numpy.typing import NDArray

from .clock import Work, repeat
from .inputs import Inputs


def planes_of(board: chess.Board) -> NDArray[np.float32]:
    """Returns 12 planes, one of each piece, as numbers."""
    masks = [board.pieces_mask(kind, side) for side in chess.COLORS for kind in chess.PIECE_TYPES]
    bits = np.unpackbits(np.array(masks, "<u8").view(np.uint8), bitorder="little")
    return bits.reshape(12, 8, 8).astype(np.float32)


def play(inputs: Inputs, observe: bool) -> Work:
    """Plays whole games. With observe, every position becomes an array of planes."""
    rng = random.Random(1)

    def one_game() -> int:
        board, plies = chess.Board(), 0
        while not board.is_game_over():
            if observe:
                planes_of(board)
            board.push(rng.choice(list(board.legal_moves)))
            plies += 1
        return plies

    return repeat(one_game, inputs.seconds)
