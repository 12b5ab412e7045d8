"""Feature numbers, by hand."""

import numpy as np
import pytest

import selfplay
from conftest import random_boards
from nnue.features import of_game


def lists(name, text):
    """Returns the features of a position as its first side sees them, and as the other one does."""
    board, _ = selfplay.game(name).board(text)
    features = of_game(name)
    mover = features.bags(board[None])
    return sorted(mover.values.tolist()), sorted(features.other(mover).values.tolist())


def test_cotulenh_counts_members_of_stacks():
    # Cells from a12 = 0: c4 = 8*11 + 2 = 90; from the other side c9 = 3*11 + 2 = 35.
    # A red navy (kind 9) on c4 carries a heroic air force (8); the blue commander (0) is on k12 = 10, or k1 = 131.
    own, other = lists("cotulenh", "10c/11/11/11/11/11/11/11/2(N+F)8/11/11/11 r - - 0 1")
    navy = ((0 * 11 + 9) * 2 + 0) * 2 + 0
    air_force = ((0 * 11 + 8) * 2 + 1) * 2 + 1
    commander = ((1 * 11 + 0) * 2 + 0) * 2 + 0
    assert own == sorted([navy * 132 + 90, air_force * 132 + 90, commander * 132 + 10]) == [4710, 4842, 5818]
    assert other == sorted([(navy + 44) * 132 + 35, (air_force + 44) * 132 + 35, (commander - 44) * 132 + 131])
    assert other == [131, 10463, 10595]


def test_chess_counts_pieces():
    # Cells from a8 = 0: c1 = 58, c8 = 2, g1 = 62; from the other side c8 is 58, g1 is 6. Kinds: knight 1, king 5. Kings
    # on c1 have bucket 1.
    own, other = lists("chess", "2k5/8/8/8/8/8/8/2K3N1 w - - 0 1")
    assert own == [768 + 1 * 64 + 62, 768 + 5 * 64 + 58, 768 + (6 + 5) * 64 + 2] == [894, 1146, 1474]
    assert other == [768 + 5 * 64 + 58, 768 + (6 + 1) * 64 + 6, 768 + (6 + 5) * 64 + 2] == [1146, 1222, 1474]


def test_chess_mirrors_the_view_of_a_king_on_the_right():
    # Mirrored, g1 is b1 = 57, e1 is d1 = 59, and c7 is f7 = 13; kings on b1 have bucket 0. The king on c7, bucket 2,
    # does not mirror the other view: there it is on c2 = 50, g1 is g8 = 6, and e1 is e8 = 4.
    own, other = lists("chess", "8/2k5/8/8/8/8/8/4N1K1 w - - 0 1")
    assert own == [1 * 64 + 59, 5 * 64 + 57, (6 + 5) * 64 + 13] == [123, 377, 717]
    assert other == [1536 + 5 * 64 + 50, 1536 + (6 + 1) * 64 + 4, 1536 + (6 + 5) * 64 + 6] == [1906, 1988, 2246]


def test_contrast_counts_pieces_tiles_and_hands():
    # Black on a5 (cell 0) on a gray tile; white on e1 (24) without one; a black tile on c3 (12). Black has one black
    # and one gray tile left, white two black tiles. The other side sees a5 as cell 24.
    cells = [5] + [0] * 11 + [1] + [0] * 11 + [6]
    text = ",".join(map(str, cells + [1, 1, 2, 0])) + " x"
    own, other = lists("contrast", text)
    assert own == sorted([2 * 25 + 0, 75 + 0 * 25 + 24, 150 + 12, 200 + 1, 204 + 1, 206 + 2, 210 + 0])
    assert other == sorted([75 + 2 * 25 + 24, 0 * 25 + 0, 150 + 12, 200 + 2, 204 + 0, 206 + 1, 210 + 1])


@pytest.mark.parametrize("name, size, most", [("cotulenh", 11616, 38), ("chess", 3072, 32), ("contrast", 212, 22)])
def test_sizes_and_starts(name, size, most):
    features, game = of_game(name), selfplay.game(name)
    board, _ = game.board(game.start)
    assert features.size == size and features.most == most
    own, other = lists(name, game.start)
    assert own == other, "the start looks the same from both sides"
    pieces = sum(len(game.pieces[code]) for code in board[: game.cells])
    assert len(own) == len(set(own)) == pieces + len(features.hands)


def test_the_other_view_is_that_of_the_flipped_board(name):
    features, game = of_game(name), selfplay.game(name)
    boards = random_boards(name, 200)
    turned = features.other(features.bags(boards))
    flipped = features.bags(game.flip_boards(boards))
    for i in range(len(boards)):
        a, b = (x.values[x.offsets[i] : x.offsets[i + 1]].tolist() for x in (turned, flipped))
        assert sorted(a) == sorted(b)
    assert (features.turned[features.turned] == np.arange(features.size)).all()


def test_boards_as_int16_views_have_the_same_features():
    features, boards = of_game("cotulenh"), random_boards("cotulenh", 50)
    assert (features.bags(boards).values == features.bags(boards.view(np.int16)).values).all()


def test_buckets_of_cotulenh():
    counts = np.array([1, 10, 11, 38, 45])
    assert of_game("cotulenh").bucket(counts, 4).tolist() == [0, 0, 1, 3, 3]
    assert of_game("cotulenh").bucket(counts, 1).tolist() == [0] * 5


def test_factors_group_related_features():
    groups = of_game("cotulenh").factors
    piece = ((0 * 11 + 2) * 2 + 1) * 2  # own heroic tanks that carry
    assert len({int(groups["plane"][piece * 132 + cell]) for cell in range(132)}) == 1
    plain = ((0 * 11 + 2) * 2 + 0) * 2
    assert groups["kind and cell"][piece * 132 + 7] == groups["kind and cell"][plain * 132 + 7]


def test_games_without_features_are_refused():
    with pytest.raises(ValueError, match="features of go: no feature set, want one of chess"):
        of_game("go")
