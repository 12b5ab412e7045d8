"""The rules of a game, played by the program selfplay: many positions at once.

    game = selfplay.game("chess")
    with game.positions(1024) as positions:
        seen = positions.observe()
        for _ in range(100):
            seen = positions.step(seen.sample(rng))     # one action for each position

The program, see program.py, runs as long as the positions are open and speaks over pipes.
"""

import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import time
import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .program import ProgramError, check_version, find_program
from .ragged import Ragged

if TYPE_CHECKING:
    from .game import Game

PROTOCOL = 1
MAX_POSITIONS = 1 << 16
HELLO, ERROR, BEGIN, STEP, OBSERVATION, LINE, TEXTS = 1, 4, 16, 17, 18, 19, 20
RESTART, MOVER, PLANES = 1, 2, 4
PLY_LIMIT = 10  # the reason of a game that was cut off
ENDED = 2  # beside the side to move: the step ended a game

_MAGIC = b"SPE1"
_MAX_FRAME = 1 << 30
_header = struct.Struct("<4sII")
_REWARDS = np.array([[0, 0], [1, -1], [-1, 1], [0, 0]], np.int8)  # of both sides, by result


class IllegalAction(ValueError):
    """An action is not legal. No action of the step was played."""

    def __init__(self, index: int, action: int, text: str) -> None:
        super().__init__(text)
        self.index = index  # of the position
        self.action = action


