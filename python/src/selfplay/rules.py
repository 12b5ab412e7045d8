"""The rules of a game, played by the program selfplay: many positions at once.

    game = selfplay.game("chess")
    with game.positions(1024) as positions:
        seen = positions.observe()
        for _ in range(100):
            seen = positions.step(seen.sample(rng))     # one action for each position

The program, see program.py, runs as long as the positions are open and speaks over pipes.
"""

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .board import Board
from .player import SearchResults, ask, no_results, seeds_of
from .process import ERROR, Process, text_of
from .program import ProgramError
from .progress import Progress
from .ragged import Ragged, legal_bits
from .sight import HELD, PICTURE, IllegalAction, Sight, look

__all__ = ["IllegalAction", "Observation", "Positions"]

MAX_POSITIONS = 1 << 16
BEGIN, STEP, OBSERVATION, LINE, TEXTS, ROUND, SAVE, SAVED, RESTORE = 16, 17, 18, 19, 20, 26, 27, 28, 29
MAX_BODY = 1 << 25  # of a frame that the program reads
PLAY, BEGIN_AGAIN, SKIP = 0, 1, 2  # what a round does first
RESTART, MOVER, PLANES = 1, 2, 4
PLY_LIMIT = 10  # the reason of a game that was cut off
ENDED = 2  # beside the side to move: the step ended a game

_REWARDS = np.array([[0, 0], [1, -1], [-1, 1], [0, 0]], np.int8)  # of both sides, by result


def _bytes_of(what: str, numbers: ArrayLike, most: int, n: int) -> NDArray[np.uint8]:
    """Returns a number from 0 to most for each of n positions."""
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)) or ((array < 0) | (array > most)).any():
        raise ValueError(f"{what} of shape {array.shape} and dtype {array.dtype}: want integers from 0 to {most}, one or {n}")
    return np.broadcast_to(array.astype(np.uint8), n)


