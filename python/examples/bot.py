"""A player of ten lines: it draws a move that was not played yet."""

import random

import selfplay


def fn(q):
    new = [move for move in q.moves if move not in q.history]
    return random.Random(q.seed).choice(new or q.moves)


selfplay.play(fn)
