"""Writes random PGN games with python-chess 1.11.2, and their positions: game, ply, FEN, move in UCI, score.

pip install chess==1.11.2; python generate.py 60 1 python-chess.pgn python-chess.txt
"""
import random, sys, chess, chess.pgn
n, seed, pgn, rows = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
r = random.Random(seed)
def random_start():
    b = chess.Board()
    for _ in range(r.randrange(1, 60)):
        if b.is_game_over(): break
        b.push(r.choice(list(b.legal_moves)))
    return b if any(b.legal_moves) else chess.Board()
def endgame():
    while True:
        b = chess.Board(None)
        squares = r.sample(range(64), r.randrange(4, 9))
        pieces = [chess.Piece(chess.KING, True), chess.Piece(chess.KING, False)] + [chess.Piece(r.choice([1, 1, 1, 2, 3, 4, 5]), r.random() < .5) for _ in squares[2:]]
        for s, p in zip(squares, pieces): b.set_piece_at(s, p)
        b.turn = r.random() < .5
        b.fullmove_number = r.randrange(1, 99); b.halfmove_clock = r.randrange(0, 40)
        if b.is_valid() and any(b.legal_moves): return b
comments = ["a (bracket) and ; semicolon", "two\nlines", "[%clk 0:01:02]", "1-0 is not the end", "", "Nf3 is better"]
with open(pgn, "w") as out, open(rows, "w") as text:
    for i in range(n):
        g = chess.pgn.Game()
        g.headers["White"], g.headers["Black"] = 'Müller "X" \\ %d' % i, "B%d" % i
        kind = r.random()
        if kind > .6: g.setup(random_start() if kind > .8 else endgame())
        board, node = g.board(), g
        plies = r.randrange(1, 200 if n > 1000 else 60)
        if r.random() < .1: g.comment = "before the game"
        scores = []      # of the position before each ply: White's view, or None
        state = r.random()
        evals = state < .3
        pending = None
        engine = .3 <= state < .5
        if evals and r.random() < .5:
            pending = r.randrange(-900, 900); g.comment = "[%%eval %.2f]" % (pending / 100)
        lines = []
        for ply in range(plies):
            moves = list(board.legal_moves)
            if not moves: break
            fen = board.fen(en_passant="legal")
            promos = [m for m in moves if m.promotion]
            m = r.choice(promos) if promos and r.random() < .5 else r.choice(moves)
            turn = board.turn
            score = pending; view = None if score is None else (score if turn else -score)
            pending = None
            san = board.san(m)
            if r.random() < .1 and len(moves) > 1:       # a variation, with its own comment and end
                v = node.add_variation(r.choice([x for x in moves if x != m]))
                v.comment = r.choice(comments); 
            child = node.add_main_variation(m)
            for _ in range(r.randrange(3) if r.random() < .2 else 0): child.nags.add(r.randrange(1, 140))
            board.push(m)
            c = []
            if r.random() < .1: c.append(r.choice(comments))
            if engine:
                if r.random() < .8:
                    if r.random() < .1:
                        d = r.randrange(1, 60); view = (30000 - d) if d % 2 else -(30000 - d)
                        c = ["%sM%d/%d 0.05s" % ("+" if d % 2 else "-", d, r.randrange(1, 99))]
                    else:
                        view = r.randrange(-3000, 3000); c = ["%+.2f/%d 0.5s" % (view / 100, r.randrange(1, 99))]
            elif evals and r.random() < .8:
                if r.random() < .1:
                    mate = r.choice([-1, 1]) * r.randrange(1, 30)
                    c.append("[%%eval #%d]" % mate)
                    d = mate if board.turn else -mate
                    v = 30000 - (2 * d - 1) if d > 0 else -(30000 + 2 * d)
                    pending = v if board.turn else -v
                else:
                    pending = r.randrange(-3000, 3000); c.append("[%%eval %.2f,%d]" % (pending / 100, r.randrange(1, 40)))
            if c: child.comment = " ".join(c)
            lines.append("%d %d %s %s %s" % (i, ply, fen, m.uci(), "-" if view is None else view))
            node = child
        res = board.result()
        said = res if res != "*" else r.choice(["1-0", "0-1", "1/2-1/2", "*"])
        g.headers["Result"] = said
        out.write(str(g) + "\n\n")
        text.write("\n".join(lines) + "\n")
