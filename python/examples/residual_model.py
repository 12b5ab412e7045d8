"""A small residual network that learns values and policies in PyTorch, and plays by onnxruntime. train/models makes generations of it.

    python residual_model.py learn data/gen0 net.pt                 # all arguments but the last one are datasets
    python residual_model.py learn --last net.pt data/gen1 net2.pt  # from the weights of the last generation
    selfplay run --game contrast --games 2000 --player mcts:sims=32,root=gumbel,considered=8,eval=mine --layout planes \\
        --perspective mover --columns +legal_actions --evaluator mine='python residual_model.py play net.pt' --out data/gen1
"""

import argparse
import io
import warnings

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import selfplay

WIDTH, BLOCKS = 32, 4
EPOCHS, BATCH, RATE = 2, 256, 0.005
SCORE = 600  # a score s of a tree search with scale=300 is the value tanh(s / 600)
COLUMNS = ["board", "outcome", "score", "best_action", "legal_actions", "policy_action", "policy_weight"]


def layer(inputs: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, WIDTH, 3, padding=1, bias=False), nn.BatchNorm2d(WIDTH)]


class Block(nn.Sequential):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + super().forward(x))


class Net(nn.Module):
    """Gives a value, and two numbers of which the logit of an action is the sum: of its ray and of its what, at its cell."""

    def __init__(self, game: selfplay.Game) -> None:
        super().__init__()
        cell, ray, what = (np.maximum(part, 0) for part in game.action_parts(np.arange(game.actions)))
        self.game, rays = game, int(ray.max()) + 1
        at = np.stack([ray * game.cells + cell, (rays + what) * game.cells + cell])
        self.register_buffer("at", torch.from_numpy(at), persistent=False)
        blocks = [Block(*layer(WIDTH), nn.ReLU(), *layer(WIDTH)) for _ in range(BLOCKS)]
        self.body = nn.Sequential(*layer(len(game.plane_names)), nn.ReLU(), *blocks)
        self.value = nn.Sequential(nn.Flatten(), nn.Linear(WIDTH * game.cells, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        self.policy = nn.Sequential(nn.Conv2d(WIDTH, rays + int(what.max()) + 1, 1), nn.Flatten())

    def both(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.body(planes)
        return self.value(x)[:, 0], self.policy(x)

    def forward(self, planes: torch.Tensor, legal: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        value, policy = self.both(planes)
        actions = legal.clamp(min=0).long()
        return value, policy.gather(1, self.at[0][actions]) + policy.gather(1, self.at[1][actions])


def loss_of(net: Net, rows: dict) -> torch.Tensor:
    value, policy = net.both(torch.from_numpy(net.game.unpack_planes(rows["board"])).float())
    want = torch.tensor(rows["outcome"] + np.tanh(rows["score"] / SCORE)).float() / 2
    row, actions, weights = targets(rows)
    legal = rows["legal_actions"]
    of = torch.from_numpy(np.repeat(np.arange(len(value)), legal.lengths))
    total = torch.zeros(len(value)).index_add(0, of, logits(net, policy, of, legal.values).exp()).log()
    logs = logits(net, policy, row, actions) - total[row]
    return F.mse_loss(value, want) - (weights * logs).sum() / len(value)


def logits(net: Net, policy: torch.Tensor, row: torch.Tensor, actions: np.ndarray) -> torch.Tensor:
    ray, what = net.at[:, torch.from_numpy(actions.astype(np.int64))]
    flat, begin = policy.flatten(), row * policy.shape[1]
    return (flat[begin + ray] + flat[begin + what]).clamp(-30, 30)


def targets(rows: dict) -> tuple[torch.Tensor, np.ndarray, torch.Tensor]:
    """Returns rows, actions and weights to learn: those of the policy, or the best action of a search without one."""
    policy = rows["policy_action"]
    alone = np.flatnonzero(policy.lengths == 0)
    row = np.repeat(np.arange(len(policy.lengths)), policy.lengths)
    sums = np.bincount(row, rows["policy_weight"].values, len(policy.lengths))
    weights = np.concatenate([rows["policy_weight"].values / sums[row], np.ones(len(alone))])
    actions = np.concatenate([policy.values, rows["best_action"][alone]])
    return torch.from_numpy(np.concatenate([row, alone])), actions, torch.from_numpy(weights).float()


def learn(data: list[str], path: str, last: str | None) -> None:
    sets = [selfplay.open(d) for d in data]
    files, columns = [f for s in sets for f in s.files("train")], [sets[0].columns[c] for c in COLUMNS]
    batches = selfplay.Batches(files, sets[0].open_file, columns, BATCH, shuffle=True)
    net = Net(sets[0].game)
    if last:
        net.load_state_dict(torch.load(last))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, EPOCHS * len(batches))
    for epoch in range(EPOCHS):
        losses = []
        for rows in batches:
            loss = loss_of(net, rows)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: {batches.rows} rows, mean loss {np.mean(losses):.4f}", flush=True)
    torch.save(net.state_dict(), path)


def play(path: str, game: str) -> None:
    import onnxruntime

    net = Net(selfplay.game(game))
    net.load_state_dict(torch.load(path))
    size, options = 64, onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # threads that wait for each other cost more than they give
    file, legal = io.BytesIO(), torch.zeros(size, 1, dtype=torch.int32)
    planes = torch.zeros(size, len(net.game.plane_names), net.game.ranks, net.game.files)
    warnings.simplefilter("ignore", DeprecationWarning)  # the exporter that needs no further package
    torch.onnx.export(net.eval(), (planes, legal), file, input_names=["planes", "legal"], output_names=["value", "logits"],
                      dynamic_axes={"planes": {0: "batch"}, "legal": {0: "batch", 1: "width"}}, dynamo=False)  # fmt: skip
    session = onnxruntime.InferenceSession(file.getvalue(), options, providers=onnxruntime.get_available_providers())
    selfplay.evaluate(lambda planes, legal: session.run(None, {"planes": planes, "legal": legal}), batch=[8, 32, size], legal=True,
                      game=game, files=[path], device=session.get_providers()[0])  # fmt: skip


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("command", choices=["learn", "play"])
    p.add_argument("paths", nargs="+")
    p.add_argument("--last")
    p.add_argument("--game", default="contrast")
    args = p.parse_args()
    if args.command == "learn":
        learn(args.paths[:-1], args.paths[-1], args.last)
    else:
        play(args.paths[0], args.game)
