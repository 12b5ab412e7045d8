"""How well scores label positions: their correlation with those of a far stronger search.

In chess the reference is the expected score of Stockfish 19 after 150,000 nodes, on the 2,000 positions of labels.csv;
its own rows are flattered, because the same network is in the reference. In other games the reference is the player
itself with 100 times the nodes: that says how much a longer search would change, not how good the player is.

A player's scores become expected scores by a logistic curve, whose scale is the one that fits the reference best.

    compare/run --labels [--short] [--game GAME] [PLAYER ...]
"""

import argparse
import csv
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import selfplay

from .clock import measure

GAMES = ("chess", "cotulenh", "contrast")
PLAYERS = tuple(f"ab:nodes={nodes},hash=1{net}" for net in (",net=none", "") for nodes in (100, 1000, 10000))
NATIVE = 780  # nodes a millisecond of Stockfish 19 on one core of an AMD EPYC, without Node.js
LONGER = 100  # times the nodes of a player are its reference
REPEATS = 5  # of a player, so that the start of the program counts little
SCALES = range(40, 1000, 10)  # centipawns for which a logistic curve has 1 / (1 + 1/e)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    """A row of the table."""

    name: str
    correlation: float
    positions: int
    nodes: float  # a position
    seconds: float  # CPU time a position

    def __str__(self) -> str:
        # The standard error of a correlation r of n positions, by Fisher's transformation, near r.
        error = (1 - self.correlation**2) / math.sqrt(self.positions - 3)
        return f"| {self.name} | {self.correlation:.4f} ± {error:.4f} | {self.nodes:,.0f} | {1000 * self.seconds:.2f} |"


def correlation(a: Values, b: Values) -> float:
    """Returns Pearson's correlation."""
    return float(np.corrcoef(a, b)[0, 1])


def logistic(scores: Values, scale: float) -> Values:
    """Returns expected scores of scores."""
    return np.asarray(0.5 + 0.5 * np.tanh(scores / scale / 2))  # no overflow, as exp has


def by_stockfish(rows: Sequence[dict[str, str]], reference: Values) -> list[Labels]:
    """Returns the rows of Stockfish's shorter searches."""
    found = []
    for column in list(rows[0])[2:]:
        values, nodes = np.array([float(row[column]) for row in rows]), int(column.removeprefix("nodes_"))
        r = correlation(values, reference)
        found.append(Labels("Stockfish 19", r, len(rows), nodes, nodes / NATIVE / 1000))
    return found


def search(game: str, player: str, positions: Sequence[str], repeats: int) -> tuple[selfplay.SearchResults, float]:
    """Returns what a player says of positions, and the CPU seconds of a position."""
    found: list[selfplay.SearchResults] = []

    def work() -> int:
        with selfplay.player(game, player, workers=1, program=os.environ["SELFPLAY"]) as p:
            found.extend(p.search(positions) for _ in range(repeats))
        return repeats * len(positions)

    done = measure(work)
    return found[0], done.seconds / done.count


def by_player(game: str, player: str, positions: Sequence[str], reference: Values | None) -> Labels:
    """Returns the row of a player; without a reference its own longer search is one."""
    result, seconds = search(game, player, positions, REPEATS)
    scores = result.score.astype(float)
    if reference is None:
        longer, times = re.subn(r"\bnodes=(\d+)", lambda nodes: f"nodes={LONGER * int(nodes[1])}", player)
        if times != 1:
            raise SystemExit(f"label positions of {game} with {player}: want a player with nodes=N")
        strong = search(game, longer, positions, 1)[0].score.astype(float)
        best = max(SCALES, key=lambda scale: correlation(logistic(scores, scale), logistic(strong, scale)))
        reference = logistic(strong, best)
    r = max(correlation(logistic(scores, scale), reference) for scale in SCALES)
    return Labels(player, r, len(positions), float(result.nodes.mean()), seconds)


def table(labels: Iterable[Labels]) -> Iterable[str]:
    """Returns the lines of the table."""
    yield "| labels | correlation | nodes a position | CPU ms a position |\n|---|---|---|---|"
    yield from map(str, labels)


def labelled(game: str, players: Sequence[str], short: bool) -> Iterable[Labels]:
    """Returns the rows of a game."""
    file = Path(__file__).with_name("labels.csv" if game == "chess" else f"labels-{game}.csv")
    with file.open(newline="") as text:
        rows = list(csv.DictReader(text))[: 20 if short else None]
    positions = [row["position"] for row in rows]
    reference = None
    if game == "chess":
        reference = np.array([float(row["nodes_150000"]) for row in rows])
    for player in players:
        yield by_player(game, player, positions, reference)
    if reference is not None:
        yield from by_stockfish(rows, reference)


def main() -> None:
    parser = argparse.ArgumentParser(description="Print how well players label positions.")
    parser.add_argument("--short", action="store_true", help="only 20 positions, to see that it works")
    parser.add_argument("--game", choices=GAMES, help="one game (default: all)")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="players such as ab:nodes=1000,hash=1")
    args = parser.parse_args()
    for game in [args.game] if args.game else GAMES:
        players = args.players or [p for p in PLAYERS if game == "chess" or not p.startswith("ab:nodes=10000,")]
        print(f"\n{game}\n")
        for line in table(labelled(game, players, args.short)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
