"""Whether a network is kept."""

from __future__ import annotations

from typing import Any

SURE = 0.95  # likelihood of superiority that suffices when the games ran out


def keeps(match: dict[str, Any]) -> bool:
    """Decides by the match against the last kept generation: the sequential test, or if it came to no end, the
    likelihood that the new player is the stronger one."""
    accepted = match.get("sprt", {}).get("accept", "")
    if accepted:
        return bool(accepted == "elo1")
    return bool(match["los"] >= SURE)


def equal_nodes(match: dict[str, Any], nodes: int) -> int:
    """Returns the nodes with which the first player of a match takes as much CPU time as the second one, from a match
    that it played with so many."""
    if min(match["cpu_a"], match["cpu_b"]) <= 0:
        raise ValueError("measure pace: a player took no time; want more games")
    return max(1, round(float(nodes * match["cpu_b"] / match["cpu_a"])))
