"""The network file, and positions with their scores that the program must reproduce."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import networkfile
from .data import Data, every, taken
from .features import Bags
from .inference import based, logits, scores
from .model import QA, QB
from .quantise import Weights
from .training import Epoch, Settings, best_of

POSITIONS = 10_000
LOGITS = 10  # one of so many positions has logits, which take the most room


def metadata(data: Data, settings: Settings, history: list[Epoch], generation: int, name: str = "") -> dict[str, str]:
    """Returns the metadata of a network file. No time and no machine is in it."""
    features, target = data.features, settings.target
    best = best_of(history, settings)
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
    if target.linear:
        entries["linear"] = f"{target.linear:g}"
    if data.parts:
        entries |= {"policy": data.parts.name, "policy_version": str(data.parts.version)}
        entries["policy_loss"] = f"{settings.policy:g} times {best.policy:.4f}"
    return entries | ({"name": name} if name else {})


def kept_metadata(kept: dict[str, str], entries: dict[str, str]) -> dict[str, str]:
    """Returns the metadata of a network that got a policy head: its own, and what is new of the head."""
    head = {key: value for key, value in entries.items() if key.startswith("policy")}
    return kept | head | {"policy_data": entries["data"]}


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
    lines = [{"position": texts[i], "score": int(found[i])} | _policy(data, weights, rows, bags, int(i)) for i in known]
    return [json.dumps(line, ensure_ascii=False) + "\n" for line in lines]


def _policy(data: Data, weights: Weights, rows: dict[str, Any], bags: Bags, row: int) -> dict[str, Any]:
    """Returns the numbers of all legal moves on the absolute board, and their logits; for some rows only."""
    if data.parts is None or row % LOGITS:
        return {}
    game, index = data.features.game, np.array([row])
    one = {name: taken(column, index) for name, column in rows.items()}
    seen = data.mover_actions(one)["legal_actions"].values.astype(np.int64)
    found = logits(data.features, weights, bags.slice(row, row + 1), *data.parts.parts(seen))
    absolute = game.flip_actions(seen) if one["side"][0] == 1 else seen
    return {"actions": absolute.tolist(), "logits": found.tolist()}


def network_file(weights: Weights, entries: dict[str, str]) -> bytes:
    return networkfile.encode(weights, entries)
