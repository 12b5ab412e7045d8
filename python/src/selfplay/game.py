"""Game: boards, actions and texts of a game, and positions of it that the program selfplay plays."""

from typing import Any

from .board import Board
from .position import Position
from .rules import Positions


class Start(str):
    """The text of the first position of a game. Called, it is that position, to be played on."""

    game: "Game"

    def __new__(cls, text: str, game: "Game") -> "Start":
        start = super().__new__(cls, text)
        start.game = game
        return start

    def __getnewargs__(self) -> tuple[str, "Game"]:  # type: ignore[override]
        return str(self), self.game

    def __call__(self, **options: Any) -> Position:
        """Returns a position at the start of the game, or of a variant: see position.Position for the options."""
        return self.game.position(**options)


class Game(Board):
    """What a reader needs of a game. Get one from game(). A subclass adds texts, and planes of compact boards."""

    def __init__(self, table: dict[str, Any]) -> None:
        super().__init__(table)
        self.start = Start(table["start"], self)  # text of the first position; start() plays from it

    def positions(self, n: int, **options: Any) -> Positions:
        """Opens n positions of the game, which the program selfplay plays: see rules.Positions for the options.

        >>> with selfplay.game("contrast").positions(3) as positions:
        ...     seen = positions.step(positions.observe().actions.padded()[:, 0])
        >>> seen.planes.dtype, seen.planes.shape, seen.side, seen.terminated
        (dtype('uint8'), (3, 13, 4), array([1, 1, 1], dtype=uint8), array([False, False, False]))
        """
        return Positions(self, n, **options)

    def position(self, text: str = "", **options: Any) -> Position:
        """Returns one position, by default the start of the game: see position.Position for the options.

        >>> p = selfplay.game("chess").position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        >>> p.play("a1a8").result, p.reason
        ('white', 'checkmate')
        """
        return Position(self, text, **options)
