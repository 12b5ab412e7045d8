"""What a loop is asked to do. Most of it may only be set once for a folder, see journal.FREE."""

from __future__ import annotations

import argparse
import dataclasses
import math
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .players import sims_of

WHERE = "!limit,!unsearched,!random,!check,!capture,ply>=6,abs_score<=3000"
ADJUDICATE = {"cotulenh": "2000,6", "chess": "1500,6", "contrast": ""}
MOST_ELO = 1000  # that selfplay match --sprt accepts
MOST_SEED = 10**12  # matches multiply it by some millions, and the program takes 64 bits
SHORT = {
    "generations": 2, "games": 300, "shard_games": 100, "match_games": 20, "pace_games": 10,
    # Some 15,000 rows are too few to correct the hand-written score reliably, so no loss is refused.
    "fit": "--hidden=16 --epochs=4 --batch=256 --rate=0.0005 --margin=-9",
    "player": "ab:nodes=30", "match_player": "ab:nodes=50",
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    game: str
    generations: int = 3
    hours: float = 8.0  # of one process, for all generations
    games: int = 0  # of each generation; 0 for what fits the hours
    shard_games: int = 1000
    data: str = ""  # datasets that exist, which generations learn from, too, if window is 0
    preset: str = "bulk"
    run: str = ""  # further flags of selfplay run
    player: str = "ab:nodes=100,hash=1,hard=2000"  # plays the games, with the kept network
    match_player: str = "ab:nodes=1000,hash=1"
    base: str = "static"  # networks correct the hand-written score; none: they replace it
    blend: int = 0  # percent of the hand-written score in players with a network
    where: str = WHERE
    adjudicate: str = "auto"  # of matches; auto for what suits the game
    match_games: int = 1000  # at most, against the last generation and against the first
    pace_games: int = 100  # for measuring what a node costs with and without a network
    elo: str = "0,20"  # hypotheses of the match against the last generation
    fit: str = ""  # further flags of train/fit
    window: int = 0  # generations to learn from, the last ones; 0 for all, and for the datasets that existed before
    seed: int = 1
    workers: int = 1

    def __post_init__(self) -> None:
        _check_least(self, 1, "generations", "shard_games", "match_games", "pace_games", "workers")
        _check_least(self, 0, "games", "window")
        _check_seed(self.seed)
        _check_elo(self.elo)
        if self.match_games % 2 or self.pace_games % 2:
            raise ValueError("--match-games and --pace-games: want even numbers, because openings are played twice")
        if not (math.isfinite(self.hours) and self.hours > 0):
            raise ValueError(f"--hours {self.hours:g}: want a finite number above 0")
        if not 0 <= self.blend <= 99:
            raise ValueError(f"--blend {self.blend}: want 0 to 99")
        if self.base not in ("none", "static"):
            raise ValueError(f"--base {self.base}: want none or static")
        if self.game not in ADJUDICATE:
            raise ValueError(f"--game {self.game}: want one of {', '.join(ADJUDICATE)}")

    @property
    def adjudication(self) -> list[str]:
        """The flags of matches that end games early."""
        rule = ADJUDICATE[self.game] if self.adjudicate == "auto" else self.adjudicate
        return ["--adjudicate-win", rule] if rule else []


def _check_least(settings: Settings | ModelSettings, least: int, *names: str) -> None:
    """Raises ValueError for a setting below least."""
    for name in names:
        if (value := getattr(settings, name)) < least:
            raise ValueError(f"--{name.replace('_', '-')} {value}: want at least {least}")


def _check_seed(seed: int) -> None:
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"--seed {seed}: want 0 to {MOST_SEED}")


def _check_elo(text: str) -> None:
    """Raises ValueError for hypotheses that selfplay match --sprt refuses, as it does spaces."""
    number = r"([-+]?[0-9]*\.?[0-9]+)"
    found = re.fullmatch(f"{number},{number}", text)
    if not (found and -MOST_ELO <= float(found[1]) < float(found[2]) <= MOST_ELO):
        raise ValueError(f"--elo {text}: want ELO0,ELO1 from -{MOST_ELO} to {MOST_ELO}, the smaller number first")


