"""Measures everything and writes the page: see compare/run."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from . import machine, tables
from .inputs import Inputs
from .page import rewrite


def main() -> None:
    """Measures all tables. Each goes to the page when it is complete, or without one to stdout."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--page", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="the name of one table")
    options = parser.parse_args()
    inputs, load, rounds = Inputs.of_environment(), os.getloadavg(), options.rounds
    parts: dict[str, Callable[[], str]] = {
        "machine": lambda: machine.lines(load, rounds),
        "play": lambda: tables.simple("play", "plies", rounds),
        "planes": lambda: tables.simple("planes", "positions", rounds),
        "steps": lambda: tables.steps(rounds),
        "load": lambda: tables.load(inputs, rounds),
        "strength": lambda: tables.strength(inputs, rounds),
    }
    for name, make in parts.items():
        if options.only not in (None, name):
            continue
        part = make()
        if options.page:
            rewrite(options.page, name, part)
        else:
            print(part, end="\n\n", flush=True)


if __name__ == "__main__":
    main()
