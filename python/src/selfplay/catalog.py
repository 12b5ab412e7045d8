"""Games and players by name: game(name), player(game, text).

The folder games has the tables of the games of this package; register() adds others.
"""

import copyreg
import json
from functools import cache
from importlib import resources
from os import PathLike
from typing import Any

from .chess import Chess
from .contrast import Contrast
from .cotulenh import CoTuLenh
from .game import Game
from .player import Player

_registered: dict[str, Game] = {}


def register(path: str | PathLike[str], kind: type[Game] = Game) -> Game:
    """Adds the game of a table, which its program prints: PROGRAM games --table NAME. Datasets of the game then have
    cells, flips and actions, and planes that show cells and the side to move alone; texts, and other planes of compact
    boards, only if kind, a subclass of Game, defines them.
    A game that is registered again replaces the former one; those of this package stay."""
    with open(path, encoding="utf-8") as file:
        try:
            found = kind(json.load(file))
        except (ValueError, KeyError, TypeError) as err:
            raise ValueError(f"register {path}: no table of a game, as `games --table NAME` prints it: {err!r}") from None
    if found.name in _shipped():
        raise ValueError(f"register {path}: the package has its own game {found.name}")
    _registered[found.name] = found
    return found


def games() -> list[str]:
    """Returns the names of the games that are known: those of this package and those registered.

    >>> games()
    ['chess', 'contrast', 'cotulenh']
    """
    return sorted([*_shipped(), *_registered])


def _shipped() -> list[str]:
    files = resources.files(__package__).joinpath("games").iterdir()
    return [file.name.removesuffix(".json") for file in files if file.name.endswith(".json")]


def game(name: str) -> Game:
    """Returns the game with this name. Raises ValueError if there is none.

    >>> game("contrast").title, game("contrast").actions
    ('Contrast', 31875)
    """
    if name in _registered:
        return _registered[name]
    if name not in _shipped():
        raise ValueError(f"unknown game {name!r}: want one of {', '.join(games())}, or register() its table")
    return _load(name)


@cache
def _load(name: str) -> Game:
    kinds: dict[str, type[Game]] = {"chess": Chess, "contrast": Contrast, "cotulenh": CoTuLenh}
    text = resources.files(__package__).joinpath("games", f"{name}.json").read_text("utf-8")
    return kinds[name](json.loads(text))


def _reduced(found: Game) -> tuple[Any, ...]:
    """Lets a pickle name a game of this package, whose table is large."""
    return (game, (found.name,)) if found.name in _shipped() else (type(found), (found.table,))


for _kind in (Chess, Contrast, CoTuLenh):
    copyreg.pickle(_kind, _reduced)


def player(name: str | Game, text: str, **options: Any) -> Player:
    """Returns a player of a game, by its name or its Game: see Player for the options.

    >>> with player("chess", "ab:depth=2") as searcher:
    ...     searcher.search("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").move
    ['a1a8']
    """
    return Player(game(name) if isinstance(name, str) else name, text, **options)
