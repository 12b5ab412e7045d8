"""Chances of scores, and the mixture with outcomes."""

import math

import pytest
import torch

from nnue.targets import Target


def test_value_of_scores():
    target = Target(a=0, b=600)
    assert target.value(torch.tensor([0.0, 600.0, -600.0])).tolist() == pytest.approx([0.5, 0.731, 0.269], abs=1e-3)
    assert target.scale == 600


def test_chances_have_draws_in_the_middle():
    loss, draw, win = Target(a=300, b=200, loss="wdl").chances(torch.tensor([0.0, 300.0])).T.tolist()
    assert loss[0] == pytest.approx(win[0]) and draw[0] == pytest.approx(0.635, abs=1e-3)
    assert win[1] == pytest.approx(0.5) and loss[1] + draw[1] + win[1] == pytest.approx([1, 1][1])


def test_the_target_mixes_score_and_outcome():
    score, won = torch.tensor([-600.0]), torch.tensor([1.0])
    for share, best in ((0.0, 0.269), (0.5, 0.634), (1.0, 1.0)):
        target = Target(outcome=share)
        output = torch.linspace(-20, 20, 4001)
        losses = target.losses(output, torch.zeros(4001), score.expand(4001), won.expand(4001))
        found = target.value(600 * output[losses.argmin()])
        assert float(found) == pytest.approx(best, abs=2e-3)


def test_wdl_is_lowest_at_the_chances_of_the_score():
    target = Target(a=200, b=400, outcome=0, loss="wdl")
    output = torch.linspace(-3, 3, 601)
    losses = target.losses(output, torch.zeros(601), torch.full((601,), 500.0), torch.zeros(601))
    assert 400 * float(output[losses.argmin()]) == pytest.approx(500, abs=5)


def test_the_output_is_added_to_the_base():
    target, output = Target(outcome=0, base="static"), torch.linspace(-3, 3, 601)
    losses = target.losses(output, torch.full((601,), -400.0), torch.full((601,), 500.0), torch.zeros(601))
    assert 600 * float(output[losses.argmin()]) == pytest.approx(900, abs=5)


def test_the_linear_part_tells_large_scores_apart():
    score, output = torch.tensor([2500.0, 25000.0]), torch.tensor([10.0, 10.0])  # 2000 and 2000 with b=200
    for linear, least, most in ((0.0, 0, 1e-4), (0.1, 0.19, 0.21)):
        known, proven = Target(b=200, outcome=0, linear=linear).losses(output, torch.zeros(2), score, torch.ones(2))
        assert least <= known <= most and proven < 1e-4


@pytest.mark.parametrize("options, message", [
    ({"b": 0}, "--curve 0,0: want"), ({"a": -1}, "--curve -1,600: want"), ({"b": 0.4}, "--curve 0,0.4: want"),
    ({"b": 20001}, "B from 1 to 20000"), ({"b": math.inf}, "--curve 0,inf: want"), ({"a": math.nan}, "--curve nan,600"),
    ({"a": math.inf}, "--curve inf,600"), ({"outcome": 1.1}, "--outcome 1.1: want 0 to 1"),
    ({"linear": -1}, "--linear -1: want a number"), ({"loss": "mae"}, "--loss mae"), ({"loss": "wdl"}, "no draws"),
    ({"base": "score"}, "--base score: want one of none, static"),
])  # fmt: skip
def test_bad_targets_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Target(**options)
