"""Players of the program selfplay, which search positions: player(game, text).

    player = selfplay.player("cotulenh", "ab:nodes=1000,net=cotulenh")
    found = player.search([game.start, ...])        # best action, score, policy, nodes of each position
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .board import Board
from .position import Position
from .process import ERROR, Body, Process, text_of
from .program import ProgramError
from .progress import Progress
from .ragged import Ragged

SEARCH, RESULTS = 21, 23
MOVER, HELD = 2, 16


@dataclass(frozen=True)
class SearchResults:
    """What a player found in n positions. Where a game is over there is no move: move is "", all numbers are 0."""

    action: NDArray[np.uint16]  # [n], that the player plays
    best_action: NDArray[np.uint16]  # [n], which need not be played: players may draw among good moves
    score: NDArray[np.int16]  # [n], of the best action, for the side to move, in centi-units as in datasets
    nodes: NDArray[np.uint32]  # [n], searched; 0 if the player does not search
    policy_action: Ragged  # [n], uint16: as in datasets; empty lists where the player has no policy
    policy_weight: Ragged  # [n], uint16
    move: list[str]  # [n], text of action
    over: NDArray[np.bool_]  # [n], the game is over, or was cut off

    def __len__(self) -> int:
        return len(self.action)


class Player:
    """A player of a game. Close it, or use it in a with statement. One thread uses it at a time. A copy, by copy.deepcopy() or
    pickle, is another process of the program."""

    def __init__(
        self,
        game: Board,
        text: str,
        *,
        variant: str = "",
        perspective: str = "mover",
        workers: int | None = None,
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
    ) -> None:
        """Starts the program with a player, such as ab:depth=3: `selfplay players` lists them.

        Actions are those that the side to move sees; with perspective="board" they are absolute. workers positions are
        searched at once, by default one per processor. A program that says nothing for timeout seconds is ended; a search
        may take longer, because the program says once a second that it goes on. Raises ValueError with the words of the
        program if there is no such player."""
        if perspective not in ("mover", "board"):
            raise ValueError(f"perspective {perspective!r}: want 'mover' or 'board'")
        self.game, self.flags = game, MOVER * (perspective == "mover")
        options = ["--player", text, *(["--workers", str(workers)] if workers is not None else [])]
        self._program = Process(game, options, variant=variant, program=program, timeout=timeout)
        self.name = str(self._program.hello.get("player", text))  # in full, as datasets name it

    def __repr__(self) -> str:
        return f"selfplay.player({self.game.name!r}, {self.name!r})"

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        self._program.close()

    def search(self, positions: str | Position | Iterable[str | Position], seed: ArrayLike = 0, progress: Progress | None = None) -> SearchResults:
        """Searches positions on all cores: one or several, texts or Position, whose history counts.

        What is found in a position depends on its text, its history, the player and the seed only, not on the other positions. seed is
        one number, or one for each position; it matters to players that draw. progress(done, n) is called once a
        second. Raises ValueError at a text that is no position; no position is searched then."""
        texts = [_line(positions)] if isinstance(positions, str | Position) else [_line(p) for p in positions]
        if any("\n" in text for text in texts):
            raise ValueError("a text with a line break: want one position in each")
        lines = [text.encode() + b"\n" for text in texts]
        seeds, chunks = seeds_of(seed, len(lines)), list(_chunks([len(line) for line in lines]))
        return _join([self._search(lines[i:end], seeds[i:end], i, len(lines), progress) for i, end in chunks])

    def _search(
        self, lines: list[bytes], seeds: NDArray[np.uint64], first: int, n: int, progress: Progress | None
    ) -> SearchResults:
        report = None if progress is None else partial(_report, progress, first, n)
        return ask(self._program, self.flags, seeds, b"".join(lines), first, report)


def _line(position: str | Position) -> str:
    return position if isinstance(position, str) else position.line()


CHUNK = 1 << 13  # positions of a request
CHUNK_BYTES = 1 << 20  # of its lines: the program plays all moves of them before it first says that it goes on
MAX_LINE = (1 << 25) - 16  # the body of a frame has 32 MiB at most, 16 bytes of which come before the line


def _chunks(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yields the begin and the end of the lines of each request, by their lengths. A line longer than CHUNK_BYTES is
    a request of its own."""
    begin, size = 0, 0
    for i, length in enumerate(lengths):
        if length > MAX_LINE:
            raise ValueError(f"position {i}: a text of {length - 1} bytes: want at most {MAX_LINE - 1}")
        if i - begin == CHUNK or (i > begin and size + length > CHUNK_BYTES):
            yield begin, i
            begin, size = i, 0
        size += length
    if begin < len(lengths):
        yield begin, len(lengths)


