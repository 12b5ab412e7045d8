"""Loops with a program that plays nothing: order of steps, resuming, the gate, results."""

import dataclasses
import re
import xml.etree.ElementTree

import pytest

from conftest import write
from generations import loop, program, results
from generations.gate import equal_nodes, keeps
from generations.journal import Journal
from generations.players import with_network, with_nodes
from generations.settings import Settings


class Killed(BaseException):
    """Stands for a kill: nothing in the loop catches it."""


class Fake:
    """Answers as selfplay and the trainer do. It counts calls, and is killed before or after one of them."""

    def __init__(self, elo=50.0, kill=None):
        self.calls, self.elo, self.kill = [], elo, kill

    def json(self, command, *args):
        flags = dict(zip(args[::2], args[1::2], strict=False)) | ({"trial": ""} if "--dry-run" in args else {})
        return self.call(command, flags, lambda: getattr(self, command)(flags))

    def text(self, command, *args):
        return self.call(command, {"file": args[-1]}, lambda: "")

    def fit(self, args):
        at = args.index("--out") + 2
        flags = dict(zip(args[:at:2], args[1:at:2], strict=True))
        flags["data"] = [path.split("/")[-2] for path in args[at:]]
        return self.call("fit", flags, lambda: self.train(flags))

    def call(self, command, flags, answer):
        self.calls.append((command, flags))
        if self.kill == (len(self.calls), "before"):
            raise Killed
        result = answer()
        if self.kill == (len(self.calls), "after"):
            raise Killed
        return result

    def run(self, flags):
        if "trial" in flags:
            return {"games": 2000, "time_s": 10.0}
        folder = loop.Path(flags["--out"])
        folder.mkdir(exist_ok=True)
        (folder / "manifest.json").write_text(flags["--seed"])
        return {"plan_hash": "cd" * 32, "games": int(flags["--games"]), "rows": 1000}

    def train(self, flags):
        out = loop.Path(flags["--out"])
        out.write_text(flags["--generation"])
        out.with_suffix(".json").write_text('{"epochs": [{"number": 1, "validation": 0.25}], "best": 1, "plans": []}')
        return ""

    def limit(self, player):
        return float(re.search(r"nodes=(\d+)", player)[1])

    def match(self, flags):
        return {
            "wins": 6, "losses": 2, "draws": 2, "elo": self.elo, "elo_low": self.elo - 20, "elo_high": self.elo + 20,
            "los": 0.99 if self.elo > 0 else 0.01, "nodes_a": 100, "nodes_b": 100,
            "cpu_a": 2.0 * self.limit(flags["--a"]), "cpu_b": self.limit(flags["--b"]),
        }  # fmt: skip


SETTINGS = Settings("chess", generations=3, games=200, match_games=10, pace_games=4)


def make(folder, fake, monkeypatch, settings=SETTINGS):
    monkeypatch.setattr(program, "fit", fake.fit)
    return loop.run(folder, settings, fake)


def records(journal):
    return [{k: v for k, v in s.items() if k != "cpu_seconds"} for s in journal.steps]


def test_a_generation_plays_trains_and_is_measured(tmp_path, monkeypatch):
    fake = Fake()
    make(tmp_path, fake, monkeypatch, Settings("chess", generations=1, games=200))
    assert [c for c, _ in fake.calls] == ["run", "fit", "net", *["match"] * 4]
    seeds = [flags["--seed"] for c, flags in fake.calls if c in ("run", "match")]
    assert len(set(seeds)) == len(seeds), "every match has openings of its own"


