"""Positions in batches, with the program: RULES_PROGRAM names it, or go builds it."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

import selfplay

GAMES = ["chess", "contrast", "cotulenh"]


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
    command = [program, "run", "--quiet", "--game", name, "--games", "6", "--layout", "planes", "--columns", "+legal_actions"]
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


@pytest.mark.parametrize("name", GAMES)
def test_random_games_can_be_imported(program, opened, tmp_path, name):
    """RULES_GAMES games are stepped here, written as moves, and checked by the program."""
    n, rng = int(os.environ.get("RULES_GAMES", "20")), np.random.default_rng(1)
    positions, left = opened(name, n, restart=False, planes=None), n
    games = [[] for _ in range(n)]
    while left:
        going = positions.observe().reason == 0
        actions = positions.observe().sample(rng)
        for i in np.flatnonzero(going):
            games[i].append(actions[i])
        left -= int(positions.step(actions).ended.sum())
    last = positions.observe()
    with open(tmp_path / "games.jsonl", "w") as file:
        for i, game in enumerate(games):
            result = ["", *selfplay.game(name).sides, "draw"][last.result[i]]
            file.write(json.dumps({"moves": positions.texts(game), "result": result}) + "\n")
    data = tmp_path / "data"
    subprocess.run([program, "export", "import", "--strict", "--format", "moves", "--game", name, "--out", data, tmp_path / "games.jsonl"], check=True)
    subprocess.run([program, "verify", "--deep", data], check=True)
    rows = [selfplay.open(data).to_numpy(split, ["game", "reason"]) for split in selfplay.open(data).splits]
    reasons = {int(g): int(r) for part in rows for g, r in zip(part["game"], part["reason"])}
    assert reasons and all(reason == last.reason[g] for g, reason in reasons.items())


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
def test_other_programs_are_errors(tmp_path, code, error):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match=error):
        selfplay.game("chess").positions(1, program=path)


def test_no_program(tmp_path):
    with pytest.raises(selfplay.ProgramError, match="no program"):
        selfplay.game("chess").positions(1, program=tmp_path / "none")
