"""UCI engines: how many nodes make them as strong as ours, and how many positions they then search."""

import json
import math
import random
from dataclasses import dataclass

import chess
import chess.engine

from .clock import Work, process_seconds
from .inputs import Inputs, call


@dataclass(frozen=True)
class Engine:
    """An engine, with a player of ours that it is compared with."""

    name: str
    program: str
    options: dict[str, str]
    ours: str
    guess: int  # nodes that may make it equal


ENGINES = [
    Engine(
        "Stockfish, classical", "stockfish", {"Hash": "1", "Use NNUE": "false"}, "ab:nodes=1000,hash=1,net=none", 600
    ),
    Engine("Stockfish, NNUE", "stockfish", {"Hash": "1"}, "ab:nodes=1000,hash=1", 400),
    Engine("Fairy-Stockfish", "fairy-stockfish", {"Hash": "1"}, "ab:nodes=1000,hash=1,net=none", 600),
]


@dataclass(frozen=True)
class Match:
    """A match of ours against an engine with a number of nodes. Elo above 0 means that ours won it."""

    nodes: int
    games: int
    elo: float
    low: float
    high: float


def match(inputs: Inputs, engine: Engine, nodes: int, games: int, seed: int) -> Match:
    """Plays a match, every opening from both sides."""
    options = "".join(f",option.{name}={value}" for name, value in engine.options.items())
    other = f"uci:path={engine.program},nodes={nodes}{options}"
    text = call(inputs.selfplay, "match", "--quiet", "--json", "--game", "chess", "--workers", "1", "--a", engine.ours,
                "--b", other, "--games", str(games), "--seed", str(seed))  # fmt: skip
    result = json.loads(text)
    return Match(nodes, games, result["elo"], result["elo_low"], result["elo_high"])


def equal(inputs: Inputs, engine: Engine) -> Match:
    """Looks for equal nodes in some matches, and returns one more, whose games took no part in the choice."""
    tries, games = (1, 10) if inputs.short else (4, 100)
    nodes = float(engine.guess)
    for seed in range(1, tries + 1):
        found = match(inputs, engine, round(nodes), games, seed)
        # Twice the nodes are worth about 100 Elo. Later matches correct less.
        nodes *= math.exp2(max(-300.0, min(300.0, found.elo)) / 100 / seed)
    return match(inputs, engine, round(nodes), 20 if inputs.short else 400, 1000)


def ours(inputs: Inputs, player: str) -> Work:
    """Makes a dataset with one worker. The time is that of the whole program, the count that of searched rows."""
    from .play_ours import searched

    return searched(inputs, player, 10 if inputs.short else 100)


def theirs(inputs: Inputs, engine: Engine, nodes: int) -> Work:
    """Plays games of the engine against itself from random openings. The time is that of its process."""
    with chess.engine.SimpleEngine.popen_uci(engine.program) as uci:
        uci.configure(dict(engine.options))
        uci.play(chess.Board(), chess.engine.Limit(nodes=nodes))  # from here on its start does not count
        pid = uci.transport.get_pid()
        rng, count, begin = random.Random(1), 0, process_seconds(pid)
        while process_seconds(pid) - begin < inputs.seconds:
            count += one_game(uci, nodes, rng)
        return Work(count, process_seconds(pid) - begin)


def one_game(uci: chess.engine.SimpleEngine, nodes: int, rng: random.Random) -> int:
    """Plays a game after 4 to 10 random plies, and returns how many positions were searched."""
    board, game, count = opening(rng), object(), 0
    while not board.is_game_over(claim_draw=True):
        move = uci.play(board, chess.engine.Limit(nodes=nodes), game=game, info=chess.engine.INFO_SCORE).move
        assert move is not None
        board.push(move)
        count += 1
    return count


def opening(rng: random.Random) -> chess.Board:
    """Returns a position after random moves in which the game goes on."""
    while True:
        board = chess.Board()
        for _ in range(rng.randint(4, 10)):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board
