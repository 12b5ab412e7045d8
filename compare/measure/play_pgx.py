"""Random chess by pgx on the CPU, as its documentation plays: many games at once, compiled, begun again when over."""

import jax
import numpy as np
import pgx
from pgx.experimental import act_randomly, auto_reset

from .clock import Work, repeat
from .inputs import Inputs


def play(inputs: Inputs, batch: int, observe: bool) -> Work:
    """Steps through a batch. pgx makes planes in every step; with observe they are copied to NumPy."""
    env = pgx.make("chess")
    first = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    draw = jax.jit(act_randomly)
    key = jax.random.PRNGKey(1)
    state = first(jax.random.split(key, batch))

    def one_step() -> int:
        nonlocal state, key
        key, drawn, begun = jax.random.split(key, 3)
        action = draw(drawn, state.legal_action_mask)
        state = step(state, action, jax.random.split(begun, batch))
        jax.block_until_ready(state)
        if observe:
            np.array(state.observation)
        return batch

    return repeat(one_step, inputs.seconds)
