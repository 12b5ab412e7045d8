"""The steps of a generation. Each returns its result, and the file that it made, if any."""

from __future__ import annotations

import json
import math
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import program
from .gate import equal_nodes
from .journal import Journal, replace
from .players import with_network, with_nodes
from .settings import Settings

PLAYING, MATCHES = 0.6, 0.15  # shares of the hours; training and the rest have what is left
PACES = (1, 4)  # numbers of the matches that measure time
Step = tuple[dict[str, Any], Path | None]


@dataclass
class Generation:
    """One generation. last is the network that was kept last, None for the hand-written score."""

    number: int
    folder: Path  # of the loop
    settings: Settings
    selfplay: program.Program
    last: Path | None

    @property
    def home(self) -> Path:
        return self.folder / f"gen-{self.number}"

    @property
    def network(self) -> Path:
        return self.home / "net.safetensors"

    @property
    def data(self) -> Path:
        return self.home / "data"

    def run_flags(self) -> list[str]:
        """The plan of the games."""
        s = self.settings
        return [
            "--game", s.game, "--preset", s.preset, "--player", with_network(s.player, self.last, s.blend),
            "--where", s.where, "--perspective", "mover", "--board-type", "packed", "--shard-games", str(s.shard_games),
            "--seed", str(1000 * s.seed + self.number), "--workers", str(s.workers), "--out", str(self.data),
            *(["--columns", "+static_score"] if s.base == "static" else []), *shlex.split(s.run),
        ]  # fmt: skip

    def size(self) -> Step:
        """Decides how many games to play: whole shards, at least two, for a validation split."""
        s = self.settings
        if s.games:
            return {"games": s.games}, None
        trial = self.selfplay.json("run", *self.run_flags(), "--games", str(2 * s.shard_games), "--dry-run")
        seconds = s.hours * 3600 * PLAYING / s.generations
        shards = math.floor(trial["games"] * seconds / max(trial["time_s"], 1e-3) / s.shard_games)
        return {"games": s.shard_games * max(2, shards)}, None

    def play(self, games: int) -> Step:
        done = self.selfplay.json("run", *self.run_flags(), "--games", str(games))
        return {k: done[k] for k in ("plan_hash", "games", "rows")}, self.data / "manifest.json"

    def fit(self) -> Step:
        """Trains on the games of the last generations, or of all and on the datasets that existed before."""
        s = self.settings
        first = max(1, self.number + 1 - s.window) if s.window else 1
        folders = [] if s.window else shlex.split(s.data)
        folders += [str(self.folder / f"gen-{n}" / "data") for n in range(first, self.number + 1)]
        flags = ["--seed", str(s.seed), "--generation", str(self.number), "--base", s.base]
        flags += ["--name", f"{s.game}-g{self.number}", *shlex.split(s.fit)]
        program.fit([*flags, "--out", str(self.network), *folders])
        report = program.report_of(self.network)
        result = {"validation": program.validation_of(report), "epochs": len(report["epochs"])}
        return result | {"plans": report["plans"], "flags": s.fit, "window": s.window}, self.network

    def check(self) -> Step:
        """Lets the program score the check positions; it fails if one differs."""
        self.selfplay.text("net", "--check", str(self.home / "net.check.jsonl"), str(self.network))
        return {}, None

    def pace(self, nodes: int, number: int) -> Step:
        """Measures the nodes with which the new player takes as much time as the match player without a network, from
        a match that it plays with so many."""
        a = with_nodes(self._player(self.network), nodes)
        match = self._match(a, self.settings.match_player, number, self.settings.pace_games)
        nodes = equal_nodes(match, nodes)
        seconds = (match["cpu_a"] + match["cpu_b"]) / self.settings.pace_games
        return {"nodes": nodes, "seconds_per_game": round(seconds, 3), "elo": match["elo"]}, None

    def against_last(self, nodes: int, last_nodes: int, games: int) -> Step:
        """Plays the last kept generation at equal time, until a sequential test decides."""
        a = with_nodes(self._player(self.network), nodes)
        b = with_nodes(self._player(self.last), last_nodes)
        return self._recorded("match-last", self._match(a, b, 2, games, ["--sprt", self.settings.elo]))

    def against_first(self, nodes: int, games: int) -> Step:
        """Plays the hand-written score at equal time, a fixed number of games: an unbiased estimate."""
        a = with_nodes(self._player(self.network), nodes)
        return self._recorded("match-first", self._match(a, self.settings.match_player, 3, games))

    def match_games(self, seconds_per_game: float) -> int:
        """Returns the games of a match that fit the hours, an even number."""
        s = self.settings
        fit = s.hours * 3600 * MATCHES / s.generations / max(seconds_per_game, 1e-3) * s.workers
        return max(2, min(s.match_games, 2 * int(fit / 2)))

    def _player(self, network: Path | None) -> str:
        return with_network(self.settings.match_player, network, self.settings.blend)

    def _match(self, a: str, b: str, number: int, games: int, flags: list[str] | None = None) -> dict[str, Any]:
        """Plays a match on openings of its own: no decision was made on them before."""
        s = self.settings
        seed = 1_000_000 * s.seed + 10 * self.number + number
        return self.selfplay.json(
            "match", "--game", s.game, "--a", a, "--b", b, "--games", str(games), "--seed", str(seed),
            "--workers", str(1 if number in PACES else s.workers), *s.adjudication, *(flags or []),
        )  # fmt: skip

    def _recorded(self, name: str, match: dict[str, Any]) -> Step:
        path = self.home / f"{name}.json"
        replace(path, json.dumps(match, indent=1) + "\n")
        keys = ("wins", "losses", "draws", "elo", "elo_low", "elo_high", "los", "sprt", "cpu_a", "cpu_b")
        return {k: match[k] for k in keys if k in match}, path


def once(journal: Journal, generation: int | str, name: str, step: Callable[[], Step]) -> dict[str, Any]:
    """Returns the result of a step, which is made if it has no record."""
    found = journal.find(generation, name)
    if found is not None:
        return found
    print(f"{journal.unit} {generation}: {name}", file=sys.stderr, flush=True)
    begin = program.cpu_seconds()
    result, file = step()
    journal.add(generation, name, result, file, program.cpu_seconds() - begin)
    return result
