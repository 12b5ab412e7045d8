"""Plays against `selfplay uci` with python-chess, which refuses every illegal move and every line
that the protocol does not allow.

    python uci.py SELFPLAY

SELFPLAY is the built program.
"""

import sys
import time

import chess
import chess.engine

# Castling on both sides, en passant, promotions, a pinned piece, a check, a long game's clocks.
POSITIONS = [
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4r2k/8/8/8/8/8/4B3/4K3 w - - 12 40",
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 99 180",
]


def play_games(engine):
    """Plays games until the board allows no more, past claims of a draw, with every kind of player."""
    for player, plies in ("random", 600), ("ab:depth=1", 200), ("mcts:sims=20", 60), ("0.5*random + 0.5*greedy", 80):
        engine.configure({"Player": player, "Seed": 3})
        board = chess.Board()
        while not board.is_game_over() and board.ply() < plies:
            result = engine.play(board, chess.engine.Limit(white_clock=60, black_clock=60, white_inc=1), game=player)
            board.push(result.move)
        print(f"python-chess: {player} played {board.ply()} plies, {board.result(claim_draw=True)}")


def check_limits(engine):
    """Checks that limits reach the player, and what it says about its searches."""
    engine.configure({"Player": "ab:depth=2"})
    board = chess.Board()
    nodes = {}
    for depth in 1, 2, 3:
        info = engine.analyse(board, chess.engine.Limit(depth=depth))
        nodes[depth] = info["nodes"]
        assert info["depth"] == depth and info["pv"][0] in board.legal_moves, info
        assert abs(info["score"].relative.score()) < 200, info
    assert nodes[1] < nodes[2] < nodes[3], nodes
    assert engine.analyse(board, chess.engine.Limit(nodes=100))["nodes"] < nodes[3]
    for fen in POSITIONS:
        board = chess.Board(fen)
        while not board.is_game_over() and board.fullmove_number < 200:
            board.push(engine.play(board, chess.engine.Limit(depth=1)).move)
            if board.fullmove_number > chess.Board(fen).fullmove_number + 5:
                break
    mate = chess.Board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    assert engine.analyse(mate, chess.engine.Limit(depth=2))["score"].relative == chess.engine.Mate(1)
    mate.push_uci("g6g7")
    assert engine.play(mate, chess.engine.Limit(depth=1)).move is None


def check_analysis(engine):
    """Checks that an infinite analysis waits for stop, also when the next one is close behind."""
    for moves in ["e2e4"], ["e2e4", "e7e5"], []:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        with engine.analysis(board) as analysis:
            for info in analysis:
                if "score" in info:
                    break
            engine.ping()
        assert analysis.wait().move in board.legal_moves


def main():
    selfplay, start = sys.argv[1], time.time()
    with chess.engine.SimpleEngine.popen_uci([selfplay, "uci", "--player", "ab:depth=1"], timeout=60) as engine:
        assert engine.id["name"].startswith("selfplay "), engine.id
        assert engine.options["Player"].default.startswith("ab:depth=1,net=chess-g") and engine.options["Seed"].max == 2**31 - 1, engine.options
        play_games(engine)
        check_limits(engine)
        check_analysis(engine)
        process = engine.transport
    assert process.get_returncode() in (0, None), process.get_returncode()
    print(f"python-chess: all checks passed in {time.time() - start:.1f} s")


if __name__ == "__main__":
    main()
