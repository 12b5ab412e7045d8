"""Makes generations of networks, each playing the games of the next.

    train/loop --game cotulenh --generations 3 --hours 8 --out DIR

Exit codes: 0 done, 1 failure, 2 usage or bad input, 3 stopped (the same command resumes), 11 another loop has DIR.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from .checks import check_data, check_fit, check_players, check_program
from .command import checking_input, locked, run_command
from .gate import keeps
from .journal import Journal, replace
from .players import nodes_of
from .program import Program, chosen
from .results import lines, plot, points, table
from .settings import Settings, add_flags, settings_of
from .steps import PACES, Generation, once


def run(folder: Path, settings: Settings, program: Program) -> Journal:
    """Makes the generations that are missing. folder is absolute: plans of matches name files in it."""
    journal = Journal(folder, settings)
    last, last_nodes = None, nodes_of(settings.match_player)
    for number in range(1, settings.generations + 1):
        generation = Generation(number, folder, settings, program, last)
        generation.home.mkdir(exist_ok=True)
        nodes, kept = advance(journal, generation, last_nodes)
        if kept:
            last, last_nodes = generation.network, nodes
        publish(journal)
    return journal


def advance(journal: Journal, g: Generation, last_nodes: int) -> tuple[int, bool]:
    """Makes the steps of a generation. Returns the nodes of its equal-time player, and whether it is kept."""
    games = once(journal, g.number, "size", g.size)["games"]
    once(journal, g.number, "play", lambda: g.play(games))
    once(journal, g.number, "fit", g.fit)
    once(journal, g.number, "check", g.check)
    begin = once(journal, g.number, "pace", lambda: g.pace(nodes_of(g.settings.match_player), PACES[0]))
    # A search completes its last iteration, so its time is not proportional to its limit: measure again.
    pace = once(journal, g.number, "pace-again", lambda: g.pace(begin["nodes"], PACES[1]))
    nodes, most = pace["nodes"], g.match_games(pace["seconds_per_game"])
    match = once(journal, g.number, "match-last", lambda: g.against_last(nodes, last_nodes, most))
    once(journal, g.number, "match-first", lambda: g.against_first(nodes, most))
    decided = once(journal, g.number, "decide", lambda: ({"kept": keeps(match)}, None))
    return nodes, decided["kept"]


def publish(journal: Journal) -> None:
    """Writes table and plot of the generations so far."""
    found = lines(journal)
    game = journal.settings["game"]
    replace(journal.folder / "results.md", table(found))
    replace(journal.folder / "elo.svg", plot(points(found), f"{game}: Elo over the hand-written score, equal time"))


def check(settings: Settings, program: Path | None) -> None:
    """Raises ValueError or Failure for settings that would fail only after the first games."""
    nodes_of(settings.match_player)
    if program:
        check_program(program)
    out = Path(tempfile.gettempdir(), "net.safetensors")  # not written; the folder of a network is still to be made
    flags = ["--base", settings.base, *shlex.split(settings.fit), "--out", str(out)]
    check_fit([*flags, *shlex.split(settings.data)])
    check_data(settings)
    if program:
        check_players(Program(program.resolve()), settings)


def work(folder: Path, settings: Settings, path: Path | None) -> str:
    """Makes the generations, and returns the table."""
    program = chosen(folder, path)
    if path is None:  # one that exists was asked before the folder was made
        check_players(program, settings)
    return table(lines(run(folder, settings, program)))


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="train/loop", description="Make generations of networks.")
    p.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the loop")
    p.add_argument("--program", type=Path, metavar="FILE", help="selfplay (default: built from this repository)")
    p.add_argument("--short", action="store_true", help="a loop of some minutes that tests every step")
    add_flags(p)
    return p


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    return run_command("train/loop", lambda: command(args))


def command(args: argparse.Namespace) -> str:
    """Checks the input and makes the generations."""
    with checking_input():
        settings = settings_of(args)
        check(settings, args.program)
        args.out.mkdir(parents=True, exist_ok=True)
        folder = args.out.resolve()
        Journal(folder, settings)
    with locked("train/loop", folder):
        return work(folder, settings, args.program)


if __name__ == "__main__":
    sys.exit(main())
