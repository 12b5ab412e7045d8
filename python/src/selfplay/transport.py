"""How programs of the user answer selfplay: frames over standard streams or sockets. docs/evaluators.md describes them.

A Program says what it is, and answers the bodies of questions."""

import hashlib
import json
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from .catalog import game as game_named
from .catalog import games

PROTOCOL = 1
MAGIC = b"SPE1"
HELLO, QUESTION, ANSWER, ERROR = 1, 2, 3, 4
MAX_BATCH = 1 << 14
MAX_FRAME = 1 << 30
MAX_HELLO = 64 << 10

_header = struct.Struct("<4sII")

Answer = Callable[[memoryview, Callable[[], int]], bytes]


class Program(Protocol):
    """What answers: a model, or a player."""

    word: str  # begins what is said of it

    def greet(self, hello: dict[str, Any]) -> tuple[dict[str, Any], Answer]:
        """Returns the answer to a hello, and what answers the questions of that client: a function of the body of a question and
        of a function that returns the CPU time since the last answer in nanoseconds."""


class WrongAnswer(Exception):
    """A program gave an answer that is no answer. row is the position at fault in the batch, -1 if it is no single one."""

    def __init__(self, row: int, text: str) -> None:
        super().__init__(text)
        self.row = row


def answer_all(program: Program, listen: str) -> None:
    """Answers over the standard streams until selfplay ends, or everyone who connects."""
    listen = listen or os.environ.get("EVALUATOR_LISTEN", "")
    if listen:
        _serve(program, listen)
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise SystemExit(f"{program.word}: run this by selfplay run --evaluator NAME='python FILE', or pass listen='tcp:HOST:PORT'")
    read, write = _take_standard_streams()
    _Connection(program, read, write).run()


def check_game(name: str) -> None:
    """Raises ValueError for a game that the package does not know, unless the name is empty."""
    if name and name not in games():
        raise ValueError(f"unknown game {name!r}: want one of {', '.join(games())}, or register() its table")


def versions(name: str) -> dict[str, int]:
    """Returns the versions of a game that this package knows, none of a game that it does not know."""
    return game_named(name).versions if name in games() else {}


def sums(files: Sequence[str | os.PathLike[str]]) -> list[str]:
    """Returns the SHA-256 of the running program, if it is a file, and of files."""
    path = getattr(sys.modules.get("__main__"), "__file__", None)
    program = [path] if path and os.path.isfile(path) else []
    return [hashlib.sha256(Path(f).read_bytes()).hexdigest() for f in [*program, *files]]


def runtime() -> str:
    """Returns the names and versions of the libraries that the program may use, and are loaded."""
    names = [n for n in ("torch", "onnxruntime", "jax", "tensorflow") if n in sys.modules]
    return ", ".join(f"{n} {getattr(sys.modules[n], '__version__', '')}" for n in [*names, "numpy"])


