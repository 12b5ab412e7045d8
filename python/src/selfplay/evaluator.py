"""Lets a model of yours play: selfplay asks it about the positions of many games at once.

    import selfplay

    def fn(planes):                       # float32 [B, planes, ranks, files], 0 or 1, as the side to move sees the board
        return value, logits              # [B] in -1 to 1 for the side to move, [B, actions]

    selfplay.evaluate(fn, batch=256)      # serves until selfplay ends

Run it by `selfplay run --player mcts:eval=mine --evaluator mine='python my_model.py'`. The program then speaks over its
standard input and output; what it prints goes to stderr. With listen="tcp:HOST:PORT" or "unix:PATH", or the variable
EVALUATOR_LISTEN, it waits for connections instead. docs/evaluators.md describes the protocol.

fn is always called with arrays of one shape: a batch with fewer positions is padded with zeros. With batch=[8, 64] there are two
shapes, and a batch takes the smallest one that holds it, unless the model's floats differ between them. The arrays are used again
for the next batch, so copy what you keep. Actions are those that the side to move sees, as boards are: an action of a dataset is
Game.flip_actions(action) where side is 1.

With legal=True the function is fn(planes, legal): legal is int32 [B, W], the legal actions of each position and then -1, and
logits are [B, W], those of these actions. W is a constant of the game. So a model rates some hundred actions and not all.

The answer to a position must depend on the position alone. Values and logits become integers here: values in
1/16384, logits in hundredths, less the largest logit of a legal move and from -327.67. So a constant added to all logits of
a position changes nothing. Only logits of legal moves must be finite.
"""

import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .transport import MAX_BATCH, PROTOCOL, Answer, WrongAnswer, answer_all, check_game, runtime as loaded, sums, versions

VALUE_UNITS, LOGIT_UNITS = 1 << 14, 100
MAX_LOGIT = 32767
MAX_ACTIONS = 1 << 16  # an action is a uint16
MAX_CELLS = 1 << 16  # of all planes of a position; the largest game has some 8,000

_head = struct.Struct("<IIII")

Floats = NDArray[np.float32]
Integers = NDArray[np.int16]
Function = Callable[..., Any]


def evaluate(
    fn: Function,
    batch: int | Sequence[int] = 256,
    *,
    legal: bool = False,
    game: str = "",
    files: Sequence[str | os.PathLike[str]] = (),
    listen: str = "",
    runtime: str = "",
    device: str = "",
) -> None:
    """Answers the questions of selfplay by fn until selfplay ends.

    batch is the number of positions in a call, or the numbers to choose from. legal: fn gets the legal actions too. game is the
    game that the model was made for; other games are refused. files are those of the model: their
    SHA-256 and that of this program name it in plans. runtime and device are names for people; runtime is found
    out for PyTorch, onnxruntime, JAX and TensorFlow."""
    sizes = sorted({batch} if isinstance(batch, int) else set(batch))
    if not sizes or not 1 <= sizes[0] <= sizes[-1] <= MAX_BATCH:
        raise ValueError(f"batch {batch}: want 1 to {MAX_BATCH}")
    check_game(game)
    answer_all(_Model(fn, sizes, legal, game, files, runtime or loaded(), device), listen)


class _Model:
    """The function of the user and what selfplay is told of it. One thread calls it at a time."""

    word = "evaluate"

    def __init__(
        self, fn: Function, sizes: list[int], legal: bool = False, game: str = "", files: Sequence[Any] = (), runtime: str = "",
        device: str = "",
    ) -> None:  # fmt: skip
        self.fn, self.sizes, self.legal, self.game, self.runtime, self.device = fn, sizes, legal, game, runtime, device
        self.sums = sums(files)
        self.lock = threading.Lock()

    def greet(self, hello: dict[str, Any]) -> tuple[dict[str, Any], Answer]:
        if hello.get("asks", "values") != "values":
            raise ValueError("a model gives values: name it by eval=NAME, or write a player by selfplay.play")
        batch = _Batch(self, hello)
        return self.welcome(hello), batch.reply

    def welcome(self, hello: dict[str, Any]) -> dict[str, Any]:
        """Returns the answer to a hello. What the package knows of the game must be what selfplay knows."""
        name = self.game or hello["game"]
        known = versions(name)
        layout = known["layout planes"] if known else hello["layout_version"]
        actions = known["actions"] if known else hello["actions_version"]
        manifest = {
            "model": self.sums, "game": name, "layout_version": layout, "actions_version": actions, "batch": self.sizes,
            "runtime": self.runtime, "protocol": PROTOCOL,
        }
        return {
            "protocol": PROTOCOL, "game": name, "rules": hello["rules"], "layout_version": layout, "actions_version": actions,
            "value_units": VALUE_UNITS, "logit_units": LOGIT_UNITS, "batch": self.sizes[-1],
            "manifest": json.dumps(manifest, sort_keys=True), "runtime": self.runtime, "device": self.device,
        }  # fmt: skip


