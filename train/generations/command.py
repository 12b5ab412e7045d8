"""What the commands of this folder have in common: one at work in a folder, errors as exit codes."""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Callable
from pathlib import Path

from .program import Failure


def show(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def locked(name: str, folder: Path, work: Callable[[], str]) -> int:
    """Does the work of a command, if no other command works in its folder, and prints what it returns."""
    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            show(f"{name}: another {name} is at work in {folder}")
            return 11
        return guarded(name, work)


def guarded(name: str, work: Callable[[], str]) -> int:
    """Turns errors into exit codes."""
    try:
        print(work(), end="")
    except KeyboardInterrupt:
        show(f"{name}: stopped: the same command resumes")
        return 3
    except Failure as error:
        show(f"{name}: {error}")
        return error.code
    except (OSError, ValueError) as error:
        show(f"{name}: {error}")
        return 1
    return 0
