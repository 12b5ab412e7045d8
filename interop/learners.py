"""Trains a few steps with learners of others in the environments of selfplay.gym: MaskablePPO of sb3-contrib, DQN of Tianshou,
PPO of RLlib, a collector of TorchRL, and PPO as CleanRL writes it.

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


def torchrl():
    """ActionMask of TorchRL reads the mask that an observation holds beside the board; it wants it as bool."""
    import torch
    from tensordict.nn import ProbabilisticTensorDictModule, TensorDictModule, TensorDictSequential
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymEnv, TransformedEnv
    from torchrl.modules import MaskedCategorical

    def make():
        masks = Compose(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]), ActionMask())
        return TransformedEnv(GymEnv(NAME, categorical_action_encoding=True, max_plies=40), masks)

    env = make()
    size, actions = env.observation_spec["observation"].shape.numel(), env.action_spec.space.n
    net = nn.Sequential(nn.Flatten(-3), nn.Linear(size, actions))
    module = TensorDictModule(lambda planes: net(planes.float()), in_keys=["observation"], out_keys=["logits"])
    choose = ProbabilisticTensorDictModule({"logits": "logits", "mask": "action_mask"}, ["action"], distribution_class=MaskedCategorical)
    collector = Collector(make, TensorDictSequential(module, choose), frames_per_batch=STEPS, total_frames=STEPS)
    batch = next(iter(collector))
    legal = batch["action_mask"].gather(-1, batch["action"].unsqueeze(-1))
    assert bool(legal.all()) and bool(batch["next", "done"].any())
    collector.shutdown()
    return f"{batch.numel()} steps, {int(batch['next', 'done'].sum())} games"


def rllib():
    """PPO of RLlib with the module that masks actions; it wants the board and the mask under names of its own."""
    import gymnasium
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    def make(_):
        env = gymnasium.make(NAME, max_plies=40)
        shape = (env.observation_space["observation"].shape[0] * 25,)
        mask = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), "float32")
        space = gymnasium.spaces.Dict({"observations": gymnasium.spaces.Box(0, 1, shape, "float32"), "action_mask": mask})
        flat = lambda o: {"observations": o["observation"].reshape(-1).astype("float32"), "action_mask": o["action_mask"].astype("float32")}
        return gymnasium.wrappers.TransformObservation(env, flat, space)

    register_env("contrast", make)
    module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [64]})
    config = PPOConfig().environment("contrast").env_runners(num_env_runners=0).rl_module(rl_module_spec=module)
    found = config.training(train_batch_size=STEPS, minibatch_size=64, num_epochs=1).build_algo().train()["env_runners"]
    return f"{found['num_env_steps_sampled']:.0f} steps, {found['num_episodes']:.0f} games"


def cleanrl():
    """One update of PPO in a single file, as CleanRL writes it, with the logits of illegal actions masked."""
    import gymnasium
    import numpy as np
    import torch
    from torch.distributions import Categorical

    envs = gymnasium.make_vec(NAME, num_envs=4, max_plies=40)
    space, actions = envs.single_observation_space["observation"], int(envs.single_action_space.n)
    actor, critic = (torch.nn.Linear(int(np.prod(space.shape)), size) for size in (actions, 1))
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=2.5e-4)

    def choice(o):
        x, mask = torch.from_numpy(o["observation"]).float().flatten(1), torch.from_numpy(o["action_mask"]) > 0
        return Categorical(logits=actor(x).masked_fill(~mask, -1e8)), critic(x)[:, 0]

    seen, games = [], 0
    o, _ = envs.reset(seed=1)
    for _ in range(STEPS // 4):
        with torch.no_grad():
            dist, value = choice(o)
            action = dist.sample()
        after, reward, terminated, truncated, info = envs.step(action.numpy())
        assert "illegal" not in info
        done = terminated | truncated
        seen.append(({k: v.copy() for k, v in o.items()}, action, dist.log_prob(action), value, torch.tensor(reward), torch.tensor(done)))
        o, games = after, games + int(done.sum())
    returned, losses = choice(o)[1].detach(), []
    for before, action, old, value, reward, done in reversed(seen):
        returned = reward + 0.99 * returned * ~done
        dist, now = choice(before)
        ratio, advantage = (dist.log_prob(action) - old).exp(), returned - value
        losses.append(torch.max(-advantage * ratio, -advantage * ratio.clamp(0.8, 1.2)).mean() + 0.5 * (now - returned).square().mean())
    loss = torch.stack(losses).mean()
    loss.backward()
    optimizer.step()
    assert bool(loss.isfinite())
    envs.close()
    return f"{STEPS} steps, {games} games"


if __name__ == "__main__":
    for learner in (stable_baselines3, tianshou, torchrl, rllib, cleanrl):
        print(f"{learner.__name__}: {learner()}", flush=True)
