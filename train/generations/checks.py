"""Checks of the input before the first step, which may take hours."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

import selfplay

from .players import with_network
from .program import STOPPED, Failure, Program, fit
from .settings import Settings
from .steps import Generation


def check_program(path: Path) -> None:
    """Raises ValueError if there is no such program."""
    if not path.is_file():
        raise ValueError(f"open --program {path}: no such file")


def check_fit(args: Sequence[str]) -> None:
    """Lets the trainer check flags and datasets. ValueError if it refuses them; it has said why."""
    try:
        fit([*args, "--dry-run"])
    except Failure as error:
        raise ValueError("check --fit and --data: train/fit refuses them") from error


def check_data(settings: Settings) -> None:
    """Raises ValueError for datasets from which nothing can be learned together with the games of the loop."""
    for folder in shlex.split(settings.data):
        ds = selfplay.open(folder)
        if ds.name != settings.game:
            raise ValueError(f"open --data {folder}: games of {ds.name}, want {settings.game}")
        if not ds.mover:
            raise ValueError(f"open --data {folder}: want a dataset made with --perspective mover")


def check_players(program: Program, settings: Settings) -> None:
    """Raises Failure for flags of games and matches that the program refuses. Players are asked with a network, because
    most of them get one only after the first games."""
    network = network_of_program(settings) if settings.generations > 1 else None
    with tempfile.TemporaryDirectory() as empty:  # a dataset in it would count; nothing is written
        first = Generation(1, Path(empty), settings, program, network)
        check_player(program, "--player, --preset, --where and --run", first.run_flags())
    check_match_player(program, settings)


def check_match_player(program: Program, settings: Settings) -> None:
    """Raises Failure for flags of matches that the program refuses."""
    player = with_network(settings.match_player, network_of_program(settings), settings.blend)
    with tempfile.TemporaryDirectory() as empty:
        flags = ["--game", settings.game, "--player", player, "--workers", "1", "--out", str(Path(empty, "data"))]
        check_player(program, "--match-player, with a network, and --adjudicate", [*flags, *settings.adjudication])


def check_player(program: Program, what: str, flags: Sequence[str]) -> None:
    """Lets the program play two games that it does not keep. Failure with the code of bad input if it refuses them; it
    has said why."""
    try:
        program.text("run", *flags, "--games", "2", "--dry-run", "--quiet")
    except Failure as error:
        raise Failure(f"check {what}: selfplay refuses them", STOPPED if error.code == STOPPED else 2) from error


def network_of_program(settings: Settings) -> Path:
    """Returns a network of the game that exists: the program has one by the name of the game."""
    return Path(settings.game)
