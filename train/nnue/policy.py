"""Legal moves and what a policy head should say of them.

A move has two parts, and its logit is the sum of those of its parts: 1,900 outputs in place of 31,875 actions in
Contrast. A part set is a frozen part of network files; its numbers are in the feature table of the game. In Contrast
the parts are from*25 + to, and 625 + to*51 + tile, numbered as in actions.

Cells are those that the side to move sees. CoTuLenh has no part set: half of its 55,441 actions concern members of
stacks, and no factors of them were tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from selfplay.ragged import Ragged

from .features import table_of

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PartSet:
    """The parts of the moves of a game."""

    name: str
    version: int
    size: int
    steps: int  # first parts
    tiles: int  # actions of a step

    def parts(self, actions: Ints) -> tuple[Ints, Ints]:
        """Returns the parts of actions as the side to move sees them."""
        return actions // self.tiles, self.steps + actions % (self.size - self.steps)


GAMES = ("contrast",)  # games whose feature tables have parts of moves


def of_game(name: str) -> PartSet:
    """Returns the part set of a game."""
    if name not in GAMES:
        raise ValueError(f"policy of {name}: no parts of moves, want one of {', '.join(GAMES)}")
    return PartSet(**table_of(name)["policy"])


class Moves(NamedTuple):
    """The legal moves of n boards, at most m of each: [n, m]."""

    first: Tensor  # int64, parts; 0 beyond the last move
    second: Tensor
    legal: Tensor  # bool
    share: Tensor  # float32, of the policy; the sum of a row is 1

    def to(self, device: str) -> Moves:
        return Moves(*(t.to(device) for t in self))


def moves_of(parts: PartSet, rows: Mapping[str, Any]) -> Moves:
    """Returns the legal moves of rows, whose actions are as the side to move sees them."""
    legal: Ragged = rows["legal_actions"]
    owner = np.repeat(np.arange(len(legal)), legal.lengths)
    numbers = parts.parts(legal.values.astype(np.int64))
    shares = Ragged(_shares(rows, owner, legal), legal.offsets)
    first, second = (torch.from_numpy(Ragged(p, legal.offsets).padded(fill=0)) for p in numbers)
    inside = Ragged(np.ones(len(owner), np.bool_), legal.offsets).padded(fill=False)
    return Moves(first, second, torch.from_numpy(inside), torch.from_numpy(shares.padded(fill=0)))


def _shares(rows: Mapping[str, Any], owner: Ints, legal: Ragged) -> NDArray[np.float32]:
    """Returns the share of each legal move: of its weight, or 1 for the best move of a row without a policy."""
    actions, weights = _weighted(rows)
    keys = owner << 16 | legal.values.astype(np.int64)
    order = np.argsort(keys, kind="stable")
    wanted = np.repeat(np.arange(len(actions)), actions.lengths) << 16 | actions.values.astype(np.int64)
    found = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    if (keys[found] != wanted).any():
        raise ValueError("read policy: an action is not legal")
    shares = np.zeros(len(keys), np.float32)
    sums = np.add.reduceat(weights, actions.offsets[:-1])
    shares[found] = weights / np.repeat(sums, actions.lengths)
    return shares


def _weighted(rows: Mapping[str, Any]) -> tuple[Ragged, NDArray[np.float32]]:
    """Returns the actions of every row's policy, at least one, and their weights."""
    best = np.asarray(rows["best_action"])
    count = len(best)
    alone = Ragged(best, np.arange(count + 1))
    if "policy_action" not in rows:
        return alone, np.ones(count, np.float32)
    actions, weights = rows["policy_action"], rows["policy_weight"]
    without = np.flatnonzero(actions.lengths == 0)
    index = np.arange(count)
    index[without] += count
    chosen = Ragged.concatenate([actions, alone]).take(index)
    ones = Ragged(np.ones(count, weights.values.dtype), np.arange(count + 1))
    return chosen, Ragged.concatenate([weights, ones]).take(index).values.astype(np.float32)


def cross_entropy(logits: Tensor, moves: Moves) -> Tensor:
    """Returns the cross entropy of each row, from the logits of parts, [n, parts]: over legal moves only, so that
    the weights need not learn the rules. The search rates legal moves, too."""
    of_moves = logits.gather(1, moves.first) + logits.gather(1, moves.second)
    chances = torch.log_softmax(of_moves.masked_fill(~moves.legal, -torch.inf), dim=1)
    return -(moves.share * chances.masked_fill(~moves.legal, 0)).sum(dim=1)
