"""Examples that need libraries of models: skipped without them."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import selfplay

EXAMPLES = Path(__file__).parents[1] / "examples"


def play(program, out, example, path):
    """Plays a short game with a model of an example."""
    command = [program, "run", "--quiet", "--game", "contrast", "--games", "1", "--max-plies", "16", "--player", "mcts:sims=4,eval=mine"]
    return subprocess.run([*command, "--evaluator", f"mine={sys.executable} {EXAMPLES / example} play {path}", "--out", str(out)], check=True)


@pytest.mark.parametrize("batch", [64, "batch"])
def test_onnx_models_may_leave_the_batch_open(program, tmp_path, batch):
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    game, h, n, float32 = selfplay.game("contrast"), onnx.helper, onnx.numpy_helper, onnx.TensorProto.FLOAT
    shape = [len(game.plane_names), game.ranks, game.files]
    weights = {"W": game.actions, "V": 1}
    nodes = [
        h.make_node("Flatten", ["board"], ["x"], axis=1),
        h.make_node("MatMul", ["x", "W"], ["logits"]),
        h.make_node("MatMul", ["x", "V"], ["value"]),
    ]
    graph = h.make_graph(
        nodes,
        "g",
        [h.make_tensor_value_info("board", float32, [batch, *shape])],
        [h.make_tensor_value_info("value", float32, [batch, 1]), h.make_tensor_value_info("logits", float32, [batch, game.actions])],
        [n.from_array(np.zeros((int(np.prod(shape)), k), np.float32), name) for name, k in weights.items()],
    )
    onnx.save(h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=9), tmp_path / "net.onnx")
    play(program, tmp_path / "data", "onnx_model.py", tmp_path / "net.onnx")
    assert len(selfplay.open(tmp_path / "data")) > 0


def test_a_model_in_jax_learns_and_plays(program, tmp_path):
    pytest.importorskip("jax")
    made = ["--game", "contrast", "--games", "30", "--max-plies", "30", "--player", "greedy", "--layout", "planes", "--perspective", "mover"]
    subprocess.run([program, "run", "--quiet", *made, "--validation", "0", "--out", str(tmp_path / "gen0")], check=True)
    command = [sys.executable, str(EXAMPLES / "jax_model.py"), "learn", str(tmp_path / "gen0"), str(tmp_path / "net.npz")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    losses = [float(line.split()[-1]) for line in said.splitlines()]
    assert len(losses) == 3 and losses[2] < losses[0]
    play(program, tmp_path / "gen1", "jax_model.py", tmp_path / "net.npz")
