"""Commands of the program that play whole games: run(...) makes a dataset, match(...) compares two players.

    made = selfplay.run(game="contrast", player="ab:depth=2", games=1000, out="data/contrast")
    ds = made.open()
    selfplay.match(game="contrast", a="ab:depth=3", b="ab:depth=2", games=200).elo
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import deque
from dataclasses import dataclass, field, fields
from typing import IO, TYPE_CHECKING, Any

from .game import Game
from .process import USAGE, crash_of
from .program import ProgramError, check_version, find_program
from .progress import Bar, Progress

if TYPE_CHECKING:
    from .dataset import Dataset

DONE, STOPPED = 0, 3  # exit codes
INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)  # Windows has no other signal for one process
OWN = ("json", "quiet", "log_format", "log_every", "dry_run", "plan")  # flags that these functions set, or that print something else


@dataclass(frozen=True)
class Run:
    """What run() made. Totals are those of the dataset, not only of this call."""

    out: str  # its absolute path, or its URL
    state: str  # "done", or "stopped" before all games were played: the same call goes on
    games: int  # in finished shards
    rows: int  # positions, one each
    plan_hash: str  # equal hashes mean equal bytes
    summary: dict[str, Any] = field(repr=False)  # all that `selfplay run --json` prints

    def open(self) -> Dataset:
        """Opens the dataset. Raises ValueError if no shard is finished yet."""
        from .dataset import open

        return open(self.out)


@dataclass(frozen=True)
class Match:
    """The result of match(). Wins, losses and Elo are those of player a; low and high are the 95 % interval."""

    a: str  # in full, as datasets name players
    b: str
    wins: int
    losses: int
    draws: int
    elo: float
    elo_low: float
    elo_high: float
    summary: dict[str, Any] = field(repr=False)  # all that `selfplay match --json` prints: pairs, nodes, CPU time, SPRT

    @property
    def score(self) -> float:
        """The points of a for each game, 0 to 1: a draw is half a point."""
        return (self.wins + self.draws / 2) / (self.wins + self.losses + self.draws)


def run(
    *,
    game: str | Game,
    games: int,
    out: str | os.PathLike[str],
    player: str | None = None,
    progress: Progress | bool = True,
    program: str | os.PathLike[str] | None = None,
    **flags: Any,
) -> Run:
    """Plays games and writes them as a dataset; the same call again resumes or extends it.

    player plays both sides, by default random moves: `selfplay players` lists them. flags are those of `selfplay run`, with
    _ for -: opening_plies="4-10", board_type="packed", rebuild=True, evaluator=["mine=python my_model.py"]. With
    progress=True a terminal or a notebook shows how far the run is; a function is called with (games done, games) about once a
    second.

    Raises ValueError at wrong arguments and ProgramError at any other failure, such as a full disk, in the words of the
    program. KeyboardInterrupt stops the run as Ctrl-C stops the program: finished games are kept. A second one ends it at
    once; the dataset stays whole."""
    values = {"game": _name(game), "games": games, "out": os.fspath(out), "player": player, **flags}
    summary = _call("run", values, (DONE, STOPPED), progress, program)
    return Run(**_members(Run, summary), summary=summary)


def match(
    *,
    game: str | Game,
    a: str,
    b: str,
    games: int = 100,
    progress: Progress | bool = True,
    program: str | os.PathLike[str] | None = None,
    **flags: Any,
) -> Match:
    """Plays two players against each other, each opening twice with the sides swapped, so games is even.

    flags are those of `selfplay match`, with _ for -: seed=2, opening_plies="4-10", sprt="0,20". progress and errors are those
    of run(); a match that is interrupted keeps nothing."""
    summary = _call("match", {"game": _name(game), "a": a, "b": b, "games": games, **flags}, (DONE,), progress, program)
    return Match(**_members(Match, summary), summary=summary)


def _name(game: str | Game) -> str:
    return game.name if isinstance(game, Game) else game


def _members(kind: type[Run | Match], summary: dict[str, Any]) -> dict[str, Any]:
    names = [f.name for f in fields(kind) if f.name != "summary"]
    if missing := [name for name in names if name not in summary]:
        raise ProgramError(f"the program printed no {', '.join(missing)}")
    return {name: summary[name] for name in names}


def _options(values: dict[str, Any]) -> list[str]:
    """Returns values as flags of the command line. A list repeats its flag; None and False leave it out."""
    if wrong := [name for name in values if name in OWN]:
        raise ValueError(f"{wrong[0]}: not an argument in Python; use the command line")
    options = []
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is True:
                options.append(flag)
            elif one is not None and one is not False:
                options.append(f"{flag}={one}")
    return options


def _call(name: str, values: dict[str, Any], good: tuple[int, ...], progress: Progress | bool, program: str | os.PathLike[str] | None) -> dict[str, Any]:
    """Runs a command, and returns the object that it prints if its exit code is good."""
    path = find_program(program)
    command = [path, name, *_options(values), "--json", "--log-format=json", "--log-every=1s"]
    _check(path)
    with tempfile.TemporaryFile() as out, Bar(progress) as bar:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, **_apart())
        with process:
            log = _Log(bar)
            try:
                assert process.stderr is not None
                log.follow(process.stderr)
                code = process.wait()
            except BaseException:  # such as KeyboardInterrupt
                _stop(process)
                raise
        if code not in good:
            raise log.error(path, code)
        out.seek(0)
        return _parse(path, out.read())


def _check(path: str) -> None:
    """Raises ProgramError if the program has another version than the package."""
    said = subprocess.run([path, "version", "--json"], stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout
    check_version(path, str(_parse(path, said).get("version", "")))


def _parse(path: str, printed: bytes) -> dict[str, Any]:
    try:
        summary = json.loads(printed)
        if isinstance(summary, dict):
            return summary
    except ValueError:
        pass
    raise ProgramError(f"{path} printed {printed[:80]!r}: want one object of JSON; is it the program selfplay?")


def _apart() -> dict[str, Any]:
    """Returns options that keep Ctrl-C from the program: this process passes it on."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Asks the program to stop and waits for its end, which takes its grace at most. A second interrupt ends it at once."""
    process.send_signal(INTERRUPT)
    try:
        assert process.stderr is not None
        for _ in process.stderr:  # a full pipe would hold the program up
            pass
        process.wait()
    except BaseException:
        process.kill()
        raise


