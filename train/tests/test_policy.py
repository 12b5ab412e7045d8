"""Parts of moves, shares, the policy head, and its logits in integers."""

import hashlib
import json

import numpy as np
import pytest
import torch

import selfplay
from conftest import write
from nnue import fit, networkfile
from nnue.data import Data
from nnue.features import of_game as features_of
from nnue.inference import logits
from nnue.model import Network
from nnue.policy import GAMES, cross_entropy, of_game
from nnue.quantise import Weights, check_sums, quantise
from nnue.training import Settings, train

FLAGS = ["--hidden", "16", "--epochs", "2", "--batch", "100", "--rate", "0.02", "--margin", "-9", "--policy", "0.1"]


@pytest.fixture(params=GAMES)
def game(request):
    return request.param


def test_every_action_has_parts_of_its_own(game):
    g = selfplay.game(game)
    actions = np.arange(g.actions)
    actions = actions[g.parts(actions)[1] >= 0]
    first, second = of_game(game).parts(actions)
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == len(actions)
    assert first.min() >= 0 and max(first.max(), second.max()) < of_game(game).size


def test_parts_by_hand():
    contrast = selfplay.game("contrast")
    actions = np.array([contrast.action(t) for t in ("a5,a4 -1", "a5,a4 c3b", "a5,b5 e1g")])
    first, second = of_game("contrast").parts(actions)
    assert first.tolist() == [5, 5, 1] and second.tolist() == [625 + 255, 625 + 255 + 13, 625 + 51 + 50]


def test_shares_are_those_of_the_policy_or_the_best_move(game, tmp_path):
    data = Data([write(tmp_path / "data", game, policy=True)], policy=True)
    moves = next(data.train(64, 1, 1, 1)).moves
    assert torch.allclose(moves.share.sum(dim=1), torch.ones(len(moves.share))) and not moves.share[~moves.legal].any()
    assert set(moves.share[moves.share > 0].tolist()) == {0.25, 0.75, 1.0}
    uniform = cross_entropy(torch.zeros(len(moves.share), of_game(game).size), moves)
    assert torch.allclose(uniform, moves.legal.sum(dim=1).float().log(), atol=1e-5)


def test_absolute_boards_teach_the_same_moves(game, tmp_path):
    both = [Data([write(tmp_path / str(m), game, mover=m, policy=True)], policy=True) for m in (False, True)]
    rows = next(iter(both[0].batches("train", 50)))
    seen, columns = features_of(game).game.turn_boards(rows["board"], rows["side"]), both[0].mover_actions(rows)
    for row in range(50):
        legal = columns["legal_actions"][row]
        origins = features_of(game).game.parts(legal)[0]
        pieces = [both[0].features.game.pieces[c] for c in seen[row][origins]]
        assert columns["best_action"][row] == legal.min()
        assert all(p and p[0].side == 0 for p in pieces)


def test_a_policy_head_learns_the_best_move(game, tmp_path):
    data = Data([write(tmp_path / "data", game, policy=True)], policy=True)
    _, history = train(data, Settings(hidden=16, epochs=4, batch=50, rate=0.02, policy=0.1))
    assert history[-1].policy < 0.9 * history[0].policy


def test_the_check_file_has_logits(game, tmp_path):
    out = tmp_path / "net.safetensors"
    folder = write(tmp_path / "data", game, mover=False, policy=True)
    assert fit.main([*FLAGS, "--out", str(out), str(folder)]) == 0
    weights, metadata = networkfile.decode(out.read_bytes())
    assert metadata["policy"] == of_game(game).name and metadata["policy_version"] == "1"
    lines = [json.loads(line) for line in (tmp_path / "net.check.jsonl").read_text().splitlines()]
    g, features = selfplay.game(game), features_of(game)
    found = [line for line in lines if "logits" in line]
    assert len(found) > 20 and any(any(line["logits"]) for line in found)
    for line in found:
        board, side = g.board(line["position"])
        seen, actions = g.turn_boards(board[None], [side]), np.array(line["actions"])
        actions = g.flip_actions(actions).astype(np.int64) if side else actions
        assert logits(features, weights, features.bags(seen), *of_game(game).parts(actions)).tolist() == line["logits"]


def test_integer_logits_are_close_to_those_of_the_network(game, tmp_path):
    data = Data([write(tmp_path / "data", game, policy=True)], policy=True)
    torch.manual_seed(1)
    network = Network(features_of(game), 16, policy=True)
    with torch.no_grad():
        for p in network.parameters():
            p += 0.2 * torch.randn_like(p)
        network.clip()
        rows = next(iter(data.batches("train", 20)))
        batch = data.batch(rows, network.buckets)
        want = 200 * network.part_logits(network.activations(batch)).numpy()  # a move of the same part twice
    parts, mover = np.arange(of_game(game).size), data.mover_bags(rows)
    for row in range(20):
        got = logits(network.features, quantise(network), mover.slice(row, row + 1), parts, parts)
        assert np.abs(want[row]).max() > 50 and np.abs(got - want[row]).mean() < 10


