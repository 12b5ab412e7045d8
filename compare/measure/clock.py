"""CPU time. A figure of a comparison is work per second of it, summed over all threads and processes."""

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Work:
    """What was done, and the CPU time that it took."""

    count: int
    seconds: float


def cpu_seconds() -> float:
    """Returns user and system time of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in used)


def measure(work: Callable[[], int]) -> Work:
    """Does work once. It returns the count, and waits for the children that it starts."""
    begin = cpu_seconds()
    count = work()
    return Work(count, cpu_seconds() - begin)


def repeat(step: Callable[[], int], seconds: float) -> Work:
    """Repeats a step for some seconds, after one that does not count: it compiles or fills caches."""
    step()
    begin, count = cpu_seconds(), 0
    while cpu_seconds() - begin < seconds:
        count += step()
    return Work(count, cpu_seconds() - begin)


def process_seconds(pid: int) -> float:
    """Returns user and system time of a process that runs (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
