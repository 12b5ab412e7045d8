"""A process of the program selfplay that answers frames over pipes: selfplay positions. rules.py and player.py speak with it."""

import json
import os
import select
import struct
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from .board import Board
from .program import ProgramError, check_version, find_program

PROTOCOL = 1
HELLO, ERROR, PROGRESS = 1, 4, 22
USAGE = 2  # the exit code of a wrong command line

_MAGIC = b"SPE1"
_MAX_FRAME = 1 << 30
_header = struct.Struct("<4sII")

Body = NDArray[np.uint8]


def crash_of(lines: Iterable[str]) -> str:
    """Returns the line that says why the program crashed, such as a lack of memory, "" if it did not. The stacks of all its
    threads follow, and its exit code is that of a wrong command line."""
    return next((line for line in lines if line.startswith(("fatal error: ", "panic: "))), "")


def text_of(body: Body) -> str:
    """Returns the text of the body of an error."""
    return bytes(body[4:]).decode(errors="replace")


class Process:
    """A process of the program. Any failure of the conversation ends it, so that no answer is taken for another one. A copy
    is another process, with the same options."""

    def __init__(
        self,
        game: Board,
        options: Sequence[str] = (),
        *,
        variant: str = "",
        program: str | os.PathLike[str] | None = None,
        timeout: float = 60,
    ) -> None:
        """Starts the program with these options of the command line, and checks that it plays this game as the package does."""
        self._options = (game, tuple(options), variant, program, timeout)
        command = [find_program(program), "positions", "--game", game.name, *(["--variant", variant] if variant else []), *options]
        self._start(command, timeout)
        self.hello = self._greet()
        try:
            self._check(game)
        except BaseException:
            self.close()
            raise

    def _start(self, command: list[str], timeout: float) -> None:
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

    def _check(self, game: Board) -> None:
        check_version(self.name, str(self.hello.get("version", "")))
        want = {"protocol": PROTOCOL, "game": game.name, "layout_version": game.versions["layout planes"],
                "actions_version": game.versions["actions"]}  # fmt: skip
        for name, value in want.items():
            if self.hello.get(name) != value:
                raise ProgramError(f"the program has {name} {self.hello.get(name)!r}: this package has {value!r}; install both of one version")

    def __reduce__(self) -> tuple[Any, ...]:
        self._need_usable()
        return _start_again, self._options

    def usable(self) -> bool:
        """Reports whether this process may still ask."""
        return self._finish.alive and os.getpid() == self.owner

    def ask(self, kind: int, body: bytes, progress: Callable[[int, int], object] | None = None) -> tuple[int, Body]:
        """Sends a frame and returns kind and body of the answer, in new memory. progress is called with what is done and
        of how much, while an answer takes seconds."""
        self._need_usable()
        return self._guarded(_header.pack(_MAGIC, kind, len(body)) + body, progress)

    def _need_usable(self) -> None:
        if os.getpid() != self.owner:
            raise ProgramError("the program belongs to the process that started it: open positions and players anew here")
        if not self._finish.alive:
            raise ProgramError("the positions or the player are closed")

    def _guarded(self, frame: bytes | None, progress: Callable[[int, int], object] | None = None) -> tuple[int, Body]:
        try:
            if frame is not None:
                self._send(memoryview(frame), time.monotonic() + self.timeout)
            while True:
                kind, body = self._receive(time.monotonic() + self.timeout)
                if kind != PROGRESS or len(body) != 8:
                    return kind, body
                if progress is not None:
                    progress(*struct.unpack("<II", body.data))
        except TimeoutError:
            self.close()
            raise ProgramError(f"{self.name} has not answered within {self.timeout:g} s: it was ended") from None
        except (EOFError, OSError):
            raise self._ending() from None
        except BaseException:  # such as KeyboardInterrupt: the answer would be taken for the next one
            self.close()
            raise

    def _send(self, view: memoryview, deadline: float) -> None:
        while view:
            try:
                view = view[os.write(self.write, view) :]
            except BlockingIOError:
                self._wait(self.write, select.POLLOUT, deadline)

    def _receive(self, deadline: float) -> tuple[int, Body]:
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

    def _ending(self) -> Exception:
        """Ends the process and returns an error that says how it ended, with its last words."""
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
        code = self.process.wait()
        self.log.seek(0)
        said = self.log.read().decode(errors="replace")
        self.close()
        crash = crash_of(said.splitlines())
        words = crash or said[-2000:].strip()
        if code == USAGE and words and not crash:
            return ValueError(words)
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return ProgramError(f"{self.name} {how}" + (f": {words}" if words else ""))

    def close(self) -> None:
        """Ends the process and waits for it. A closed one stays closed."""
        self._finish()


def _start_again(game: Board, options: Sequence[str], variant: str, program: str | os.PathLike[str] | None, timeout: float) -> Process:
    return Process(game, options, variant=variant, program=program, timeout=timeout)


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