def test_kept_weights_stay(tmp_path, capsys):
    folder = write(tmp_path / "data", "contrast", policy=True)
    plain, both = tmp_path / "plain.safetensors", tmp_path / "both.safetensors"
    assert fit.main([*FLAGS[:-2], "--out", str(plain), str(folder)]) == 0
    assert fit.main([*FLAGS, "--policy-on", str(plain), "--out", str(both), str(folder)]) == 0
    (want, old), (got, entries) = (networkfile.decode(f.read_bytes()) for f in (plain, both))
    for tensor in networkfile.SHAPES:
        assert (getattr(want, tensor) == getattr(got, tensor)).all()
    assert want.policy_bias is None and got.policy_weights.any() and entries["policy"] == "contrast-step-tile"
    assert {k: v for k, v in entries.items() if not k.startswith("policy")} == old
    assert fit.main(["--from", str(both), "--out", str(tmp_path / "third.safetensors"), str(folder)]) == 2
    assert "it has a policy head" in capsys.readouterr().err


def test_the_same_command_writes_the_same_policy(tmp_path):
    folder = write(tmp_path / "data", "contrast", policy=True)
    files = [tmp_path / f"{n}.safetensors" for n in (1, 2)]
    for file in files:
        assert fit.main([*FLAGS, "--out", str(file), str(folder)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("flags, message", [
    (["--policy", "-1"], "policy -1.0: want a number of at least 0"),
    (["--policy", "0.1"], "no column legal_actions; make the dataset with --columns +legal_actions"),
    (["--policy-on", "NET"], "nothing to learn without --policy"),
    (["--policy-on", "NET", "--base", "static"], "base is none, want --base none"),
])  # fmt: skip
def test_bad_policy_flags_are_refused(tmp_path, capsys, flags, message):
    net, folder = tmp_path / "net.safetensors", str(write(tmp_path / "data", "chess"))
    assert fit.main([*FLAGS[:-2], "--out", str(net), folder]) == 0
    flags = [str(net) if f == "NET" else f for f in flags]
    assert fit.main([*FLAGS[:-2], *flags, "--out", str(tmp_path / "other.safetensors"), folder]) == 2
    assert message in capsys.readouterr().err


def test_games_without_parts_of_moves_are_refused(tmp_path, capsys):
    folder = write(tmp_path / "data", "cotulenh", policy=True)
    assert fit.main([*FLAGS, "--out", str(tmp_path / "net.safetensors"), str(folder)]) == 2
    assert "policy of cotulenh: no parts of moves" in capsys.readouterr().err


def test_the_bytes_of_a_file_with_a_policy_are_frozen():
    shapes = {"feature_bias": (16,), "feature_weights": (212, 16), "output_bias": (1,), "output_weights": (1, 2, 16)}
    shapes |= {"policy_bias": (1900,), "policy_weights": (1900, 2, 16)}
    tensors = {n: (np.arange(np.prod(s)) % 251 - 125).reshape(s) for n, s in shapes.items()}
    raw = networkfile.encode(Weights(**tensors), {"game": "contrast", "features": "contrast-cells"})
    assert hashlib.sha256(raw).hexdigest() == "fad51cd9060ee728215c35ffe7db01a912365d7430334d238b5bff135641e708"
    assert (networkfile.decode(raw)[0].policy_weights == tensors["policy_weights"]).all()


def test_weights_of_a_policy_have_limits():
    tensors = {
        "feature_weights": np.zeros((212, 16), np.int16), "feature_bias": np.zeros(16, np.int16),
        "output_weights": np.zeros((1, 2, 16), np.int16), "output_bias": np.zeros(1, np.int32),
        "policy_weights": np.zeros((1900, 2, 16), np.int8), "policy_bias": np.zeros(1900, np.int32),
    }  # fmt: skip
    tensors["policy_weights"][3, 1, 5] = -128
    with pytest.raises(ValueError, match="a policy weight is -128"):
        check_sums(Weights(**tensors), 22)
    tensors["policy_weights"][3, 1, 5], tensors["policy_bias"][7] = -127, -(1 << 30)
    with pytest.raises(ValueError, match="a policy bias is 1073741824"):
        check_sums(Weights(**tensors), 22)
