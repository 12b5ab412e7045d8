"""The network of residual_model.py: four residual blocks, a value and logits of all actions of Contrast."""

import torch
from torch import nn
from torch.nn import functional as F

import selfplay

GAME, WIDTH, BLOCKS = selfplay.game("contrast"), 32, 4


def layer(inputs: int) -> list[nn.Module]:
    return [nn.Conv2d(inputs, WIDTH, 3, padding=1, bias=False), nn.BatchNorm2d(WIDTH)]


class Block(nn.Sequential):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + super().forward(x))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        blocks = [Block(*layer(WIDTH), nn.ReLU(), *layer(WIDTH)) for _ in range(BLOCKS)]
        self.body = nn.Sequential(*layer(len(GAME.plane_names)), nn.ReLU(), *blocks)
        self.value = nn.Sequential(nn.Flatten(), nn.Linear(WIDTH * 25, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())
        self.policy = nn.Sequential(nn.Conv2d(WIDTH, 16, 1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 25, 25 * 76))

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.body(planes)
        # An action is (from*25 + to)*51 + tile. Its logit is the sum of two: of from and to, and of to and tile.
        step, tile = self.policy(x).reshape(-1, 25, 76).split([25, 51], dim=2)
        return self.value(x)[:, 0], (step.transpose(1, 2)[..., None] + tile[:, None]).flatten(1)


def loss_of(net: Net, rows: dict) -> torch.Tensor:
    value, logits = net(torch.from_numpy(GAME.unpack_planes(rows["board"])).float())
    legal = torch.from_numpy(selfplay.legal_mask(rows["legal_actions"], GAME.actions))
    actions, shares = map(torch.from_numpy, selfplay.policy(rows["policy_action"], rows["policy_weight"]))
    logs = logits.masked_fill(~legal, -1e9).log_softmax(1).gather(1, actions.long().clamp(0))
    return F.mse_loss(value, torch.tensor(rows["outcome"]).float()) - (shares * logs).sum(1).mean()
