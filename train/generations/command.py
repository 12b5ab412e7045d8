"""What the commands of this folder have in common: bad input, one at work in a folder, errors as exit codes."""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .program import STOPPED, Failure


def show(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def run_command(name: str, work: Callable[[], str]) -> int:
    """Does the work of a command and prints what it returns. Turns errors into exit codes."""
    try:
        print(work(), end="")
    except KeyboardInterrupt:
        show(f"{name}: stopped: the same command resumes")
        return STOPPED
    except Failure as error:
        show(f"{name}: {error}")
        return error.code
    except (OSError, ValueError) as error:
        show(f"{name}: {error}")
        return 1
    return 0


@contextmanager
def checking_input() -> Iterator[None]:
    """Turns errors into those of bad input."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Failure(str(error), 2) from error


@contextmanager
def locked(name: str, folder: Path) -> Iterator[None]:
    """Refuses a folder in which another command is at work."""
    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure(f"another {name} is at work in {folder}", 11) from None
        yield
