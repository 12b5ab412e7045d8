"""Random chess by OpenSpiel through its Python API, as its examples play: one state, one action at a time."""

import random

import pyspiel
from open_spiel.python.observation import make_observation

from .clock import Work, repeat
from .inputs import Inputs


def play(inputs: Inputs, observe: bool) -> Work:
    """Plays whole games. With observe, every position becomes an array of planes."""
    game = pyspiel.load_game("chess")
    observation = make_observation(game)
    rng = random.Random(1)

    def one_game() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if observe:
                observation.set_from(state, state.current_player())
                observation.dict["observation"].copy()
            state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        return plies

    return repeat(one_game, inputs.seconds)
