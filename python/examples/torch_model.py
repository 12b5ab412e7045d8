"""A network in PyTorch that learns from datasets of Contrast and plays the next one.

    selfplay run --game contrast --games 1000 --player greedy --layout planes --perspective mover --out data/gen0
    python torch_model.py learn data/gen0 net.pt
    selfplay run --game contrast --games 1000 --player mcts:sims=100,temp=1,eval=mine --layout planes --perspective mover \\
        --evaluator mine='python torch_model.py play net.pt' --out data/gen1
    python torch_model.py learn data/gen1 net.pt
"""

import sys

import torch
from torch import nn
from torch.nn import functional as F

import selfplay

GAME, WIDTH, BATCH = selfplay.game("contrast"), 64, 256
PLANES, CELLS = len(GAME.plane_names), GAME.cells


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(PLANES, WIDTH, 3, padding=1), nn.ReLU(),
            nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(WIDTH * CELLS, 256), nn.ReLU(),
        )  # fmt: skip
        self.value, self.policy = nn.Linear(256, 1), nn.Linear(256, GAME.actions)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = self.body(planes)
        return torch.tanh(self.value(x)[:, 0]), self.policy(x)


def learn(data: str, path: str) -> None:
    net = Net()
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(3):
        for batch in selfplay.open(data).batches("train", BATCH, ["board", "side", "action", "outcome"], shuffle=True, seed=epoch):
            planes = torch.from_numpy(GAME.unpack_planes(batch["board"])).float()
            # An outcome is that of the side to move; actions of boards that the mover sees are the mover's.
            value, logits = net(planes)
            loss = F.mse_loss(value, torch.tensor(batch["outcome"]).float())
            loss = loss + F.cross_entropy(logits, torch.tensor(batch["action"].astype("int64")))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}")
    torch.save(net.state_dict(), path)


if __name__ == "__main__":
    if sys.argv[1] == "learn":
        learn(sys.argv[2], sys.argv[3])
    else:
        net = Net()
        net.load_state_dict(torch.load(sys.argv[2]))
        selfplay.evaluate(torch.inference_mode()(lambda planes: net(torch.from_numpy(planes))), BATCH, game="contrast", files=[sys.argv[2]])