def test_the_network_of_a_kept_generation_plays_the_next_games(tmp_path, monkeypatch):
    fake = Fake()
    make(tmp_path, fake, monkeypatch)
    players = [flags["--player"] for c, flags in fake.calls if c == "run"]
    first, second = (f",net={tmp_path}/gen-{n}/net.safetensors" for n in (1, 2))
    assert players == [SETTINGS.player + ",net=none", SETTINGS.player + first, SETTINGS.player + second]
    # A node of the network costs twice the time, so it gets half the nodes; both networks of a match cost the same.
    matches = [(flags["--a"], flags["--b"]) for c, flags in fake.calls if c == "match"][4:7]
    assert matches[2] == (f"ab:nodes=500,hash=1{second}", f"ab:nodes=500,hash=1{first}")


def test_networks_that_correct_the_hand_written_score(tmp_path, monkeypatch):
    fake = Fake()
    make(tmp_path, fake, monkeypatch, dataclasses.replace(SETTINGS, base="static", run="--explore-moves 9"))
    runs, fits = ([flags for c, flags in fake.calls if c == command] for command in ("run", "fit"))
    assert {(f["--columns"], f["--explore-moves"]) for f in runs} == {("+static_score", "9")}
    assert {f["--base"] for f in fits} == {"static"}


def test_a_dropped_generation_plays_no_games(tmp_path, monkeypatch):
    fake = Fake(elo=-50.0)
    journal = make(tmp_path, fake, monkeypatch)
    assert {flags["--player"] for c, flags in fake.calls if c == "run"} == {SETTINGS.player + ",net=none"}
    assert [x.kept for x in results.lines(journal)] == [False] * 3


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_loop_that_is_killed_anywhere_ends_as_if_it_was_not(tmp_path, monkeypatch, moment):
    whole = tmp_path / "whole"
    whole.mkdir()
    count = Fake()
    want = records(make(whole, count, monkeypatch))
    for call in range(1, len(count.calls) + 1):
        folder = tmp_path / f"killed-{moment}-{call}"
        folder.mkdir()
        with pytest.raises(Killed):
            make(folder, Fake(kill=(call, moment)), monkeypatch)
        rest = Fake()
        assert records(make(folder, rest, monkeypatch)) == want
        assert len(rest.calls) == len(count.calls) - call + 1, "no complete step is made again"
        assert (folder / "results.md").read_text().count("\n") == 5


def test_games_fit_the_hours(tmp_path, monkeypatch):
    fake = Fake()
    make(tmp_path, fake, monkeypatch, Settings("chess", generations=1, hours=1))
    # 60 % of an hour at 200 games a second, in whole shards.
    assert [flags["--games"] for c, flags in fake.calls if c == "run"] == ["2000", "432000"]


def test_other_settings_are_refused(tmp_path, monkeypatch):
    make(tmp_path, Fake(), monkeypatch)
    with pytest.raises(ValueError, match="seed was 1, now it is 2"):
        Journal(tmp_path, Settings("chess", games=200, match_games=10, pace_games=4, seed=2))


def test_more_generations_go_on(tmp_path, monkeypatch):
    make(tmp_path, Fake(), monkeypatch)
    more = Settings("chess", generations=4, games=200, match_games=10, pace_games=4)
    fake = Fake()
    assert len(results.lines(make(tmp_path, fake, monkeypatch, more))) == 4 and len(fake.calls) == 7


@pytest.mark.parametrize("window, data", [
    (0, [["old", "gen-1"], ["old", "gen-1", "gen-2"], ["old", "gen-1", "gen-2", "gen-3"]]),
    (2, [["gen-1"], ["gen-1", "gen-2"], ["gen-2", "gen-3"]]),
])  # fmt: skip
def test_a_window_leaves_out_old_games(tmp_path, monkeypatch, window, data):
    fake = Fake()
    make(tmp_path, fake, monkeypatch, dataclasses.replace(SETTINGS, window=window, data="old/data"))
    assert [flags["data"] for c, flags in fake.calls if c == "fit"] == data


def test_training_may_change_between_generations(tmp_path, monkeypatch):
    make(tmp_path, Fake(), monkeypatch, dataclasses.replace(SETTINGS, generations=1))
    journal = make(tmp_path, Fake(), monkeypatch, dataclasses.replace(SETTINGS, fit="--hidden 64", window=1))
    assert [s["result"]["flags"] for s in journal.steps if s["step"] == "fit"] == ["", "--hidden 64", "--hidden 64"]


