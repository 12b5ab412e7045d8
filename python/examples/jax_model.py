"""A network in JAX that learns from a dataset and plays the next one. Needs jax.

    selfplay run --game contrast --games 500 --player ab:depth=2 --layout planes --perspective mover --out data/gen0
    python jax_model.py learn data/gen0 net.npz
    selfplay run --game contrast --games 500 --player mcts:sims=50,eval=mine --evaluator mine='python jax_model.py play net.npz' --out data/gen1
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

import selfplay

GAME, WIDTH, BATCH, RATE = selfplay.game("contrast"), 256, 256, 0.3
SHAPES = {"body": (len(GAME.plane_names) * GAME.cells, WIDTH), "value": (WIDTH, 1), "policy": (WIDTH, GAME.actions)}


def forward(net, planes):
    x = jax.nn.relu(planes.reshape(len(planes), -1) @ net["body"])
    return jnp.tanh(x @ net["value"])[:, 0], x @ net["policy"]


def loss_of(net, planes, outcome, action):
    value, logits = forward(net, planes)
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)
    return jnp.mean((value - outcome) ** 2) - jnp.mean(chosen)


def learn(data, path):
    net = {name: jax.random.normal(jax.random.key(i), shape) / shape[0] ** 0.5 for i, (name, shape) in enumerate(SHAPES.items())}
    step = jax.jit(jax.value_and_grad(loss_of))
    # With drop_last all batches have one shape, so JAX compiles the step once.
    batches = selfplay.open(data).batches("train", BATCH, ["board", "action", "outcome"], shuffle=True, drop_last=True)
    for epoch in range(3):
        for rows in batches:
            loss, slope = step(net, GAME.unpack_planes(rows["board"]).astype("float32"), rows["outcome"].astype("float32"), rows["action"])
            net = jax.tree.map(lambda w, g: w - RATE * g, net, slope)
        print(f"epoch {epoch + 1}: loss {loss:.3f}")
    np.savez(path, **net)


if __name__ == "__main__":
    if sys.argv[1] == "learn":
        learn(*sys.argv[2:])
    else:
        answer, net = jax.jit(forward), dict(np.load(sys.argv[2]))
        selfplay.evaluate(lambda planes: answer(net, planes), BATCH, game="contrast", files=[sys.argv[2]])
