"""Measures one case once, in this process, and prints count and CPU time: python -m measure.case GROUP NAME [NODES]."""

import json
import sys
from dataclasses import asdict

from . import engines
from .cases import GROUPS
from .clock import Work
from .inputs import Inputs


def measure_case(inputs: Inputs, group: str, name: str, nodes: str = "") -> Work:
    """Measures a case of a group, a player of ours, or an engine with some nodes."""
    if group == "ours":
        return engines.ours(inputs, name)
    if group == "theirs":
        engine = next(engine for engine in engines.ENGINES if engine.name == name)
        return engines.theirs(inputs, engine, int(nodes))
    return GROUPS[group][name](inputs)


if __name__ == "__main__":
    print(json.dumps(asdict(measure_case(Inputs.of_environment(), *sys.argv[1:]))))
