"""What the figures depend on: machine, day, commit, versions."""

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

PACKAGES = ["open_spiel", "pgx", "jax", "chess", "numpy", "pyarrow"]
ENGINES = ["stockfish", "fairy-stockfish"]


def processor() -> str:
    """Returns the name of the processor and how many of it there are."""
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"{os.cpu_count()} cores of {found[1] if found else platform.machine()}"


def commit() -> str:
    """Returns the commit that is measured, and says if files differ from it."""
    done = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"], check=True,
                          stdout=subprocess.PIPE, text=True)  # fmt: skip
    return done.stdout.strip()


def engine_version(program: str) -> str:
    """Returns the line by which a UCI engine introduces itself."""
    done = subprocess.run([program], input="quit\n", check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.partition(" by ")[0].strip()


def lines(load: tuple[float, float, float], rounds: int) -> str:
    """Returns the paragraph above the tables. The load is that of the beginning."""
    versions = [f"{name} {version(name)}" for name in PACKAGES] + [engine_version(name) for name in ENGINES]
    measured = f"Measured on {datetime.now(UTC).date()} on {processor()}, {platform.system()}, at commit {commit()}"
    return (
        f"{measured}, {rounds} rounds, load average at the beginning {load[0]:.1f}.\n"
        f"Python {platform.python_version()}, {', '.join(versions)}, sfbinpack 0.6.5."
    )
