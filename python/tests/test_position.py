"""Single positions, with the program: RULES_PROGRAM names it, or go builds it."""

import copy
import os
import pickle
import random
import signal
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import selfplay
from selfplay import position as module

GAMES = ["chess", "contrast", "cotulenh"]


@pytest.fixture(autouse=True)
def shared(program, monkeypatch):
    monkeypatch.setenv("RULES_PROGRAM", program)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("perspective", ["mover", "board"])
def test_a_position_agrees_with_the_package_and_with_batches(program, name, perspective):
    game, draw = selfplay.game(name), random.Random(1)
    p = game.start(perspective=perspective)
    with game.positions(1, perspective=perspective, planes="float32", restart=False, program=program) as positions:
        for _ in range(60):
            seen = positions.observe()
            assert seen.actions[0].tolist() == p.actions.tolist() and seen.side[0] == p.side and (seen.planes[0] == p.planes).all()
            board, side = game.board(p.text)
            assert side == p.side and (board == p.board).all() and p.board.dtype == game.dtype
            absolute = game.flip_actions(p.actions) if perspective == "mover" and p.side else p.actions
            # Which captures of CoTuLenh kill the attacker, @, is a matter of rules, which the package does not know.
            assert [game.move_text(int(a), p.board) for a in absolute] == [m.replace("@", "x") for m in p.moves]
            assert p.text.startswith(game.text(p.board, p.side).split()[0])
            if p.result:
                break
            before, action = p.text, int(draw.choice(p.actions))
            p.play(action).undo()
            assert p.text == before
            p.play(p.moves[p.actions.tolist().index(action)])
            positions.step([action])
        for _ in range(len(p.played)):
            p.undo()
        assert p.text == game.start and str(p) == p.text
        with pytest.raises(ValueError, match="no action has been played"):
            p.undo()


def test_a_game_ends(program):
    p = selfplay.game("chess").position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    assert (p.result, p.reason, p.check) == ("", "", False)
    p.play("a1a8")
    assert (p.result, p.reason, p.check, p.moves, len(p.actions)) == ("white", "checkmate", True, [], 0)
    with pytest.raises(selfplay.IllegalAction, match="not legal"):
        p.play(0)
    assert p.undo().result == ""


def test_repetitions_count():
    p = selfplay.game("chess").start()
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            p.play(move)
    assert (p.result, p.reason) == ("draw", "repetition")


def test_a_player_knows_the_history(program):
    p = selfplay.game("chess").position("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    for move in ("b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8", "b2b1"):
        p.play(move)
    with selfplay.player("chess", "ab:depth=1", program=program) as player:
        known, alone = player.search(p), player.search([p.text, p])
    assert (known.move, known.score[0]) == (["g8h8"], 0) and alone.score[0] < 0 and alone.score[1] == 0
    assert p.actions[p.moves.index("g8h8")] == known.action[0]


def test_illegal_actions_and_texts_are_refused():
    game = selfplay.game("contrast")
    p = game.start()
    before = p.text
    for wrong in (p.actions.max() + 1, -1, 1 << 20, "nonsense"):
        with pytest.raises(selfplay.IllegalAction, match=str(wrong)):
            p.play(wrong)
    assert p.text == before and not p.played
    with pytest.raises(ValueError, match="nonsense"):
        game.position("nonsense")
    with pytest.raises(ValueError, match="perspective"):
        game.start(perspective="above")


def test_copies_are_played_apart():
    p = selfplay.game("chess").start().play("e2e4")
    other = p.copy().play("e7e5")
    assert len(p.played) == 1 and other.undo().text == p.text


@pytest.mark.parametrize("name", GAMES)
def test_pictures(name):
    svg = selfplay.game(name).start()._repr_svg_()
    root = xml.etree.ElementTree.fromstring(svg)
    assert root.tag.endswith("svg") and root.get("class") == f"board {name}"


def test_the_start_is_a_text_and_a_position():
    game = selfplay.game("chess")
    assert isinstance(game.start, str) and game.start().text == game.start and game.position(game.start).text == game.start
    assert pickle.loads(pickle.dumps(str(game.start))) == game.start and copy.copy(game.start) == game.start


def test_variants():
    game = selfplay.game("contrast")
    for variant in game.table.get("variants", ["after"]):
        assert len(game.start(variant=variant).actions) > 0
    game = selfplay.game("chess")
    position = game.position("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1", variant="chess960")
    board, side = game.board(position.text)
    assert (position.board == board).all() and game.action("e1b1") in position.actions
    assert position.play("e1b1").text == "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_program_is_an_error_and_then_replaced():
    p = selfplay.game("chess").start()
    process = module._shared[p._key].process
    process.send_signal(signal.SIGKILL)
    process.wait()
    with pytest.raises(selfplay.ProgramError, match="killed by signal 9"):
        p.play("e2e4")
    assert p.play("e2e4").side == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_process_starts_a_program_of_its_own():
    p = selfplay.game("chess").start()
    if (child := os.fork()) == 0:
        try:
            os._exit(0 if p.play("e2e4").side == 1 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert p.play("d2d4").side == 1


def test_garbage_is_an_error(tmp_path, program):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\nimport os, sys\nr = os.popen('{program} positions --game chess </dev/null', 'r').buffer.read()\n"
                    "sys.stdout.buffer.write(r); sys.stdout.flush(); sys.stdin.buffer.read(12)\n"
                    "sys.stdout.buffer.write(b'SPE1' + (25).to_bytes(4, 'little') + (2).to_bytes(4, 'little') + b'{}')\n")  # fmt: skip
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match="a look that cannot be read"):
        selfplay.game("chess").start(program=path)
    assert module._shared["chess", "", str(path)].process.poll() is not None
    assert np.array(selfplay.game("chess").start().planes).any()
