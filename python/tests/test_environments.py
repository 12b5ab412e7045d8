"""Environments of PettingZoo and Gymnasium, checked by their own tests: RULES_PROGRAM names the program, or go builds it."""

import copy
import os
import pickle
import signal
import sys
import warnings

import numpy as np
import pytest

import selfplay

pettingzoo_test = pytest.importorskip("pettingzoo.test")
gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import SyncVectorEnv  # noqa: E402

from selfplay import aec, gym, render  # noqa: E402

GAMES = ["chess", "contrast", "cotulenh"]


@pytest.fixture(autouse=True)
def program_is_named(program, monkeypatch):
    monkeypatch.setenv("RULES_PROGRAM", program)


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_the_environment(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")  # it is a dictionary
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")  # likewise
        warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")  # after the end of a game
        env = aec.env(name, max_plies=200)
        pettingzoo_test.api_test(env, num_cycles=60)
        env.close()
        pettingzoo_test.seed_test(lambda: aec.env(name, max_plies=60), num_cycles=40)


def play_aec(env, rng, steps):
    """Plays random games and returns the sum of the rewards of each agent, by game."""
    totals = []
    while steps > 0:
        env.reset()
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            steps -= 1
            done = terminated or truncated
            assert done == (not observation["action_mask"].any())
            env.step(None if done else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        totals.append((total, truncated))
    return totals


@pytest.mark.parametrize("name", GAMES)
def test_agents_see_their_own_side(name):
    game, env, rng = selfplay.game(name), aec.raw_env(name, max_plies=120), np.random.default_rng(1)
    env.reset()
    turns = set()
    while env.agents and not env.truncations[env.agent_selection] and not env.terminations[env.agent_selection]:
        sight = env.positions.look(0)
        board, side = sight.board(game)[None], sight.side
        assert env.agent_selection == f"player_{side}"
        for agent, view in (("player_0", 0), ("player_1", 1)):
            assert (env.observe(agent)["observation"] == game.planes(board, [view])[0]).all()
        mask = env.observe(env.agent_selection)["action_mask"]
        assert np.flatnonzero(mask).tolist() == sight.actions.tolist()
        env.step(int(rng.choice(np.flatnonzero(mask))))
        turns.add(env.agent_selection == f"player_{side}")
    assert turns == ({True, False} if name == "cotulenh" else {False})  # a turn of CoTuLenh may take several actions
    env.close()


def test_rewards_of_agents():
    env = aec.raw_env("contrast")
    totals = play_aec(env, np.random.default_rng(1), 600)
    env.close()
    assert totals and all(sorted(t.values()) == [-1, 1] for t, truncated in totals if not truncated)


def test_illegal_actions_of_agents():
    env = aec.env("chess")
    env.reset()
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True} and env.rewards["player_0"] == -1
    env.close()
    raw = aec.raw_env("chess", render_mode="ansi")
    raw.reset()
    before = raw.render()
    with pytest.raises(selfplay.IllegalAction):
        raw.step(0)
    assert raw.render() == before == selfplay.game("chess").start
    raw.close()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("side", [0, 1, None])
def test_gymnasium_accepts_the_environment(name, side):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*(not within the recommended|spec|human).*")
        for mode in (None, "ansi", "svg", "human"):
            env = gym.Env(name, "random", side, render_mode=mode)
            check_env(env, skip_render_check=True)
            assert env.reset() and (env.render() is None) == (mode in (None, "human"))
            env.close()


def play_env(env, seed, episodes):
    rng, results = np.random.default_rng(seed), []
    for episode in range(episodes):
        observation, info = env.reset(seed=seed if episode == 0 else None)
        done = False
        while not done:
            mask = observation["action_mask"]
            assert (env.action_masks() == mask).all() and observation in env.observation_space
            side_plane = observation["observation"][env._games.game.plane_names.index("first")]
            assert (side_plane == (info["side"] == 0)).all()
            observation, reward, terminated, truncated, _ = env.step(int(rng.choice(np.flatnonzero(mask))))
            done = terminated or truncated
        assert not observation["action_mask"].any()
        results.append((info["side"], reward, terminated))
    return results


@pytest.mark.parametrize("name", GAMES)
def test_a_better_player_wins_and_the_same_seed_gives_the_same_games(name):
    env = gym.Env(name, "ab:depth=1", None, max_plies=400)
    results = play_env(env, 1, 6)
    assert {side for side, _, _ in results} == {0, 1} and sum(reward for _, reward, _ in results) < 0
    assert play_env(env, 1, 6) == results and play_env(env, 2, 6) != results
    env.close()


def test_random_opponents_differ_between_games():
    env = gym.Env("contrast", "random", 1)
    starts = {env.reset(seed=1 if i == 0 else None)[0]["observation"].tobytes() for i in range(10)}
    env.close()
    assert len(starts) > 3


def test_an_illegal_action_loses():
    env = gym.Env("chess")
    env.reset(seed=1)
    for wrong in (0, -1, 1 << 20):
        env.reset()
        observation, reward, terminated, truncated, info = env.step(wrong)
        assert (reward, terminated, truncated, info) == (-1.0, True, False, {"illegal": True}) and observation["action_mask"].any()
    env.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("opponent", ["random", "ab:depth=1"])
def test_a_vector_environment_equals_single_ones(name, opponent, mode):
    n, rng, options = 5, np.random.default_rng(1), {"max_plies": 40}
    many = gym.VectorEnv(name, n, opponent, None, autoreset_mode=mode, **options)
    single = SyncVectorEnv([lambda: gym.Env(name, opponent, None, **options)] * n, autoreset_mode=mode)
    assert many.single_observation_space == single.single_observation_space and many.action_space == single.action_space
    assert many.observation_space == single.observation_space and many.metadata["autoreset_mode"] == single.metadata["autoreset_mode"]
    equal(many.reset(seed=7), single.reset(seed=7))
    ends = 0
    for step in range(90):
        mask = many._games.observe()["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(m)) if m.any() else 0 for m in mask])
        if step % 30 == 29:
            actions[2] = 0  # illegal, or of a game that has ended
        a, b = many.step(actions), single.step(actions)
        equal(a, b)
        over = a[2] | a[3]
        ends += int(over.sum())
        if mode == "Disabled" and over.any():
            with pytest.raises(ValueError, match="has ended: reset it"):
                many.step(actions)
            equal(many.reset(options={"reset_mask": over}), single.reset(options={"reset_mask": over}))
    equal(many.reset(), single.reset())
    assert ends > n
    many.close(), single.close()


def test_environments_without_masks():
    envs, env = gym.VectorEnv("cotulenh", 3, mask=False), gym.Env("chess", mask=False)
    observation, _ = envs.reset(seed=1)
    assert list(observation) == ["observation"] and observation in envs.observation_space and (envs.legal_actions.lengths > 0).all()
    observation, *_ = envs.step(np.array([actions[0] for actions in envs.legal_actions]))
    assert observation in envs.observation_space
    assert list(env.reset()[0]) == ["observation"] and len(env.legal_actions) == 20 == env.action_masks().sum()
    envs.close(), env.close()


@pytest.mark.parametrize("name", GAMES)
def test_registered_environments(name):
    env = gymnasium.make(f"selfplay.gym:selfplay/{name}-v0", opponent="greedy", side=1)
    envs = gymnasium.make_vec(f"selfplay.gym:selfplay/{name}-v0", 3, "vector_entry_point", opponent="greedy", side=1)
    first, _ = env.reset(seed=1)
    assert all((first[key] == array[0]).all() for key, array in envs.reset(seed=1)[0].items())
    env.close(), envs.close()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_program_is_an_error():
    envs, env = gym.VectorEnv("contrast", 2), aec.raw_env("contrast")
    envs.reset(seed=1), env.reset()
    for positions, act in ((envs._games.positions, lambda: envs.step(np.zeros(2, int))), (env.positions, env.reset)):
        positions._program.process.send_signal(signal.SIGKILL)
        with pytest.raises(selfplay.ProgramError, match="killed by signal 9"):
            act()
        assert positions._program.process.poll() is not None  # no zombie
    envs.close(), env.close()


def equal(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        for key in a:
            equal(a[key], b[key])
    elif isinstance(a, tuple):
        for x, y in zip(a, b, strict=True):
            equal(x, y)
    elif a.dtype == object:  # final_obs
        for x, y in zip(a, b, strict=True):
            assert (x is None) == (y is None) and (x is None or equal(x, y) is None)
    else:
        assert a.dtype == b.dtype and (a == b).all()


@pytest.mark.parametrize("wrong", [{"side": 2}, {"render_mode": "depth_array"}, {"opponent": "nonsense"}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))[:4] if "opponent" not in wrong else "nonsense"):
        gym.Env("chess", **wrong)


COPIES = {"copied": copy.deepcopy, "pickled": lambda env: pickle.loads(pickle.dumps(env))}


def trace(env, steps, seed):
    """Plays on by random actions, and returns all that is seen."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        if isinstance(env, gym.VectorEnv):
            actions = [int(rng.choice(legal)) if len(legal) else 0 for legal in env.legal_actions]
            seen.append(env.step(np.array(actions)))
        elif isinstance(env, gym.Env):
            if len(env.legal_actions) == 0:
                seen.append(env.reset())
            seen.append(env.step(int(rng.choice(env.legal_actions))))
        else:
            observation, *rest = env.last()
            if rest[1] or rest[2]:
                env.reset()
                observation, *rest = env.last()
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            seen.append((observation, env.agent_selection, rest))
    return seen


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", ["gymnasium", "vector", "pettingzoo"])
def test_a_copy_goes_on_alike_and_apart(kind, name, how):
    make = {
        "gymnasium": lambda: gym.Env(name, "random", None, max_plies=60),
        "vector": lambda: gym.VectorEnv(name, 3, "0.5*random + 0.5*greedy", None, max_plies=60),
        "pettingzoo": lambda: aec.env(name, max_plies=60),
    }
    env = make[kind]()
    env.reset(seed=1)
    for steps in (0, 11, 70):
        trace(env, steps, steps)
        other = COPIES[how](env)
        trace(COPIES[how](other), 5, 3)  # what a copy plays is not played elsewhere
        assert pickle.dumps(trace(env, 70, 5)) == pickle.dumps(trace(other, 70, 5))
        other.close()
    env.close()


def test_a_closed_environment_has_no_copy():
    env = gym.Env("contrast")
    env.close()
    with pytest.raises(selfplay.ProgramError, match="closed"):
        copy.deepcopy(env)


@pytest.mark.parametrize("name", GAMES)
def test_pictures(name, capsys):
    pytest.importorskip("resvg_py")
    pytest.importorskip("PIL")
    pettingzoo_test.render_test(lambda **options: aec.env(name, **options))
    env = gymnasium.make(f"selfplay.gym:selfplay/{name}-v0", render_mode="rgb_array")
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape[2] == 3 and picture.min() < 64 and picture.max() == 255
    env.step(env.unwrapped.legal_actions[0])
    assert (env.render() != picture).any()
    env.close()


def test_pixels_without_their_library(monkeypatch):
    render._drawer.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    env = gym.Env("contrast", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match=r"without resvg_py: pip install 'selfplay\[pixels\]'") as warned:
        assert env.render() is None and env.render() is None
    assert len(warned) == 1
    env.close()
    render._drawer.cache_clear()


def test_each_of_many_environments_is_shown():
    envs = gymnasium.make_vec("selfplay.gym:selfplay/chess-v0", 2, "vector_entry_point", render_mode="ansi", side=None)
    envs.reset(seed=3)
    assert envs.render() == tuple(envs._games.positions.look(i).text for i in range(2))
    envs.close()


def test_environments_are_made_by_pettingzoo():
    pettingzoo = pytest.importorskip("pettingzoo")
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this version makes none")
    env = pettingzoo.make("aec", "selfplay/contrast-v0", max_plies=30)
    env.reset()
    assert env.unwrapped.game.name == "contrast"
    env.close()
    env = pettingzoo.make("aec", "selfplay/contrast-v0", max_cycles=3)
    env.reset()
    for plies in range(6):
        assert not any(env.truncations.values()), f"the game ends after {plies} plies"
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    env.close()
    with pytest.raises(ValueError, match="exclude"):
        pettingzoo.make("aec", "selfplay/contrast-v0", max_cycles=3, max_plies=6)
