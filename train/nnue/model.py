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

    def to(self, device: str) -> Batch:
        rest = (t.to(device) for t in (self.bucket, self.base, self.score, self.outcome))
        return Batch(self.mover.to(device), self.other.to(device), *rest)


class Network(nn.Module):
    """hidden is H. Weights start from the generator of torch: seed it before."""

    def __init__(self, features: FeatureSet, hidden: int, buckets: int | None = None) -> None:
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

    def fold(self) -> Tensor:
        """Returns the weights of every feature, [features, H]."""
        weights = self.delta
        for i, factor in enumerate(self.factors):
            weights = weights + factor.index_select(0, getattr(self, f"group_{i}"))
        return weights

    def forward(self, batch: Batch) -> Tensor:
        """Returns the outputs of boards, [n]; 1 is `scale` centi-units."""
        weights = self.fold()
        sums = [bag_sums(weights, bags) + self.bias for bags in (batch.mover, batch.other)]
        x = torch.cat(sums, dim=1).clamp(0, 1).square()
        outputs = x @ self.output.T + self.output_bias
        return outputs.gather(1, batch.bucket[:, None])[:, 0]

    @torch.no_grad()
    def clip(self) -> None:
        """Keeps every weight that the file stores within its limit, so that rounding is all that changes."""
        weights = self.fold()
        self.delta.sub_(weights - weights.clamp(-LIMIT, LIMIT))
        self.bias.clamp_(-LIMIT, LIMIT)
        self.output.clamp_(-LIMIT, LIMIT)
