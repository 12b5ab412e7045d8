"""The network of residual_model.py: four residual blocks, a value and logits of actions, in Contrast and CoTuLenh."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import selfplay

WIDTH, BLOCKS = 32, 4


def layer(inputs: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, WIDTH, 3, padding=1, bias=False), nn.BatchNorm2d(WIDTH)]


class Block(nn.Sequential):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + super().forward(x))


class Net(nn.Module):
    def __init__(self, game: selfplay.Game) -> None:
        super().__init__()
        self.game, cells = game, game.ranks * game.files
        # In CoTuLenh an action has a cell, a ray and what moves; the others belong to the ray and to what. In Contrast it
        # is (from*25 + to)*51 + tile. Its logit is the sum of two: of from and to, and of to and tile.
        self.parts = [cells, 84, 6] if game.name == "cotulenh" else [cells * (cells + 51)]
        blocks = [Block(*layer(WIDTH), nn.ReLU(), *layer(WIDTH)) for _ in range(BLOCKS)]
        self.body = nn.Sequential(*layer(len(game.plane_names)), nn.ReLU(), *blocks)
        self.value = nn.Sequential(nn.Flatten(), nn.Linear(WIDTH * cells, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        self.policy = nn.Sequential(nn.Conv2d(WIDTH, 16, 1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * cells, sum(self.parts)))

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = self.body(planes)
        value, policy = self.value(x)[:, 0], self.policy(x)
        if len(self.parts) > 1:
            return value, *policy.split(self.parts, dim=1)
        step, tile = policy.reshape(-1, 25, 76).split([25, 51], dim=2)
        return value, (step.transpose(1, 2)[..., None] + tile[:, None]).flatten(1)


def logits_of(net: Net, logits: list[torch.Tensor], rows: np.ndarray, actions: np.ndarray) -> torch.Tensor:
    """Returns the logits of actions of rows."""
    if len(logits) == 1:
        return logits[0][rows, actions.astype(np.int64)]
    cell, ray, what = selfplay.parts_of(net.game.name, actions)
    at = logits[0][rows, cell.clip(0)] + logits[1][rows, ray.clip(0)]
    return at * torch.from_numpy(cell >= 0) + logits[2][rows, what]


def loss_of(net: Net, rows: dict) -> torch.Tensor:
    value, *logits = net(torch.from_numpy(net.game.unpack_planes(rows["board"])).float())
    legal, policy = rows["legal_actions"], rows["policy_action"]
    row = np.repeat(np.arange(len(value)), legal.lengths)
    flat = logits_of(net, logits, row, legal.values)
    total = torch.zeros(len(value)).index_add(0, torch.from_numpy(row), flat.clamp(-30, 30).exp()).log()
    row = np.repeat(np.arange(len(value)), policy.lengths)
    weights = rows["policy_weight"].values / np.bincount(row, rows["policy_weight"].values)[row]
    logs = logits_of(net, logits, row, policy.values).clamp(-30, 30) - total[row]
    return F.mse_loss(value, torch.tensor(rows["outcome"]).float()) - (torch.from_numpy(weights).float() * logs).sum() / len(value)
