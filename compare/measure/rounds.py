"""Interleaved rounds: every case once, then every case again, so that a slow minute meets all of them."""

import json
import statistics
import subprocess
import sys
from dataclasses import dataclass

from .clock import Work

Arguments = tuple[str, ...]  # of measure.case


@dataclass(frozen=True)
class Figure:
    """Work per second of CPU time: median and range of the rounds."""

    median: float
    low: float
    high: float


def one(arguments: Arguments) -> Work:
    """Measures a case in a process of its own."""
    command = [sys.executable, "-m", "measure.case", *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Work(**json.loads(done.stdout.splitlines()[-1]))


def measure(cases: list[Arguments], rounds: int) -> dict[Arguments, Figure]:
    """Measures all cases in some rounds."""
    rates: dict[Arguments, list[float]] = {case: [] for case in cases}
    for number in range(rounds):
        for case in cases:
            work = one(case)
            rates[case].append(work.count / work.seconds)
            print(f"round {number + 1}, {' '.join(case)}: {rates[case][-1]:,.0f}/s", file=sys.stderr, flush=True)
    return {case: Figure(statistics.median(r), min(r), max(r)) for case, r in rates.items()}
