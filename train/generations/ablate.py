"""Compares settings: trains one network for each on the same data, and lets each play the hand-written score.

    train/ablate --game cotulenh --program FILE --out DIR --data DIR --case 'default' --case 'half: --outcome=0.5' ...

A case is a name and flags of train/fit. It may have data of its own, to compare filters, presets or rescoring:
`--case 'no filter @data/all'`; the folder of --data is for the others. Cases play at the same nodes and at equal CPU
time, on the same openings. DIR/ablate.json has the records of complete steps; the same command resumes, and refuses a
dataset that changed since a network learned from it.

Exit codes: 0 done, 1 failure, 2 usage or bad input, 3 stopped (the same command resumes), 11 another one is at work in
DIR.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import program
from .checks import check_match_player, check_program
from .command import checking_input, locked, run_command
from .gate import equal_nodes
from .journal import Journal, digest, replace
from .players import nodes_of, with_network, with_nodes
from .program import Program
from .results import elo_text
from .settings import Settings, add_flags, settings_of
from .steps import Step, once

# The settings of loops that a comparison has, too.
FLAGS = ("game", "match_player", "base", "blend", "adjudicate", "match_games", "fit", "seed", "workers")
HEADER = "| case | validation loss | equal nodes | equal time | nodes at equal time |\n|---|---|---|---|---|\n"


@dataclass(frozen=True)
class Case:
    """Flags of the trainer, and the data, under a name."""

    name: str
    flags: list[str]
    data: Path

    @staticmethod
    def parse(text: str, data: Path | None) -> Case:
        """Reads NAME [@DATA] [: FLAGS]."""
        head, _, flags = text.partition(":")
        name, _, own = head.partition("@")
        folder = Path(own.strip()) if own else data
        if folder is None:
            raise ValueError(f"case {text!r}: no data; give --data, or NAME @DIR")
        if not name.strip():
            raise ValueError(f"case {text!r}: want NAME, NAME: FLAGS or NAME @DIR: FLAGS")
        return Case(name.strip(), shlex.split(flags), folder)

    def record(self, settings: Settings) -> dict[str, Any]:
        """What the record of its training says of it."""
        manifest = self.data / "manifest.json"
        sha256 = digest(manifest) if manifest.is_file() else None
        return {
            "case": self.name, "fit": settings.fit, "flags": self.flags, "data": str(self.data), "manifest": sha256
        }  # fmt: skip

    def changed(self, settings: Settings, found: dict[str, Any]) -> list[str]:
        """Returns what differs from the record of a training."""
        now = self.record(settings)
        # Older records lack the manifest. A folder that is gone has none, and a trained case needs it no more.
        if "manifest" not in found or not self.data.is_dir():
            del now["manifest"]
        return [name for name, value in now.items() if found.get(name) != value]


def network(case: Case, settings: Settings, file: Path) -> Step:
    """Trains the network of a case."""
    record = case.record(settings)  # of the dataset before the training: it may grow meanwhile
    flags = ["--base", settings.base, "--seed", str(settings.seed), *shlex.split(settings.fit), *case.flags]
    sha256, *_ = program.fit([*flags, "--out", str(file), str(case.data)]).split()
    report = program.report_of(file)
    return record | {"network": sha256, "validation": program.validation_of(report)}, file


def match(selfplay: Program, settings: Settings, file: Path, nodes: int, number: int) -> dict[str, Any]:
    """Plays the hand-written score; all cases have the same openings."""
    a = with_nodes(with_network(settings.match_player, file, settings.blend), nodes)
    seed = 2_000_000 * settings.seed + number
    flags = ["--games", str(settings.match_games), "--seed", str(seed), "--workers", str(settings.workers)]
    both = ["--a", a, "--b", with_network(settings.match_player, None, 0)]
    found = selfplay.json("match", "--game", settings.game, *both, *flags, *settings.adjudication)
    kept = ("wins", "losses", "draws", "elo", "elo_low", "elo_high", "nodes_a", "nodes_b", "cpu_a", "cpu_b")
    return {k: found[k] for k in kept}


def compare(journal: Journal, selfplay: Program, settings: Settings, cases: list[Case]) -> str:
    """Makes the steps that are missing, and returns the table."""
    text = HEADER
    for number, case in enumerate(cases, 1):
        text += line(journal, selfplay, settings, case, number)
        replace(journal.folder / "ablate.md", text)
    return text


def line(journal: Journal, selfplay: Program, settings: Settings, case: Case, number: int) -> str:
    """Makes the steps of a case, and returns its line of the table."""
    file, nodes = journal.folder / f"case-{number}.safetensors", nodes_of(settings.match_player)
    fit = once(journal, number, "fit", lambda: network(case, settings, file))
    if changed := case.changed(settings, fit):
        names = " and ".join(changed)
        raise ValueError(f"resume {journal.folder}: case {number} has other values of {names}; give another --out")
    same = once(journal, number, "equal nodes", lambda: (match(selfplay, settings, file, nodes, 1), None))
    paced = equal_nodes(same, nodes)
    time = once(journal, number, "equal time", lambda: (match(selfplay, settings, file, paced, 2), None))
    return f"| {case.name} | {fit['validation']:.6f} | {elo_text(same)} | {elo_text(time)} | {paced:,} |\n"


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="train/ablate", description="Compare settings by networks and matches.")
    p.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the comparison")
    p.add_argument("--program", type=Path, required=True, metavar="FILE", help="selfplay")
    p.add_argument("--data", type=Path, metavar="DIR", help="dataset of the cases that name none")
    p.add_argument("--case", action="append", required=True, metavar="CASE", help="NAME, NAME: FLAGS, NAME @DIR: FLAGS")
    add_flags(p, FLAGS)
    args = p.parse_args(argv)
    return run_command("train/ablate", lambda: command(args))


def command(args: argparse.Namespace) -> str:
    """Checks the input and compares the cases."""
    with checking_input():
        settings = settings_of(args, FLAGS)
        check_program(args.program)
        cases = [Case.parse(text, args.data) for text in args.case]
        nodes_of(settings.match_player)
        selfplay = Program(args.program.resolve())
        check_match_player(selfplay, settings)
        args.out.mkdir(parents=True, exist_ok=True)
    with locked("train/ablate", args.out):
        return compare(Journal(args.out.resolve(), settings, "ablate.json", "case"), selfplay, settings, cases)


if __name__ == "__main__":
    sys.exit(main())
