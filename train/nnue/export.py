"""The network file, and positions with their scores that the program must reproduce."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import networkfile
from .data import Data, every
from .inference import based, scores
from .model import QA, QB
from .quantise import Weights
from .training import Epoch, Settings

POSITIONS = 10_000


def metadata(data: Data, settings: Settings, history: list[Epoch], generation: int, name: str = "") -> dict[str, str]:
    """Returns the metadata of a network file. No time and no machine is in it."""
    features, target = data.features, settings.target
    best = min(history, key=lambda e: e.validation)
    entries = {
        "game": features.game.name,
        "features": features.name,
        "features_version": str(features.version),
        "activation": "screlu",
        "qa": str(QA),
        "qb": str(QB),
        "scale": str(target.scale),
        "curve": f"{target.a:g},{target.b:g}",
        "outcome": f"{target.outcome:g}",
        "generation": str(generation),
        "data": ",".join(data.plans),
        "validation": f"{target.loss} {best.validation:.6f} after epoch {best.number}",
    }
    if target.base != "none":
        entries["base"] = target.base
    return entries | ({"name": name} if name else {})


def check_lines(data: Data, weights: Weights, scale: int, positions: int = POSITIONS) -> str:
    """Returns lines of JSON: validation positions as text, and their scores."""
    source = data.batches("validation", 4096)
    step = max(1, source.rows // positions)
    lines: list[str] = []
    for rows in source:
        lines += _lines(data, weights, scale, every(rows, step))
        if len(lines) >= positions:
            break
    return "".join(lines[:positions])


def _lines(data: Data, weights: Weights, scale: int, rows: dict[str, Any]) -> list[str]:
    bags = data.mover_bags(rows)
    texts = data.datasets[0].texts(rows)
    known = np.flatnonzero(bags.counts <= data.features.most)  # beyond, the program scores by hand
    found = based(data.base_of(rows), scores(data.features, weights, scale, bags))
    return [json.dumps({"position": texts[i], "score": int(found[i])}, ensure_ascii=False) + "\n" for i in known]


def network_file(weights: Weights, entries: dict[str, str]) -> bytes:
    return networkfile.encode(weights, entries)
