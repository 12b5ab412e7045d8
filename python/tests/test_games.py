"""Cells, codes, texts and actions, by examples. interop/package.py compares all of them with the programs."""

import json
import subprocess
import sys

import numpy as np
import pytest

import selfplay

GAMES = selfplay.games()


@pytest.fixture(params=GAMES)
def game(request):
    return selfplay.game(request.param)


def test_unknown_game():
    with pytest.raises(ValueError, match=f"unknown game 'go': want one of {', '.join(GAMES)}, or register"):
        selfplay.game("go")


# Three cells in a row; a move puts a stone on one, or passes. Rank 1 is the top row.
THREE = {
    "name": "three", "title": "Three", "sides": ["x", "o"], "files": 3, "ranks": 1, "rank_one_on_top": True, "start": "... x",
    "layout": {"name": "compact", "version": 1, "kind": "uint8", "elements": [{"name": "cells", "count": 3}]},
    "planes": {"version": 1, "names": ["own", "their", "first"]},
    "kinds": ["stone"], "letters": "S", "pieces": [[], [[0, 0, 0]], [[0, 1, 0]]],
    "flip": {"to": [2, 1, 0], "codes": [0, 2, 1], "places": []},
    "actions": {"version": 1, "count": 4, "kinds": ["place", "pass"], "from": [-1] * 4, "to": [0, 1, 2, -1], "kind": [0, 0, 0, 1], "flip": [2, 1, 0, 3]},
}  # fmt: skip


@pytest.fixture
def three(tmp_path):
    path = tmp_path / "three.json"
    path.write_text(json.dumps(THREE))
    yield selfplay.register(path)
    sys.modules["selfplay.catalog"]._registered.clear()


def test_a_registered_game_has_cells_flips_and_actions(three):
    assert selfplay.game("three") is three and selfplay.games() == sorted([*GAMES, "three"])
    assert three.cell_name(2) == "c1" and three.cell("a1") == 0
    assert [three.describe(n) for n in (1, 3)] == [("", "b1", "place"), ("", "", "pass")]
    assert three.flip_actions([0, 1, 2, 3]).tolist() == [2, 1, 0, 3]
    assert three.flip_boards(np.array([1, 0, 2], np.uint8)).tolist() == [1, 0, 2]
    assert [list_.tolist() for list_ in three.parts([0, 3])] == [[-1, -1], [0, -1], [0, 1]]
    assert three.unpack_planes([[1, 4, 7]])[0].tolist() == [[[1, 0, 0]], [[0, 0, 1]], [[1, 1, 1]]]
    with pytest.raises(NotImplementedError, match="register a subclass"):
        three.text([0, 0, 0], 0)
    with pytest.raises(NotImplementedError, match="rows of the layout planes"):
        three.planes(np.zeros((1, 3), np.uint8), [0])


def test_a_subclass_adds_texts(three, tmp_path):
    class Three(selfplay.Game):
        def text(self, board, side, ply=None):
            return "".join(".xo"[v] for v in board) + " " + "xo"[side]

    game = selfplay.register(tmp_path / "three.json", Three)
    assert selfplay.game("three") is game and game.text([1, 0, 2], 0) == "x.o x"


@pytest.mark.parametrize("change", [{"actions": {}}, {"layout": 3}, {"name": "chess"}])
def test_wrong_tables_are_refused(tmp_path, change):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(THREE | change))
    with pytest.raises(ValueError, match="register .*table.json: (no table|the package has its own game chess)"):
        selfplay.register(path)


def test_the_start_is_read_and_written(game):
    board, side = game.board(game.start)
    assert side == 0 and board.dtype == game.dtype and len(board) == game.length
    assert game.text(board, side) == game.start


@pytest.mark.parametrize("cell, name", [(0, "a12"), (10, "k12"), (131, "k1")])
def test_cells_are_counted_from_the_top_left(cell, name):
    game = selfplay.game("cotulenh")
    assert game.cell_name(cell) == name and game.cell(name) == cell


def test_unknown_cell(game):
    with pytest.raises(ValueError, match="cell 'z9'"):
        game.cell("z9")


def test_flipping_twice_restores(game):
    board, _ = game.board(game.start)
    boards = np.stack([board, board])
    boards[1, : game.cells] = np.arange(game.cells) % len(game.pieces)
    assert (game.flip_boards(game.flip_boards(boards)) == boards).all()
    numbers = np.arange(game.actions)
    assert (game.flip_actions(game.flip_actions(numbers)) == numbers).all()
    cell, ray, what = game.action_parts(numbers)
    assert len(set(zip(cell.tolist(), ray.tolist(), what.tolist()))) == game.actions


def test_the_start_looks_the_same_from_both_sides(game):
    board, _ = game.board(game.start)
    assert (game.flip_boards(board) == board).all()
    planes = game.planes(np.stack([board, board]), [0, 1])
    different = np.flatnonzero((planes[0] != planes[1]).any(axis=(1, 2)))
    assert [game.plane_names[i] for i in different] == ["first"]


def test_int16_boards_count_as_unsigned():
    game = selfplay.game("cotulenh")
    board, _ = game.board(game.start)
    board[game.elements["half_move"]] = 40000
    assert " - - 40000 1" in game.text(board.view(np.int16), 0)


@pytest.mark.parametrize("text, number", [("e2e4", 52 * 73 + 1), ("g1f3", 62 * 73 + 63), ("a7b8n", 8 * 73 + 66), ("a7b8q", 8 * 73 + 7)])
def test_chess_actions(text, number):
    assert selfplay.game("chess").action(text) == number


