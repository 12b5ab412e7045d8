"""The network in PyTorch, with weights in units of 1 where the file has QA or QB.

    accumulator = bias + sum of weight rows of the active features, one for the mover's view and one for the other's
    x           = clamp(accumulator, 0, 1)^2
    output      = x_mover . output[bucket][0] + x_other . output[bucket][1] + output_bias[bucket]
    score       = output * scale, in centi-units

While training, the weights of a feature are a sum of factors that it shares with related features, such as those of
the same kind of piece on other cells, and of a delta of its own that starts at zero. So features that the data seldom
or never has get weights of their relatives in place of random ones. fold() adds the factors up.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from .bags import TensorBags, bag_sums
from .features import FeatureSet
from .policy import Moves, of_game

QA, QB = 255, 64  # of activations and of output weights
LIMIT = 127 / QB  # of all weights: with at most 38 features, sums of 127/64 stay below 32767/255


class Batch(NamedTuple):
    """n boards as the mover and as the other side see them, and what the network should say of them."""

    mover: TensorBags
    other: TensorBags
    bucket: Tensor  # [n] int64
    base: Tensor  # [n] float32, centi-units, to which the output is added
    score: Tensor  # [n] float32, centi-units, of the mover
    outcome: Tensor  # [n] float32, 0 lost, 0.5 drawn, 1 won by the mover
    moves: Moves | None = None  # for a policy head

    def to(self, device: str) -> Batch:
        bucket, base, score, outcome = (t.to(device) for t in (self.bucket, self.base, self.score, self.outcome))
        moves = self.moves.to(device) if self.moves is not None else None
        return Batch(self.mover.to(device), self.other.to(device), bucket, base, score, outcome, moves)


class Network(nn.Module):
    """hidden is H. Weights start from the generator of torch: seed it before. The weights of a policy head start at
    zero, so the others start the same with and without it."""

    def __init__(self, features: FeatureSet, hidden: int, buckets: int | None = None, policy: bool = False) -> None:
        super().__init__()
        self.features = features
        self.buckets = features.buckets if buckets is None else buckets
        self.groups = list(features.factors.values())
        self.factors = nn.ParameterList()
        for i, group in enumerate(self.groups):
            self.register_buffer(f"group_{i}", torch.from_numpy(group).long(), persistent=False)
            # Only the coarsest factor is random: that suffices to make the units different.
            spread = features.most**-0.5 if i == 0 else 0.0
            self.factors.append(nn.Parameter(spread * torch.randn(int(group.max()) + 1, hidden)))
        self.delta = nn.Parameter(torch.zeros(features.size, hidden))
        self.bias = nn.Parameter(torch.full((hidden,), 0.25))
        self.output = nn.Parameter((2 * hidden) ** -0.5 * torch.randn(self.buckets, 2 * hidden))
        self.output_bias = nn.Parameter(torch.zeros(self.buckets))
        self.policy = nn.Parameter(torch.zeros(parts, 2 * hidden)) if (parts := _parts(features, policy)) else None
        self.policy_bias = nn.Parameter(torch.zeros(parts)) if parts else None

    @torch.no_grad()
    def take(self, features: Tensor, bias: Tensor, output: Tensor, output_bias: Tensor) -> None:
        """Takes all weights but those of the policy head, in units of 1. Factors become means, from the coarsest on, so
        that decay draws the weights of rare features to those of their relatives, as it does from a random start."""
        taken = {self.delta: features, self.bias: bias, self.output: output.flatten(1), self.output_bias: output_bias}
        for parameter, values in taken.items():
            if parameter.shape != values.shape:
                raise ValueError(f"take weights: {tuple(values.shape)}, want {tuple(parameter.shape)}")
            parameter.copy_(values)
        for i, factor in enumerate(self.factors):
            group = getattr(self, f"group_{i}")
            sizes = torch.bincount(group, minlength=len(factor)).clamp_min(1)
            factor.copy_(torch.zeros_like(factor).index_add_(0, group, self.delta) / sizes[:, None])
            self.delta.sub_(factor.index_select(0, group))

    def freeze(self) -> None:
        """Leaves only the policy head to train."""
        for parameter in (*self.factors, self.delta, self.bias, self.output, self.output_bias):
            parameter.requires_grad_(False)

    def fold(self) -> Tensor:
        """Returns the weights of every feature, [features, H]."""
        weights = self.delta
        for i, factor in enumerate(self.factors):
            weights = weights + factor.index_select(0, getattr(self, f"group_{i}"))
        return weights

    def forward(self, batch: Batch) -> Tensor:
        """Returns the outputs of boards, [n]; 1 is `scale` centi-units."""
        return self.outputs(self.activations(batch), batch.bucket)

    def activations(self, batch: Batch) -> Tensor:
        """Returns those of both views, [n, 2H]."""
        weights = self.fold()
        sums = [bag_sums(weights, bags) + self.bias for bags in (batch.mover, batch.other)]
        return torch.cat(sums, dim=1).clamp(0, 1).square()

    def outputs(self, x: Tensor, bucket: Tensor) -> Tensor:
        outputs = x @ self.output.T + self.output_bias
        return outputs.gather(1, bucket[:, None])[:, 0]

    def part_logits(self, x: Tensor) -> Tensor:
        """Returns the logits of the parts of moves, [n, parts]. The network has a policy head."""
        assert self.policy is not None and self.policy_bias is not None
        return x @ self.policy.T + self.policy_bias

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps every weight that the file stores within its limit, so that rounding is all that changes."""
        weights = self.fold()
        self.delta.sub_(weights - weights.clamp(-LIMIT, LIMIT))
        self.bias.clamp_(-LIMIT, LIMIT)
        self.output.clamp_(-LIMIT, LIMIT)
        if self.policy is not None:
            self.policy.clamp_(-LIMIT, LIMIT)


def _parts(features: FeatureSet, policy: bool) -> int:
    return of_game(features.game.name).size if policy else 0
