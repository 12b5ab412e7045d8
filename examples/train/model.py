"""A small value and policy network over the compact board of CoTuLenh."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

RANKS, FILES = 12, 11
CELLS = RANKS * FILES
STACKS = 285  # codes of a cell: empty, 142 stacks of the side to move, 142 of the opponent
RAYS = 84  # steps: a direction and a distance
KINDS = 5  # `what` of an action: move, capture without moving, or deploy one of three members
COMMIT = CELLS * RAYS * KINDS  # the last action: ends a deployment
HALF_MOVE, ORIGIN, REST, LANDED = 132, 134, 135, slice(136, 138)  # elements of the board after the cells
MARKS = 10  # of a cell in an open deployment: none, origin with rest 0 to 7, landed


def destinations() -> Tensor:
    """Returns the cell at the end of each ray from each cell, [132 * 84]; 0 outside the board."""
    straight = [(-1, 0), (0, 1), (1, 0), (0, -1)]  # N, E, S, W, as steps in rank and file
    diagonal = [(-1, -1), (-1, 1), (1, 1), (1, -1)]  # NW, NE, SE, SW
    rays = [(n * rank, n * file) for rank, file in straight for n in range(1, 12)]
    rays += [(n * rank, n * file) for rank, file in diagonal for n in range(1, 11)]
    rank, file = (np.arange(CELLS)[:, None] // FILES, np.arange(CELLS)[:, None] % FILES) + np.array(rays).T[:, None]
    inside = (rank >= 0) & (rank < RANKS) & (file >= 0) & (file < FILES)
    return torch.from_numpy(np.where(inside, rank * FILES + file, 0).reshape(-1))


def marks(board: Tensor) -> Tensor:
    """Returns the mark of each cell in an open deployment: [B, 138] to [B, 132]."""
    result = torch.zeros(len(board), CELLS + 1, dtype=torch.long)  # the board counts cells from 1, 0 is no cell
    result.scatter_(1, board[:, LANDED], MARKS - 1)
    result.scatter_(1, board[:, ORIGIN, None], 1 + board[:, REST, None])
    return result[:, 1:]


class Block(nn.Module):
    """A residual block of two 3x3 convolutions: [B, C, 12, 11] to [B, C, 12, 11]."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(width) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(x + self.norms[1](self.second(y)))


class Network(nn.Module):
    """Each cell is the sum of three embeddings (stack, mark, place), then residual blocks mix
    neighbouring cells. The value head is a dense layer over all cells. The policy scores a move
    by the dot product of a query of its origin and a key of its destination, plus a bias for its
    kind at the origin. So about a thousand weights score all 55,441 actions, and only
    the legal ones are gathered."""

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
        self.kind = nn.Linear(width, KINDS)
        self.commit = nn.Linear(width, 1)
        self.register_buffer("landing", destinations(), persistent=False)

    def forward(self, board: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Returns logits of loss, draw, win [B, 3] and of the legal moves [B, L], minus infinity for
        padding, from board [B, 138] and legal [B, L]."""
        x = self.stack(board[:, :CELLS]) + self.mark(marks(board)) + self.place
        x = x + self.clock(board[:, HALF_MOVE, None, None] / 100)
        x = x.mT.reshape(len(x), -1, RANKS, FILES).contiguous(memory_format=torch.channels_last)
        x = self.tower(x).flatten(2).mT  # [B, 132, C]
        return self.value(x), self.policy(x, legal)

    def policy(self, x: Tensor, legal: Tensor) -> Tensor:
        """Returns logits of the legal moves: [B, 132, C] and [B, L] to [B, L]."""
        step = legal.clamp(0, COMMIT - 1)
        origin, kind, to = step // (RAYS * KINDS), step % KINDS, self.landing[step // KINDS]
        keys = self.key(x) * self.key.out_features**-0.5
        logits = (self.query(x) @ keys.mT).flatten(1).gather(1, origin * CELLS + to)
        logits = logits + self.kind(x).flatten(1).gather(1, origin * KINDS + kind)
        logits = torch.where(legal == COMMIT, self.commit(x.mean(1)), logits)
        return logits.masked_fill(legal < 0, -torch.inf)