def test_a_pawn_on_its_last_rank_becomes_a_queen():
    game = selfplay.game("chess")
    board, _ = game.board("8/P7/8/8/8/8/8/k1K5 w - - 0 1")
    assert game.move_text(game.action("a7a8q"), board) == "a7a8q"
    rook, _ = game.board("8/R7/8/8/8/8/8/k1K5 w - - 0 1")
    assert game.move_text(game.action("a7a8"), rook) == "a7a8"


@pytest.mark.parametrize("side, passant", [("w", "e6"), ("b", "d3")])
def test_fen_keeps_rights_and_en_passant(side, passant):
    text = f"r3k2r/8/8/3pP3/3Pp3/8/8/R3K2R {side} Kq {passant} 7 1"
    game = selfplay.game("chess")
    assert game.text(*game.board(text)) == text


@pytest.mark.parametrize("rights, written, elements", [
    ("KQkq", "KQkq", [7, 2, 7, 2]), ("GBgb", "KQkq", [7, 2, 7, 2]), ("Kb", "Kb", [7, 0, 0, 2]), ("-", "-", [0, 0, 0, 0]),
])
def test_fen_of_chess960_names_rooks(rights, written, elements):
    back = "rr2k1r1" if "b" in written else "1r2k1r1"
    text = f"{back}/8/8/8/8/8/8/1R2K1R1 w {{}} - 0 1"
    game = selfplay.game("chess")
    board, side = game.board(text.format(rights))
    assert board[64:68].tolist() == elements and game.text(board, side) == text.format(written)


def test_planes_of_chess960_show_files_of_rooks():
    game = selfplay.game("chess")
    board, _ = game.board("4k2r/8/8/8/8/8/8/1R2K2R w HBh - 0 1")
    planes = game.planes(board[None], [0])[0]
    at = game.plane_names.index("own_castling_king")
    assert planes[at].all() and planes[at + 2].all() and not planes[at + 3].any()
    assert planes[at + 1][:, 1].all() and planes[at + 1].sum() == 8


@pytest.mark.parametrize("ply, side, move", [(0, 0, 1), (1, 1, 1), (2, 0, 2), (83, 1, 42), (84, 0, 43)])
def test_fen_numbers_moves_by_the_ply(ply, side, move):
    game = selfplay.game("chess")
    board, _ = game.board(game.start)
    assert game.text(board, side, ply).endswith(f" {move}")


def test_stacks_and_deployments():
    game = selfplay.game("cotulenh")
    text = "2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4"
    board, side = game.board(text)
    assert game.text(board, side) == text and side == 1
    lead = game.pieces[board[game.cell("c12")]][0]
    assert lead == selfplay.Piece("navy", "N", 0, False)


@pytest.mark.parametrize("text, what", [("(NF)c4d4", 0), ("Nc4>d4", 2), ("Fc4>xd4", 3), ("Fc4>@d4", 3), ("commit", None)])
def test_steps_name_members_by_their_slots(text, what):
    game = selfplay.game("cotulenh")
    board, _ = game.board("10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 6 1")
    number = game.action(text, board)
    assert number == (game.actions - 1 if what is None else (game.cell("c4") * 84 + 11) * 5 + what)


def test_contrast_moves_with_tiles():
    game = selfplay.game("contrast")
    assert game.action("a5,a4 -1") == 5 * 51
    for text in ("a5,a4 -1", "a5,a4 c3b", "e1,d1 a5g"):
        assert game.move_text(game.action(text)) == text


@pytest.mark.parametrize(
    "name, text",
    [("chess", "rnbqkbnr w"), ("chess", "9/8/8/8/8/8/8/8 w - - 0 1"), ("cotulenh", "11/11 r"), ("cotulenh", "Z10 r - - 0 1"), ("contrast", "3,3 x")],
)  # fmt: skip
def test_bad_positions_are_refused(name, text):
    with pytest.raises(ValueError):
        selfplay.game(name).board(text)


@pytest.mark.parametrize(
    "name, text, want",
    [
        ("chess", "e4", "'e4': want two cells and an optional promotion, such as e2e4"),
        ("chess", "e2e9", "'e2e9': want two cells"),
        ("chess", "e2d5x", "'e2d5x': want two cells"),
        ("chess", "a1b4", "no action goes from a1 to b4"),
        ("cotulenh", "c4d4", "expected a step such as"),
        ("contrast", "a5a4", "expected a move such as"),
        ("contrast", "a5,b3 -1", "expected a move such as"),
    ],
)
def test_bad_moves_are_refused(name, text, want):
    with pytest.raises(ValueError, match=want):
        selfplay.game(name).action(text)


def test_boards_of_another_length_are_refused(game):
    with pytest.raises(ValueError, match="want"):
        game.text(np.zeros(7, np.uint8), 0)


def test_actions_out_of_range_are_refused(game):
    with pytest.raises(ValueError, match="want 0 to"):
        game.describe(game.actions)


def test_texts_count_from_the_start_of_the_game(program, tmp_path):
    book, out = tmp_path / "book.txt", tmp_path / "data"
    book.write_text("8/8/4k3/8/8/3K4/8/6R1 b - - 7 42\n")
    flags = ["--game", "chess", "--player", "random", "--book", book, "--games", "1", "--max-plies", "3", "--validation", "0", "--out", out]
    subprocess.run([program, "run", "--quiet", *flags], check=True)
    ds = selfplay.open(out)
    rows = ds.to_numpy("train")
    assert rows["start_ply"].tolist() == [83, 83, 83] and rows["ply"].tolist() == [0, 1, 2]
    assert [text.split()[-1] for text in ds.texts(rows)] == ["42", "43", "43"]
    with pytest.raises(ValueError, match="no column start_ply"):
        ds.texts({name: rows[name] for name in ("board", "side", "ply")})
