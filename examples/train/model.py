"""A small network over the compact board of CoTuLenh: who wins, and which legal move."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

RANKS, FILES = 12, 11
CELLS = RANKS * FILES
STACKS = 285  # codes of a cell: empty, 142 stacks of the side to move, 142 of the other
RAYS, WHATS = 84, 5
COMMIT = CELLS * RAYS * WHATS  # the action behind all others
HALF_MOVE, ORIGIN, REST, LANDED = 132, 134, 135, slice(136, 138)  # elements of the board
MARKS = 10  # what a deployment leaves on a cell: nothing, origin with rest 0-7, landed


def destinations() -> Tensor:
    """The cell that each cell and ray lead to, [132 * 84]; 0 for those that leave the board."""
    straight = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # N, E, S, W, as steps of rank and file
    diagonal = [(-1, -1), (-1, 1), (1, 1), (1, -1)]  # NW, NE, SE, SW
    rays = [(n * rank, n * file) for rank, file in straight for n in range(1, 12)]
    rays += [(n * rank, n * file) for rank, file in diagonal for n in range(1, 11)]
    rank, file = (np.arange(CELLS)[:, None] // FILES, np.arange(CELLS)[:, None] % FILES) + np.array(rays).T[:, None]
    inside = (rank >= 0) & (rank < RANKS) & (file >= 0) & (file < FILES)
    return torch.from_numpy(np.where(inside, rank * FILES + file, 0).reshape(-1))


def marks(board: Tensor) -> Tensor:
    """The deployment under way, as a number for each cell: [B, 138] to [B, 132]."""
    found = torch.zeros(len(board), CELLS + 1, dtype=torch.long)  # 0 stands for no cell
    found.scatter_(1, board[:, LANDED], MARKS - 1)
    found.scatter_(1, board[:, ORIGIN, None], 1 + board[:, REST, None])
    return found[:, 1:]


class Block(nn.Module):
    """Two convolutions and a way around them, [B, C, 12, 11] to the same."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(x + self.norms[1](self.second(y)))


class Network(nn.Module):
    """A cell starts as the sum of what stands on it, what a deployment did there and
    where it is; blocks look at neighbours. A move from one cell to another is worth
    the product of what the first asks for and what the second offers, and a bonus for
    what of the stack moves. That is one number for each of the 55,441 actions from about
    a thousand weights, and only legal moves are looked up."""

    def __init__(self, width: int = 24, blocks: int = 2, keys: int = 16) -> None:
        super().__init__()
        self.stack = nn.Embedding(STACKS, width)
        self.mark = nn.Embedding(MARKS, width)
        self.place = nn.Parameter(0.1 * torch.randn(CELLS, width))
        self.clock = nn.Linear(1, width)
        self.tower = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.value = nn.Sequential(nn.Flatten(), nn.Linear(CELLS * width, 64), nn.ReLU(), nn.Linear(64, 3))
        self.query = nn.Linear(width, keys)
        self.key = nn.Linear(width, keys, bias=False)
        self.what = nn.Linear(width, WHATS)
        self.commit = nn.Linear(width, 1)
        self.register_buffer("landing", destinations(), persistent=False)

    def forward(self, board: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """From [B, 138] and [B, L], logits of lost, drawn, won [B, 3] and of the
        legal moves [B, L], minus infinity where legal is padded."""
        x = self.stack(board[:, :CELLS]) + self.mark(marks(board)) + self.place
        x = x + self.clock(board[:, HALF_MOVE, None, None] / 100)
        x = x.mT.reshape(len(x), -1, RANKS, FILES).contiguous(memory_format=torch.channels_last)
        x = self.tower(x).flatten(2).mT  # [B, 132, C]
        return self.value(x), self.policy(x, legal)

    def policy(self, x: Tensor, legal: Tensor) -> Tensor:
        """Logits of the legal moves: [B, 132, C] and [B, L] to [B, L]."""
        step = legal.clamp(0, COMMIT - 1)
        origin, what, to = step // (RAYS * WHATS), step % WHATS, self.landing[step // WHATS]
        keys = self.key(x) * self.key.out_features**-0.5
        pairs = (self.query(x) @ keys.mT).flatten(1).gather(1, origin * CELLS + to)
        pairs = pairs + self.what(x).flatten(1).gather(1, origin * WHATS + what)
        pairs = torch.where(legal == COMMIT, self.commit(x.mean(1)), pairs)
        return pairs.masked_fill(legal < 0, -torch.inf)
