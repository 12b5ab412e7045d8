"""Makes generations of a model of your own, each playing the games of the next.

    train/models --out DIR                       # the residual network of python/examples, in Contrast
    train/models --out DIR --game chess --run='--layout planes …' --learn 'python learn.py' --play 'python play.py'

The first games are played without a model, by another player. A generation plays, learns from the games of the last
generations, and plays the last one and the same search without a model, which gets as much CPU time. Every model plays
the next games: only the matches judge it. The folder is that of train/loop, with models.json.

Exit codes: 0 done, 1 failure, 2 usage or bad input, 3 stopped (the same command resumes), 11 another one has DIR.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import program
from .checks import check_program
from .command import checking_input, locked, run_command
from .journal import Journal, replace
from .players import sims_of, with_sims
from .program import Program, chosen
from .results import Point, elo_text, plot
from .settings import MODEL_HELP, ModelSettings, add_flags, given
from .steps import Step, once

FLAGS = tuple(f.name for f in dataclasses.fields(ModelSettings))
HEADER = """| generation | games | rows | against the last | against the first player | CPU hours |
|---|---|---|---|---|---|
"""


@dataclass
class Generation:
    """One generation. folder is that of the command."""

    number: int
    folder: Path
    settings: ModelSettings
    selfplay: Program

    def file(self, number: int) -> Path:
        return self.folder / f"gen-{number}" / self.settings.file

    def data(self, number: int) -> Path:
        return self.folder / f"gen-{number}" / "data"

    def player(self, text: str, number: int, name: str) -> tuple[str, list[str]]:
        """Returns the player with the model of a generation, and the flags that define it; number 0 is no model."""
        if number == 0:
            return text, []
        command = shlex.join([*shlex.split(self.settings.play), str(self.file(number))])
        return text + ("," if ":" in text else ":") + f"eval={name}", ["--evaluator", f"{name}={command}"]

    def play(self) -> Step:
        s = self.settings
        text, games = (s.player, s.games) if self.number > 1 else (s.first_player, s.first_games)
        player, evaluator = self.player(text, self.number - 1, "model")
        done = self.selfplay.json(
            "run", "--game", s.game, "--player", player, *evaluator, "--games", str(games),
            "--shard-games", str(s.shard_games), "--seed", str(1000 * s.seed + self.number),
            "--out", str(self.data(self.number)), *shlex.split(s.run),
        )  # fmt: skip
        return {k: done[k] for k in ("plan_hash", "games", "rows")}, self.data(self.number) / "manifest.json"

    def learn(self) -> Step:
        """Learns from the weights of the last generation, the datasets that existed before, and the games of all
        generations or of the last ones."""
        s, path = self.settings, self.file(self.number)
        first = max(1, self.number + 1 - s.window) if s.window else 1
        folders = [] if s.window else shlex.split(s.data)
        folders += [str(self.data(n)) for n in range(first, self.number + 1)]
        partial = path.with_name("partial-" + path.name)
        last = ["--last", str(self.file(self.number - 1))] if self.number > 1 else []
        program.call([*shlex.split(s.learn), *last, *folders, str(partial)], stdout=sys.stderr)
        partial.replace(path)
        return {"learn": s.learn, "window": s.window}, path

    def pace(self) -> Step:
        """Measures with how many simulations the search without a model takes as much CPU time as this generation."""
        s = self.settings
        found = self._match(s.match_player, 0, 3, s.pace_games)
        sims = sims_of(s.match_player)
        return {"sims": max(1, round(sims * found["cpu_a"] / found["cpu_b"])), "elo": found["elo"]}, None

    def match_last(self) -> Step:
        s = self.settings
        return self._recorded("match-last", self._match(s.match_player, self.number - 1, 1, s.match_games))

    def match_first(self, sims: int) -> Step:
        s = self.settings
        return self._recorded("match-first", self._match(with_sims(s.match_player, sims), 0, 2, s.match_games))

    def _match(self, opponent: str, other: int, number: int, games: int) -> dict[str, Any]:
        """Plays another generation, on openings of its own."""
        s = self.settings
        a, mine = self.player(s.match_player, self.number, "new")
        b, others = self.player(opponent, other, "old")
        seed = 1_000_000 * s.seed + 10 * self.number + number
        flags = ["--games", str(games), "--seed", str(seed)]
        return self.selfplay.json("match", "--game", s.game, "--a", a, "--b", b, *mine, *others, *flags)

    def _recorded(self, name: str, found: dict[str, Any]) -> Step:
        path = self.folder / f"gen-{self.number}" / f"{name}.json"
        replace(path, json.dumps(found, indent=1) + "\n")
        return {k: found[k] for k in ("wins", "losses", "draws", "elo", "elo_low", "elo_high", "cpu_a", "cpu_b")}, path


def run(folder: Path, settings: ModelSettings, selfplay: Program) -> str:
    """Makes the generations that are missing, and returns the table. folder is absolute."""
    journal = Journal(folder, settings, "models.json")
    for number in range(1, settings.generations + 1):
        advance(journal, Generation(number, folder, settings, selfplay))
        publish(journal)
        warn(journal)
    return publish(journal)


def advance(journal: Journal, g: Generation) -> None:
    """Makes the steps of a generation."""
    g.file(g.number).parent.mkdir(exist_ok=True)
    once(journal, g.number, "play", g.play)
    once(journal, g.number, "learn", g.learn)
    if g.number > 1:
        once(journal, g.number, "match-last", g.match_last)
    pace = once(journal, g.number, "pace", g.pace)
    once(journal, g.number, "match-first", lambda: g.match_first(pace["sims"]))


def warn(journal: Journal) -> None:
    """Says so if the last two generations were no stronger than those before them."""
    last = [s for s in journal.steps if s["step"] == "match-last"][-2:]
    if len(last) == 2 and all(s["result"]["elo"] <= 0 for s in last):
        numbers = " and ".join(str(s["generation"]) for s in last)
        text = f"generations {numbers} gained nothing: try more games, more simulations or a larger model"
        print(text, file=sys.stderr, flush=True)


def publish(journal: Journal) -> str:
    """Writes table and plot of the complete generations, and returns the table."""
    text, points = HEADER, []
    complete = [s["generation"] for s in journal.steps if s["step"] == "match-first"]
    for number in complete:
        steps = [s for s in journal.steps if s["generation"] == number]
        result: dict[str, Any] = {s["step"]: s["result"] for s in steps}
        hours, played = sum(s["cpu_seconds"] for s in steps) / 3600, result["play"]
        matches = f"{elo_text(result.get('match-last'))} | {elo_text(result['match-first'])}"
        text += f"| {number} | {played['games']:,} | {played['rows']:,} | {matches} | {hours:.3f} |\n"
        points.append(Point(number, result["match-first"], True))
    replace(journal.folder / "results.md", text)
    title = f"{journal.settings['game']}: Elo over the same search without a model, equal CPU time"
    replace(journal.folder / "elo.svg", plot(points, title, "no model"))
    return text


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="train/models", description="Make generations of a model of your own.")
    p.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the generations")
    p.add_argument("--program", type=Path, metavar="FILE", help="selfplay (default: built from this repository)")
    add_flags(p, FLAGS, ModelSettings, MODEL_HELP)
    args = p.parse_args(argv)
    return run_command("train/models", lambda: command(args))


def command(args: argparse.Namespace) -> str:
    """Checks the input and makes the generations."""
    with checking_input():
        settings = ModelSettings(**given(args, FLAGS))
        if args.program:
            check_program(args.program)
        args.out.mkdir(parents=True, exist_ok=True)
        folder = args.out.resolve()
        Journal(folder, settings, "models.json")
    with locked("train/models", folder):
        return run(folder, settings, chosen(folder, args.program))


if __name__ == "__main__":
    sys.exit(main())
