"""Runs and matches of the program: RULES_PROGRAM names it, or go builds it."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
import types
from pathlib import Path

import pytest

import selfplay
from selfplay import progress, running

posix = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture
def play(program, tmp_path):
    """Runs with a small plan."""

    def play_(**options):
        plan = {"game": "contrast", "player": "random", "games": 20, "out": tmp_path / "data"}
        return selfplay.run(**plan | {"program": program, "progress": False} | options)

    return play_


def test_a_run_is_a_dataset_of_the_same_plan(program, play, tmp_path):
    seen = []
    made = play(seed=7, columns=["+legal_actions"], progress=lambda done, of: seen.append((done, of)))
    assert (made.state, made.games, made.out) == ("done", 20, str(tmp_path / "data")) and seen[0] == (0, 20) and seen[-1] == (20, 20)
    ds = made.open()
    assert len(ds) == made.rows and "legal_actions" in ds.columns and made.summary["complete"]
    command = [program, "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "20", "--seed", "7"]
    command += ["--columns", "+legal_actions"]
    subprocess.run([*command, "--out", tmp_path / "other"], check=True)
    other = selfplay.open(tmp_path / "other")
    assert (other["train"]["board"] == ds["train"]["board"]).all()
    more = play(seed=7, columns=["+legal_actions"], games=30, game=selfplay.game("contrast"))
    assert (more.games, more.plan_hash, more.summary["games_new"]) == (30, made.plan_hash, 10)


def test_a_stopped_run_goes_on(play):
    stopped = play(player="ab:depth=3", games=2000, stop_after="1s", workers=1)
    assert stopped.state == "stopped" and stopped.games < 2000
    with pytest.raises(ValueError, match="no shard is finished"):
        stopped.open()


def test_errors_are_exceptions_with_the_words_of_the_program(play, program):
    for options, words in (
        ({"player": "nonsense"}, "unknown player \"nonsense\": want one of"),
        ({"game": "go"}, "unknown game \"go\""),
        ({"nonsense": 3}, "unknown flag --nonsense"),
        ({"games": -1}, "games"),
        ({"json": True}, "json: not an argument"),
    ):
        with pytest.raises(ValueError, match=words):
            play(**options)
    play()
    with pytest.raises(selfplay.ProgramError, match="another plan: --seed: 1 there, 2 here"):
        play(seed=2)
    with pytest.raises(ValueError, match="games 3: want an even number"):
        selfplay.match(game="contrast", a="random", b="random", games=3, program=program)
    with pytest.raises(TypeError):
        selfplay.run(game="contrast")


@pytest.mark.parametrize(
    "code, error",
    [
        ("print('what?')", "is it the program selfplay"),
        ("print('{}'); sys.exit(sys.argv[1] != 'version' and 'out of cheese')", "exited with code 1: out of cheese"),
        ("print('{}' if sys.argv[1] == 'version' else [])", "want one object of JSON"),
        ("print('{}')", "printed no out, state, games"),
        ("print('{}'); sys.argv[1] == 'version' or os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("print('{\"version\": \"0.0.1 of another release\"}')", "has version 0.0.1, this package has 1.0.0: install both from one release"),
    ],
)
@posix
def test_other_programs_are_errors(play, tmp_path, started, monkeypatch, code, error):
    path = tmp_path / "other"
    path.write_text(f"#!{sys.executable}\nimport os, sys\n{code}\n")
    path.chmod(0o755)
    monkeypatch.setattr(selfplay.program, "package_version", lambda: "1.0.0")
    with pytest.raises(selfplay.ProgramError, match=error):
        play(program=path)


@posix
def test_an_interrupt_stops_the_run_and_keeps_its_games(play, started):
    timer = threading.Timer(1, os.kill, [os.getpid(), signal.SIGINT])
    with pytest.raises(KeyboardInterrupt):
        play(player="ab:depth=3", games=20000, progress=lambda *_: timer.is_alive() or timer.ident or timer.start())
    assert started[-1].returncode == 3
    stopped = play(player="ab:depth=3", games=20000, stop_after="100ms")
    assert stopped.summary["games_recovered"] > 0


@posix
def test_a_second_interrupt_ends_a_program_that_hangs(play, started):
    def hang(*_):
        started[-1].send_signal(signal.SIGSTOP)
        for seconds in (0.3, 0.6):
            threading.Timer(seconds, os.kill, [os.getpid(), signal.SIGINT]).start()

    with pytest.raises(KeyboardInterrupt):
        play(player="ab:depth=3", games=20000, progress=hang)
    assert started[-1].returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v")
def test_a_run_without_memory_is_an_error(play, program, tmp_path, started, capsys):
    path = tmp_path / "starved"
    path.write_text(f'#!/bin/sh\n[ "$1" = version ] || ulimit -v 100000\nexec {program} "$@"\n')
    path.chmod(0o755)
    with pytest.raises(selfplay.ProgramError, match="exited with code 2: fatal error: [^\n]*memory[^\n]*$"):
        play(program=path)
    assert "goroutine" not in capsys.readouterr().err


@posix
def test_a_killed_run_is_an_error(play, started):
    with pytest.raises(selfplay.ProgramError, match="killed by signal 9"):
        play(player="ab:depth=3", games=20000, progress=lambda *_: started[-1].kill())


def test_an_error_of_the_function_stops_the_run(play, started):
    with pytest.raises(ZeroDivisionError):
        play(player="ab:depth=3", games=20000, progress=lambda done, of: 1 // 0)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_killed_python_leaves_no_run(program, tmp_path):
    code = f"""
