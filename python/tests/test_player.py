"""Players of the program: RULES_PROGRAM names it, or go builds it."""

import copy
import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import selfplay

GAMES = ["chess", "contrast", "cotulenh"]
MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


@pytest.fixture
def opened(program):
    made = []

    def open_(name, text, **options):
        made.append(selfplay.player(name, text, **{"program": program} | options))
        return made[-1]

    yield open_
    for player in made:
        player.close()
        assert player._program.process.poll() is not None  # no zombie


def test_the_best_move_is_found(opened):
    player = opened("chess", "ab:depth=3,multi=4", perspective="board")
    found = player.search([MATE, "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"])
    assert found.move == ["a1a8", "a8a1"] and found.best_action.tolist() == [selfplay.game("chess").action(m) for m in found.move]
    assert (found.score > 29000).all() and (found.nodes > 0).all() and found.policy_action.lengths.tolist() == [4, 4]
    assert found.policy_action[1][0] == found.best_action[1] and not found.over.any() and "multi=4" in player.name


def test_actions_are_those_of_the_side_to_move(opened):
    texts = [MATE, "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1"]
    found = opened("chess", "greedy").search(texts)
    assert found.action[0] == found.action[1]


@pytest.mark.parametrize("name", GAMES)
def test_findings_do_not_depend_on_the_grouping(opened, name):
    start = selfplay.game(name).start
    for text in ("mcts:sims=30,noise=0.25,temp=1", "ab:nodes=100"):
        all_ = opened(name, text, workers=2).search([start] * 9, seed=np.arange(9) % 4)
        one = opened(name, text, workers=1)
        for i in range(9):
            single = one.search(start, seed=i % 4)
            assert (single.action[0], single.score[0], single.nodes[0]) == (all_.action[i], all_.score[i], all_.nodes[i])
            assert single.policy_weight[0].tolist() == all_.policy_weight[i].tolist()


def test_requests_are_cut(opened, monkeypatch):
    player = opened("contrast", "greedy")
    whole = player.search([selfplay.game("contrast").start] * 7)
    monkeypatch.setattr(importlib.import_module("selfplay.player"), "CHUNK", 3)
    parts = player.search([selfplay.game("contrast").start] * 7)
    assert (whole.action == parts.action).all() and whole.move == parts.move and len(parts) == 7
    with pytest.raises(ValueError, match="position 5: "):
        player.search([selfplay.game("contrast").start] * 5 + ["nonsense"])
    assert len(player.search([])) == 0


def test_requests_are_cut_by_their_bytes(opened, monkeypatch):
    """Positions with long histories: the lines of all are larger than a frame may be."""
    history, sizes = "\tg1f3\tg8f6\tf3g1\tf6g8" * 220, []
    player = opened("chess", "random")
    ask = player._program.ask
    monkeypatch.setattr(player._program, "ask", lambda kind, body, *_: sizes.append(len(body)) or ask(kind, body))
    found = player.search([""] + [history] * 8000)
    assert sum(sizes) > 1 << 25 and max(sizes) < 1 << 21 and found.over.tolist() == [False] + [True] * 8000
    with pytest.raises(ValueError, match="position 7999: "):
        player.search([history] * 7999 + ["nonsense"])


def test_short_and_long_texts_are_cut_where_they_must(monkeypatch):
    module = importlib.import_module("selfplay.player")
    monkeypatch.setattr(module, "CHUNK", 3)
    monkeypatch.setattr(module, "CHUNK_BYTES", 10)
    assert list(module._chunks([1] * 7)) == [(0, 3), (3, 6), (6, 7)]
    assert list(module._chunks([5, 5, 1, 20, 9, 2])) == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6)]
    assert list(module._chunks([])) == [] and list(module._chunks([99])) == [(0, 1)]
    with pytest.raises(ValueError, match=f"position 1: a text of {1 << 25} bytes: want at most {(1 << 25) - 17}"):
        list(module._chunks([1, (1 << 25) + 1]))


