"""Generations of models, with a program that plays nothing and a model that learns nothing; and once a real one."""

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from generations import models, program
from generations.settings import ModelSettings


class Killed(BaseException):
    """Stands for a kill: nothing catches it."""


class Fake:
    """Answers as selfplay and the command that learns do. It counts calls, and is killed before or after one."""

    def __init__(self, kill=None, elo=50.0):
        self.calls, self.kill, self.elo = [], kill, elo

    def json(self, command, *args):
        evaluators = [args[i + 1] for i, a in enumerate(args) if a == "--evaluator"]
        flags = {a: args[i + 1] for i, a in enumerate(args) if a.startswith("--")} | {"models": evaluators}
        return self.call(command, flags, lambda: getattr(self, command)(flags))

    def learn(self, command, stdout):
        last = command[2] if command[1] == "--last" else ""
        folders = command[3 if last else 1 : -1]
        flags = {"last": Path(last).parent.name, "data": [Path(f).parent.name for f in folders]}
        return self.call(command[0], flags, lambda: Path(command[-1]).write_text("model"))

    def call(self, command, flags, answer):
        self.calls.append((command, flags))
        if self.kill == (len(self.calls), "before"):
            raise Killed
        result = answer()
        if self.kill == (len(self.calls), "after"):
            raise Killed
        return result

    def run(self, flags):
        folder = Path(flags["--out"])
        folder.mkdir(exist_ok=True)
        (folder / "manifest.json").write_text(flags["--seed"])
        return {"plan_hash": "cd" * 32, "games": int(flags["--games"]), "rows": 1000}

    def match(self, flags):
        elo = {"elo": self.elo, "elo_low": self.elo - 20, "elo_high": self.elo + 20}
        return {"wins": 6, "losses": 2, "draws": 2, **elo, "cpu_a": 2.0, "cpu_b": 1.0}


SETTINGS = ModelSettings(
    generations=3, first_player="ab", first_games=500, games=200, match_games=10, learn="learn", play="play --fast",
    player="mcts", match_player="mcts:sims=8", window=0,
)


def make(folder, fake, monkeypatch, settings=SETTINGS):
    monkeypatch.setattr(program, "call", fake.learn)
    folder.mkdir(exist_ok=True)
    table = models.run(folder, settings, fake)
    steps = json.loads((folder / "models.json").read_text())["steps"]
    return table, [{k: v for k, v in s.items() if k != "cpu_seconds"} for s in steps]


def test_every_model_plays_the_next_games(tmp_path, monkeypatch):
    fake = Fake()
    table, _ = make(tmp_path, fake, monkeypatch)
    first, later = ["run", "learn", "match", "match"], ["run", "learn", "match", "match", "match"]
    assert [c for c, _ in fake.calls] == first + 2 * later
    runs = [flags for c, flags in fake.calls if c == "run"]
    assert [(f["--player"], f["models"]) for f in runs] == [
        ("ab", []), *(("mcts:eval=model", [f"model=play --fast {tmp_path}/gen-{n}/net.pt"]) for n in (1, 2)),
    ]  # fmt: skip
    assert [f["--games"] for f in runs] == ["500", "200", "200"]
    assert [f["last"] for c, f in fake.calls if c == "learn"] == ["", "gen-1", "gen-2"]
    seeds = [flags["--seed"] for c, flags in fake.calls if c in ("run", "match")]
    assert len(set(seeds)) == len(seeds), "every match has openings of its own"
    assert table.splitlines()[4].startswith("| 3 | 200 | 1,000 | +50 (+30 to +70), 10 games, time 0.50 | +50")


def test_matches_against_the_last_model_and_against_none(tmp_path, monkeypatch):
    fake = Fake()
    make(tmp_path, fake, monkeypatch)
    last, pace, first = [flags for c, flags in fake.calls if c == "match"][5:]
    assert (last["--a"], last["--b"]) == ("mcts:sims=8,eval=new", "mcts:sims=8,eval=old")
    assert [m.split("/")[-2] for m in last["models"]] == ["gen-3", "gen-2"]
    assert (pace["--b"], pace["--games"], len(pace["models"])) == ("mcts:sims=8", "40", 1)
    assert (first["--b"], first["--games"], len(first["models"])) == ("mcts:sims=16", "10", 1), "half as fast"


