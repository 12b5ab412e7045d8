"""The public board encoding of Contrast, by its own examples."""

import numpy as np
import pytest

from selfplay.contrast import array_to_board, board_to_array, decode_cell, encode_cell, migrate_v1_to_v2

START = [3] * 5 + [0] * 15 + [6] * 5 + [3, 1, 3, 1]
ENDGAME = [3, 0, 0, 0, 0, 0, 3, 2, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 6, 6, 0, 0, 2, 1]


def test_cells():
    assert [encode_cell(o, t) for o in range(3) for t in range(3)] == list(range(9))
    assert [decode_cell(v) for v in range(9)] == [(o, t) for o in range(3) for t in range(3)]


@pytest.mark.parametrize("value", [-1, 9])
def test_other_values_are_refused(value):
    with pytest.raises(ValueError):
        decode_cell(value)


@pytest.mark.parametrize("array", [START, ENDGAME, np.array(ENDGAME, np.uint8)])
def test_arrays_become_nested_boards_and_back(array):
    board, hands = array_to_board(array)
    assert [len(row) for row in board] == [5] * 5
    assert board_to_array(board, hands) == list(array)


def test_the_example_of_the_endgame():
    board, hands = array_to_board(ENDGAME)
    assert board[1][2] == {"occupant": 0, "tile": 2} and board[2][1] == {"occupant": 0, "tile": 1}
    assert hands == {"black": {"black_tiles": 0, "gray_tiles": 0}, "white": {"black_tiles": 2, "gray_tiles": 1}}


def test_version_1_gets_full_hands():
    assert migrate_v1_to_v2(START[:25]) == migrate_v1_to_v2(START[:25], strict=True) == START


def test_strict_refuses_to_guess_hands():
    assert migrate_v1_to_v2(ENDGAME[:25])[25:] == [3, 1, 3, 1]
    with pytest.raises(ValueError, match="whose hands"):
        migrate_v1_to_v2(ENDGAME[:25], strict=True)


@pytest.mark.parametrize("array", [[], START[:24], START])
def test_other_lengths_are_refused(array):
    with pytest.raises(ValueError):
        migrate_v1_to_v2(array)
    with pytest.raises(ValueError):
        array_to_board(array[:28])
