"""Datasets of a model in Python: a hash function of the position gives the same bytes however it is asked.

MODEL_KILLS is how often the program and its evaluators are killed.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

KILLS = int(os.environ.get("MODEL_KILLS", "3"))
MODEL = """
import numpy as np, os, selfplay
game = selfplay.game("contrast")
numbers = np.random.default_rng(1)
cells = numbers.integers(0, 2**24, (len(game.plane_names), game.ranks, game.files))
factors = numbers.integers(0, 2**24, game.actions) | 1
pids = os.environ.get("MODEL_PIDS")
if pids:
    open(os.path.join(pids, str(os.getpid())), "w")
def fn(planes):
    hashes = (planes.astype(np.int64) * cells).sum((1, 2, 3)) % 65521
    return hashes % 201 / 100 - 1, hashes[:, None] * factors % 65521 / 16384
selfplay.evaluate(fn, batch=BATCH, game="contrast")
"""


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """Returns the command of the model that takes batches of so many positions."""

    def command(batch=16):
        path = tmp_path_factory.mktemp("model") / "model.py"
        path.write_text(MODEL.replace("BATCH", str(batch)))
        return [sys.executable, str(path)]

    return command(), command


def run(program, out, *flags, pids=None):
    """Starts a run."""
    command = [program, "run", "--quiet", "--game", "contrast", "--games", "12", "--shard-games", "4", "--seed", "5"]
    command += ["--player", "mcts:sims=8,eval=mine", "--max-plies", "30", "--out", str(out)]
    environment = os.environ | ({"MODEL_PIDS": str(pids)} if pids else {})
    return subprocess.Popen([*command, *flags], stderr=subprocess.PIPE, text=True, env=environment)


def end(process):
    _, messages = process.communicate(timeout=300)
    assert process.returncode == 0, messages


def files(folder):
    return {p.relative_to(folder): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file() and ".selfplay" not in p.parts}


def mine(where):
    return ["--evaluator", "mine=" + (where if isinstance(where, str) else " ".join(where))]


@pytest.fixture(scope="session")
def want(program, model, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "data"
    end(run(program, out, *mine(model[0]), "--workers", "1"))
    return files(out)


@pytest.mark.parametrize("workers", [7, 256])
@pytest.mark.parametrize("evaluators", [1, 2])
def test_workers_and_evaluators_change_nothing(program, model, want, tmp_path, workers, evaluators):
    end(run(program, tmp_path / "data", *mine(model[0]) * evaluators, "--workers", str(workers)))
    assert files(tmp_path / "data") == want


@pytest.mark.parametrize("kind", ["unix", "tcp"])
def test_the_way_to_the_model_changes_nothing(program, model, want, tmp_path, kind):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    where = f"unix:{tmp_path}/socket" if kind == "unix" else f"tcp:127.0.0.1:{port}"
    with subprocess.Popen(model[0], env=os.environ | {"EVALUATOR_LISTEN": where}, stderr=subprocess.DEVNULL) as listening:
        try:
            end(run(program, tmp_path / "data", *mine(where)))
        finally:
            listening.kill()
    assert files(tmp_path / "data") == want


@pytest.mark.parametrize("victim", ["program", "evaluator"])
def test_kills_change_nothing(program, model, want, tmp_path, victim):
    pids, out, at = tmp_path / "pids", tmp_path / "data", random.Random(1)
    pids.mkdir()
    kills = 0
    while kills < KILLS:
        process = run(program, out, *mine(model[0]), "--workers", "4", pids=pids)
        while process.poll() is None and kills < KILLS:
            time.sleep(at.uniform(0.3, 1.0))
            kills += kill(process.pid if victim == "program" else newest(pids))
            if victim == "program":
                break
        process.wait()
    end(run(program, out, *mine(model[0])))
    assert files(out) == want


def newest(folder):
    """Returns the process number of the model that started last, None if none has started."""
    found = max(folder.iterdir(), key=lambda p: p.stat().st_mtime_ns, default=None)
    return found and int(found.name)


def kill(pid):
    """Kills a process, and returns whether it was there."""
    if pid is None:
        return False
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def test_another_model_is_refused(program, model, want, tmp_path):
    end(run(program, tmp_path / "data", *mine(model[0])))
    before = files(tmp_path / "data")
    process = run(program, tmp_path / "data", *mine(model[1](batch=8)))
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 5 and "mine" in messages
    assert files(tmp_path / "data") == before
