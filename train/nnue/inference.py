"""The score of a network in integers, as the program computes it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .features import Bags, FeatureSet
from .model import QA, QB
from .quantise import Weights
from .targets import MAX_STATIC

Ints = NDArray[np.int64]
LOGIT_UNIT = 100  # logits are in units of 1/100
ROWS = 4096  # scored at a time: their weight rows take some 40 MB


def scores(features: FeatureSet, weights: Weights, scale: int, mover: Bags) -> NDArray[np.int64]:
    """Returns the scores of boards in centi-units, from the features that the side to move sees."""
    parts = [_scores(features, weights, scale, mover.slice(i, i + ROWS)) for i in range(0, len(mover), ROWS)]
    return np.concatenate([np.zeros(0, np.int64), *parts])


def logits(features: FeatureSet, weights: Weights, mover: Bags, first: Ints, second: Ints) -> Ints:
    """Returns the logits in hundredths of the moves of one board, from their parts."""
    assert weights.policy_weights is not None and weights.policy_bias is not None
    x = np.stack([_activations(weights, bags)[0] for bags in (mover, features.other(mover))])
    used, index = np.unique(np.concatenate([first, second]), return_inverse=True)
    sums = (weights.policy_weights[used].astype(np.int64) * x).sum(axis=(1, 2))
    parts = _divided(sums, QA) + weights.policy_bias.astype(np.int64)[used]
    moves = parts[index[: len(first)]] + parts[index[len(first) :]]
    return np.clip(_divided(moves * LOGIT_UNIT, QA * QB), -MAX_STATIC, MAX_STATIC)


def based(base: NDArray[Any], found: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the scores of a network that corrects others."""
    return np.asarray(np.clip(base.astype(np.int64) + found, -MAX_STATIC, MAX_STATIC), np.int64)


def _scores(features: FeatureSet, weights: Weights, scale: int, mover: Bags) -> NDArray[np.int64]:
    bucket = features.bucket(mover.counts, weights.buckets)
    output = weights.output_weights.astype(np.int64)[bucket]  # [n, 2, H]
    views = (mover, features.other(mover))
    sums = [(_activations(weights, bags) * output[:, i]).sum(axis=1) for i, bags in enumerate(views)]
    total = _divided(sums[0] + sums[1], QA) + weights.output_bias.astype(np.int64)[bucket]
    return np.clip(_divided(total * scale, QA * QB), -MAX_STATIC, MAX_STATIC)


def _activations(weights: Weights, bags: Bags) -> NDArray[np.int64]:
    """Returns clamp(accumulator, 0, QA)^2, [n, H]."""
    if not bags.counts.all():  # reduceat would give such a board the features of the next one
        raise ValueError("score boards: a board has no features")
    rows = weights.feature_weights[bags.values].astype(np.int32)
    sums = np.add.reduceat(rows, bags.offsets[:-1], axis=0) + weights.feature_bias
    return np.square(np.clip(sums, 0, QA).astype(np.int64))


def _divided(values: NDArray[Any], by: int) -> NDArray[np.int64]:
    """Divides and rounds toward zero."""
    return np.asarray(np.sign(values) * (np.abs(values) // by), np.int64)
