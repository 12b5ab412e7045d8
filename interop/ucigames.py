"""Plays games of `selfplay uci` against other UCI engines with python-chess, which refuses illegal moves and lines that the
protocol does not allow. It fails if the program loses a game by the protocol or on time.

    python ucigames.py SELFPLAY GAMES ENGINE...

ENGINE is a command such as "stockfish" or "gnuchess --uci". Games go in turn through limits of nodes, depth and time a
move, clocks, and clocks with pondering.
"""

import random
import shlex
import sys
import time

import chess
import chess.engine

MODES = ["nodes", "depth", "movetime", "clock", "ponder"]
SLACK = 0.25  # seconds above movetime, on a machine with other work


def limit(mode, clocks, mine):
    if not mine and mode not in ("clock", "ponder"):
        return chess.engine.Limit(depth=3)  # some engines know no other limit
    if mode == "nodes":
        return chess.engine.Limit(nodes=400)
    if mode == "depth":
        return chess.engine.Limit(depth=3)
    if mode == "movetime":
        return chess.engine.Limit(time=0.05)
    return chess.engine.Limit(white_clock=clocks[True], black_clock=clocks[False], white_inc=0.05, black_inc=0.05)


def play(ours, other, number):
    """Plays a game and returns its result from our view, and the least time that our clock had."""
    mode, white, rnd = MODES[number % len(MODES)], number // len(MODES) % 2 == 0, random.Random(number)
    board, clocks, least = chess.Board(), {True: 3.0, False: 3.0}, 3.0
    while not board.is_game_over(claim_draw=True) and board.ply() < 160:
        if board.ply() < 4:
            board.push(rnd.choice(list(board.legal_moves)))
            continue
        mine, start = board.turn == white, time.monotonic()
        engine = ours if mine else other
        result = engine.play(board, limit(mode, clocks, mine), game=number, ponder=mine and mode == "ponder")
        used = time.monotonic() - start
        assert result.move in board.legal_moves, (mode, board.fen(), result)
        if mode in ("clock", "ponder"):
            clocks[board.turn] += 0.05 - used
            if mine:
                least = min(least, clocks[white] - 0.05)
                assert clocks[white] > 0.05, f"game {number}: lost on time at {board.fen()}"
            clocks[not white] = max(clocks[not white], 0.1)  # only our clock is tested
        elif mode == "movetime" and mine:
            assert used < 0.05 + SLACK, f"game {number}: {used:.3f} s for a move of 0.05 s"
        board.push(result.move)
    score = {"1-0": 1, "0-1": -1}.get(board.result(claim_draw=True), 0)
    return score if white else -score, least


def main():
    selfplay, games, engines = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    for command in engines:
        results, least = [], 3.0
        with chess.engine.SimpleEngine.popen_uci([selfplay, "uci"], timeout=60) as ours:
            with chess.engine.SimpleEngine.popen_uci(shlex.split(command), timeout=60) as other:
                for number in range(games):
                    score, clock = play(ours, other, number)
                    results.append(score)
                    least = min(least, clock)
        print(
            f"{command}: {len(results)} games, {results.count(1)} won, {results.count(0)} drawn or cut off, {results.count(-1)} lost on the board, "
            f"none by the protocol or on time; least time on our clock {least:.2f} s"
        )


if __name__ == "__main__":
    main()