def test_games_that_are_over(opened):
    found = opened("chess", "greedy").search(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", MATE])
    assert found.over.tolist() == [True, False] and found.move[0] == "" and found.nodes.tolist()[0] == 0


def test_wrong_players_are_refused_with_the_words_of_the_program(program):
    for text in ("nonsense", "ab:depth=many", "ab:net=nowhere"):
        with pytest.raises(ValueError, match=text.split("=")[-1]):
            selfplay.player("chess", text, program=program)


@pytest.mark.parametrize("seed", [-1, 0.5, [1, 2], "a"])
def test_wrong_seeds_are_refused(opened, seed):
    with pytest.raises(ValueError, match="seed"):
        opened("chess", "random").search([MATE], seed=seed)


def test_long_searches_go_on_beyond_the_timeout(opened):
    seen, player = [], opened("chess", "ab:nodes=10000", timeout=1.6, workers=1)
    begin = time.monotonic()
    n = 1 << 8
    while time.monotonic() - begin < 2:
        begin, n = time.monotonic(), n * 2
        player.search([selfplay.game("chess").start] * n, progress=lambda done, all_: seen.append((done, all_)))
    assert seen and all(done <= all_ for done, all_ in seen)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_and_a_stopped_program_are_errors(opened):
    for sent, text in ((signal.SIGKILL, "killed by signal 9"), (signal.SIGSTOP, "not answered within 2 s")):
        player = opened("chess", "ab:nodes=4000000000", timeout=2)
        timer = threading.Timer(0.3, player._program.process.send_signal, [sent])
        timer.start()
        with pytest.raises(selfplay.ProgramError, match=text):
            player.search([MATE.replace("R5K1", "6K1")] * 2)
        with pytest.raises(selfplay.ProgramError, match="closed"):
            player.search([MATE])


def test_other_programs_are_errors(tmp_path, program):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\nimport os, sys\nr = os.popen('{program} positions --game chess </dev/null', 'r').buffer.read()\n"
                    "sys.stdout.buffer.write(r); sys.stdout.flush(); sys.stdin.buffer.read(12)\n"
                    "sys.stdout.buffer.write(b'SPE1' + (23).to_bytes(4, 'little') + (5).to_bytes(4, 'little') + b'\\1\\0\\0\\0x')\n")  # fmt: skip
    path.chmod(0o755)
    player = selfplay.player("chess", "random", program=path)
    with pytest.raises(selfplay.ProgramError, match="results that cannot be read"):
        player.search([MATE])
    assert player._program.process.poll() is not None


def test_positions_are_searched_where_they_are(program):
    rng = np.random.default_rng(1)
    with selfplay.game("chess").positions(6, player="ab:depth=2", program=program) as positions:
        for _ in range(5):
            seen = positions.step(positions.observe().sample(rng))
        found = positions.search([1, 4])
        assert all(found.action[k] in seen.actions[i] for k, i in enumerate([1, 4])) and len(positions.search([])) == 0
        assert positions.observe() is seen and (positions.search().action[[1, 4]] == found.action).all()
        for wrong in ([6], [-1], [0.5], 1, [2, 1], [1, 1]):
            with pytest.raises(ValueError):
                positions.search(wrong)
    with selfplay.game("chess").positions(2, program=program) as positions, pytest.raises(ValueError, match="--player"):
        positions.search()


def test_the_history_of_a_position_counts(program):
    """The side that is lost repeats the position for the third time."""
    start = "7k/8/8/8/8/8/8/KQ6 w - - 0 1"
    shuffle = ["b1b2", "h8g8", "b2b1", "g8h8"]
    with selfplay.game("chess").positions(1, start=start, player="ab:depth=1", perspective="board", program=program) as positions:
        for move in (shuffle * 2)[:7]:
            positions.step([selfplay.game("chess").action(move)])
        held = positions.search()
    with selfplay.player("chess", "ab:depth=1", perspective="board", program=program) as player:
        alone = player.search("6k1/8/8/8/8/8/8/KQ6 b - - 7 4")
    assert (held.move, held.score[0]) == (["g8h8"], 0) and alone.score[0] < 0


@pytest.mark.parametrize("name", ["chess", "cotulenh", "contrast"])
def test_positions_that_were_played_to_are_searched(program, name):
    position = selfplay.game(name).start(program=program)
    for _ in range(4):
        position.play(position.moves[-1])
    with selfplay.player(name, "ab:depth=1", program=program) as player:
        result = player.search([position, position.text])
    assert result.move[0] and result.nodes.min() > 0


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.parametrize("searching", [False, True])
def test_a_killed_python_leaves_no_program(program, searching):
    """Not even one that searches: nobody reads what it says."""
    code = f"""
import selfplay
player = selfplay.player("chess", "ab:nodes=4000000000", program={program!r})
print(player._program.process.pid, flush=True)
{"player.search(" + repr([MATE]) + ")" if searching else "input()"}
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stdin=subprocess.PIPE, env=os.environ | {"PYTHONPATH": ":".join(sys.path)})
    with child:
        pid = int(child.stdout.readline())
        time.sleep(0.5 * searching)
        child.kill()
    for _ in range(100):
        if not running(pid):
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the program runs on")


def running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # its new parent may not wait at once


def test_a_python_that_ends_ends_the_program(program):
    code = f"import selfplay\nprint(selfplay.player('chess', 'greedy', program={program!r})._program.process.pid, selfplay.game('chess').start(program={program!r}).side)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": ":".join(sys.path)}, check=True, timeout=60)
    assert done.stdout.split()[1] == "0" and not running(int(done.stdout.split()[0]))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda player: pickle.loads(pickle.dumps(player))])
def test_a_copy_is_a_player_of_its_own(opened, copied):
    player = opened("contrast", "0.5*greedy + 0.5*random")
    other = copied(player)
    texts, seeds = [selfplay.game("contrast").start] * 20, np.arange(20)
    assert other.game is player.game and other.search(texts, seeds).move == player.search(texts, seeds).move
    player.close()
    assert other.search(texts, seeds).move and other.name == player.name
    other.close()
    with pytest.raises(selfplay.ProgramError, match="closed"):
        copied(player)