import subprocess, selfplay
from selfplay import running
class Popen(subprocess.Popen):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        print(self.pid, flush=True)
running.subprocess.Popen = Popen
selfplay.run(game="contrast", player="ab:depth=3", games=20000, out={str(tmp_path / "data")!r}, program={program!r})
"""
    env = os.environ | {"PYTHONPATH": ":".join(sys.path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env) as child:
        pids = [int(child.stdout.readline()) for _ in range(2)]  # of `selfplay version`, and of the run
        time.sleep(0.5)
        child.kill()
    for _ in range(300):
        if not Path(f"/proc/{pids[1]}/cmdline").exists() or not Path(f"/proc/{pids[1]}/cmdline").read_bytes():
            return
        time.sleep(0.1)
    os.kill(pids[1], signal.SIGKILL)
    pytest.fail("the program runs on")


def test_a_match_counts_games_of_a(program):
    found = selfplay.match(game="contrast", a="ab:depth=2", b="random", games=20, seed=3, program=program)
    assert found.wins + found.losses + found.draws == 20 and found.score > 0.8 and found.elo_low < found.elo < found.elo_high
    assert found.b.startswith("random") and found.summary["pairs"] == 10 and "wins=" in repr(found) and "summary" not in repr(found)
    tested = selfplay.match(game="contrast", a="ab:depth=2", b="random", games=2000, sprt="0,50", program=program)
    assert tested.summary["sprt"]["accept"] == "elo1" and tested.wins < 1000


def test_a_match_says_how_far_it_is(program, started):
    class Seen(Exception):
        pass

    def see(done, of):
        raise Seen(done < of == 2000)

    with pytest.raises(Seen, match="True"):
        selfplay.match(game="contrast", a="ab:depth=4", b="ab:depth=4", games=2000, progress=see, program=program)
    assert started[-1].returncode == 3


def test_warnings_of_the_program_are_warnings(play, monkeypatch):
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "3")
    with pytest.warns(UserWarning, match="this run plays all games.*SLURM_ARRAY_TASK_ID") as caught:
        play()
    assert caught[0].filename == __file__


def test_models_of_users_play(play, tmp_path, capsys):
    model = tmp_path / "model.py"
    model.write_text("import numpy as np, selfplay\nprint('the model says hello')\n"
                     "selfplay.evaluate(lambda planes: (np.zeros(len(planes), 'f4'), np.zeros((len(planes), 31875), 'f4')), batch=16)\n")  # fmt: skip
    path = os.pathsep.join(sys.path)
    made = play(player="mcts:eval=mine,sims=8", games=4, max_plies=20, evaluator=[f"mine=env PYTHONPATH={path} {sys.executable} {model}"])
    assert made.games == 4 and capsys.readouterr().err == "the model says hello\n"


EVENT = {"games": 1200, "of": 3000, "plies_per_s": 12345.6, "eta": "1m5s"}


def test_a_terminal_shows_one_line(monkeypatch):
    screen = io.StringIO()
    screen.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.Bar(True) as bar:
        bar.show({"msg": "no count"})
        bar.show(EVENT)
        bar.print("a model speaks")
        bar.show(EVENT | {"games_done": 1300})
    line = "\r1,{}00 of 3,000 games, 12,346 plies/s, 1m5s left\x1b[K"
    assert screen.getvalue() == f"{line.format(2)}\r\x1b[Ka model speaks\n{line.format(3)}\r\x1b[K"


def test_a_notebook_shows_a_bar(monkeypatch):
    shown, ipython = [], types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=None)
    ipython.display = types.ModuleType("IPython.display")

    def display(what, display_id):
        shown.append(what._repr_html_())
        return types.SimpleNamespace(update=lambda what: shown.append(what._repr_html_()))

    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    with progress.Bar(True) as bar:
        bar.show(EVENT)
        bar.show(EVENT | {"games_done": 3000, "eta": "0s"})
    assert shown[0] == '<progress value="1200" max="3000"></progress> 1,200 of 3,000 games, 12,346 plies/s, 1m5s left'
    assert shown[1].endswith("3,000 of 3,000 games, 12,346 plies/s") and shown[2] == ""


def test_no_screen_shows_nothing(capsys):
    with progress.Bar(True) as bar:
        bar.show(EVENT)
    assert capsys.readouterr() == ("", "")
