"""Integer weights of a network, and the bounds that exclude overflow.

The accumulator is int16. Before a network is written, and again when the program reads it, every hidden unit is
checked: |bias| plus the largest |weights|, as many as a board can have features, must stay below 32,768. The weights
of the output are within -127 to 127, so that a weight times a clamped activation fits int16, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .model import QA, QB, Network


@dataclass(frozen=True)
class Weights:
    """The tensors of a network file."""

    feature_weights: NDArray[np.int16]  # [features, H], in units of 1/QA
    feature_bias: NDArray[np.int16]  # [H]
    output_weights: NDArray[np.int16]  # [buckets, 2, H], mover and other, in units of 1/QB
    output_bias: NDArray[np.int32]  # [buckets], in units of 1/(QA*QB)
    policy_weights: NDArray[np.int8] | None = None  # [parts, 2, H] like output_weights; None without a policy head
    policy_bias: NDArray[np.int32] | None = None  # [parts], in units of 1/(QA*QB)

    @property
    def hidden(self) -> int:
        return len(self.feature_bias)

    @property
    def buckets(self) -> int:
        return len(self.output_bias)


def quantise(network: Network) -> Weights:
    """Returns the rounded weights of a network, clipped to the limits of the file."""
    network.clip()
    folded = network.fold().detach().cpu().double().numpy()
    output = network.output.detach().cpu().double().numpy().reshape(network.buckets, 2, -1)
    weights = Weights(
        _rounded(folded * QA, np.int16),
        _rounded(network.bias.detach().cpu().double().numpy() * QA, np.int16),
        _rounded(output * QB, np.int16),
        _rounded(network.output_bias.detach().cpu().double().numpy() * (QA * QB), np.int32),
        *_policy(network),
    )
    check_sums(weights, network.features.most)
    return weights


def take(network: Network, weights: Weights) -> None:
    """Gives a network the weights of a file without those of a policy head."""
    network.take(
        _floats(weights.feature_weights, QA), _floats(weights.feature_bias, QA),
        _floats(weights.output_weights, QB), _floats(weights.output_bias, QA * QB),
    )  # fmt: skip


def _floats(values: NDArray[Any], unit: int) -> torch.Tensor:
    return torch.from_numpy((values / unit).astype(np.float32))


def _policy(network: Network) -> tuple[NDArray[Any], NDArray[Any]] | tuple[()]:
    if network.policy is None or network.policy_bias is None:
        return ()
    policy = network.policy.detach().cpu().double().numpy().reshape(len(network.policy_bias), 2, -1)
    bias = network.policy_bias.detach().cpu().double().numpy()
    return _rounded(policy * QB, np.int8), _rounded(bias * (QA * QB), np.int32)


def _rounded(values: NDArray[Any], kind: type[np.integer[Any]]) -> NDArray[Any]:
    limits = np.iinfo(kind)
    return np.asarray(np.clip(np.rint(values), limits.min, limits.max), kind)


def largest_sum(weights: Weights, most: int) -> int:
    """Returns a bound of |accumulator| over all boards with at most so many features."""
    sizes = np.sort(np.abs(weights.feature_weights.astype(np.int64)), axis=0)[-most:].sum(axis=0)
    return int((sizes + np.abs(weights.feature_bias.astype(np.int64))).max())


def check_sums(weights: Weights, most: int) -> None:
    """Raises ValueError if a sum of the network could overflow."""
    if (bound := largest_sum(weights, most)) > 32767:
        raise ValueError(f"quantise network: an accumulator can reach {bound}, want at most 32767")
    if (bound := int(np.abs(weights.output_weights.astype(np.int64)).max())) > 127:
        raise ValueError(f"quantise network: an output weight is {bound}, want -127 to 127")
    _check_bias("an output", weights.output_bias)
    if weights.policy_weights is not None and weights.policy_bias is not None:
        if (bound := int(weights.policy_weights.min())) < -127:
            raise ValueError(f"quantise network: a policy weight is {bound}, want -127 to 127")
        _check_bias("a policy", weights.policy_bias)


def _check_bias(which: str, bias: NDArray[np.int32]) -> None:
    if (bound := int(np.abs(bias.astype(np.int64)).max())) >= 1 << 30:
        raise ValueError(f"quantise network: {which} bias is {bound}, want less than {1 << 30}")