class _Batch:
    """The arrays of a batch: those of the largest one, of which smaller ones are the beginning."""

    def __init__(self, model: _Model, hello: dict[str, Any]) -> None:
        self.model, self.sizes = model, model.sizes
        self.planes, ranks, files = (int(n) for n in hello["shape"])
        self.actions, self.width, self.cells = int(hello["actions"]), int(hello["width"]), ranks * files
        self.bytes = -(-self.cells // 8)
        if min(self.planes, ranks, files) < 1 or self.planes * self.cells > MAX_CELLS:
            raise ValueError(f"shape {hello['shape']}: want at most {MAX_CELLS} cells in all planes")
        if not 1 <= self.width <= self.actions <= MAX_ACTIONS:
            raise ValueError(f"{self.width} of {self.actions} actions: want at most {MAX_ACTIONS}")
        self.input = np.zeros((self.sizes[-1], self.planes, ranks, files), np.float32)
        self.rows = self.input.reshape(-1, self.planes, self.cells)
        self.legal = np.full((self.sizes[-1] if model.legal else 0, self.width), -1, np.int32)
        self.filled = 0  # rows of the last batch
        self.compared = len(self.sizes) == 1 or bool(hello.get("approximate"))

    def reply(self, body: memoryview, spent: Callable[[], int]) -> bytes:
        """Answers a question."""
        ident, n, m, _ = _head.unpack_from(body)
        values, logits, took = self.answer(body, n, m)
        return _head.pack(ident, n, m, 0) + struct.pack("<QQ", spent(), took) + values.tobytes() + logits.tobytes()

    def answer(self, body: memoryview, n: int, m: int) -> tuple[Integers, Integers, int]:
        """Returns values, logits of the legal actions, and the CPU time of the model."""
        if n > self.sizes[-1] or len(body) != 16 + 4 * n + 2 * m + n * self.planes * self.bytes:
            raise WrongAnswer(-1, f"a question of {len(body)} bytes about {n} positions with {m} actions")
        ends = np.frombuffer(body, np.uint32, n, 16).astype(np.int64)
        actions = np.frombuffer(body, np.uint16, m, 16 + 4 * n)
        bits = np.frombuffer(body, np.uint8, offset=16 + 4 * n + 2 * m).reshape(n, self.planes, self.bytes)
        lengths = np.diff(ends, prepend=0)
        if n < 1 or ends[-1] != m or lengths.min() < 0 or lengths.max() > self.width or m and actions.max() >= self.actions:
            raise WrongAnswer(-1, "a question with actions that do not exist")
        rows = np.repeat(np.arange(n), lengths)
        at = np.arange(m) + np.repeat(np.arange(n) * self.width - (ends - lengths), lengths) if self.model.legal else rows * self.actions + actions
        with self.model.lock:
            self._fill(bits, at, actions)
            if not self.compared:
                self._compare(n)
            before = time.process_time_ns()
            values, logits = self._call(next(size for size in self.sizes if size >= n))
            took = time.process_time_ns() - before
            # Under the lock, too: the model may use the memory of its answer again for the next connection.
            return _quantise_values(values[:n]), _quantise_logits(logits.ravel().take(at), rows, actions, lengths), took

    def _fill(self, bits: NDArray[np.uint8], at: NDArray[np.int64], actions: NDArray[np.uint16]) -> None:
        """Writes planes as 0 and 1 into the input, and the legal actions. What an earlier batch left becomes zeros and -1."""
        n = len(bits)
        self.rows[:n] = np.unpackbits(bits, bitorder="little").reshape(n, self.planes, -1)[:, :, : self.cells]  # fast if flat
        self.input[n : self.filled] = 0
        if self.model.legal:
            self.legal[: max(n, self.filled)] = -1
            self.legal.ravel()[at] = actions
        self.filled = n

    def _compare(self, n: int) -> None:
        """Asks the model about the first positions in every size, at every row. If a float differs, only the largest size is used."""
        self.compared = True
        arrays = [array for array in (self.input, self.legal) if len(array)]
        kept = [array.copy() for array in arrays]
        want = [part.copy() for part in self._call(self.sizes[-1])]
        differing = set()
        for size in self.sizes[:-1]:
            for begin in range(0, n, size):
                count = min(size, n - begin)
                for array, whole, empty in zip(arrays, kept, (0, -1)):
                    array[:count], array[count:size] = whole[begin : begin + count], empty
                if any(not _same(got[:count], all[begin : begin + count]) for got, all in zip(self._call(size), want)):
                    differing.add(size)
        for array, whole in zip(arrays, kept):
            array[:] = whole
        if differing:
            print(f"evaluate: the floats differ between batches of {_listed(differing)} and {self.sizes[-1]} positions: all batches have "
                  f"{self.sizes[-1]}", file=sys.stderr, flush=True)  # fmt: skip
            self.sizes = self.sizes[-1:]

    def _call(self, size: int) -> tuple[Floats, Floats]:
        """Returns values and logits of fn."""
        try:
            answer = self.model.fn(self.input[:size], self.legal[:size]) if self.model.legal else self.model.fn(self.input[:size])
        except Exception as err:
            raise WrongAnswer(0, f"the model raised {type(err).__name__}: {err}") from err
        if not isinstance(answer, tuple | list) or len(answer) != 2:
            raise WrongAnswer(0, f"the model returned {_form(answer)}: want (value, logits)")
        values, logits = _floats("value", answer[0]), _floats("logits", answer[1])
        if values.ndim == 2 and values.shape[1] == 1:
            values = values[:, 0]
        _check("value", values, (size,))
        _check("logits", logits, (size, self.width if self.model.legal else self.actions))
        return values, logits


def _same(a: Floats, b: Floats) -> bool:
    """Reports whether all bits of two arrays are equal: NaN is equal to itself."""
    return a.tobytes() == b.tobytes()


def _listed(numbers: set[int]) -> str:
    return " and ".join(str(n) for n in sorted(numbers))


def _quantise_logits(chosen: Floats, rows: NDArray[np.int64], actions: NDArray[np.uint16], lengths: NDArray[np.int64]) -> Integers:
    if not np.isfinite(chosen).all():
        at = int(np.flatnonzero(~np.isfinite(chosen))[0])
        raise WrongAnswer(int(rows[at]), f"the logit of action {actions[at]} is {chosen[at]}: want finite logits of legal moves")
    if len(chosen):
        lengths = lengths[lengths > 0]  # of the positions that have actions
        chosen -= np.repeat(np.maximum.reduceat(chosen, np.cumsum(lengths) - lengths), lengths)
    return _integers(chosen, LOGIT_UNITS, MAX_LOGIT)


def _quantise_values(values: Floats) -> Integers:
    most = np.abs(values).max(initial=0)
    if not np.isfinite(most):
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise WrongAnswer(row, f"the value is {values[row]}: want a number from -1 to 1")
    if most > 1.001:
        row = int(np.abs(values).argmax())
        raise WrongAnswer(row, f"the value is {values[row]:g}: want a number from -1 to 1, for the side to move")
    return _integers(values, VALUE_UNITS, VALUE_UNITS)


def _integers(numbers: Floats, units: int, most: int) -> Integers:
    """Rounds numbers to integers of 1/units, within ±most."""
    scaled = numbers * np.float32(units)
    np.minimum(scaled, most, out=scaled)
    np.maximum(scaled, -most, out=scaled)
    rounded: Integers = np.rint(scaled, out=scaled).astype(np.int16)
    return rounded


def _floats(what: str, answer: Any) -> Floats:
    """Returns an array or a tensor as float32, without a copy where it can."""
    if isinstance(answer, np.ndarray) and answer.dtype == np.float32:
        return answer
    if str(getattr(answer, "dtype", "")) == "torch.bfloat16":  # NumPy has no such dtype
        raise WrongAnswer(0, f"{what} has dtype torch.bfloat16: want float32, convert it with .float()")
    try:
        if hasattr(answer, "detach"):  # a tensor of PyTorch, on any device
            answer = answer.detach().cpu().numpy()
        array = np.asarray(answer)
    except Exception as err:  # the libraries of models raise errors of all types
        raise WrongAnswer(0, f"{what} of type {type(answer).__name__} is no array: {type(err).__name__}: {err}") from err
    if array.dtype.kind != "f":
        raise WrongAnswer(0, f"{what} has dtype {array.dtype}: want float32")
    return array.astype(np.float32, copy=False)


def _check(what: str, array: Floats, shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        rows = array.shape[:1] != shape[:1] and array.shape[1:] == shape[1:]
        fault = f"{len(array)} rows" if rows and array.ndim else f"shape {list(array.shape)}"
        raise WrongAnswer(0, f"{what} has {fault}: want {f'{shape[0]} rows' if rows else list(shape)}")


def _form(answer: Any) -> str:
    if isinstance(answer, tuple | list):
        return f"{len(answer)} parts"
    return f"{type(answer).__name__}{list(answer.shape) if hasattr(answer, 'shape') else ''}"