def test_a_file_that_changed_is_refused(tmp_path, monkeypatch):
    make(tmp_path, Fake(), monkeypatch)
    (tmp_path / "gen-2" / "net.safetensors").write_text("other")
    with pytest.raises(ValueError, match=r"gen-2/net\.safetensors is not the file of generation 2, step fit"):
        make(tmp_path, Fake(), monkeypatch)


@pytest.mark.parametrize("match, kept", [
    ({"sprt": {"accept": "elo1"}, "los": 0.5}, True), ({"sprt": {"accept": "elo0"}, "los": 0.99}, False),
    ({"sprt": {"accept": ""}, "los": 0.96}, True), ({"sprt": {"accept": ""}, "los": 0.94}, False),
])  # fmt: skip
def test_the_gate(match, kept):
    assert keeps(match) is kept


def test_equal_time():
    match = {"cpu_a": 3.0, "cpu_b": 1.5}
    assert equal_nodes(match, 1000) == 500
    with pytest.raises(ValueError, match="took no time"):
        equal_nodes(match | {"cpu_a": 0.0}, 1000)


def test_players():
    assert with_network("ab:nodes=10", loop.Path("/n"), 40) == "ab:nodes=10,net=/n,blend=40"
    assert with_network("ab", loop.Path("/n"), 0) == "ab:net=/n" and with_network("ab", None, 40) == "ab:net=none"
    assert with_network("random", None, 0) == "random"
    assert with_nodes("ab:nodes=100,hash=1,hard=2000", 50) == "ab:nodes=50,hash=1,hard=1000"


def test_table_and_plot(tmp_path, monkeypatch):
    found = results.lines(make(tmp_path, Fake(), monkeypatch))
    match = "+50 (+30 to +70), 10 games, time 1.00"
    line = f"| 1 | 1,000 | 0.250000 | {match} | {match} | yes | 0.000 |\n"
    assert results.table(found).splitlines(True)[2] == line
    text = results.plot(results.points(found), "chess")
    picture = xml.etree.ElementTree.fromstring(text)
    assert len(picture.findall("{*}circle")) == 3
    assert re.search(r"\+70|\+60|\+50", text)


