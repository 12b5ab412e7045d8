"""What a network learns: a mixture of the score and of the outcome of the game, as chances.

A curve (a, b) turns a score s into chances: P(win) = 1/(1 + exp((a - s)/b)), P(loss) = 1/(1 + exp((a + s)/b)), and a
draw has the rest. The value is P(win) + P(draw)/2. A curve that is wider than the one fitted to results (larger b)
keeps large scores apart, where a narrow one has the same value for all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

BASES = ("none", "static")
MAX_STATIC = 20_000  # larger scores are proven ends
MAX_SCALE = 20_000  # of a network file, for the program
CURVES = {"chess": (0.0, 200.0), "contrast": (0.0, 200.0)}  # defaults by matches; 0,600 for other games


@dataclass(frozen=True)
class Target:
    """outcome is the share of the outcome, 0 to 1; the score has the rest. loss is mse, of values, or wdl, the cross
    entropy of win, draw and loss."""

    a: float = 0.0
    b: float = 600.0
    outcome: float = 0.1
    loss: str = "mse"
    base: str = "none"  # static: the network corrects the static score of a row, which is added to its output
    linear: float = 0.0  # weight of the difference of scores, which hardly counts in values where one side is winning
    units: int = 0  # scale of the network that training begins with; 0 without one

    def __post_init__(self) -> None:
        self._check_curve()
        if not 0 <= self.outcome <= 1:
            raise ValueError(f"--outcome {self.outcome}: want 0 to 1")
        if not (math.isfinite(self.linear) and self.linear >= 0):
            raise ValueError(f"--linear {self.linear}: want a number of at least 0")
        if self.loss not in ("mse", "wdl"):
            raise ValueError(f"--loss {self.loss}: want mse or wdl")
        if self.base not in BASES:
            raise ValueError(f"--base {self.base}: want one of {', '.join(BASES)}")
        if self.loss == "wdl" and self.a == 0:
            raise ValueError("--loss wdl: want a --curve with A above 0, because with 0 it has no draws")

    def _check_curve(self) -> None:
        """Raises ValueError unless B makes a scale that the program accepts."""
        finite = math.isfinite(self.a) and math.isfinite(self.b)
        if not (finite and self.a >= 0 and 1 <= round(self.b) <= MAX_SCALE):
            raise ValueError(f"--curve {self.a:g},{self.b:g}: want A of at least 0 and B from 1 to {MAX_SCALE}")

    @property
    def scale(self) -> int:
        """The centi-units of an output of 1. New weights are of the size that b makes of them."""
        return self.units or round(self.b)

    def value(self, score: Tensor) -> Tensor:
        """Returns the expected result of scores, from 0, a loss, to 1, a win."""
        win, loss = torch.sigmoid((score - self.a) / self.b), torch.sigmoid((-score - self.a) / self.b)
        return (1 + win - loss) / 2

    def chances(self, score: Tensor) -> Tensor:
        """Returns the chances of loss, draw and win of scores: [n, 3]."""
        win, loss = torch.sigmoid((score - self.a) / self.b), torch.sigmoid((-score - self.a) / self.b)
        return torch.stack([loss, 1 - win - loss, win], dim=1)

    def losses(self, output: Tensor, base: Tensor, score: Tensor, outcome: Tensor) -> Tensor:
        """Returns the loss of each row. output has units of scale, base and score centi-units; outcome is 0, 0.5 or
        1."""
        predicted = base + output * self.scale
        curved = self._curved(predicted, score, outcome)
        return curved + self.linear * self._difference(predicted, score) if self.linear else curved

    def _difference(self, predicted: Tensor, score: Tensor) -> Tensor:
        """Returns the Huber loss of scores in units of scale; 0 for proven ends, whose scores count plies."""
        found = torch.nn.functional.huber_loss(predicted / self.scale, score / self.scale, reduction="none")
        return found.where(score.abs() <= MAX_STATIC, 0.0)

    def _curved(self, predicted: Tensor, score: Tensor, outcome: Tensor) -> Tensor:
        if self.loss == "mse":
            wanted = (1 - self.outcome) * self.value(score) + self.outcome * outcome
            return (self.value(predicted) - wanted).square()
        ends = torch.nn.functional.one_hot((2 * outcome).long(), 3)
        shares = (1 - self.outcome) * self.chances(score) + self.outcome * ends
        return -(shares * self.chances(predicted).clamp_min(1e-7).log()).sum(dim=1)
