"""Positions in batches, with the program: RULES_PROGRAM names it, or go builds it."""

import copy
import json
import os
import pickle
import shutil
import signal
import struct
import subprocess
import sys

import numpy as np
import pytest

import selfplay

GAMES = ["chess", "contrast", "cotulenh"]
DRAWISH = "8/8/4k3/8/8/4K3/8/R7 w - - 90 80"  # repetitions and the fifty-move rule are near


@pytest.fixture
def opened(program):
    made = []

    def open_(name, n, **options):
        made.append(selfplay.game(name).positions(n, **{"program": program} | options))
        return made[-1]

    yield open_
    for positions in made:
        positions.close()
        assert positions._program.process.poll() is not None  # no zombie


@pytest.mark.parametrize("name", GAMES)
def test_legal_actions_and_planes_equal_those_of_a_dataset(program, opened, tmp_path, name):
    command = [program, "run", "--quiet", "--game", name, "--player", "random", "--games", "6", "--layout", "planes", "--columns", "+legal_actions"]
    subprocess.run([*command, "--max-plies", "400", "--out", tmp_path / "data"], check=True)
    ds = selfplay.open(tmp_path / "data")
    for split in ds.splits:
        rows = ds.to_numpy(split)
        for game in np.unique(rows["game"]):
            where = np.flatnonzero(rows["game"] == game)
            positions = opened(name, 2, max_plies=400)
            seen = positions.observe()
            for row in where[np.argsort(rows["ply"][where])]:
                assert not seen.ended.any()
                assert seen.actions[1].tolist() == rows["legal_actions"][int(row)].tolist()
                assert (seen.planes[1].ravel() == rows["board"][row]).all() and (seen.side == rows["side"][row]).all()
                seen = positions.step(np.full(2, rows["action"][row]).astype(np.int64) % (1 << 16))
            assert seen.ended.all()
            outcome = int(rows["outcome"][row]) * (1 if rows["side"][row] == 0 else -1)
            assert seen.rewards.tolist() == [[outcome, -outcome]] * 2


