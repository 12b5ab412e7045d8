"""Plays with a network in the ONNX format: an input of planes; outputs are the value and the logits, or their parts. A batch
axis that has a name in place of a size gets batches of BATCH positions.

    python torch_model.py learn data/gen0 net.pt
    python onnx_model.py export net.pt net.onnx          # needs PyTorch and onnx
    selfplay run --game contrast --games 1000 --player mcts:sims=100,eval=mine \\
        --evaluator mine='python onnx_model.py play net.onnx' --out data/gen1
"""

import sys

import selfplay

BATCH = 256


def export(source: str, target: str) -> None:
    import torch
    from torch_model import PLANES, Net

    net = Net()
    net.load_state_dict(torch.load(source))
    game = selfplay.game("contrast")
    planes = torch.zeros(BATCH, PLANES, game.ranks, game.files)
    torch.onnx.export(net.eval(), (planes,), target, input_names=["planes"], output_names=["value", "logits"], dynamo=False)


def play(path: str) -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=onnxruntime.get_available_providers())
    (planes,) = session.get_inputs()
    batch, *shape = planes.shape
    names = [g for g in selfplay.games() if shape == [len(selfplay.game(g).plane_names), selfplay.game(g).ranks, selfplay.game(g).files]]

    if not names:
        raise SystemExit(f"{path}: planes of shape {shape}: want [planes, ranks, files] of {', '.join(selfplay.games())}")
    name, batch = planes.name, batch if isinstance(batch, int) else BATCH

    def fn(array):
        value, *logits = session.run(None, {name: array})
        return value, logits if len(logits) > 1 else logits[0]

    selfplay.evaluate(fn, batch, game=names[0], files=[path], device=session.get_providers()[0])


if __name__ == "__main__":
    {"export": export, "play": play}[sys.argv[1]](*sys.argv[2:])
