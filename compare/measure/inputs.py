"""What every case gets: programs, a folder with data, and how much to do."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Inputs:
    """Programs and data. All cases of a run have the same."""

    selfplay: str
    export: str
    binpack: str  # the library of compare/binpack
    data: Path
    short: bool

    @property
    def seconds(self) -> float:
        """CPU time that a case of play takes in one round."""
        return 0.3 if self.short else 2

    @property
    def games(self) -> int:
        """Games of the dataset that is loaded. A game has about 100 positions."""
        return 1_000 if self.short else 100_000

    @classmethod
    def of_environment(cls) -> "Inputs":
        """Reads what compare/run has set."""
        value = os.environ
        short = value["COMPARE_SHORT"] == "1"
        return cls(value["SELFPLAY"], value["EXPORT"], value["BINPACK"], Path(value["COMPARE_DATA"]), short)


def call(*command: str) -> str:
    """Runs a program and returns what it prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