@pytest.mark.parametrize("name", GAMES)
def test_forms_and_perspectives_agree(opened, name):
    game, rng = selfplay.game(name), np.random.default_rng(1)
    packed, floats, board = (opened(name, 5, **o) for o in ({}, {"planes": "float32"}, {"perspective": "board", "planes": None}))
    for _ in range(60):
        seen, other, absolute = packed.observe(), floats.observe(), board.observe()
        assert other.planes.dtype == np.float32 and absolute.planes is None
        assert (game.unpack_planes(seen.planes.reshape(5, -1)) == other.planes).all()
        for i in range(5):
            flipped = game.flip_actions(seen.actions[i]) if seen.side[i] else seen.actions[i]
            assert sorted(flipped.tolist()) == absolute.actions[i].tolist()
        mask = np.unpackbits(seen.action_bits, axis=1, count=game.actions, bitorder="little")
        assert (mask == selfplay.legal_mask(seen.actions, game.actions)).all() and seen.action_bits.shape == (5, (game.actions + 7) // 8)
        actions = seen.sample(rng)
        packed.step(actions), floats.step(actions)
        board.step(np.where(seen.side == 1, game.flip_actions(actions), actions))


CHUNK = 500  # games that are stepped at once


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_an_imported_dataset(program, opened, tmp_path, name):
    """RULES_GAMES games are stepped here, written as moves, and checked by the program. Legal actions, planes and rewards of
    every ply are those of the dataset."""
    left, rng, plies = int(os.environ.get("RULES_GAMES", "20")), np.random.default_rng(1), 0
    while left:
        n = min(left, CHUNK)
        left -= n
        positions = opened(name, n, restart=False)
        games = play_random_games(positions, rng)
        write_moves(positions, games, tmp_path / "games.jsonl")
        data = tmp_path / f"data{left}"
        command = [program, "import", "--quiet", "--strict", "--format", "moves", "--game", name, "--out", data, tmp_path / "games.jsonl"]
        subprocess.run([*command, "--layout", "planes", "--columns", "+legal_actions"], check=True)
        subprocess.run([program, "verify", "--deep", "--quiet", data], check=True)
        plies += compare_with_dataset(positions, games, selfplay.open(data))
        positions.close()
        shutil.rmtree(data)
    print(f"{name}: {plies} plies")


def play_random_games(positions, rng):
    """Returns the actions of each game, and a last action that counts for nothing, as an array [plies, n]."""
    steps = []
    while (positions.observe().reason == 0).any():
        steps.append(positions.observe().sample(rng))
        positions.step(steps[-1])
    return np.array(steps)


def lengths_of(positions, steps):
    """Returns the number of plies of each game: it is stepped again."""
    lengths, seen = np.zeros(positions.n, np.int64), positions.reset()
    for actions in steps:
        lengths += seen.reason == 0
        seen = positions.step(actions)
    return lengths


def write_moves(positions, steps, path):
    last, lengths = positions.observe(), lengths_of(positions, steps)
    with open(path, "w") as file:
        for i, length in enumerate(lengths):
            result = ["", *positions.game.sides, "draw"][last.result[i]]
            file.write(json.dumps({"moves": positions.texts(steps[:length, i]), "result": result}) + "\n")


def compare_with_dataset(positions, steps, ds):
    """Steps the games again beside the rows of the dataset, and returns the number of plies."""
    names = ["game", "ply", "side", "board", "action", "legal_actions", "outcome", "reason"]
    parts = [ds.to_numpy(split, names) for split in ds.splits]
    rows = {name: np.concatenate([p[name] for p in parts]) for name in names if name != "legal_actions"}
    legal = selfplay.Ragged.concatenate([p["legal_actions"] for p in parts])
    order = np.lexsort((rows["game"], rows["ply"]))
    begins = np.searchsorted(rows["ply"][order], np.arange(len(steps) + 1))
    seen = positions.reset()
    for ply, actions in enumerate(steps):
        going = np.flatnonzero(seen.reason == 0)
        at = order[begins[ply] : begins[ply + 1]]
        assert (rows["game"][at] == going).all(), "a row of every game that goes on"
        assert (rows["side"][at] == seen.side[going]).all() and (seen.planes[going].reshape(len(at), -1) == rows["board"][at]).all()
        mine, theirs = seen.actions.take(going), legal.take(at)
        assert (mine.offsets == theirs.offsets).all() and (mine.values == theirs.values.astype(np.uint16)).all()
        assert (actions[going] == rows["action"][at].astype(np.uint16)).all()
        seen = positions.step(actions)
        over = seen.ended[going]
        outcome = rows["outcome"][at].astype(int) * np.where(rows["side"][at] == 0, 1, -1)  # of side 0
        assert (seen.rewards[going, 0] == np.where(over, outcome, 0)).all() and (seen.rewards[:, 1] == -seen.rewards[:, 0]).all()
        assert (seen.reason[going][over] == rows["reason"][at][over]).all()
    assert (seen.reason != 0).all() and begins[-1] == len(order)
    return len(order)


def test_several_cores_give_the_same(opened):
    """GOMAXPROCS is the default of the goroutines that step."""
    rng, n = np.random.default_rng(1), 300
    one, several = opened("contrast", n, workers=1), opened("contrast", n, workers=3)
    for _ in range(30):
        actions = one.observe().sample(rng)
        a, b = one.step(actions), several.step(actions)
        assert a.actions.tolist() == b.actions.tolist() and (a.planes == b.planes).all() and (a.side == b.side).all()
        assert (a.result == b.result).all() and (a.ended == b.ended).all()


def test_finished_positions_stay_or_begin_again(opened):
    rng = np.random.default_rng(1)
    stays, again = opened("chess", 4, restart=False, max_plies=7), opened("chess", 4, max_plies=7)
    for ply in range(1, 10):
        seen, fresh = stays.step(stays.observe().sample(rng)), again.step(again.observe().sample(rng))
        assert (seen.ended == (ply == 7)).all() and (seen.truncated == (ply >= 7)).all() and (fresh.ended == (ply == 7)).all()
        assert (seen.actions.lengths > 0).all() == (ply < 7) and (fresh.actions.lengths > 0).all()


def test_a_win_is_rewarded(opened):
    game = selfplay.game("chess")
    positions = opened("chess", 1, start="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    seen = positions.step([game.action("a1a8")])
    assert seen.terminated.all() and seen.result.tolist() == [1] and seen.rewards.tolist() == [[1, -1]]


def test_an_illegal_action_names_its_position_and_changes_nothing(opened):
    positions = opened("chess", 3)
    before = positions.observe()
    actions = before.sample(np.random.default_rng(1))
    for wrong in (7, -1, 1 << 20):
        changed = actions.astype(np.int64)
        changed[2] = wrong
        with pytest.raises(selfplay.IllegalAction, match=f"position 2: action {wrong}") as caught:
            positions.step(changed)
        assert (caught.value.index, caught.value.action) == (2, wrong) and positions.observe() is before
    assert not positions.step(actions).ended.any()


@pytest.mark.parametrize("actions", [[0], [0.5, 0.5], [[0, 0]], ["e2e4", "e2e4"]])
def test_actions_of_another_form_are_refused(opened, actions):
    with pytest.raises(ValueError, match="want 2 integers"):
        opened("chess", 2).step(actions)


def test_texts_of_numbers_that_would_wrap_are_refused(opened):
    positions, e2e4 = opened("chess", 2), selfplay.game("chess").action("e2e4")
    assert positions.texts([e2e4]) == ["e2e4"] and positions.texts([]) == []
    for wrong in (e2e4 + 65536, e2e4 - 65536, -1, selfplay.game("chess").actions):
        with pytest.raises(selfplay.IllegalAction, match=f"ply 1: action {wrong}: want 0 to ") as caught:
            positions.texts([e2e4, wrong])
        assert (caught.value.index, caught.value.action) == (1, wrong)
    for wrong in ([e2e4 + 0.9], [[e2e4]], e2e4, ["e2e4"], [2**64 + e2e4]):
        with pytest.raises(ValueError, match="want 1 integers"):
            positions.texts(wrong)


def test_a_wrong_start_is_refused(program):
    with pytest.raises(ValueError, match="nonsense"):
        selfplay.game("chess").positions(1, start="nonsense", program=program)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_and_a_stopped_program_are_errors(opened):
    killed, stopped = opened("chess", 2), opened("chess", 2, timeout=0.5)
    killed._program.process.send_signal(signal.SIGKILL)
    with pytest.raises(selfplay.ProgramError, match="killed by signal 9"):
        killed.step(killed.observe().actions.values[:2])
    with pytest.raises(selfplay.ProgramError, match="closed"):
        killed.step([0, 0])
    stopped._program.process.send_signal(signal.SIGSTOP)
    os.waitpid(stopped._program.process.pid, os.WUNTRACED)  # its threads stop a moment later
    with pytest.raises(selfplay.ProgramError, match="not answered within 0.5 s"):
        stopped.step([0, 0])


@pytest.mark.parametrize(
    "code, error",
    [
        ("print('hello, world, this is no frame')", "no frame"),
        ("import sys; sys.exit('out of cheese')", "exited with code 1: out of cheese"),
        ("print('SPE1', end='')", "exited with code 0"),
        (r"import sys; sys.stdout.buffer.write(b'SPE1\1\0\0\0\2\0\0\0{}')", "install both of one version"),
    ],
)
def test_other_programs_are_errors(tmp_path, started, code, error):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match=error):
        selfplay.game("chess").positions(1, program=path)


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v")
def test_a_program_without_memory_is_an_error(tmp_path, program, started):
    path = tmp_path / "starved"
    path.write_text(f'#!/bin/sh\nulimit -v 100000\nexec {program} "$@"\n')
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match=r"exited with code 2: fatal error: .*memory.*\Z"):
        selfplay.game("chess").positions(1, program=path)


