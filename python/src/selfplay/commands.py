"""Commands of the program that play whole games: run(...) makes a dataset, match(...) compares two players.

    made = selfplay.run(game="contrast", player="ab:depth=2", games=1000, out="data/contrast")
    ds = made.open()
    selfplay.match(game="contrast", a="ab:depth=3", b="ab:depth=2", games=200).elo
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from .game import Game
from .program import ProgramError
from .progress import Progress
from .running import DONE, STOPPED, call

if TYPE_CHECKING:
    from .dataset import Dataset


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

    player plays both sides, by default the preset bulk does: `selfplay players` lists them. flags are those of `selfplay run`, with
    _ for -: opening_plies="4-10", board_type="packed", rebuild=True, evaluator=["mine=python my_model.py"]. With
    progress=True a terminal or a notebook shows how far the run is; a function is called with (games done, games) about once a
    second.

    Raises ValueError at wrong arguments and ProgramError at any other failure, such as a full disk, in the words of the
    program. KeyboardInterrupt stops the run as Ctrl-C stops the program: finished games are kept. A second one ends it at
    once; the dataset stays whole."""
    values = {"game": _name(game), "games": games, "out": os.fspath(out), "player": player, **flags}
    summary = call("run", values, (DONE, STOPPED), progress, program)
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
    summary = call("match", {"game": _name(game), "a": a, "b": b, "games": games, **flags}, (DONE,), progress, program)
    return Match(**_members(Match, summary), summary=summary)


def _name(game: str | Game) -> str:
    return game.name if isinstance(game, Game) else game


def _members(kind: type[Run | Match], summary: dict[str, Any]) -> dict[str, Any]:
    names = [f.name for f in fields(kind) if f.name != "summary"]
    if missing := [name for name in names if name not in summary]:
        raise ProgramError(f"the program printed no {', '.join(missing)}")
    return {name: summary[name] for name in names}
