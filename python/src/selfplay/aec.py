"""Games as environments of PettingZoo: turn-based, for two agents. pip install 'selfplay[pettingzoo]'.

    from selfplay import aec

    env = aec.env("cotulenh")
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None if terminated or truncated else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

A turn may take several actions, as a deployment of CoTuLenh does: then the same agent acts several times in a row. Follow
agent_selection, never the number of steps. pettingzoo.make("aec", "selfplay/cotulenh-v0") makes one, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .catalog import game, games
from .game import Game
from .ragged import legal_mask
from .render import MODES, checked_mode, render
from .rules import Observation

Seen = dict[str, NDArray[np.int8]]


def env(name: str | Game, **options: Any) -> Any:
    """Returns the environment of a game, in which an illegal action loses. raw_env has the options."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(name, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):
    """The environment without wrappers: an illegal action raises IllegalAction, and nothing has changed.

    Agents are player_0, who moves first, and player_1. Observations are a dictionary of int8: observation, the planes
    [planes, ranks, files] as the agent sees the board, and action_mask, [actions], all 0 unless the agent is to move.
    Actions are those that the agent sees. The winner gets 1 and the loser -1, both 0 for all else; a game that the ply
    limit ends is truncated."""

    def __init__(self, name: str | Game, *, render_mode: str | None = None, max_cycles: int | None = None, **options: Any) -> None:
        """options are those of game.positions(): start, variant, max_plies, program, timeout. max_cycles, as pettingzoo.make
        has it, are pairs of actions in place of max_plies."""
        super().__init__()
        if max_cycles is not None and "max_plies" in options:
            raise ValueError("max_cycles and max_plies exclude each other")
        if max_cycles is not None:
            options["max_plies"] = 2 * max_cycles
        self.game = game(name) if isinstance(name, str) else name
        self.metadata = {"name": f"selfplay_{self.game.name}_v0", "render_modes": MODES, "render_fps": 1, "is_parallelizable": False}
        self.render_mode = checked_mode(render_mode)
        self.positions = self.game.positions(1, restart=False, **options)
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        shape = (len(self.game.plane_names), self.game.ranks, self.game.files)
        self.observation_spaces = {
            agent: spaces.Dict({
                "observation": spaces.Box(0, 1, shape, np.int8),
                "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8),
            })
            for agent in self.agents
        }  # fmt: skip
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of the observations of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of the actions of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. The rules draw nothing, so the seed changes nothing."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(self.positions.reset())
        self._show()

    def step(self, action: int | None) -> None:
        """Plays an action of the agent that is selected; None if its game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seen = self.positions.step(np.array([action]))
        self._cumulative_rewards[agent] = 0.0
        for side, name in enumerate(self.possible_agents):
            self.rewards[name] = float(seen.rewards[0, side])
            self.terminations[name], self.truncations[name] = bool(seen.terminated[0]), bool(seen.truncated[0])
        self._select(seen)
        self._accumulate_rewards()
        self._show()

    def _select(self, seen: Observation) -> None:
        self.agent_selection = self.possible_agents[int(seen.side[0])]

    def observe(self, agent: str) -> Seen:
        """Returns what an agent sees: the board from its side, and its legal actions if it is to move."""
        seen, side = self.positions.observe(), self.possible_agents.index(agent)
        if seen.side[0] != side:
            return {"observation": self.positions.planes_of([0], [side])[0].view(np.int8), "action_mask": np.zeros(self.game.actions, np.int8)}
        assert seen.planes is not None
        mask = legal_mask(seen.actions, self.game.actions)[0]
        return {"observation": self.game.unpack_planes(seen.planes.reshape(1, -1))[0].view(np.int8), "action_mask": mask.view(np.int8)}

    def render(self) -> Any:
        """Returns the text of the position, its SVG, or its pixels, [height, width, 3]. human prints the text."""
        return render(self.positions, 0, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Ends the program."""
        self.positions.close()


if hasattr(pettingzoo, "register"):  # older versions have none
    for _name in games():
        pettingzoo.register("aec", f"selfplay/{_name}-v0", f"{__name__}:env", kwargs={"name": _name})