def frame(kind, body):
    return b"SPE1" + struct.pack("<II", kind, len(body)) + body


def observation(n=2, m=2, size=216, offsets=(0, 1, 2), states=b"\0\0", results=b"\0\0"):
    """The body of an observation of two positions of chess."""
    return struct.pack("<IIII", n, m, size, 0) + np.array(offsets, "<u4").tobytes() + bytes(2 * m) + states + results + b"\0\0" + bytes(n * size)


@pytest.mark.parametrize(
    "answer, error",
    [
        (b"", "exited with code 0"),
        (b"\x8f" * 500, "which is no frame"),
        (b"SPE1" + struct.pack("<II", 18, 1 << 31), "which is no frame"),
        (frame(18, observation())[:300], "exited with code 0"),
        (frame(99, b""), "a frame of kind 99"),
        (frame(4, b""), "a frame of kind 4"),
        (frame(18, b""), "an observation that cannot be read"),
        (frame(18, bytes(600)), "an observation that cannot be read"),
        (frame(18, observation(n=3)), "an observation that cannot be read"),
        (frame(18, observation(size=100)), "an observation that cannot be read"),
        (frame(18, observation(offsets=(0, 3, 2))), "an observation that cannot be read"),
        (frame(18, observation(states=b"\0\7")), "an observation that cannot be read"),
        (frame(18, observation(results=b"\0\7")), "an observation that cannot be read"),
    ],
)
def test_garbage_in_a_conversation_is_an_error(tmp_path, program, started, answer, error):
    path = tmp_path / "other"
    good = frame(18, observation())
    path.write_text(f"#!{sys.executable}\nimport subprocess, sys\n"
                    f"hello = subprocess.run([{program!r}, 'positions', '--game', 'chess'], stdin=subprocess.DEVNULL, capture_output=True).stdout\n"
                    f"for answer in hello, {good!r}:\n"
                    "    sys.stdout.buffer.write(answer); sys.stdout.flush(); head = sys.stdin.buffer.read(12)\n"
                    "    sys.stdin.buffer.read(int.from_bytes(head[8:], 'little'))\n"  # the whole frame, so that writing it never fails
                    f"sys.stdout.buffer.write({answer!r})\n")  # fmt: skip
    path.chmod(0o755)
    positions = selfplay.game("chess").positions(2, program=path)
    with pytest.raises(selfplay.ProgramError, match=error):
        positions.step([0, 0])
    with pytest.raises(selfplay.ProgramError, match="closed"):
        positions.observe() and positions.step([0, 0])


