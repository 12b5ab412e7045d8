"""How well scores label positions: their correlation with those of a far stronger search.

The reference is the expected score of Stockfish with its own network after 60,000 nodes, on the fixed positions of
labels.epd. A player's scores become expected scores by a logistic curve, whose scale is the one that fits the reference
best; Stockfish states its own chances (UCI_ShowWDL). Self-play cannot flatter this figure.

    compare/run --labels [--short] [PLAYER ...]
"""

import argparse
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine
import numpy as np
from numpy.typing import NDArray

import selfplay

from .clock import measure, process_seconds

REFERENCE = 60_000  # nodes
NODES = (90, 400, 1_600)  # of Stockfish, for comparison
PLAYERS = (
    "ab:nodes=1000,hash=1,net=none",
    "ab:nodes=5000,hash=1,net=none",
    "ab:nodes=1000,hash=1",
    "ab:nodes=5000,hash=1",
)
REPEATS = 5  # of a player, so that the start of the program counts little
SCALES = range(40, 1000, 10)  # centipawns for which a logistic curve has 1 / (1 + 1/e)

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    """Expected scores of the side to move, from 0 to 1, and what they cost."""

    name: str
    values: Values
    nodes: float  # a position
    seconds: float  # CPU time a position


def by_stockfish(positions: Sequence[str], nodes: int) -> Labels:
    """Labels positions by Stockfish with its network."""
    values = []
    with chess.engine.SimpleEngine.popen_uci("stockfish") as engine:
        engine.configure({"Hash": 16, "Threads": 1, "UCI_ShowWDL": True})
        begin = process_seconds(engine.transport.get_pid())
        for text in positions:
            info = engine.analyse(chess.Board(text), chess.engine.Limit(nodes=nodes), game=object())
            chances = info.get("wdl") or info["score"].wdl()
            values.append(chances.relative.expectation())
        seconds = process_seconds(engine.transport.get_pid()) - begin
    return Labels(f"Stockfish with its network, {nodes:,} nodes", np.array(values), nodes, seconds / len(positions))


def by_player(positions: Sequence[str], player: str, reference: Values) -> Labels:
    """Labels positions by a player of this program."""
    found: list[selfplay.SearchResults] = []

    def search() -> int:
        with selfplay.player("chess", player, workers=1, program=os.environ["SELFPLAY"]) as p:
            found.extend(p.search(positions) for _ in range(REPEATS))
        return REPEATS * len(positions)

    work = measure(search)
    scores = found[0].score.astype(float)
    best = max(SCALES, key=lambda scale: correlation(logistic(scores, scale), reference))
    return Labels(player, logistic(scores, best), float(found[0].nodes.mean()), work.seconds / work.count)


def logistic(scores: Values, scale: float) -> Values:
    """Returns expected scores of scores."""
    return np.asarray(0.5 + 0.5 * np.tanh(scores / scale / 2))  # no overflow, as exp has


def correlation(a: Values, b: Values) -> float:
    """Returns Pearson's correlation."""
    return float(np.corrcoef(a, b)[0, 1])


def error(r: float, n: int) -> float:
    """Returns the standard error of a correlation r of n positions, by Fisher's transformation, near r."""
    return (1 - r * r) / math.sqrt(n - 3)


def table(labels: Iterable[Labels], reference: Values) -> str:
    """Returns the table."""
    lines = ["| labels | correlation | nodes a position | CPU ms a position |", "|---|---|---|---|"]
    for one in labels:
        r = correlation(one.values, reference)
        found = f"{r:.3f} ± {error(r, len(reference)):.3f}"
        lines.append(f"| {one.name} | {found} | {one.nodes:,.0f} | {1000 * one.seconds:.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Print how well players label chess positions.")
    parser.add_argument("--short", action="store_true", help="only 20 positions, to see that it works")
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="players such as ab:nodes=1000,hash=1")
    args = parser.parse_args()
    positions = Path(__file__).with_name("labels.epd").read_text().split("\n")[:-1]
    if args.short:
        positions = positions[:20]
    reference = by_stockfish(positions, 3_000 if args.short else REFERENCE).values
    labels = [by_player(positions, player, reference) for player in args.players or PLAYERS]
    labels += [by_stockfish(positions, nodes) for nodes in NODES]
    print(table(labels, reference))


if __name__ == "__main__":
    main()
