"""Lets a program of yours play: selfplay asks it for the moves of many games at once.

    import random, selfplay

    def fn(q):
        return random.Random(q.seed).choice(q.moves)

    selfplay.play(fn)                     # serves until selfplay ends

Run it by `selfplay run --player own:mine --evaluator mine='python my_player.py'`, or wait for connections as evaluator.py does.

The answer to a question must depend on the question alone, which has a seed for those who draw.
"""

import json
import os
import platform
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .transport import MAX_BATCH, PROTOCOL, Answer, WrongAnswer, answer_all, check_game, runtime as loaded, sums, versions

MAX_SCORE = 30_000  # that of a game that is won
MAX_WEIGHT = (1 << 16) - 1


@dataclass(frozen=True, slots=True)
class Question:
    """Which move to play in a position."""

    game: str
    text: str  # the position in the game's notation
    side: int  # to move: 0 or 1
    start: str  # text of the first position, "" for that of the game
    history: list[str]  # the moves since the start
    legal: list[int]  # the legal actions, as rows of datasets have them
    moves: list[str]  # their texts
    seed: int  # for random answers: a function of plan, game and ply


def play(
    fn: Callable[[Any], Any],
    batch: int = 0,
    *,
    game: str = "",
    files: Sequence[str | os.PathLike[str]] = (),
    listen: str = "",
    runtime: str = "",
    device: str = "",
) -> None:
    """Answers the questions of selfplay by fn until selfplay ends.

    fn gets a Question and returns an action of q.legal or a move of q.moves; or (action, score); or (action, score, policy). score is
    that of the position for the side to move, in hundredths of a pawn as those of searches. policy has a weight, 0 or more, for each
    action of q.legal, or is a dict of actions or moves. Rows without a score count as not searched.

    With batch fn gets a list of at most so many questions and returns a list of answers. The other parameters are those of evaluate()."""
    if not 0 <= batch <= MAX_BATCH:
        raise ValueError(f"batch {batch}: want 1 to {MAX_BATCH}, or 0 to get one question at a time")
    check_game(game)
    runtime = runtime or f"python {platform.python_version()}, {loaded()}"
    answer_all(_Player(fn, batch, game, files, runtime, device), listen)


class _Player:
    """The function of the user and what selfplay is told of it. One thread calls it at a time."""

    word = "play"
    one_by_one = 64  # questions that wait together for a function that gets one at a time

    def __init__(
        self, fn: Callable[[Any], Any], batch: int = 0, game: str = "", files: Sequence[Any] = (), runtime: str = "", device: str = "",
    ) -> None:  # fmt: skip
        self.fn, self.batch, self.game, self.runtime, self.device = fn, batch, game, runtime, device
        self.sums = sums(files)
        self.lock = threading.Lock()

    def greet(self, hello: dict[str, Any]) -> tuple[dict[str, Any], Answer]:
        if hello.get("asks") != "moves":
            raise ValueError("a player gives moves: name it by own:NAME, or write a model by selfplay.evaluate")
        name = self.game or hello["game"]
        actions = versions(name).get("actions", hello["actions_version"])
        manifest = {
            "model": self.sums, "game": name, "actions_version": actions, "batch": self.batch, "runtime": self.runtime,
            "protocol": PROTOCOL,
        }  # fmt: skip
        welcome = {
            "protocol": PROTOCOL, "game": name, "rules": hello["rules"], "layout_version": 0, "actions_version": actions, "value_units": 0,
            "logit_units": 0, "batch": self.batch or self.one_by_one, "manifest": json.dumps(manifest, sort_keys=True),
            "runtime": self.runtime, "device": self.device,
        }  # fmt: skip
        return welcome, lambda body, spent: self.reply(hello["game"], body, spent)

    def reply(self, game: str, body: memoryview, spent: Callable[[], int]) -> bytes:
        """Answers a batch."""
        asked = json.loads(bytes(body))
        questions = [Question(game, **q) for q in asked["questions"]]
        with self.lock:
            before = time.process_time_ns()
            answers = self._call(questions)
            took = time.process_time_ns() - before
        list_ = [_answer(i, q, a) for i, (q, a) in enumerate(zip(questions, answers))]
        return json.dumps({"id": asked["id"], "cpu": spent(), "model": took, "answers": list_}, separators=(",", ":")).encode()

    def _call(self, questions: list[Question]) -> list[Any]:
        answers: list[Any] = []
        try:
            if self.batch == 0:
                for q in questions:
                    answers.append(self.fn(q))
            else:
                answers = list(self.fn(questions))
        except Exception as err:
            raise WrongAnswer(len(answers), f"the player raised {type(err).__name__}: {err}") from err
        if len(answers) != len(questions):
            raise WrongAnswer(-1, f"the player returned {len(answers)} answers to {len(questions)} questions")
        return answers


def _answer(row: int, q: Question, answer: Any) -> dict[str, Any]:
    """Returns an answer of the user as the protocol has it."""
    parts = answer if isinstance(answer, tuple) else (answer,)
    if not 1 <= len(parts) <= 3:
        raise WrongAnswer(row, f"the player returned {len(parts)} parts: want an action, (action, score) or (action, score, policy)")
    reply: dict[str, Any] = {"action": q.legal[_index(row, q, parts[0])]}
    if len(parts) > 1 and parts[1] is not None:
        reply["score"] = _score(row, parts[1])
    if len(parts) > 2 and parts[2] is not None:
        reply["policy"] = _policy(row, q, parts[2])
    return reply


def _index(row: int, q: Question, action: Any) -> int:
    """Returns the index of a legal action or move."""
    try:
        return q.moves.index(action) if isinstance(action, str) else q.legal.index(action)
    except ValueError:
        raise WrongAnswer(row, f"{action!r} is not legal: want an action of q.legal or a move of q.moves, such as {q.moves[0]!r}") from None


def _score(row: int, score: Any) -> int:
    try:
        number = round(float(score))
    except (TypeError, ValueError, OverflowError):
        number = MAX_SCORE + 1
    if abs(number) > MAX_SCORE:
        raise WrongAnswer(row, f"the score is {score!r}: want a number from -{MAX_SCORE} to {MAX_SCORE}")
    return number


def _policy(row: int, q: Question, policy: Any) -> list[int]:
    """Returns a policy as integers. Counts stay as they are if they fit; otherwise the largest weight becomes 65535."""
    if isinstance(policy, Mapping):
        given, policy = policy, [0] * len(q.legal)
        for action, weight in given.items():
            policy[_index(row, q, action)] = weight
    try:
        weights = np.asarray(policy, np.float64)
    except (TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != (len(q.legal),):
        raise WrongAnswer(row, f"the policy is no list of numbers: want one for each of the {len(q.legal)} legal actions, or a dict")
    if not np.isfinite(weights).all() or weights.min() < 0 or weights.max() == 0:
        raise WrongAnswer(row, "the policy has weights that are negative or not finite, or is 0 everywhere")
    if weights.max() > MAX_WEIGHT or (weights != np.rint(weights)).any():
        weights *= MAX_WEIGHT / weights.max()
    integers: list[int] = np.rint(weights).astype(int).tolist()
    return integers