@pytest.mark.parametrize("elo, said", [(50, False), (1, False), (0, True), (-30, True)])
def test_two_generations_without_a_gain_are_said(tmp_path, monkeypatch, capsys, elo, said):
    make(tmp_path, Fake(elo=elo), monkeypatch)
    assert ("generations 2 and 3 gained nothing" in capsys.readouterr().err) == said


@pytest.mark.parametrize("window, data", [
    (0, [["old", "gen-1"], ["old", "gen-1", "gen-2"], ["old", "gen-1", "gen-2", "gen-3"]]),
    (2, [["gen-1"], ["gen-1", "gen-2"], ["gen-2", "gen-3"]]),
])  # fmt: skip
def test_what_a_model_learns_from(tmp_path, monkeypatch, window, data):
    fake = Fake()
    make(tmp_path, fake, monkeypatch, dataclasses.replace(SETTINGS, data="old/data", window=window))
    assert [flags["data"] for c, flags in fake.calls if c == "learn"] == data


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_anywhere_changes_nothing(tmp_path, monkeypatch, moment):
    count = Fake()
    want = make(tmp_path / "whole", count, monkeypatch)
    for call in range(1, len(count.calls) + 1):
        folder = tmp_path / f"killed-{call}"
        with pytest.raises(Killed):
            make(folder, Fake(kill=(call, moment)), monkeypatch)
        rest = Fake()
        assert make(folder, rest, monkeypatch) == want
        assert len(rest.calls) == len(count.calls) - call + 1, "no complete step is made again"


@pytest.mark.parametrize("flags, message", [
    (["--games", "0"], "--games 0: want at least 1"), (["--match-games", "7"], "even number"),
    (["--window", "-1"], "--window -1: want at least 0"),
    (["--match-player", "greedy"], "want one with sims=N"), (["--learn", " "], "want a command each"),
    (["--program", "/no/selfplay"], "open --program /no/selfplay: no such file"),
])  # fmt: skip
def test_bad_flags_are_refused(tmp_path, capsys, flags, message):
    assert models.main([*flags, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("flag, message", [
    ("--program=/bin/false", "exit code 1"), ("--learn=/bin/false", "exit code 1"),
])  # fmt: skip
def test_a_program_that_fails_ends_the_command(tmp_path, capfd, monkeypatch, flag, message):
    monkeypatch.setattr(models, "chosen", lambda folder, path: program.Program(path) if path else Fake())
    assert models.main(["--out", str(tmp_path), flag]) == 1
    assert message in capfd.readouterr().err


@pytest.mark.skipif(not shutil.which("go"), reason="needs Go, to build selfplay")
@pytest.mark.parametrize("game", ["contrast", "cotulenh"])
def test_the_residual_network_learns_and_plays(tmp_path, capfd, game):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    flags = ["--game", game, "--generations", "2", "--games", "20", "--shard-games", "20", "--match-games", "2"]
    flags += ["--pace-games", "2", "--first-games", "20", "--first-player", "ab:nodes=20"]
    flags += ["--play", f"{ModelSettings.play} --game {game}"]
    flags += ["--run", ModelSettings.run + " --max-plies 60 --where !random"]
    players = ["--player", "mcts:sims=4", "--match-player", "mcts:sims=4"]
    assert models.main(["--out", str(tmp_path), *flags, *players]) == 0, capfd.readouterr().err
    assert capfd.readouterr().out.count("\n") == 4
    plan = json.loads((tmp_path / "gen-2" / "data" / "plan.json").read_text())
    assert [e["name"] for e in plan["plan"]["evaluators"]] == ["model"]
    assert (tmp_path / "elo.svg").read_text().startswith("<svg")
