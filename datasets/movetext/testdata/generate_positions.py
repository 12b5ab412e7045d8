"""Writes positions of random games with python-chess 1.11.2 as Stockfish's plain text, and the games
that they are: per position game, ply, FEN, move in UCI and score, per game its result and its end.

pip install chess==1.11.2; python generate_positions.py 24 1 python-chess.plain python-chess-games.txt
formats pack python-chess.plain > sfbinpack.binpack  # the writer of the crate sfbinpack, see interop/formats
"""
import random, sys, chess
n, seed, plain, games = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
r = random.Random(seed)
STARTS = [chess.STARTING_FEN] * 4 + [
    "r3k2r/p2p4/8/4P3/4p3/8/P2P4/R3K2R w KQkq - 0 20", "4k3/PPP5/8/8/8/8/5ppp/2K5 b - - 7 41",
    "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 30", "7k/8/5K2/6Q1/8/8/8/8 w - - 90 80"]
def special(board, moves):
    """Prefers castling, captures en passant, promotions and mates."""
    best = [m for m in moves if board.is_castling(m) or board.is_en_passant(m) or m.promotion]
    for m in moves:
        board.push(m)
        if board.is_checkmate() or board.is_stalemate(): best.append(m)
        board.pop()
    return best
with open(plain, "w") as out, open(games, "w") as text:
    number = 0
    for i in range(n):
        board = chess.Board(STARTS[i % len(STARTS)])
        assert board.is_valid()
        rows = []
        for _ in range(r.randrange(1, 60)):
            moves = list(board.legal_moves)
            if not moves: break
            best = special(board, moves)
            move = r.choice(best if best and r.random() < .7 else moves)
            score = 32002 if r.random() < .2 else r.choice([r.randrange(-900, 900), 31990, -31999])
            rows.append((board.copy(), move, score)); board.push(move)
        result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(board.result(), r.choice([1, 0, -1]))
        missing = r.randrange(len(rows)) if i % 5 == 4 and len(rows) > 2 else None  # a row that a filter dropped
        parts = [rows] if missing is None else [rows[:missing], rows[missing + 1:]]
        for part in filter(None, parts):
            for ply, (b, move, score) in enumerate(part):
                own = result if b.turn else -result
                out.write(f"fen {b.fen()}\nmove {move.uci()}\nscore {score}\nply {b.ply()}\nresult {own}\ne\n")
                text.write(f"{number} {ply} {b.fen()} {move.uci()} {'-' if score == 32002 else score}\n")
            last = part[-1][0].copy(); last.push(part[-1][1])
            end = "checkmate" if last.is_checkmate() else "stalemate" if last.is_stalemate() else "-"
            text.write(f"{number} {result} {end}\n"); number += 1