@dataclass(frozen=True)
class Observation:
    """What n positions look like. Its arrays stay as they are when the next step is played."""

    actions: Ragged  # legal actions of each position, uint16, ascending; none where a finished position stays
    side: NDArray[np.uint8]  # [n], 0 or 1: the side to move
    ended: NDArray[np.bool_]  # [n], the step ended a game
    result: NDArray[np.uint8]  # [n], of that game: 0 none, 1 side 0 won, 2 side 1 won, 3 draw
    reason: NDArray[np.uint8]  # [n], why it ended, as in the column reason of datasets; 0 if it did not
    planes: NDArray[Any] | None  # packed: uint8 [n, planes, bytes]; float32: [n, planes, ranks, files]

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
    """n positions of a game. Close them, or use them in a with statement. One thread uses them at a time."""

    def __init__(
        self,
        game: "Game",
        n: int,
        *,
        start: str = "",
        variant: str = "",
        planes: str | None = "packed",
        perspective: str = "mover",
        restart: bool = True,
        max_plies: int | None = None,
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
    ) -> None:
        """Opens n positions at a text, by default the start of the game.

        planes is "packed", "float32" or None. Actions are those that the side to move sees, as planes are; with
        perspective="board" they are absolute, as in Game.move_text(). A finished position begins again in the step that
        ends it; with restart=False it stays, has no legal actions, and its action counts for nothing. After max_plies, by
        default the limit of the game, it is cut off. If the program does not answer within timeout seconds it is ended;
        Windows has no such limit."""
        if not 1 <= n <= MAX_POSITIONS:
            raise ValueError(f"{n} positions: want 1 to {MAX_POSITIONS}")
        if planes not in ("packed", "float32", None):
            raise ValueError(f"planes {planes!r}: want 'packed', 'float32' or None")
        if perspective not in ("mover", "board"):
            raise ValueError(f"perspective {perspective!r}: want 'mover' or 'board'")
        if max_plies is not None and not 1 <= max_plies < 1 << 32:
            raise ValueError(f"max_plies {max_plies}: want 1 at least")
        self.game, self.n, self._form = game, n, planes
        command = [find_program(program), "positions", "--game", game.name, *(["--variant", variant] if variant else [])]
        self._program = _Program(command, timeout)
        try:
            self._begin(start, perspective, restart, max_plies)
        except BaseException:
            self.close()
            raise

    def _begin(self, start: str, perspective: str, restart: bool, max_plies: int | None) -> None:
        hello = self._program.hello
        check_version(self._program.name, str(hello.get("version", "")))
        want = {"protocol": PROTOCOL, "game": self.game.name, "layout_version": self.game.versions["layout planes"],
                "actions_version": self.game.versions["actions"]}  # fmt: skip
        for name, value in want.items():
            if hello.get(name) != value:
                raise ProgramError(f"the program has {name} {hello.get(name)!r}: this package has {value!r}; install both of one version")
        flags = RESTART * restart | MOVER * (perspective == "mover") | PLANES * (self._form is not None)
        head = struct.pack("<III", self.n, flags, max_plies or hello["max_plies"])
        self._seen = self._ask(BEGIN, head + start.encode(), None)

    def __len__(self) -> int:
        return self.n

    def __enter__(self) -> "Positions":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the program."""
        self._program.close()

    def observe(self) -> Observation:
        """Returns what the last step returned, or the first positions."""
        return self._seen

    def step(self, actions: ArrayLike) -> Observation:
        """Plays one action in each position, all of them or none, and returns what the positions look like then."""
        array = np.asarray(actions)
        if array.shape != (self.n,) or array.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {array.shape} and dtype {array.dtype}: want {self.n} integers")
        if array.dtype != np.uint16:
            wrong = np.flatnonzero((array < 0) | (array >= self.game.actions))
            if len(wrong):
                i = int(wrong[0])
                raise IllegalAction(i, int(array[i]), f"position {i}: action {array[i]}: want 0 to {self.game.actions - 1}")
        array = array.astype("<u2", copy=False)
        self._seen = self._ask(STEP, array.tobytes(), array)
        return self._seen

    def texts(self, actions: ArrayLike) -> list[str]:
        """Returns the texts of the moves of one game: its actions from the first position on, as steps number them."""
        array = np.asarray(actions).astype("<u2")
        kind, reply = self._program.ask(LINE, array.tobytes())
        if kind == ERROR and len(reply) >= 4:
            (ply,) = struct.unpack_from("<i", reply.data)
            raise IllegalAction(ply, int(array[ply]), bytes(reply[4:]).decode(errors="replace"))
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
                raise ProgramError(f"the program sent an observation that is none: {err}") from None
        if answer != ERROR or len(reply) < 4:
            self.close()
            raise ProgramError(f"the program sent a frame of kind {answer}: want an observation")
        (index,) = struct.unpack_from("<i", reply.data)
        text = bytes(reply[4:]).decode(errors="replace")
        if actions is not None and 0 <= index < self.n:
            raise IllegalAction(index, int(actions[index]), text)
        raise ValueError(text)

    def _parse(self, body: NDArray[np.uint8]) -> Observation:
        n, m, size, _ = struct.unpack_from("<IIII", body.data)
        at = 16 + 4 * (n + 1) + 2 * m
        if n != self.n or len(body) != at + 3 * n + n * size:
            raise ValueError(f"{len(body)} bytes for {n} positions")
        offsets = np.frombuffer(body, "<u4", n + 1, 16)
        if offsets[-1] != m:
            raise ValueError(f"{m} actions, and the last ones end at {offsets[-1]}")
        values = np.frombuffer(body, "<u2", m, 16 + 4 * (n + 1))
        states, result, reason = body[at : at + 3 * n].reshape(3, n)
        return Observation(
            Ragged(values, offsets), np.bitwise_and(states, np.uint8(1)), states >= ENDED, result, reason, self._planes(body[at + 3 * n :], n) if size else None
        )

    def _planes(self, packed: NDArray[np.uint8], n: int) -> NDArray[Any]:
        planes = packed.reshape(n, len(self.game.plane_names), -1)
        if self._form == "packed":
            return planes
        bits = np.unpackbits(planes, axis=2, count=self.game.cells, bitorder="little")
        return bits.reshape(n, -1, self.game.ranks, self.game.files).astype(np.float32)


class _Program:
    """A process of the program. Any failure of the conversation ends it, so that no answer is taken for another one."""

    def __init__(self, command: list[str], timeout: float) -> None:
        self.name, self.timeout, self.owner = command[0], timeout, os.getpid()
        self.log = tempfile.TemporaryFile()
        apart: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}  # Ctrl-C is for this process
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, bufsize=0, **apart)
        self._finish = weakref.finalize(self, _end, self.process, self.log, self.owner)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.write, self.read = self.process.stdin.fileno(), self.process.stdout.fileno()
        if os.name == "posix":
            for pipe in (self.write, self.read):
                os.set_blocking(pipe, False)
                _enlarge(pipe)
        self.hello = self._greet()

    def _greet(self) -> dict[str, Any]:
        kind, body = self._guarded(None)
        try:
            hello = json.loads(bytes(body)) if kind == HELLO else None
        except ValueError:
            hello = None
        if not isinstance(hello, dict):
            self.close()
            raise ProgramError(f"{self.name} sent no hello: is it the program selfplay?")
        return hello

    def ask(self, kind: int, body: bytes) -> tuple[int, NDArray[np.uint8]]:
        """Sends a frame and returns kind and body of the answer, in new memory."""
        if os.getpid() != self.owner:
            raise ProgramError("these positions belong to the process that opened them: open others here")
        if not self._finish.alive:
            raise ProgramError("the positions are closed")
        return self._guarded(_header.pack(_MAGIC, kind, len(body)) + body)

    def _guarded(self, frame: bytes | None) -> tuple[int, NDArray[np.uint8]]:
        try:
            deadline = time.monotonic() + self.timeout
            if frame is not None:
                self._send(memoryview(frame), deadline)
            return self._receive(deadline)
        except TimeoutError:
            self.close()
            raise ProgramError(f"{self.name} has not answered within {self.timeout:g} s: it was ended") from None
        except (EOFError, OSError):
            raise ProgramError(self._ending()) from None
        except BaseException:  # such as KeyboardInterrupt: the answer would be taken for the next one
            self.close()
            raise

    def _send(self, view: memoryview, deadline: float) -> None:
        while view:
            try:
                view = view[os.write(self.write, view) :]
            except BlockingIOError:
                self._wait(self.write, select.POLLOUT, deadline)

    def _receive(self, deadline: float) -> tuple[int, NDArray[np.uint8]]:
        header = bytearray(_header.size)
        self._fill(memoryview(header), deadline)
        magic, kind, length = _header.unpack(header)
        if magic != _MAGIC or length > _MAX_FRAME:
            self.close()
            raise ProgramError(f"{self.name} sent {bytes(header)!r}, which is no frame: is it the program selfplay?")
        body = np.empty(length, np.uint8)
        self._fill(body.data, deadline)
        return kind, body

    def _fill(self, view: memoryview, deadline: float) -> None:
        while len(view):
            try:
                n = os.readv(self.read, [view]) if os.name == "posix" else self.process.stdout.readinto(view)  # type: ignore[union-attr]
            except BlockingIOError:
                self._wait(self.read, select.POLLIN, deadline)
                continue
            if not n:
                raise EOFError
            view = view[n:]

    def _wait(self, pipe: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(pipe, event)
        if not poll.poll(max(0, deadline - time.monotonic()) * 1000):
            raise TimeoutError

    def _ending(self) -> str:
        """Ends the process and says how it ended, with its last words."""
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
        code = self.process.wait()
        self.log.seek(0)
        words = self.log.read()[-2000:].decode(errors="replace").strip()
        self.close()
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return f"{self.name} {how}" + (f": {words}" if words else "")

    def close(self) -> None:
        self._finish()


def _end(process: "subprocess.Popen[bytes]", log: IO[bytes], owner: int) -> None:
    """Ends a process and waits for it, so that it is no zombie. It keeps nothing, so it need not end by itself."""
    assert process.stdin is not None and process.stdout is not None
    if os.getpid() == owner:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout, log):
        stream.close()


def _enlarge(pipe: int) -> None:
    """Gives a pipe room for an observation, where the system can."""
    if sys.platform != "linux":
        return
    import fcntl

    try:
        fcntl.fcntl(pipe, 1031, 1 << 20)  # F_SETPIPE_SZ
    except OSError:
        pass  # slower, not wrong
