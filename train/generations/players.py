"""Texts of players, such as ab:nodes=1000,hash=1,net=FILE,blend=40."""

from __future__ import annotations

import re
from pathlib import Path


def with_network(player: str, network: Path | None, blend: int) -> str:
    """Returns the player with a network, or with the hand-written score, the default of players other than ab."""
    if network is None and not player.startswith("ab"):
        return player
    separator = "," if ":" in player else ":"
    return f"{player}{separator}net={network or 'none'}" + (f",blend={blend}" if network and blend else "")


def with_nodes(player: str, nodes: int) -> str:
    """Returns the player with another node limit. Its hard limit, if any, changes in proportion."""
    old = nodes_of(player)
    hard = re.search(r"\bhard=(\d+)", player)
    text = re.sub(r"\bnodes=\d+", f"nodes={nodes}", player)
    return re.sub(r"\bhard=\d+", f"hard={int(hard[1]) * nodes // old}", text) if hard else text


def nodes_of(player: str) -> int:
    return _number(player, "nodes")


def with_sims(player: str, sims: int) -> str:
    """Returns the player with another number of simulations."""
    return re.sub(r"\bsims=\d+", f"sims={sims}", player)


def sims_of(player: str) -> int:
    return _number(player, "sims")


def _number(player: str, name: str) -> int:
    found = re.search(rf"\b{name}=(\d+)", player)
    if not found:
        raise ValueError(f"player {player}: want one with {name}=N, which equal time can change")
    return int(found[1])