class _Log:
    """What the program writes on stderr: objects of JSON, and lines of models and of panics."""

    def __init__(self, bar: Bar) -> None:
        self.bar = bar
        self.errors: list[str] = []
        self.crash = ""
        self.lines: deque[str] = deque(maxlen=20)  # the last ones that are no objects

    def follow(self, stderr: IO[bytes]) -> None:
        for line in stderr:
            text = line.decode(errors="replace").rstrip()
            try:
                event = json.loads(text)
            except ValueError:
                event = None
            if isinstance(event, dict) and "level" in event:
                self._take(event)
            else:
                self._print(text)

    def _take(self, event: dict[str, Any]) -> None:
        words = [str(event.pop(name, "")) for name in ("time", "level", "msg")]
        if words[1] == "INFO":
            self.bar.show(event)
            return
        text = ", ".join([words[2], *(f"{name} {value}" for name, value in event.items())])
        if words[1] == "ERROR":
            self.errors.append(text)
        else:
            warnings.warn(text, stacklevel=5)

    def _print(self, text: str) -> None:
        """Passes a line on that is for people, unless it belongs to the stacks of a crash."""
        self.crash = self.crash or crash_of([text])
        if not self.crash:
            self.lines.append(text)
            self.bar.print(text)

    def error(self, path: str, code: int) -> Exception:
        """Returns the exception for a command that has failed."""
        if code > 0 and self.errors:
            return (ValueError if code == USAGE else ProgramError)("\n".join(self.errors))
        words = self.crash or "\n".join(self.lines).strip()
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return ProgramError(f"{path} {how}" + (f": {words}" if words else ""))