@pytest.mark.parametrize("flags, message", [
    (["--game", "go"], "--game go: want one of"), (["--game", "chess", "--match-games", "7"], "even numbers"),
    (["--game", "chess", "--match-player", "ab:depth=2"], "want one with nodes=N"),
    (["--game", "chess", "--base", "hand"], "--base hand: want none or static"),
    (["--game", "chess", "--blend", "100"], "--blend 100: want 0 to 99"),
    (["--game", "chess", "--hours", "nan"], "--hours nan: want a finite number above 0"),
    (["--game", "chess", "--hours", "inf"], "--hours inf: want"),
    (["--game", "chess", "--seed", "-1"], "--seed -1: want"),
    (["--game", "chess", "--games", "-1"], "--games -1: want at least 0"),
    *((["--game", "chess", "--elo", elo], f"--elo {elo}: want ELO0,ELO1")
      for elo in ("x", "20", "20,0", "5,5", "0, 20", "0,1001", "nan,20")),
    (["--game", "chess", "--program", "/no/selfplay"], "open --program /no/selfplay: no such file"),
    (["--game", "chess", "--fit=--hiden=3"], "train/fit refuses them"),
    (["--game", "chess", "--fit=--from missing"], "train/fit refuses them"),
    (["--game", "chess", "--data", "/no/data"], "train/fit refuses them"),
])  # fmt: skip
def test_bad_flags_are_refused(tmp_path, capsys, flags, message):
    assert loop.main([*flags, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_hypotheses_may_have_signs_and_fractions():
    assert all(Settings("chess", elo=elo).elo == elo for elo in ("-5,5", "0.5,+20", "-.5,1000"))


def test_a_damaged_record_is_refused(tmp_path, capsys):
    (tmp_path / "loop.json").write_text("{")
    assert loop.main(["--game", "chess", "--out", str(tmp_path)]) == 2
    assert "not a record of steps" in capsys.readouterr().err


@pytest.mark.parametrize("game, mover, message", [
    ("contrast", True, "games of contrast, want chess"), ("chess", False, "made with --perspective mover"),
])  # fmt: skip
def test_data_that_cannot_join_the_games_is_refused(tmp_path, capsys, game, mover, message):
    data, out = write(tmp_path / "data", game, mover=mover), tmp_path / "out"
    assert loop.main(["--game", "chess", "--data", str(data), "--out", str(out)]) == 2
    assert f"open --data {data}: " in (err := capsys.readouterr().err) and message in err and not out.exists()


def test_data_of_the_game_is_accepted(tmp_path):
    loop.check(Settings("chess", data=str(write(tmp_path / "data", "chess"))), None)


def script(path, text):
    """Writes a program."""
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("refused, message", [
    ("--player bad:net=", "check --player, --preset, --where and --run"),
    ("--player ab:nodes=9,hsh=1,net=", "check --match-player, with a network, and --adjudicate"),
    ("--adjudicate-win x", "check --match-player, with a network, and --adjudicate"),
])  # fmt: skip
def test_players_that_the_program_refuses_are_known_before_the_first_games(tmp_path, capsys, refused, message):
    selfplay = script(tmp_path / "selfplay", f'case "$*" in *"{refused}"*) exit 2;; esac\n')
    out = tmp_path / "out"
    flags = ["--player", "bad", "--match-player", "ab:nodes=9,hsh=1", "--adjudicate", "x"]
    assert loop.main(["--game", "chess", *flags, "--program", str(selfplay), "--out", str(out)]) == 2
    assert message in capsys.readouterr().err and not out.exists()


def test_a_stop_of_the_first_checks_is_said(tmp_path, monkeypatch, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(loop, "check", stop)
    assert loop.main(["--game", "chess", "--out", str(tmp_path / "out")]) == 3
    assert capsys.readouterr().err == "train/loop: stopped: the same command resumes\n"


def test_a_program_that_is_built_is_asked_before_the_first_step(tmp_path, monkeypatch):
    refusing = script(tmp_path / "selfplay", "exit 2\n")
    monkeypatch.setattr(loop, "chosen", lambda *_: program.Program(refusing))
    assert loop.main(["--game", "chess", "--out", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out" / "loop.json").exists()


def test_a_player_without_later_generations_needs_no_network(tmp_path):
    refusing = script(tmp_path / "selfplay", 'case "$*" in *"--player random,net="*|*"random:net="*) exit 2;; esac\n')
    settings = Settings("chess", player="random", generations=1)
    loop.check_players(program.Program(refusing), settings)
    with pytest.raises(program.Failure, match="check --player"):
        loop.check_players(program.Program(refusing), dataclasses.replace(settings, generations=2))


def test_a_program_that_fails_ends_the_loop(tmp_path, capsys):
    failing = script(tmp_path / "selfplay", 'case "$*" in *--dry-run*) exit 0;; esac\nexit 1\n')
    out = tmp_path / "out"
    assert loop.main(["--game", "chess", "--games", "9", "--out", str(out), "--program", str(failing)]) == 1
    assert "exit code 1" in capsys.readouterr().err


@pytest.mark.parametrize("ending, code", [("exit 3", 3), ("exit 130", 3), ("kill -INT $$", 3), ("exit 1", 1)])
def test_processes_that_are_stopped_can_be_resumed(ending, code):
    with pytest.raises(program.Failure) as failure:
        program.call(["sh", "-c", ending])
    assert failure.value.code == code
