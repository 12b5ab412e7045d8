"""Runs a command of the program to its end: its flags, its log, its errors, its interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections import deque
from typing import IO, Any

from .process import USAGE, crash_of
from .program import ProgramError, check_version, find_program
from .progress import Bar, Progress

DONE, STOPPED = 0, 3  # exit codes
INTERRUPT = getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT)  # Windows has no other signal for one process
OWN = ("json", "quiet", "log_format", "log_every", "dry_run", "plan")  # flags that call() sets, or that print something else


def call(name: str, values: dict[str, Any], good: tuple[int, ...], progress: Progress | bool, program: str | os.PathLike[str] | None) -> dict[str, Any]:
    """Runs a command, and returns the object that it prints if its exit code is good."""
    path = find_program(program)
    command = [path, name, *_options(values), "--json", "--log-format=json", "--log-every=1s"]
    _check(path)
    with tempfile.TemporaryFile() as out, Bar(progress) as bar:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, **_apart())
        with process:
            log = _Log(bar)
            try:
                assert process.stderr is not None
                log.follow(process.stderr)
                code = process.wait()
            except BaseException:  # such as KeyboardInterrupt
                _stop(process)
                raise
        if code not in good:
            raise log.error(path, code)
        out.seek(0)
        return _parse(path, out.read())


def _options(values: dict[str, Any]) -> list[str]:
    """Returns values as flags of the command line. A list repeats its flag; None and False leave it out."""
    if wrong := [name for name in values if name in OWN]:
        raise ValueError(f"{wrong[0]}: not an argument in Python; use the command line")
    options = []
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        for one in value if isinstance(value, list | tuple) else [value]:
            if one is True:
                options.append(flag)
            elif one is not None and one is not False:
                options.append(f"{flag}={one}")
    return options


def _check(path: str) -> None:
    """Raises ProgramError if the program has another version than the package."""
    said = subprocess.run([path, "version", "--json"], stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout
    check_version(path, str(_parse(path, said).get("version", "")))


def _parse(path: str, printed: bytes) -> dict[str, Any]:
    try:
        summary = json.loads(printed)
        if isinstance(summary, dict):
            return summary
    except ValueError:
        pass
    raise ProgramError(f"{path} printed {printed[:80]!r}: want one object of JSON; is it the program selfplay?")


def _apart() -> dict[str, Any]:
    """Returns options that keep Ctrl-C from the program: this process passes it on."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Asks the program to stop and waits for its end, which takes its grace at most. A second interrupt ends it at once."""
    process.send_signal(INTERRUPT)
    try:
        assert process.stderr is not None
        for _ in process.stderr:  # a full pipe would hold the program up
            pass
        process.wait()
    except BaseException:
        process.kill()
        raise


class _Log:
    """What the program writes on stderr: objects of JSON, and lines of models and of panics."""

    def __init__(self, bar: Bar) -> None:
        self.bar = bar
        self.errors: list[str] = []
        self.crash = ""
        self.lines: deque[str] = deque(maxlen=20)  # the last ones that are no objects

    def follow(self, stderr: IO[bytes]) -> None:
        for line in stderr:
            text = line.decode(errors="replace").rstrip()
            try:
                event = json.loads(text)
            except ValueError:
                event = None
            if isinstance(event, dict) and "level" in event:
                self._take(event)
            else:
                self._print(text)

    def _take(self, event: dict[str, Any]) -> None:
        words = [str(event.pop(name, "")) for name in ("time", "level", "msg")]
        if words[1] == "INFO":
            self.bar.show(event)
            return
        text = ", ".join([words[2], *(f"{name} {value}" for name, value in event.items())])
        if words[1] == "ERROR":
            self.errors.append(text)
        else:
            warnings.warn(text, stacklevel=5)

    def _print(self, text: str) -> None:
        """Passes a line on that is for people, unless it belongs to the stacks of a crash."""
        self.crash = self.crash or crash_of([text])
        if not self.crash:
            self.lines.append(text)
            self.bar.print(text)

    def error(self, path: str, code: int) -> Exception:
        """Returns the exception for a command that has failed."""
        if code > 0 and self.errors:
            return (ValueError if code == USAGE else ProgramError)("\n".join(self.errors))
        words = self.crash or "\n".join(self.lines).strip()
        how = f"was killed by signal {-code}" if code < 0 else f"exited with code {code}"
        return ProgramError(f"{path} {how}" + (f": {words}" if words else ""))
