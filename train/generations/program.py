"""The selfplay program and the trainer as processes."""

from __future__ import annotations

import ctypes
import json
import resource
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

REPOSITORY = Path(__file__).resolve().parents[2]
PR_SET_PDEATHSIG = 1  # of prctl(2)
STOPPED = 3  # the exit code of a run that was stopped and can be resumed
STOPS = (STOPPED, 130, -signal.SIGINT, -signal.SIGTERM)  # 130: of the trainer


class Failure(Exception):
    """A process failed; code is what the loop exits with."""

    def __init__(self, text: str, code: int = 1) -> None:
        super().__init__(text)
        self.code = code


class Program:
    """Runs selfplay, one command at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def json(self, *args: str) -> dict[str, Any]:
        """Runs a command with --json and returns what it prints."""
        text = call([str(self.path), *args, "--json"])
        try:
            document: dict[str, Any] = json.loads(text)
        except ValueError as error:
            raise Failure(f"selfplay {args[0]}: printed {text[:80]!r}, want JSON") from error
        return document

    def text(self, *args: str) -> str:
        return call([str(self.path), *args])


def chosen(folder: Path, path: Path | None) -> Program:
    """Returns the program at a path, or if there is none, one that it builds from this repository."""
    if path is not None:
        return Program(path.resolve())
    built = folder.absolute() / "selfplay"
    if subprocess.run(["go", "build", "-o", str(built), "./cmd/selfplay"], cwd=REPOSITORY, check=False).returncode:
        raise Failure("build selfplay: go build failed; give a program with --program")
    return Program(built)


def fit(args: Sequence[str]) -> str:
    """Runs the trainer as a process of its own, so that its memory is free again afterwards."""
    return call([sys.executable, "-B", "-m", "nnue.fit", *args])


def report_of(network: Path) -> dict[str, Any]:
    """Returns the report that the trainer wrote beside a network."""
    document: dict[str, Any] = json.loads(network.with_suffix(".json").read_text("utf-8"))
    return document


def validation_of(report: dict[str, Any]) -> float:
    """Returns the validation loss of the epoch whose network was written."""
    return float(next(e["validation"] for e in report["epochs"] if e["number"] == report["best"]))


def call(command: list[str], stdout: int | TextIO = subprocess.PIPE) -> str:
    """Runs a process to its end and returns its standard output; its messages go to stderr."""
    done = subprocess.run(command, stdout=stdout, text=True, check=False, preexec_fn=end_with_parent)
    if done.returncode:
        code = STOPPED if done.returncode in STOPS else 1
        raise Failure(f"{' '.join(command)}: exit code {done.returncode}", code)
    return done.stdout or ""


def end_with_parent() -> None:
    """Lets this process be killed when its parent ends, on Linux. A run that outlives its loop would keep the lock of
    its dataset; a killed one resumes."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def cpu_seconds() -> float:
    """Returns the CPU time of this process and of the processes that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)