def test_half_an_answer_is_an_error(tmp_path, program, started):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\nimport sys, time\nsys.stdout.write('SPE1' + chr(1) + 4 * chr(0)); sys.stdout.flush(); time.sleep(60)\n")
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match="not answered within 0.5 s"):
        selfplay.game("chess").positions(1, program=path, timeout=0.5)


def test_no_program(tmp_path):
    with pytest.raises(selfplay.ProgramError, match="no program"):
        selfplay.game("chess").positions(1, program=tmp_path / "none")


@pytest.mark.parametrize("wrong, message", [
    ({"actions": [1 << 16, 0]}, "position 0: action 65536"), ({"actions": [0, -65536]}, "position 1: action -65536"),
    ({"actions": [0.0, 1.0]}, "dtype float64"), ({"sides": [0, 256]}, "sides of shape"), ({"first": 3}, "first of shape"),
    ({"seeds": -1}, "seed of shape"), ({"seeds": [1, 2, 3]}, "seed of shape"),
])  # fmt: skip
def test_numbers_of_a_round_do_not_wrap(opened, wrong, message):
    positions = opened("chess", 2, restart=False, player="random")
    before = positions.observe().planes.copy()
    with pytest.raises((ValueError, selfplay.IllegalAction), match=message):
        positions.round(**({"actions": [0, 0], "sides": 0, "seeds": 1, "first": 2} | wrong))
    assert (positions.round([0, 0], 0, 1, 2).planes == before).all()


@pytest.mark.parametrize("restart", [True, False])
def test_copied_positions_have_the_same_history(program, restart):
    rng = np.random.default_rng(1)
    with selfplay.game("chess").positions(50, start=DRAWISH, max_plies=30, restart=restart, program=program) as positions:
        for steps in (0, 7, 40):
            for _ in range(steps):
                positions.step(positions.observe().sample(rng))
            with copy.deepcopy(positions) as other:
                assert pickle.dumps(other.observe()) == pickle.dumps(positions.observe())
                for _ in range(20):
                    actions = positions.observe().sample(rng)
                    assert pickle.dumps(other.step(actions)) == pickle.dumps(positions.step(actions))