@dataclass(frozen=True)
class Observation:
    """What n positions look like. Its arrays stay as they are when the next step is played."""

    actions: Ragged  # legal actions of each position, uint16, ascending; none where a finished position stays
    side: NDArray[np.uint8]  # [n], 0 or 1: the side to move
    ended: NDArray[np.bool_]  # [n], the step ended a game
    result: NDArray[np.uint8]  # [n], of that game: 0 none, 1 side 0 won, 2 side 1 won, 3 draw
    reason: NDArray[np.uint8]  # [n], why it ended, as in the column reason of datasets; 0 if it did not
    planes: NDArray[Any] | None  # packed: uint8 [n, planes, bytes]; float32: [n, planes, ranks, files]
    count: int  # of all actions of the game

    @cached_property
    def action_bits(self) -> NDArray[np.uint8]:
        """[n, (count + 7) // 8]: the legal actions as bits, see legal_bits()."""
        return legal_bits(self.actions, self.count)

    @cached_property
    def rewards(self) -> NDArray[np.int8]:
        """[n, 2]: of side 0 and side 1 for the step, 1 for a win, -1 for a loss, 0 for all else."""
        rewards: NDArray[np.int8] = _REWARDS[self.result] * self.ended[:, None]
        return rewards

    @cached_property
    def terminated(self) -> NDArray[np.bool_]:
        """[n]: the rules have ended the game."""
        terminated: NDArray[np.bool_] = (self.reason != 0) & (self.reason != PLY_LIMIT)
        return terminated

    @cached_property
    def truncated(self) -> NDArray[np.bool_]:
        """[n]: the ply limit has ended the game."""
        truncated: NDArray[np.bool_] = self.reason == PLY_LIMIT
        return truncated

    def sample(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Returns a random legal action of each position, 0 where there is none."""
        offsets = self.actions.offsets
        lengths = np.diff(offsets)
        at = offsets[:-1] + (rng.random(len(lengths)) * lengths).astype(np.uint32)
        if len(self.actions.values) == 0:
            return np.zeros(len(lengths), np.uint16)
        chosen: NDArray[np.uint16] = self.actions.values[np.minimum(at, len(self.actions.values) - 1)]
        return np.where(lengths > 0, chosen, np.uint16(0))


class Positions:
    """n positions of a game. Close them, or use them in a with statement. One thread uses them at a time.

    copy.deepcopy() and pickle start another process of the program, which plays the moves of all games again:
    as long as opening them takes. Players search nothing again. Close the copy, too."""

    def __init__(
        self,
        game: Board,
        n: int,
        *,
        start: str = "",
        variant: str = "",
        planes: str | None = "packed",
        perspective: str = "mover",
        restart: bool = True,
        max_plies: int | None = None,
        player: str = "",
        workers: int | None = None,
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
    ) -> None:
        """Opens n positions at a text, by default the start of the game.

        planes is "packed", "float32" or None. Actions are those that the side to move sees, as planes are; with
        perspective="board" they are absolute, as in Game.move_text(). A finished position begins again in the step that
        ends it; with restart=False it stays, has no legal actions, and its action counts for nothing. After max_plies, by
        default the limit of the game, it is cut off. player is the one of search(). Large batches are stepped, and
        positions are searched, on workers cores, by default all. If the program does not answer within timeout seconds it
        is ended; Windows has no such limit."""
        if not 1 <= n <= MAX_POSITIONS:
            raise ValueError(f"{n} positions: want 1 to {MAX_POSITIONS}")
        if planes not in ("packed", "float32", None):
            raise ValueError(f"planes {planes!r}: want 'packed', 'float32' or None")
        if perspective not in ("mover", "board"):
            raise ValueError(f"perspective {perspective!r}: want 'mover' or 'board'")
        if max_plies is not None and not 1 <= max_plies < 1 << 32:
            raise ValueError(f"max_plies {max_plies}: want 1 at least")
        self.game, self.n, self._form = game, n, planes
        self._size = 0 if planes is None else len(game.plane_names) * -(-game.cells // 8)  # bytes of the planes of a position
        options = (["--player", player] if player else []) + (["--workers", str(workers)] if workers is not None else [])
        self._flags = RESTART * restart | MOVER * (perspective == "mover") | PLANES * (planes is not None)
        self._program = Process(game, options, variant=variant, program=program, timeout=timeout)
        try:
            head = struct.pack("<III", n, self._flags, max_plies or self._program.hello["max_plies"])
            self._first = head + start.encode()
            self._seen = self.reset()
        except BaseException:
            self.close()
            raise

    def __len__(self) -> int:
        return self.n

    def __enter__(self) -> "Positions":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        self._program.close()

    def __getstate__(self) -> dict[str, Any]:
        kind, saved = self._program.ask(SAVE, b"")
        if kind != SAVED or 4 + len(self._first) + len(saved) > MAX_BODY:
            raise ProgramError(f"copy positions: {len(saved):,} bytes of history: want at most {MAX_BODY:,}")
        return self.__dict__ | {"_seen": saved.tobytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        try:
            body = struct.pack("<I", len(self._first)) + self._first + state["_seen"]
            self._seen = self._ask(RESTORE, body, None)
        except BaseException:
            self.close()
            raise

    def reset(self) -> Observation:
        """Begins all positions again."""
        self._seen = self._ask(BEGIN, self._first, None)
        return self._seen

    def observe(self) -> Observation:
        """Returns what the last step returned, or the first positions."""
        return self._seen

    def step(self, actions: ArrayLike) -> Observation:
        """Plays one action in each position, all of them or none, and returns what the positions look like then."""
        array = self._actions(actions, self.n, "position")
        self._seen = self._ask(STEP, array.tobytes(), array)
        return self._seen

    def _actions(self, actions: ArrayLike, n: int, each: str) -> NDArray[np.uint16]:
        """Returns n actions as the program reads them. It refuses numbers that would wrap around."""
        array = np.asarray(actions)
        if array.shape != (n,) or array.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {array.shape} and dtype {array.dtype}: want {n} integers")
        if array.dtype != np.uint16:
            wrong = np.flatnonzero((array < 0) | (array >= self.game.actions))
            if len(wrong):
                i = int(wrong[0])
                raise IllegalAction(i, int(array[i]), f"{each} {i}: action {array[i]}: want 0 to {self.game.actions - 1}")
        return array.astype("<u2", copy=False)

    def search(self, indexes: ArrayLike | None = None, seed: ArrayLike = 0, progress: Progress | None = None) -> SearchResults:
        """Returns what the player finds in some positions, by default all, with their history. indexes ascend.

        seed is one number, or one for each of these positions. The positions do not change."""
        chosen = np.arange(self.n) if indexes is None else np.asarray(indexes)
        if chosen.size == 0:
            return no_results()
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or (chosen < 0).any() or (chosen >= self.n).any():
            raise ValueError(f"indexes of shape {chosen.shape} and dtype {chosen.dtype}: want integers from 0 to {self.n - 1}")
        return ask(self._program, HELD, seeds_of(seed, len(chosen)), chosen.astype("<u4").tobytes(), 0, progress)

    def round(self, actions: ArrayLike, sides: ArrayLike, seeds: ArrayLike, first: ArrayLike = 0) -> Observation:
        """Plays one action in each position, and lets the player play for the other side until sides, [n], are to move or
        the game has ended. Of positions opened with restart=False and a player.

        first, [n], says what to do first: PLAY the action, BEGIN_AGAIN, or SKIP the position altogether. seeds, [n], are of
        the random choices of the player."""
        played = self._actions(np.broadcast_to(np.asarray(actions), (self.n,)), self.n, "position")
        drawn = seeds_of(seeds, self.n).astype("<u8", copy=False)
        parts = (drawn, played, _bytes_of("sides", sides, 1, self.n), _bytes_of("first", first, SKIP, self.n))
        body = b"".join(part.tobytes() for part in parts)
        self._seen = self._ask(ROUND, body, played)
        return self._seen

    def look(self, index: int, picture: bool = False) -> Sight:
        """Returns text, board and moves of one position."""
        flags = HELD | (self._flags & MOVER) | PICTURE * picture
        return look(self._program, struct.pack("<II", flags, range(self.n)[index]))

    def planes_of(self, indexes: Sequence[int], sides: ArrayLike) -> NDArray[np.uint8]:
        """Returns the planes [k, planes, ranks, files] of k positions as a side of each sees them, as if it were to move. A
        registered game whose planes the package cannot draw shows those of the side to move."""
        sights, chosen = [self.look(i) for i in indexes], np.asarray(sides)
        planes = np.array([sight.planes(self.game) for sight in sights])
        others = np.flatnonzero([sight.side for sight in sights] != chosen)
        if len(others):
            try:
                planes[others] = self.game.planes(np.array([sights[i].board(self.game) for i in others]), chosen[others])
            except NotImplementedError:
                pass
        return planes

    def texts(self, actions: ArrayLike) -> list[str]:
        """Returns the texts of the moves of one game: its actions from the first position on, as steps number them.
        IllegalAction names the ply."""
        count = np.size(actions)
        if count == 0:  # an empty list has the dtype of floats
            return []
        array = self._actions(actions, count, "ply")
        kind, reply = self._program.ask(LINE, array.tobytes())
        if kind == ERROR and len(reply) >= 4:
            (ply,) = struct.unpack_from("<i", reply.data)
            if 0 <= ply < len(array):
                raise IllegalAction(ply, int(array[ply]), text_of(reply))
        if kind != TEXTS:
            self.close()
            raise ProgramError(f"the program sent a frame of kind {kind}: want texts")
        return bytes(reply).decode().splitlines()

    def _ask(self, kind: int, body: bytes, actions: NDArray[np.uint16] | None) -> Observation:
        answer, reply = self._program.ask(kind, body)
        if answer == OBSERVATION:
            try:
                return self._parse(reply)
            except (ValueError, IndexError, struct.error) as err:
                self.close()
                raise ProgramError(f"the program sent an observation that cannot be read: {err}") from None
        if answer != ERROR or len(reply) < 4:
            self.close()
            raise ProgramError(f"the program sent a frame of kind {answer}: want an observation")
        (index,) = struct.unpack_from("<i", reply.data)
        if actions is not None and 0 <= index < self.n:
            raise IllegalAction(index, int(actions[index]), text_of(reply))
        raise ValueError(text_of(reply))

    def _parse(self, body: NDArray[np.uint8]) -> Observation:
        n, m, size, _ = struct.unpack_from("<IIII", body.data)
        at = 16 + 4 * (n + 1) + 2 * m
        if n != self.n or size != self._size or len(body) != at + 3 * n + n * size:
            raise ValueError(f"{len(body)} bytes for {n} positions")
        offsets = np.frombuffer(body, "<u4", n + 1, 16)
        if offsets[0] or offsets[-1] != m or (offsets[1:] < offsets[:-1]).any():
            raise ValueError(f"lists of {m} actions that overlap")
        values = np.frombuffer(body, "<u2", m, 16 + 4 * (n + 1))
        states, result, reason = body[at : at + 3 * n].reshape(3, n)
        if body[at : at + 2 * n].max() > 3:  # of states and results
            raise ValueError(f"a side {states.max()} or a result {result.max()}")
        planes = self._planes(body[at + 3 * n :], n) if size else None
        return Observation(Ragged(values, offsets), states & np.uint8(1), states >= ENDED, result, reason, planes, self.game.actions)

    def _planes(self, packed: NDArray[np.uint8], n: int) -> NDArray[Any]:
        planes = packed.reshape(n, len(self.game.plane_names), -1)
        if self._form == "packed":
            return planes
        bits = np.unpackbits(planes, axis=2, count=self.game.cells, bitorder="little")
        return bits.reshape(n, -1, self.game.ranks, self.game.files).astype(np.float32)
