"""Random chess by this project: whole datasets, and positions that Python steps through."""

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import selfplay

from .clock import Work, measure
from .inputs import Inputs, call

BATCH = 1024


def run(inputs: Inputs, player: str, games: int, folder: str) -> dict[str, Any]:
    """Plays games with one worker, writes a dataset, reads it back, and returns what the program counts."""
    done = call(inputs.selfplay, "run", "--quiet", "--json", "--game", "chess", "--player", player, "--workers", "1",
                "--board-type", "packed", "--validation", "0", "--games", str(games), "--out", folder)  # fmt: skip
    counts: dict[str, Any] = json.loads(done)
    return counts


def make_dataset(inputs: Inputs, folder: str) -> int:
    """Makes a dataset of random games, and returns its rows."""
    return int(run(inputs, "random", 2_000 if inputs.short else 20_000, folder)["rows"])


def searched(inputs: Inputs, player: str, games: int) -> Work:
    """Makes a dataset, and counts the rows that were searched."""
    with tempfile.TemporaryDirectory(dir=inputs.data) as folder:
        return measure(lambda: int(run(inputs, player, games, f"{folder}/games")["decisions_searched"]))


def dataset(inputs: Inputs) -> Work:
    """The dataset on disk is the result."""
    with tempfile.TemporaryDirectory(dir=inputs.data) as folder:
        return measure(lambda: make_dataset(inputs, f"{folder}/games"))


def dataset_planes(inputs: Inputs) -> Work:
    """The dataset is made and read in batches of planes."""
    with tempfile.TemporaryDirectory(dir=inputs.data) as folder:
        return measure(lambda: read_planes(inputs, Path(folder) / "games"))


def read_planes(inputs: Inputs, folder: Path) -> int:
    """Makes a dataset and the planes of all its positions, and returns how many."""
    make_dataset(inputs, str(folder))
    data, count = selfplay.open(folder), 0
    for rows in data.batches("train", 8192, ["board", "side"]):
        count += len(data.planes(rows))
    return count


# Plies of all games in a second, about: each measurement is to take as long.
SPEEDS = {
    ("chess", "packed"): 1_000_000,
    ("chess", "float32"): 500_000,
    ("contrast", "packed"): 1_000_000,
    ("contrast", "float32"): 900_000,
    ("cotulenh", "packed"): 250_000,
    ("cotulenh", "float32"): 120_000,
}


def positions(inputs: Inputs, planes: str | None) -> Work:
    """Steps through 1,024 games of chess at once in NumPy."""
    plies = int(inputs.seconds * (300_000 if planes == "float32" else 600_000))
    options: dict[str, Any] = {"planes": planes, "program": inputs.selfplay}
    return measure(lambda: step_through("chess", BATCH, plies, options))


def steps(inputs: Inputs, game: str, n: int, planes: str) -> Work:
    """Steps through n games at once."""
    speed = SPEEDS[game, planes] * n / (n + 30)  # a round trip costs as much as some 30 plies
    options: dict[str, Any] = {"planes": planes, "program": inputs.selfplay}
    return measure(lambda: step_through(game, n, int(inputs.seconds * speed), options))


def step_through(game: str, n: int, plies: int, options: dict[str, Any]) -> int:
    """Plays about that many plies, and returns how many. The program has ended then, so its time counts."""
    rng = np.random.default_rng(1)
    with selfplay.game(game).positions(n, **options) as games:
        seen = games.observe()
        count = -(-plies // n)
        for _ in range(count):
            seen = games.step(seen.sample(rng))
    return count * n