HELP = {
    "game": "cotulenh, chess or contrast",
    "generations": "generations to make",
    "hours": "hours of one process, for all generations; games and matches are sized to fit",
    "games": "games of each generation, in place of what fits the hours",
    "shard_games": "games of a shard",
    "data": "folders of datasets of the game that exist, made with --perspective mover; generations without --window "
    "learn from them, too",
    "preset": "preset of selfplay run",
    "run": "further flags of selfplay run, as --run='--explore-moves 9'",
    "player": "player that makes the games; it gets the network",
    "match_player": "player of the matches, with and without network",
    "base": "static: networks correct the hand-written score, which is added; none: they replace it",
    "blend": "percent of the hand-written score in players with a network",
    "where": "conditions on rows, as selfplay run --where",
    "adjudicate": "SCORE,PLIES that end games of matches, empty for none, auto for what suits the game",
    "match_games": "games of a match, at most",
    "pace_games": "games that measure what a node costs",
    "elo": "ELO0,ELO1 of the sequential test against the last generation",
    "fit": "flags of train/fit, as --fit='--hidden=32 --epochs=4'",
    "window": "learn from the games of so many generations, the last ones; 0: of all, and from --data",
    "seed": "seed of games, networks and matches",
    "workers": "games at once",
}


EXAMPLES = Path(__file__).resolve().parents[2] / "python" / "examples"
SEARCH = "mcts:sims=32,root=gumbel,considered=8"


@dataclass(frozen=True)
class ModelSettings:
    """What train/models is asked to do."""

    game: str = "contrast"
    generations: int = 10
    first_player: str = "ab:nodes=100,hash=1"  # plays the games of the first generation
    first_games: int = 50_000
    games: int = 10_000  # of each later generation
    shard_games: int = 500
    learn: str = shlex.join([sys.executable, str(EXAMPLES / "residual_model.py"), "learn"])
    play: str = shlex.join([sys.executable, str(EXAMPLES / "residual_model.py"), "play"])
    file: str = "net.pt"
    data: str = ""
    run: str = "--layout planes --perspective mover --columns +legal_actions --where !limit,!unsearched,!random"
    player: str = SEARCH
    match_player: str = SEARCH + ",gumbel=0"
    match_games: int = 400
    pace_games: int = 40
    window: int = 4
    seed: int = 1

    def __post_init__(self) -> None:
        _check_least(self, 1, "generations", "first_games", "games", "shard_games", "match_games", "pace_games")
        _check_least(self, 0, "window")
        _check_seed(self.seed)
        if self.match_games % 2 or self.pace_games % 2:
            raise ValueError("--match-games and --pace-games: want even numbers, because openings are played twice")
        sims_of(self.match_player)
        if not shlex.split(self.learn) or not shlex.split(self.play):
            raise ValueError("--learn and --play: want a command each")


MODEL_HELP = HELP | {
    "first_player": "player that makes the games of the first generation, without a model",
    "first_games": "games of the first generation",
    "games": "games of each later generation",
    "learn": "command that learns a model: from the second generation on it gets --last and the file of the last one, "
    "then folders of datasets and, as its last argument, the file to write",
    "play": "command that plays with a model: it gets the file",
    "data": "folders of datasets that exist; generations without --window learn from them, too",
    "file": "name of the file of a model",
    "player": "player that makes the games; it gets the model",
    "match_player": "player of the matches, with and without model",
    "match_games": "games of a match",
}


def add_flags(
    p: argparse.ArgumentParser, names: Sequence[str] = (), of: type[Any] = Settings, help: dict[str, str] = HELP
) -> None:
    """Adds the flags of some settings, of all if no names are given."""
    for field in (f for f in dataclasses.fields(of) if f.name in (names or help)):
        required = field.default is dataclasses.MISSING
        text = help[field.name] + ("" if required else f" (default: {str(field.default).replace('%', '%%') or 'none'})")
        kind = {"int": int, "float": float}.get(str(field.type), str)
        p.add_argument("--" + field.name.replace("_", "-"), type=kind, required=required, help=text,
                       default=argparse.SUPPRESS)  # fmt: skip


def given(args: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Returns the settings that flags name."""
    return {name: getattr(args, name) for name in names if hasattr(args, name)}


def settings_of(args: argparse.Namespace, names: Sequence[str] = tuple(HELP)) -> Settings:
    """Returns the settings of flags; flags that are given override those of --short."""
    short: dict[str, Any] = SHORT if getattr(args, "short", False) else {}
    return Settings(**(short | given(args, names)))
