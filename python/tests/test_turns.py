"""Programs that choose moves, asked by a client that follows docs/evaluators.md."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import selfplay
from selfplay.transport import WrongAnswer
from selfplay.turns import _Player

HELLO = {
    "protocol": 1, "game": "contrast", "variant": "", "rules": 1, "layout_version": 0, "actions_version": 1, "actions": 31875, "width": 800,
    "value_units": 0, "logit_units": 0, "asks": "moves",
}  # fmt: skip
QUESTION = {"start": "", "history": ["a1"], "text": "here", "side": 1, "legal": [7, 9, 20], "moves": ["b1", "b2", "c3"], "seed": 5}


def answers(fn, n=1, **options):
    """Returns the answers of a function to some questions."""
    _, answer = _Player(fn, **options).greet(HELLO)
    body = json.dumps({"id": 3, "questions": [{**QUESTION, "seed": i} for i in range(n)]}).encode()
    reply = json.loads(answer(memoryview(body), lambda: 50))
    assert reply["id"] == 3 and reply["cpu"] == 50
    return reply["answers"]


@pytest.mark.parametrize(
    ("given", "want"),
    [
        (9, {"action": 9}),
        (np.uint16(9), {"action": 9}),
        ("c3", {"action": 20}),
        ((7, 12.6), {"action": 7, "score": 13}),
        ((7, None), {"action": 7}),
        ((7, -3, [1, 0, 2]), {"action": 7, "score": -3, "policy": [1, 0, 2]}),
        ((7, 0, np.array([0.5, 0.25, 0])), {"action": 7, "score": 0, "policy": [65535, 32768, 0]}),
        ((7, 0, {"b2": 3, 20: 1}), {"action": 7, "score": 0, "policy": [0, 3, 1]}),
    ],
)
def test_answers_are_written_as_the_protocol_has_them(given, want):
    assert answers(lambda q: given) == [want]


@pytest.mark.parametrize(
    ("given", "want"),
    [
        (8, "8 is not legal"),
        ("e4", "'e4' is not legal"),
        (None, "None is not legal"),
        ((7, 1, [1], 2), "4 parts"),
        ((7, float("nan")), "the score is nan"),
        ((7, 40000), "the score is 40000"),
        ((7, "good"), "the score is 'good'"),
        ((7, 1, [1, 2]), "one for each of the 3 legal actions"),
        ((7, 1, [1, -2, 0]), "negative"),
        ((7, 1, [0, 0, 0]), "0 everywhere"),
        ((7, 1, {8: 1}), "8 is not legal"),
    ],
)
def test_wrong_answers_name_the_row(given, want):
    with pytest.raises(WrongAnswer, match=want) as error:
        answers(lambda q: given if q.seed == 1 else 7, 3)
    assert error.value.row == 1


def test_a_function_of_lists_gets_batches():
    assert answers(lambda questions: [q.legal[q.seed] for q in questions], 3, batch=8) == [{"action": 7}, {"action": 9}, {"action": 20}]
    with pytest.raises(WrongAnswer, match="1 answers to 2 questions"):
        answers(lambda questions: [7], 2, batch=8)


def test_a_player_that_raises_names_the_row():
    with pytest.raises(WrongAnswer, match="ZeroDivisionError") as error:
        answers(lambda q: 7 // (1 - q.seed), 2)
    assert error.value.row == 1


def test_a_player_is_no_model():
    with pytest.raises(ValueError, match="own:NAME"):
        _Player(lambda q: 7).greet({**HELLO, "asks": "values"})


def test_the_bot_of_the_documentation_answers():
    bot = Path(__file__).parents[1] / "examples" / "bot.py"
    frames = [(1, HELLO), (2, {"id": 1, "questions": [{**QUESTION, "history": ["b1", "c3"]}]})]
    sent = b"".join(struct.pack("<4sII", b"SPE1", kind, len(body)) + body for kind, body in ((k, json.dumps(b).encode()) for k, b in frames))
    environment = {**os.environ, "PYTHONPATH": str(Path(selfplay.__file__).parents[1])}
    got = subprocess.run([sys.executable, bot], input=sent, capture_output=True, check=True, env=environment).stdout
    length = struct.unpack_from("<4sII", got)[2]
    assert json.loads(got[12 : 12 + length])["manifest"]
    assert json.loads(got[24 + length :])["answers"] == [{"action": 9}]


SCORED = """
import selfplay
def fn(questions):
    return [(q.legal[q.seed % len(q.legal)], len(q.history), range(1, len(q.legal) + 1)) if q.side == 0 else q.moves[0] for q in questions]
selfplay.play(fn, batch=16)
"""


def run(program, folder, player, *flags):
    """Makes a dataset of a player and returns its files."""
    source = str(Path(selfplay.__file__).parents[1])
    command = [program, "run", "--quiet", "--game", "contrast", "--games", "20", "--shard-games", "5", "--max-plies", "40", "--validation", "0"]
    command += ["--player", "own:bot", "--evaluator", f"bot='{sys.executable}' '{player}'", "--out", folder, *flags]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": source})
    return {path.name: path.read_bytes() for path in Path(folder).rglob("*.parquet")}


def test_workers_do_not_change_the_games_of_a_player(program, tmp_path):
    bot = Path(__file__).parents[1] / "examples" / "bot.py"
    first, *others = (run(program, tmp_path / str(n), bot, "--workers", str(n)) for n in (1, 3, 50))
    assert first and all(files == first for files in others)


def test_rows_have_the_scores_and_policies_of_a_player(program, tmp_path):
    player = tmp_path / "player.py"
    player.write_text(SCORED)
    run(program, tmp_path / "out", player, "--opening-plies", "0")
    rows = selfplay.open(tmp_path / "out").to_numpy("train", ["ply", "side", "searched", "score", "nodes", "action", "best_action", "policy_action", "policy_weight"])
    scored = rows["side"] == 0
    assert (rows["searched"] == scored).all() and (rows["score"][scored] == rows["ply"][scored]).all() and (rows["nodes"][scored] == 1).all()
    for i in np.flatnonzero(scored):
        weights = rows["policy_weight"][i].tolist()
        assert weights == list(range(len(weights), 0, -1)) and rows["best_action"][i] == rows["policy_action"][i][0]
