"""Trains a policy by PPO to play Contrast against the player random, in an environment of Gymnasium. Illegal actions have no
probability. Needs PyTorch and Gymnasium.

    python masked_policy.py policy.pt                  # minutes on a CPU; prints the score in games that it did not learn from
    python masked_policy.py policy.pt ab:depth=1       # against another player
"""

import sys
import time

import numpy as np
import torch
from torch import nn

import selfplay
from selfplay import gym

GAME, ENVS, STEPS, ITERATIONS, EPOCHS, BATCH = selfplay.game("contrast"), 128, 32, 25, 3, 1024
WIDTH, NONE = 640, 65535  # of lists of legal actions; no action
GAMMA, LAMBDA, CLIP, ENTROPY = 0.99, 0.95, 0.2, 0.005
ORIGIN, TARGET, KIND = GAME.parts(np.arange(GAME.actions))  # an action is a step from a cell to a cell, and a kind: its tile
PAIR = torch.tensor(ORIGIN * GAME.cells + TARGET).clamp(min=0)  # some numbers stand for no action
TILE = torch.tensor(KIND).clamp(min=0)
KINDS = int(KIND.max()) + 1


class Policy(nn.Module):
    """The logit of an action is the sum of one for its step and one for its tile."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        planes = len(GAME.plane_names) * GAME.cells
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(planes, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.steps, self.tiles, self.value = nn.Linear(width, GAME.cells**2), nn.Linear(width, KINDS), nn.Linear(width, 1)

    def forward(self, planes, legal):
        """legal [n, m] has the legal actions, padded with -1. Returns their log probabilities [n, m], and values [n]."""
        legal = legal[:, : int((legal >= 0).sum(1).max())]
        x = self.body(planes.float())
        index = legal.clamp(min=0)
        logits = self.steps(x).gather(1, PAIR[index]) + self.tiles(x).gather(1, TILE[index])
        return logits.masked_fill(legal < 0, -1e9).log_softmax(1), self.value(x)[:, 0]


def seen(envs, observation):
    """Returns planes and padded legal actions. Where a game has ended there is one that counts for nothing."""
    legal = envs.legal_actions.padded(WIDTH, NONE).astype(np.int64)
    legal[legal == NONE] = -1
    legal[envs.legal_actions.lengths == 0, 0] = 0
    return torch.tensor(observation["observation"]), torch.tensor(legal)


def play(policy, envs, observation):
    """Plays STEPS steps in all environments. Returns what was seen and done, with advantages, and the last observation."""
    rows, over = [], torch.zeros(ENVS, dtype=torch.bool)
    for _ in range(STEPS):
        planes, legal = seen(envs, observation)
        with torch.no_grad():
            logs, value = policy(planes, legal)
        choice = torch.distributions.Categorical(logits=logs).sample()
        actions = legal.gather(1, choice[:, None])[:, 0].numpy()
        observation, reward, terminated, truncated, _ = envs.step(actions)
        log = logs.gather(1, choice[:, None])[:, 0]
        begun, over = over, torch.tensor(terminated | truncated)  # a step that begins a game is none of it
        rows.append([planes, legal, choice, log, value, torch.tensor(reward).float(), over, ~begun])
    with torch.no_grad():
        value = policy(*seen(envs, observation))[1]
    advantage = torch.zeros(ENVS)
    for row in reversed(rows):
        goes_on = (~row[6]).float()
        delta = row[5] + GAMMA * value * goes_on - row[4]
        advantage = delta + GAMMA * LAMBDA * goes_on * advantage
        value = row[4]
        row.append(advantage)
    return [torch.cat(column) for column in zip(*rows, strict=True)], observation


def learn(policy, optimizer, columns) -> None:
    planes, legal, choice, log, value, _, _, own, advantage = (column[columns[7]] for column in columns)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(planes)).split(BATCH):
            logs, values = policy(planes[rows], legal[rows])
            ratio = (logs.gather(1, choice[rows, None])[:, 0] - log[rows]).exp()
            a = (advantage[rows] - advantage[rows].mean()) / (advantage[rows].std() + 1e-6)
            gain = torch.minimum(ratio * a, ratio.clamp(1 - CLIP, 1 + CLIP) * a).mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            error = (values - value[rows] - advantage[rows]).square().mean()
            optimizer.zero_grad()
            (0.5 * error - gain - ENTROPY * entropy).backward()
            optimizer.step()


def score(policy, opponent: str, games: int = 500) -> float:
    """Returns the share of games won, the draws half, of a policy that plays its most likely action."""
    envs, results = gym.VectorEnv(GAME, games, opponent, None, mask=False), np.full(games, np.nan)
    observation, _ = envs.reset(seed=1 << 20)
    while np.isnan(results).any():
        planes, legal = seen(envs, observation)
        with torch.no_grad():
            best = policy(planes, legal)[0].argmax(1)
        observation, reward, terminated, truncated, _ = envs.step(legal.gather(1, best[:, None])[:, 0].numpy())
        results = np.where(np.isnan(results) & (terminated | truncated), reward, results)
    envs.close()
    return float(results.mean() / 2 + 0.5)


def main(path: str, opponent: str = "random") -> None:
    torch.manual_seed(1)
    begin, policy = time.time(), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), 1e-3)
    envs = gym.VectorEnv(GAME, ENVS, opponent, None, mask=False)
    observation, _ = envs.reset(seed=1)
    for iteration in range(1, ITERATIONS + 1):
        columns, observation = play(policy, envs, observation)
        learn(policy, optimizer, columns)
        if iteration % 5 == 0:
            print(f"{iteration * ENVS * STEPS} steps, {time.time() - begin:.0f} s: score {score(policy, opponent):.3f} against {opponent}", flush=True)
    torch.save(policy.state_dict(), path)


if __name__ == "__main__":
    main(*sys.argv[1:])
