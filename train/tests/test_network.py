"""Folding, sums, quantised scores, overflow, and the bytes of files."""

import hashlib
import json

import numpy as np
import pytest
import torch

from conftest import random_boards
from nnue import networkfile
from nnue.bags import bag_sums, tensor_bags
from nnue.features import Bags, of_game
from nnue.inference import scores
from nnue.model import LIMIT, Batch, Network
from nnue.quantise import Weights, check_sums, largest_sum, quantise


def network(name, hidden=16, seed=1, spread=0.2):
    """Returns a network with random weights everywhere."""
    torch.manual_seed(seed)
    n = Network(of_game(name), hidden)
    with torch.no_grad():
        for p in n.parameters():
            p += spread * torch.randn_like(p)
    n.clip()
    return n


def batch(name, boards, buckets):
    features = of_game(name)
    mover = features.bags(boards)
    bags = [tensor_bags(b, features.size) for b in (mover, features.other(mover))]
    nothing = torch.zeros(len(boards))
    return Batch(*bags, torch.from_numpy(features.bucket(mover.counts, buckets)), nothing, nothing, nothing)


def test_sums_and_their_gradients_are_those_of_torch():
    rng = np.random.default_rng(1)
    bags = Bags(rng.integers(0, 50, 300).astype(np.int32), np.arange(0, 301, 10, dtype=np.int32))
    own = torch.randn(50, 16, dtype=torch.double, requires_grad=True)
    other = own.detach().clone().requires_grad_()
    factor = torch.randn(30, 16, dtype=torch.double)
    (bag_sums(own, tensor_bags(bags, 50)) * factor).sum().backward()
    values, offsets = torch.from_numpy(bags.values), torch.from_numpy(bags.offsets)
    torch_sums = torch.nn.functional.embedding_bag(values, other, offsets, mode="sum", include_last_offset=True)
    (torch_sums * factor).sum().backward()
    assert torch.allclose(own.grad, other.grad)


def test_folding_is_the_sum_of_the_factors(name):
    n = network(name)
    folded = n.fold().detach()
    feature = len(folded) // 3
    want = n.delta[feature].detach().clone()
    for factor, group in zip(n.factors, n.features.factors.values(), strict=True):
        want += factor[int(group[feature])].detach()
    assert torch.allclose(folded[feature], want)


def test_a_new_feature_has_the_weights_of_its_relatives(name):
    torch.manual_seed(1)
    n = Network(of_game(name), 16)
    assert not n.delta.detach().any() and n.fold().detach().abs().sum() > 0


def test_integer_scores_are_close_to_those_of_the_network(name):
    n, boards = network(name, 32), random_boards(name, 300)
    boards = boards[of_game(name).bags(boards).counts <= n.features.most]
    with torch.no_grad():
        want = 600 * n(batch(name, boards, n.buckets)).numpy()
    got = scores(n.features, quantise(n), 600, n.features.bags(boards))
    assert len(boards) > 100 and np.abs(want).max() > 100
    # Rounding 64 output weights to 1/64 moves the score of saturated units by a standard deviation of
    # 600*sqrt(64/12)/64 = 21.7, the same for all boards of a bucket. Rounding accumulators, to 1/255, adds less.
    assert np.abs(got - want).max() < 100 and np.abs(got - want).mean() < 21.7


def test_integer_scores_by_hand():
    features = of_game("chess")
    weights = Weights(
        np.zeros((3072, 16), np.int16), np.zeros(16, np.int16), np.zeros((8, 2, 16), np.int16), np.full(8, -5, np.int32)
    )
    weights.feature_weights[[1147, 1475], 0] = 100, 70  # kings on e1 and e8, mirrored, bucket 1, from either side
    weights.feature_weights[1147, 1] = 300
    weights.output_weights[0, :, :2] = [[3, -7], [1, 2]]
    board = np.zeros((1, 72), np.uint8)
    board[0, [60, 4]] = 6, 12
    # Both accumulators are 170 and 300, clamped 255: 3*28900 - 7*65025 + 28900 + 2*65025 = -209525.
    # -209525/255 = -821, -821 - 5 = -826, -826*600/16320 = -30, all rounded toward zero.
    assert scores(features, weights, 600, features.bags(board)).tolist() == [-30]


def test_boards_without_features_are_refused():
    with pytest.raises(ValueError, match="no features"):
        n = network("chess")
        scores(n.features, quantise(n), 600, n.features.bags(np.zeros((2, 72), np.uint8)))


def test_large_weights_are_clipped_before_they_overflow(name):
    n = network(name, spread=50)
    weights = quantise(n)
    assert n.fold().abs().max() <= LIMIT + 1e-3  # delta is a difference of large numbers here
    assert np.abs(weights.feature_weights).max() == np.abs(weights.output_weights).max() * 4 - 2 == 506
    assert largest_sum(weights, n.features.most) <= 32767


@pytest.mark.parametrize("member, value, message", [
    ("feature_weights", 1000, "an accumulator can reach 32100"),
    ("output_weights", 128, "an output weight is 128"),
    ("output_bias", 1 << 30, "an output bias is 1073741824"),
])  # fmt: skip
def test_sums_that_could_overflow_are_refused(member, value, message):
    tensors = {
        "feature_weights": np.zeros((768, 16), np.int16), "feature_bias": np.full(16, 100, np.int16),
        "output_weights": np.zeros((8, 2, 16), np.int16), "output_bias": np.zeros(8, np.int32),
    }  # fmt: skip
    tensors[member].flat[0] = value
    if member == "feature_weights":
        tensors[member][:32, 0] = -value
        check_sums(Weights(**tensors), 31)
        tensors[member][:32, 0] = -value - 21
        message = "an accumulator can reach 32772"
    with pytest.raises(ValueError, match=message):
        check_sums(Weights(**tensors), 32)


def test_files_have_the_same_bytes_every_time(name):
    weights = quantise(network(name))
    entries = {"game": name, "scale": "600"}
    raw = networkfile.encode(weights, entries)
    assert raw == networkfile.encode(weights, dict(reversed(entries.items())))
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    assert size % 8 == 0 and list(header) == sorted(header)
    assert max(e["data_offsets"][1] for k, e in header.items() if k != "__metadata__") == len(raw) - 8 - size
    read, metadata = networkfile.decode(raw)
    assert metadata == {"format": "selfplay-nnue", "version": "1"} | entries
    for tensor in networkfile.SHAPES:
        assert (getattr(read, tensor) == getattr(weights, tensor)).all()


def test_the_bytes_of_a_file_are_frozen():
    shapes = {"feature_bias": (16,), "feature_weights": (768, 16), "output_bias": (1,), "output_weights": (1, 2, 16)}
    tensors = {n: (np.arange(np.prod(s)) % 251 - 125).reshape(s) for n, s in shapes.items()}
    raw = networkfile.encode(Weights(**tensors), {"game": "chess", "features": "chess-768x4-mirrored"})
    assert hashlib.sha256(raw).hexdigest() == "82fb486ee7bf0d6b001bfd28a954466df835e527676ad6905b95692d5f4d3baa"


def test_files_of_others_are_refused():
    raw = networkfile.encode(quantise(network("chess")), {}).replace(b"selfplay-nnue", b"another--nnue")
    with pytest.raises(ValueError, match="format another--nnue, want selfplay-nnue"):
        networkfile.decode(raw)