def _take_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Returns streams to selfplay. From here on descriptor 1 is stderr, so that nothing the model prints, in any
    language, gets between the answers; descriptor 0 is empty."""
    sys.stdout.flush()
    read, write = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(read, os.O_BINARY)
        msvcrt.setmode(write, os.O_BINARY)
    _enlarge(read)
    _enlarge(write)
    return os.fdopen(read, "rb", buffering=0), os.fdopen(write, "wb", buffering=0)


def _enlarge(pipe: int) -> None:
    """Gives a pipe room for a batch, where the system can."""
    if sys.platform != "linux":
        return
    import fcntl

    try:
        fcntl.fcntl(pipe, 1031, 1 << 20)  # F_SETPIPE_SZ
    except OSError:
        pass  # slower, not wrong


def _serve(program: Program, listen: str) -> None:
    """Answers everyone who connects, each in a thread."""
    kind, _, address = listen.partition(":")
    if kind == "unix" and address:
        _remove_socket(address)
        server = socket.socket(socket.AF_UNIX)
        server.bind(address)
    elif kind == "tcp" and ":" in address:
        host, _, port = address.rpartition(":")
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        server = socket.create_server((host.strip("[]"), int(port)), family=family, reuse_port=False)
    else:
        raise ValueError(f"listen {listen!r}: want tcp:HOST:PORT or unix:PATH")
    server.listen()
    print(f"{program.word}: listening on {listen}", file=sys.stderr, flush=True)
    while True:
        client, _ = server.accept()
        threading.Thread(target=_answer, args=(program, client), daemon=True).start()


def _remove_socket(path: str) -> None:
    """Removes the socket of a server that has ended. ValueError for another file, or if a server listens."""
    if not os.path.lexists(path):
        return
    if not stat.S_ISSOCK(os.lstat(path).st_mode):
        raise ValueError(f"listen unix:{path}: the file exists, and is no socket")
    with socket.socket(socket.AF_UNIX) as probe:
        if probe.connect_ex(path) == 0:
            raise ValueError(f"listen unix:{path}: another server listens there")
    os.unlink(path)


def _answer(program: Program, client: socket.socket) -> None:
    if client.family != socket.AF_UNIX:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with client, client.makefile("rwb", buffering=0) as stream:
        try:
            _Connection(program, stream, stream).run()  # type: ignore[arg-type]
        except (OSError, SystemExit) as err:
            print(f"{program.word}: a connection ended: {err}", file=sys.stderr, flush=True)


class _Connection:
    """Answers one client."""

    def __init__(self, program: Program, read: BinaryIO, write: BinaryIO) -> None:
        self.program, self.read, self.write = program, read, write
        self.frame = np.empty(1 << 16, np.uint8)  # the last one, used again
        self.cpu = time.process_time_ns()

    def run(self) -> None:
        """Serves until the client ends."""
        try:
            kind, body = self._next()
            if kind == HELLO:
                self._greet(bytes(body))
            while kind != 0:
                kind, body = self._next()
                if kind == QUESTION:
                    self._send(ANSWER, self.answer(body, self._spent))
        except WrongAnswer as err:
            self._refuse(err.row, str(err))
        except BrokenPipeError:
            pass  # selfplay has ended

    def _greet(self, body: bytes) -> None:
        try:
            hello = json.loads(body)
            if not isinstance(hello, dict):
                raise TypeError("want an object")
            welcome, self.answer = self.program.greet(hello)
        except (ValueError, KeyError, TypeError) as err:
            raise WrongAnswer(-1, f"read hello: {err!r}") from None
        self._send(HELLO, json.dumps(welcome).encode())

    def _spent(self) -> int:
        """Returns the CPU time since the last call in nanoseconds."""
        before, self.cpu = self.cpu, time.process_time_ns()
        return self.cpu - before

    def _refuse(self, row: int, text: str) -> None:
        line = " ".join(text.split())[:1000]
        print(f"{self.program.word}: {line}", file=sys.stderr, flush=True)
        self._send(ERROR, struct.pack("<i", row) + line.encode())

    def _send(self, kind: int, body: bytes) -> None:
        view = memoryview(_header.pack(MAGIC, kind, len(body)) + body)
        while view:  # an unbuffered stream may take a part
            view = view[self.write.write(view) :]

    def _next(self) -> tuple[int, memoryview]:
        """Returns the kind and the body of the next frame, kind 0 at the end of the stream."""
        header = bytearray(_header.size)
        if not self._fill(memoryview(header)):
            return 0, memoryview(b"")
        magic, kind, length = _header.unpack(header)
        if magic != MAGIC or length > (MAX_HELLO if kind == HELLO else MAX_FRAME):
            raise WrongAnswer(-1, f"a frame begins with {bytes(header)!r}: is the other side selfplay?")
        if length > len(self.frame):
            self.frame = np.empty(length, np.uint8)
        body = memoryview(self.frame.data)[:length]
        return (kind, body) if self._fill(body) else (0, memoryview(b""))

    def _fill(self, view: memoryview) -> bool:
        while len(view):
            n = self.read.readinto(view)  # type: ignore[attr-defined]
            if not n:
                return False
            view = view[n:]
        return True
