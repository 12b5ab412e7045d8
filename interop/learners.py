"""Trains a few steps with learners of others in the environments of selfplay.gym: MaskablePPO of sb3-contrib and DQN of Tianshou.

    python learners.py          # needs requirements-learners.txt, and RULES_PROGRAM or selfplay on the PATH
"""

import selfplay.gym  # registers the environments

NAME = "selfplay.gym:selfplay/contrast-v0"
STEPS = 256


def stable_baselines3():
    """MaskablePPO asks for env.action_masks(), so that observations need no mask."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(NAME, n_envs=4, seed=1, env_kwargs={"mask": False, "max_plies": 40})
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=STEPS // 4, n_epochs=1, device="cpu", seed=1)
    model.learn(STEPS, callback=lambda step, _: not any(info.get("illegal") for info in step["infos"]))
    assert model.num_timesteps == STEPS and model.ep_info_buffer, "an illegal action has stopped it"
    envs.close()
    return f"{model.num_timesteps} steps, {len(model.ep_info_buffer)} games"


def tianshou():
    """DQN reads masks from observations that name their parts obs and mask."""
    import gymnasium
    from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.torch_utils import policy_within_training_step, torch_train_mode

    def make():
        env = gymnasium.make(NAME, max_plies=40)
        return gymnasium.wrappers.TransformObservation(env, lambda o: {"obs": o["observation"], "mask": o["action_mask"] > 0}, None)

    envs = DummyVectorEnv([make] * 4)
    space, actions = envs.observation_space[0]["observation"], envs.action_space[0]
    net = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[64])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, observation_space=space, eps_training=0.0)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=64)
    buffer = VectorReplayBuffer(STEPS, 4)
    collector = Collector(algorithm, envs, buffer)
    collector.reset()
    found = collector.collect(n_step=STEPS)
    assert found.n_collected_episodes and "illegal" not in buffer.info.get_keys()
    with policy_within_training_step(policy), torch_train_mode(policy):
        for _ in range(8):
            loss = algorithm.update(buffer, 32).loss
    assert loss >= 0
    envs.close()
    return f"{found.n_collected_steps} steps, {found.n_collected_episodes} games"


if __name__ == "__main__":
    for learner in (stable_baselines3, tianshou):
        print(f"{learner.__name__}: {learner()}", flush=True)
