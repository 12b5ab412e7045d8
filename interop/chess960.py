"""Compares positions of random games of Chess960 with python-chess: the text, check, legal moves, the position after
one of them, and mates and stalemates.

    python chess960.py SELFPLAY POSITIONS [SEED]
"""

import json
import random
import subprocess
import sys

import chess

BATCH = 400
PLIES = 160


def games(numbers):
    """Yields boards of random games. In half of them the sides have different starts."""
    while True:
        board = chess.Board.from_chess960_pos(numbers.randrange(960))
        if numbers.random() < 0.5:
            other = chess.Board.from_chess960_pos(numbers.randrange(960))
            for square in chess.SquareSet(chess.BB_RANK_8):
                board.set_piece_at(square, other.piece_at(square))
            board.castling_rights = board.rooks
        for _ in range(PLIES):
            moves = list(board.legal_moves)
            yield board, moves
            if not moves:
                break
            castling = [m for m in moves if board.is_castling(m)]
            rare = castling if numbers.random() < 0.02 else None  # most rights stay
            # King moves lose both rights, so most are skipped while there are rights.
            quiet = [m for m in moves if board.piece_type_at(m.from_square) != chess.KING] if board.castling_rights else None
            board.push(numbers.choice(rare or (numbers.random() < 0.9 and quiet) or moves))


def expected(board, moves):
    answer = {
        "position": board.fen(en_passant="legal"),
        "side": "white" if board.turn else "black",
        "check": board.is_check(),
        "moves": sorted(m.uci() for m in moves),
    }
    if not moves:
        answer["reason"] = "checkmate" if board.is_check() else "stalemate"
    return answer


def main():
    selfplay, count, seed = sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or ["1"])[0])
    numbers = random.Random(seed)
    command = [selfplay, "--quiet", "moves", "--game", "chess", "--variant", "chess960", "--batch"]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    boards = games(numbers)
    differences = seen = castlings = rights = off = 0
    while seen < count:
        questions, wanted = [], []
        for board, moves in boards:
            fen = board.shredder_fen(en_passant="fen") if numbers.random() < 0.5 else board.fen(en_passant="fen")
            castling = [m for m in moves if board.is_castling(m)]
            castlings += len(castling)
            rights += board.castling_rights != 0
            off += board.castling_rights & ~chess.BB_CORNERS != 0
            questions.append({"position": fen})
            wanted.append(expected(board, moves))
            if moves and (castling or numbers.random() < 0.1):  # a move, castling where there is one
                move = numbers.choice(castling or moves)
                after = board.copy(stack=False)
                after.push(move)
                questions.append({"position": fen, "play": [move.uci()]})
                wanted.append(expected(after, list(after.legal_moves)))
            if len(questions) >= BATCH:
                break
        program.stdin.write("".join(json.dumps(q) + "\n" for q in questions))
        program.stdin.flush()
        for question, want in zip(questions, wanted):
            line = program.stdout.readline()
            got = json.loads(line)
            got = {**got, "moves": sorted(got.get("moves", []))}
            if any(got.get(key) != value for key, value in want.items()):
                differences += 1
                if differences <= 10:
                    print(f"{question}: {line.strip()}, want {want}")
        seen += len(questions)
    program.stdin.close()
    print(f"{seen:,} positions, {rights:,} of games with castling rights ({off:,} off the corners), {castlings:,} castling moves, {differences} differences")
    sys.exit(differences > 0)


main()
