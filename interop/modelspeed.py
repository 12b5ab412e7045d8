"""Compares the CPU time of an evaluation in a run with that of the same model in a bare loop, and prints a table.

    python interop/modelspeed.py PROGRAM [--rounds 5]

A bare loop calls the model with batches of 64 positions, in a process with one thread. A run plays whole games and writes
their dataset: its time is that of selfplay and of the model's process, less what that takes to import and to load. Both are
measured in turn, and the medians are printed.
"""

import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

import selfplay

BATCH = 64
GAMES = {"trivial": "contrast", "transformer": "contrast", "onnx": "chess"}
LOADS = (("trivial", 1500, 32), ("trivial", 6000, 32), ("transformer", 1500, 8), ("transformer", 64, 32), ("onnx", 500, 2))  # games, simulations


def trivial(game):
    """Returns a function that costs nearly nothing."""
    weights = np.sin(np.arange(len(game.plane_names) * game.cells, dtype=np.float32)) / 50
    return lambda planes, legal: (np.tanh(planes.reshape(len(planes), -1) @ weights), np.zeros(legal.shape, np.float32))


def transformer(game):
    """Returns a Transformer of two layers in PyTorch, over the cells."""
    import torch
    from torch import nn

    torch.manual_seed(1)
    torch.set_num_threads(1)
    rays, whats = (int(part.max()) + 1 for part in game.action_parts(np.arange(game.actions))[1:])
    parts = torch.from_numpy(np.stack([np.maximum(part, 0) for part in game.action_parts(np.arange(game.actions))]))
    enter, body = nn.Linear(len(game.plane_names), 48), nn.TransformerEncoder(nn.TransformerEncoderLayer(48, 4, 96, batch_first=True), 2)
    policy, value = nn.Linear(48, rays + whats), nn.Linear(48, 1)
    body.eval()

    @torch.inference_mode()
    def fn(planes, legal):
        x = body(enter(torch.from_numpy(planes).flatten(2).transpose(1, 2)))
        cell, ray, what = parts[:, torch.from_numpy(legal).clamp(min=0).long()]
        logits = policy(x).flatten(1)
        at = cell * (rays + whats)
        return torch.tanh(value(x.mean(1)))[:, 0], logits.gather(1, at + ray) + logits.gather(1, at + rays + what)

    return fn


def onnx(game):
    """Returns a residual network of 6 blocks of 64 channels in onnxruntime."""
    import onnxruntime
    import torch
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python/examples"))
    import residual_model

    residual_model.WIDTH, residual_model.BLOCKS = 64, 6
    torch.manual_seed(1)
    warnings.simplefilter("ignore", DeprecationWarning)
    net, file = residual_model.Net(game).eval(), io.BytesIO()
    planes = torch.zeros(BATCH, len(game.plane_names), game.ranks, game.files)
    example = planes, torch.zeros(BATCH, 1, dtype=torch.int32)
    torch.onnx.export(net, example, file, input_names=["planes", "legal"], output_names=["value", "logits"],
                      dynamic_axes={"planes": {0: "batch"}, "legal": {0: "batch", 1: "width"}}, dynamo=False)  # fmt: skip
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(file.getvalue(), options, providers=["CPUExecutionProvider"])
    return lambda planes, legal: session.run(None, {"planes": planes, "legal": legal})


def bare(name, seconds=5):
    """Prints the CPU microseconds of an evaluation in a loop."""
    game = selfplay.game(GAMES[name])
    fn, random = globals()[name](game), np.random.default_rng(1)
    planes = random.integers(0, 2, (BATCH, len(game.plane_names), game.ranks, game.files)).astype(np.float32)
    legal = np.full((BATCH, 218 if game.name == "chess" else 800), -1, np.int32)
    legal[:, :40] = random.integers(0, game.actions, (BATCH, 40))
    fn(planes, legal)
    calls, begin = 0, time.process_time()
    while time.process_time() < begin + seconds:
        fn(planes, legal)
        calls += 1
    print((time.process_time() - begin) / calls / BATCH * 1e6)


def play(name, program, games, sims):
    """Returns the CPU microseconds of an evaluation in a run, and the mean batch."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", "--json", "--quiet", "--game", GAMES[name], "--games", str(games), "--out", folder + "/data"]
        command += ["--player", f"mcts:sims={sims},eval=m", "--evaluator", f"m={sys.executable} {__file__} {program} --serve {name} --start {folder}/start"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"{command}: exit status {status}")
        with open(folder + "/start") as file:
            start = float(file.read())
    model = json.loads(said)["models"][0]
    return (used.ru_utime + used.ru_stime - start) / model["evaluations"] * 1e6, model["mean_batch"]


def main():
    p = argparse.ArgumentParser(description="Compare models in a run with models in a bare loop.")
    p.add_argument("program")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--start", help=argparse.SUPPRESS)
    p.add_argument("--serve", choices=GAMES, help=argparse.SUPPRESS)
    p.add_argument("--bare", choices=GAMES, help=argparse.SUPPRESS)
    args = p.parse_args()
    if args.serve:
        game = selfplay.game(GAMES[args.serve])
        fn = globals()[args.serve](game)
        with open(args.start, "w") as file:
            print(time.process_time(), file=file)
        selfplay.evaluate(fn, batch=[8, 16, 32, BATCH], legal=True, game=game.name)
        return
    if args.bare:
        bare(args.bare)
        return
    print("| model | games, simulations | bare, us | in a run, us | outside the model, us | share of bare speed | mean batch |\n|---|---|---|---|---|---|---|")
    for name, games, sims in LOADS:
        rounds = []
        for _ in range(args.rounds):
            alone = float(subprocess.check_output([sys.executable, __file__, args.program, "--bare", name]))
            rounds.append((alone, *play(name, args.program, games, sims)))
        alone, whole, mean = (statistics.median(column) for column in zip(*rounds))
        load, share = f"{name}, {GAMES[name]} | {games:,}, {sims}", f"{100 * alone / whole:.0f} %"
        print(f"| {load} | {alone:.1f} | {whole:.1f} | {whole - alone:.1f} | {share} | {mean:.0f} |", flush=True)


if __name__ == "__main__":
    main()
