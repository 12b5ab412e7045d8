"""Reads datasets of self-play games: rows as NumPy arrays or PyTorch tensors, boards and actions as text.

    import selfplay

    ds = selfplay.open("data/demo")            # a dataset, or a folder that export shuffle or convert wrote
    rows = ds.to_numpy("train")                # {"board": [rows, 138] int16, "score": [rows] int16, ...}
    ds["train"][:10], len(ds)                  # rows as a sequence
    ds.texts(rows)[0], ds.moves(rows)[0]       # position and move in the game's notation
    for batch in ds.batches("train", 8192, ["board", "score", "outcome"], shuffle=True): ...
    for batch in ds.torch_batches("train", 8192, shuffle=True): ...

    chess = selfplay.game("chess")
    board, side = chess.board(chess.start)
    chess.action("e2e4"), chess.planes(board[None], [side])

    selfplay.run(game="chess", player="ab:depth=2", games=1000, out="data/chess")     # makes a dataset
    selfplay.match(game="chess", a="ab:depth=3", b="ab:depth=2").elo

    selfplay.evaluate(fn, batch=256)           # a model of yours plays: selfplay run --evaluator
    selfplay.play(fn)                          # or a program that chooses moves

The package itself knows no rules: game.positions(n) asks the program selfplay, which is in the wheels of most systems.
What it knows of boards and actions comes from the files in games/, which the program writes.

    board.py     Board: cells, flips, actions
    game.py      Game: a Board with positions; cotulenh.py, chess.py, contrast.py: texts and planes
    catalog.py   games and players by name: game(name), player(game, text)
    ragged.py    columns of lists; padded lists, policies, masks of legal actions
    metadata.py  what a dataset says about itself
    columns.py   Arrow columns as NumPy arrays
    files.py     Parquet, Arrow and records as groups of rows
    batches.py   batches in order or shuffled, shared among ranks, resumable
    sums.py      the SHA-256 of files
    dataset.py   Dataset, Split; torch.py: the same batches as tensors
    evaluator.py a model of yours as a player of selfplay: evaluate(fn); turns.py: a program that chooses moves: play(fn)
    transport.py how both answer selfplay
    rules.py     positions of a game in batches: game.positions(n)
    aec.py       games as environments of PettingZoo, and gym.py of Gymnasium: import them by name
    render.py    texts and pictures of environments
    sight.py     what the program says of one position
    position.py  one position, for people and notebooks: game.start(), game.position(text)
    player.py    players of the program, which search positions
    commands.py  commands of the program that play games: run() and match()
    running.py   runs a command: flags, log, errors; progress.py: how far it is, for people
    process.py   the conversation of rules.py, position.py and player.py with the program
    program.py   where the program is; __main__.py: python -m selfplay
"""

from .batches import Batches
from .board import Action, Piece
from .catalog import game, games, player, register
from .commands import Match, Run, match, run
from .dataset import Dataset, Split, open, stream
from .evaluator import evaluate
from .game import Game
from .metadata import Column, Element
from .player import Player, SearchResults
from .position import Position
from .program import ProgramError, package_version
from .ragged import Ragged, legal_bits, legal_mask, policy
from .rules import IllegalAction, Observation, Positions
from .turns import Question, play

__version__ = package_version()

__all__ = [
    "Action",
    "Batches",
    "Column",
    "Dataset",
    "Element",
    "Game",
    "IllegalAction",
    "Match",
    "Observation",
    "Piece",
    "Player",
    "Position",
    "Positions",
    "ProgramError",
    "Question",
    "Ragged",
    "Run",
    "SearchResults",
    "Split",
    "evaluate",
    "game",
    "games",
    "legal_bits",
    "legal_mask",
    "match",
    "open",
    "play",
    "player",
    "policy",
    "register",
    "run",
    "stream",
]
