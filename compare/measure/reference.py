"""Makes labels.csv: positions, and what Stockfish 19 says of them.

    npm install stockfish@19.0.0
    python -m measure.reference node_modules/stockfish/bin/stockfish-19-single.js < POSITIONS > labels.csv

A value is the expected score of the side to move, in thousandths, as UCI_ShowWDL gives it. It is that of the last line
whose score is exact: a quarter of the last lines are bounds. Every search begins with an empty table of 16 MiB and has
one thread, so the values can be made again. Nothing here measures time: Node.js makes the engine slower.
The positions, and those of the other games, are of two commands, with the network chess-g7:

    selfplay run --game chess --preset bulk --games 400 --seed 61201 --out data/chess
    selfplay sample --rows 2000 --seed 1 --boards text --columns position --where '!limit,!unsearched,ply>=6' \\
        --out positions.csv data/chess
"""

import csv
import sys
from collections.abc import Sequence

import chess
import chess.engine

NODES = (150_000, 1_600, 500, 400, 90)  # the first is the reference, the others are for comparison


def exact(engine: chess.engine.SimpleEngine, board: chess.Board, nodes: int) -> int:
    """Returns the expected score of the last exact line, in thousandths."""
    value = -1
    with engine.analysis(board, chess.engine.Limit(nodes=nodes), game=object()) as lines:
        for line in lines:
            if "wdl" in line and "lowerbound" not in line and "upperbound" not in line:
                value = round(1000 * line["wdl"].relative.expectation())
    if value < 0:
        raise ValueError(f"label {board.fen()} with {nodes} nodes: no exact line")
    return value


def main(argv: Sequence[str]) -> None:
    write = csv.writer(sys.stdout, lineterminator="\n")
    write.writerow(["position", *(f"nodes_{nodes}" for nodes in NODES)])
    with chess.engine.SimpleEngine.popen_uci(["node", argv[0]], timeout=60) as engine:
        engine.configure({"Hash": 16, "UCI_ShowWDL": True})
        for text in sys.stdin.read().splitlines():
            write.writerow([text, *(exact(engine, chess.Board(text), nodes) for nodes in NODES)])
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
