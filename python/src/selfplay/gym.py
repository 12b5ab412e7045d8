"""Games as environments of Gymnasium: an agent plays one side, a player of the program the other.
pip install 'selfplay[gymnasium]'.

    from selfplay import gym

    env = gym.Env("contrast", opponent="ab:depth=2")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(observation["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

    envs = gym.VectorEnv("contrast", 64, opponent="random")    # what 64 of them do, in one process and on all cores

They are registered, too: gymnasium.make("selfplay.gym:selfplay/contrast-v0", opponent="ab:depth=2"), and make_vec().

A step is one action. A turn may take several, as a deployment of CoTuLenh does: then the agent is to move again after its
step, with reward 0. The opponent always plays all actions of its turn within the step, so the agent is to move in every
observation but the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .catalog import game, games
from .game import Game
from .ragged import Ragged, legal_mask
from .render import MODES, checked_mode, render
from .rules import BEGIN_AGAIN, PLAY, SKIP, Observation

Seen = dict[str, NDArray[np.int8]]


class Env(gymnasium.Env[Seen, np.int64]):
    """A game against a player of the program.

    Observations are a dictionary of int8: observation, the planes [planes, ranks, files] as the agent sees the board, and
    action_mask, [actions]: legal actions, as the agent sees them. The reward is 1 for a win, -1 for a loss and 0 for all
    else. An illegal action loses: info has "illegal" then. A game that the ply limit ends is truncated."""

    metadata = {"render_modes": MODES, "render_fps": 1}

    def __init__(
        self,
        name: str | Game,
        opponent: str = "random",
        side: int | None = 0,
        *,
        mask: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """opponent is a player such as ab:depth=2. side is that of the agent, 0 or 1; with None it is drawn for each game,
        and info of reset() has it. Without mask, observations have none: see legal_actions. options are those of
        game.positions(): start, variant, max_plies, program, timeout."""
        self.render_mode = checked_mode(render_mode)
        self._games = _Games(name, 1, opponent, side, mask, options)
        self.observation_space: spaces.Space[Any] = self._games.space()
        self.action_space = spaces.Discrete(self._games.game.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begins a game. The seed is that of the sides that are drawn, and of the random choices of the opponent."""
        super().reset(seed=seed)
        self._games.begin([self.np_random], np.ones(1, bool))
        self._show()
        return self._first(), {"side": int(self._games.sides[0])}

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Plays an action, and what the opponent answers."""
        reward, terminated, truncated, illegal = self._games.step(np.array([action]), np.zeros(1, bool))
        info = {"illegal": True} if illegal[0] else {}
        self._show()
        return self._first(), float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def _first(self) -> Seen:
        return {name: array[0] for name, array in self._games.observe().items()}

    @property
    def legal_actions(self) -> NDArray[np.uint16]:
        """The legal actions, ascending."""
        return self._games.seen.actions[0]

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions as MaskablePPO of sb3-contrib asks for them."""
        mask: NDArray[np.bool_] = legal_mask(self._games.seen.actions, self._games.game.actions)[0]
        return mask

    def render(self) -> Any:
        """Returns the text of the position, its SVG, or its pixels, [height, width, 3]. human prints the text."""
        return render(self._games.positions, 0, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Ends the program."""
        self._games.positions.close()


class VectorEnv(gymnasium.vector.VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """n environments as Env has them: equal to a SyncVectorEnv of them, in one process of the program and on all cores.

    A game that has ended begins again in the next step, whose action counts for nothing there; with SAME_STEP at once, and
    infos have "final_obs"; with DISABLED by reset(options={"reset_mask": [n] of bool}). Environment i is seeded with seed + i. The masks of CoTuLenh have 55,441 bytes each: mask=False and legal_actions cost less."""

    def __init__(
        self,
        name: str | Game,
        num_envs: int,
        opponent: str = "random",
        side: int | None = 0,
        *,
        mask: bool = True,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        """See Env for the options. render() returns what each environment shows."""
        self.num_envs = num_envs
        self.render_mode = checked_mode(render_mode)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = Env.metadata | {"autoreset_mode": self.autoreset_mode}
        self._games = _Games(name, num_envs, opponent, side, mask, options)
        self.single_observation_space = self._games.space()
        self.single_action_space = spaces.Discrete(self._games.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._randoms: list[np.random.Generator] | None = None
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins all games, or those of options["reset_mask"]."""
        which = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        if which.shape != (self.num_envs,) or which.dtype != np.bool_ or not which.any():
            raise ValueError(f"reset_mask of shape {which.shape} and dtype {which.dtype}: want {self.num_envs} of bool, and one that is true")
        self._randoms = self._reseeded(seed, which)
        self._over[which] = False
        self._games.begin(self._randoms, which)
        self._show()
        return self._games.observe(), self._infos({}, which, np.zeros(self.num_envs, bool))

    def _reseeded(self, seed: int | Sequence[int | None] | None, which: NDArray[np.bool_]) -> list[np.random.Generator]:
        """Returns the generators of the environments: those that have no new seed go on."""
        if seed is None or isinstance(seed, int):
            seed = [None if seed is None else seed + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds: want {self.num_envs}")
        old = self._randoms
        return [old[i] if old is not None and (s is None or not which[i]) else seeding.np_random(s)[0] for i, s in enumerate(seed)]

    def step(self, actions: ArrayLike) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in each environment, or begins its game again."""
        assert self._randoms is not None, "reset() comes first"
        begun, infos = self._over.copy(), dict[str, Any]()
        if self.autoreset_mode == AutoresetMode.DISABLED and begun.any():
            raise ValueError(f"the game of environment {np.flatnonzero(begun)[0]} has ended: reset it with options={{'reset_mask': ...}}")
        self._games.draw(self._randoms, begun)
        rewards, terminated, truncated, illegal = self._games.step(np.asarray(actions), begun)
        self._over = over = terminated | truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._finals(over, illegal)
            self._games.begin(self._randoms, over)
            self._over, begun = np.zeros(self.num_envs, bool), over
        self._show()
        return self._games.observe(), rewards, terminated, truncated, self._infos(infos, begun, illegal)

    def _finals(self, over: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        """Returns infos with the last observations of games that have ended."""
        seen, infos = self._games.observe(), dict[str, Any]()
        for i in np.flatnonzero(over).tolist():
            info = {"illegal": True} if illegal[i] else {}
            infos = self._add_info(infos, {"final_obs": {name: array[i] for name, array in seen.items()}, "final_info": info}, i)
        return infos

    def _infos(self, infos: dict[str, Any], begun: NDArray[np.bool_], illegal: NDArray[np.bool_]) -> dict[str, Any]:
        for i in np.flatnonzero(begun | illegal).tolist():
            info = {"side": int(self._games.sides[i])} if begun[i] else {"illegal": True}
            infos = self._add_info(infos, info, i)
        return infos

    def render(self) -> tuple[Any, ...] | None:
        """Returns what each environment shows."""
        return tuple(render(self._games.positions, i, self.render_mode) for i in range(self.num_envs))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    @property
    def legal_actions(self) -> Ragged:
        """The legal actions of each environment, ascending; none where a game has ended."""
        return self._games.seen.actions

    def close_extras(self, **_: Any) -> None:
        """Ends the program."""
        self._games.positions.close()


class _Games:
    """n games, each against the opponent. Its random choices come from a key that is drawn for each game."""

    def __init__(self, name: str | Game, n: int, opponent: str, side: int | None, mask: bool, options: dict[str, Any]) -> None:
        if side not in (None, 0, 1):
            raise ValueError(f"side {side!r}: want 0, 1 or None")
        self.game, self.n, self.side = game(name) if isinstance(name, str) else name, n, side
        self.mask = mask
        self.positions = self.game.positions(n, restart=False, player=opponent, **options)
        self.seen: Observation = self.positions.observe()
        self.sides, self.keys, self.steps = np.zeros(n, np.uint8), np.zeros(n, np.uint64), np.zeros(n, np.uint64)

    def space(self) -> spaces.Dict:
        """Returns the space of one observation."""
        g = self.game
        arrays: dict[str, spaces.Space[Any]] = {"observation": spaces.Box(0, 1, (len(g.plane_names), g.ranks, g.files), np.int8)}
        if self.mask:
            arrays["action_mask"] = spaces.Box(0, 1, (g.actions,), np.int8)
        return spaces.Dict(arrays)

    def draw(self, randoms: Sequence[np.random.Generator], which: NDArray[np.bool_]) -> None:
        """Draws key and side of the games that begin."""
        for i in np.flatnonzero(which).tolist():
            self.keys[i] = randoms[i].integers(1 << 63)
            self.sides[i] = randoms[i].integers(2) if self.side is None else self.side
            self.steps[i] = 0

    def begin(self, randoms: Sequence[np.random.Generator], which: NDArray[np.bool_]) -> None:
        """Begins games; the opponent has moved where it moves first."""
        self.draw(randoms, which)
        self.seen = self._round(np.zeros(self.n, np.uint16), np.where(which, BEGIN_AGAIN, SKIP))

    def step(self, actions: NDArray[Any], begun: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Plays actions, or begins games whose key is drawn. Returns rewards, terminated, truncated and illegal."""
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions of shape {actions.shape} and dtype {actions.dtype}: want {self.n} integers")
        illegal = ~begun & ~self._legal(actions)
        self.seen = self._round(np.where(illegal | begun, 0, actions), np.where(begun, BEGIN_AGAIN, np.where(illegal, SKIP, PLAY)))
        rewards = self.seen.rewards[np.arange(self.n), self.sides].astype(np.float64)
        rewards[illegal] = -1
        return rewards, (self.seen.terminated & ~begun) | illegal, self.seen.truncated & ~begun & ~illegal, illegal

    def _legal(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Reports which actions are legal. Those of a position ascend, and so do they with its number in front."""
        legal, row = self.seen.actions, np.arange(self.n, dtype=np.int64) << 16
        inside = (actions >= 0) & (actions < self.game.actions)
        all_ = legal.values + np.repeat(row, legal.lengths)
        found = np.isin(row + np.where(inside, actions, 0), all_)
        return inside & found

    def _round(self, actions: NDArray[Any], first: NDArray[Any]) -> Observation:
        seeds = self.keys + (self.steps << np.uint64(32))  # the program adds the ply of the opponent
        self.steps += (first != SKIP).astype(np.uint64)
        return self.positions.round(actions, self.sides, seeds, first)

    def observe(self) -> Seen:
        """Returns the observations, as the agents see them."""
        seen = self.seen
        assert seen.planes is not None
        planes = self.game.unpack_planes(seen.planes.reshape(self.n, -1)).view(np.int8)
        other = np.flatnonzero(seen.side != self.sides)  # the game has ended, and the opponent is to move
        if len(other):
            planes[other] = self.positions.planes_of(other.tolist(), self.sides[other])
        mask = {"action_mask": legal_mask(seen.actions, self.game.actions).view(np.int8)} if self.mask else {}
        return {"observation": planes, **mask}


for _name in games():
    gymnasium.register(f"selfplay/{_name}-v0", f"{__name__}:Env", vector_entry_point=f"{__name__}:VectorEnv", kwargs={"name": _name})