def _report(progress: Progress, first: int, n: int, done: int, _: int) -> None:
    progress(first + done, n)


def ask(program: Process, flags: int, seeds: NDArray[np.uint64], rest: bytes, first: int, progress: Progress | None) -> SearchResults:
    """Asks for one search. rest names the positions, the first of which has the number first in errors."""
    body = struct.pack("<II", len(seeds), flags) + seeds.astype("<u8").tobytes() + rest
    kind, reply = program.ask(SEARCH, body, progress)
    if kind == ERROR and len(reply) >= 4:
        raise ValueError(_renumbered(reply, first))
    try:
        if kind != RESULTS:
            raise ValueError(f"a frame of kind {kind}")
        return _parse(reply, len(seeds))
    except (ValueError, IndexError, struct.error) as err:
        program.close()
        raise ProgramError(f"the program sent results that cannot be read: {err}") from None


def _renumbered(reply: Body, first: int) -> str:
    """Returns the text of an error about a position of a later request with its number among all."""
    (index,) = struct.unpack_from("<i", reply.data)
    text, number = text_of(reply), f"position {index}: "
    return f"position {first + index}: {text.removeprefix(number)}" if text.startswith(number) else text


def seeds_of(seed: ArrayLike, n: int) -> NDArray[np.uint64]:
    """Returns a seed for each of n positions."""
    array = np.asarray(seed)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)) or (array < 0).any():
        raise ValueError(f"seed of shape {array.shape} and dtype {array.dtype}: want a number from 0, or {n}")
    return np.broadcast_to(array.astype(np.uint64), n)


def _parse(body: Body, n: int) -> SearchResults:
    if struct.unpack_from("<I", body.data) != (n,):
        raise ValueError(f"{len(body)} bytes for {n} positions")
    at = 4

    def take(dtype: str, count: int) -> NDArray[Any]:
        nonlocal at
        array = np.frombuffer(body, dtype, count, at)
        at += array.nbytes
        return array

    ends = take("<u4", n + 1)
    nodes, action, best, score, over = take("<u4", n), take("<u2", n), take("<u2", n), take("<i2", n), take("u1", n)
    actions, weights = take("<u2", int(ends[-1])), take("<u2", int(ends[-1]))
    moves = bytes(body[at:]).decode().split("\n")[:-1]
    if len(moves) != n:
        raise ValueError(f"{len(moves)} moves for {n} positions")
    return SearchResults(action, best, score, nodes, Ragged(actions, ends), Ragged(weights, ends), moves, over > 0)


def _join(parts: list[SearchResults]) -> SearchResults:
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return no_results()
    return SearchResults(
        np.concatenate([p.action for p in parts]),
        np.concatenate([p.best_action for p in parts]),
        np.concatenate([p.score for p in parts]),
        np.concatenate([p.nodes for p in parts]),
        Ragged.concatenate([p.policy_action for p in parts]),
        Ragged.concatenate([p.policy_weight for p in parts]),
        [move for p in parts for move in p.move],
        np.concatenate([p.over for p in parts]),
    )


def no_results() -> SearchResults:
    """Returns the results of no positions."""
    return _parse(np.zeros(8, np.uint8), 0)
