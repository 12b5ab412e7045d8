"""The evaluator of models, asked by a client that follows docs/evaluators.md."""

import json
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import selfplay
from selfplay.evaluator import _Batch, _Model

GOOD = """
import sys, os
print("loading")
import numpy as np, selfplay
def fn(planes):
    print("evaluating", flush=True)
    os.write(1, b"from another language\\n")
    n = planes.reshape(len(planes), -1).sum(1)
    return np.sin(n), np.cos(n[:, None] + np.arange(ACTIONS))
selfplay.evaluate(fn, batch=8, game="contrast")
"""

CONTRAST = selfplay.game("contrast")
ACTIONS, PLANES, BYTES = CONTRAST.actions, len(CONTRAST.plane_names), 4


def hello(**changes):
    return {
        "protocol": 1, "game": "contrast", "variant": "before", "rules": 1, "layout_version": 1, "actions_version": 1, "shape": [PLANES, 5, 5],
        "actions": ACTIONS, "width": 800, "value_units": 16384, "logit_units": 100, **changes,
    }  # fmt: skip


def frame(kind, body):
    return struct.pack("<4sII", b"SPE1", kind, len(body)) + body


def question(ident, planes, actions):
    ends = np.cumsum([len(a) for a in actions], dtype=np.uint32)
    flat = np.concatenate([np.asarray(a, np.uint16) for a in actions])
    return frame(2, struct.pack("<IIII", ident, len(planes), len(flat), 0) + ends.tobytes() + flat.tobytes() + planes.tobytes())


def read_frame(stream):
    magic, kind, length = struct.unpack("<4sII", stream.read(12))
    assert magic == b"SPE1"
    return kind, stream.read(length)


def read_answer(stream):
    kind, body = read_frame(stream)
    assert kind == 3, body
    ident, n, m, zero, cpu, model = struct.unpack_from("<IIIIQQ", body)
    assert zero == 0 and model <= cpu
    return ident, np.frombuffer(body, np.int16, n, 32), np.frombuffer(body, np.int16, m, 32 + 2 * n)


def batch_of(n, seed=1):
    random = np.random.default_rng(seed)
    planes = random.integers(0, 256, (n, PLANES, BYTES), np.uint8)
    planes[:, :, 3] &= 1  # 25 cells
    return planes, [sorted(random.choice(ACTIONS, random.integers(1, 60), replace=False)) for _ in range(n)]


@pytest.fixture
def start(tmp_path):
    """Starts a program as an evaluator."""
    running = []

    def run(text, *args, **environment):
        path = tmp_path / "model.py"
        path.write_text(text.replace("ACTIONS", str(ACTIONS)))
        process = subprocess.Popen(
            [sys.executable, path, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(selfplay.__file__).parents[1]), **environment},
        )  # fmt: skip
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


def greet(process, **changes):
    process.stdin.write(frame(1, json.dumps(hello(**changes)).encode()))
    process.stdin.flush()


def test_a_model_answers_whatever_it_prints(start):
    process = start(GOOD)
    greet(process)
    assert process.stdout.readline() == b"loading\n"  # before evaluate: the client skips it
    kind, body = read_frame(process.stdout)
    welcome = json.loads(body)
    assert kind == 1 and welcome["batch"] == 8 and welcome["game"] == "contrast"
    assert json.loads(welcome["manifest"])["model"], "the program has no sum"
    for ident, n in enumerate([8, 3, 8, 1]):
        planes, actions = batch_of(n, ident)
        process.stdin.write(question(ident, planes, actions))
        process.stdin.flush()
        got, values, logits = read_answer(process.stdout)
        sums = np.unpackbits(planes, axis=2, bitorder="little").sum((1, 2)).astype(np.float32)
        assert got == ident and np.array_equal(values, np.rint(np.sin(sums) * 16384))
        logits_of = [np.cos(s + np.array(a)) for s, a in zip(sums, actions)]
        want = np.concatenate([np.rint((each - each.max()) * 100) for each in logits_of])
        assert np.abs(logits - want).max() <= 1  # float32 there, float64 here
    out, err = process.communicate(timeout=20)
    assert process.returncode == 0 and out == b"" and b"evaluating\nfrom another language\n" in err


WRONG = {
    "nan": ("return np.where(np.arange(8) == 2, np.nan, 0).astype('f4'), logits", 2, "the value is nan"),
    "infinity": ("logits[1] = np.inf; return value, logits", 1, "is inf: want finite logits"),
    "above one": ("value[3] = 7; return value, logits", 3, "the value is 7: want a number from -1 to 1"),
    "shape": ("return value, logits[:, :10]", 0, "logits has shape [8, 10]: want [8, 31875]"),
    "dtype": ("return value, logits.astype(int)", 0, "logits has dtype int64: want float32"),
    "rows": ("return value[:5], logits", 0, "value has 5 rows: want 8 rows"),
    "one answer": ("return logits", 0, "the model returned ndarray[8, 31875]: want (value, logits)"),
    "parts": ("return value, [logits[:4], logits]", 0, "logits of type list is no array: "),
    "bfloat16": ("import torch; return torch.zeros(8), torch.zeros((8, ACTIONS), dtype=torch.bfloat16)", 0,
                 "logits has dtype torch.bfloat16: want float32, convert it with .float()"),
    "sparse": ("import torch; return torch.zeros(8).to_sparse(), logits", 0, "value of type Tensor is no array: "),
    "uneven lists": ("return [[0], [0, 0]] * 4, logits", 0, "value of type list is no array: ValueError: "),
    "texts": ("return ['good'] * 8, logits", 0, "value has dtype <U4: want float32"),
    "error": ("raise RuntimeError('no\\nmemory')", 0, "the model raised RuntimeError: no memory"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_models_name_the_row(start, name):
    body, row, want = WRONG[name]
    if "torch" in body:
        pytest.importorskip("torch")
    process = start(f"""
import numpy as np, selfplay
def fn(planes):
    value, logits = np.zeros(8, np.float32), np.zeros((8, ACTIONS), np.float32)
    {body}
selfplay.evaluate(fn, batch=8)
""")
    greet(process)
    read_frame(process.stdout)
    process.stdin.write(question(1, *batch_of(5)))
    process.stdin.flush()
    kind, answer = read_frame(process.stdout)
    text = answer[4:].decode()
    assert kind == 4 and struct.unpack("<i", answer[:4])[0] == row and want in text and "\n" not in text


def test_logits_of_illegal_moves_may_be_anything(start):
    process = start("""
import numpy as np, selfplay
def fn(planes):
    logits = np.full((8, ACTIONS), -np.inf, np.float32)
    logits[:, :20] = 500
    return np.zeros((8, 1), np.float32), logits
selfplay.evaluate(fn, batch=8)
""")
    greet(process)
    read_frame(process.stdout)
    process.stdin.write(question(1, batch_of(1)[0], [[0, 3, 19]]))
    process.stdin.flush()
    assert read_answer(process.stdout)[2].tolist() == [0] * 3


@pytest.mark.parametrize("offset", [0, 300, -300, 1000, 30000])
def test_a_constant_added_to_all_logits_changes_nothing(offset):
    logits = np.arange(ACTIONS, dtype=np.float32) % 1024 / 4  # exact, also with the offset
    model = _Model(lambda planes: (np.zeros(8, np.float32), np.tile(logits + np.float32(offset), (8, 1))), [8])
    planes, actions = batch_of(4)
    actions[1:3] = [[], [7, 900, 1025]]  # only the value of the second position is asked
    body = question(1, planes, actions)[12:]
    _, got, _ = _Batch(model, hello()).answer(memoryview(body), 4, sum(map(len, actions)))
    want = [(logits[a] - logits[a].max()) * 100 for a in (np.array(a, int) for a in actions) if len(a)]
    assert np.array_equal(got, np.concatenate(want)) and got[len(actions[0]) :][:3].tolist() == [-22325, 0, -22475]


def test_another_game_is_said(start):
    process = start(GOOD.replace('"contrast"', '"cotulenh"'))
    greet(process)
    process.stdout.readline()
    assert json.loads(read_frame(process.stdout)[1])["game"] == "cotulenh"


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"\xff", json.dumps(hello(shape=[0, 1, 2])).encode(), json.dumps(hello(shape=[1e9, 9, 9])).encode()])
def test_damaged_hellos_are_refused(start, body):
    process = start(GOOD)
    process.stdin.write(frame(1, body))
    process.stdin.flush()
    process.stdout.readline()
    assert read_frame(process.stdout)[0] == 4


@pytest.mark.parametrize("changes", [
    {"actions": 65537}, {"actions": 100_000_000}, {"actions": -1}, {"shape": [1 << 20, 1, 1]}, {"width": 0}, {"width": ACTIONS + 1},
])  # fmt: skip
def test_hellos_of_impossible_games_take_no_memory(changes):
    with pytest.raises(ValueError, match="want at most"):
        _Batch(_Model(len, [256]), hello(**changes))


@pytest.mark.parametrize("seed", range(20))
def test_damaged_questions_are_refused(seed):
    batch = _Batch(_Model(lambda planes: (np.zeros(8, np.float32), np.zeros((8, ACTIONS), np.float32)), [8]), hello())
    random = np.random.default_rng(seed)
    body = bytearray(question(1, *batch_of(3, seed))[12:])
    for at in random.integers(0, 16 + 12, 3):
        body[at] ^= 1 << random.integers(0, 8)
    _, n, m, _ = struct.unpack_from("<IIII", body)
    try:
        batch.answer(memoryview(body), n, m)
    except selfplay.evaluator.WrongAnswer:
        pass


def test_padding_does_not_keep_earlier_positions():
    seen = []

    def fn(planes):
        seen.append(planes.copy())
        return np.zeros(8, np.float32), np.zeros((8, ACTIONS), np.float32)

    batch = _Batch(_Model(fn, [8]), hello())
    for n in (8, 2, 5):
        body = question(1, *batch_of(n))[12:]
        batch.answer(memoryview(body), *struct.unpack_from("<4xII", body))
        assert seen[-1][:n].any() and not seen[-1][n:].any()


def answers_of(batch, *sizes):
    """Returns the answers to questions of some sizes, as bytes."""
    questions = [question(1, *batch_of(n, n))[12:] for n in sizes]
    return [b"".join(part.tobytes() for part in batch.answer(memoryview(q), *struct.unpack_from("<4xII", q))[:2]) for q in questions]


def rated(planes):
    return np.sin(planes.reshape(len(planes), -1).sum(1))[:, None] * (np.arange(ACTIONS) % 97).astype(np.float32)


def test_a_model_of_legal_actions_answers_as_one_of_all(sizes=(8, 3, 8, 1)):
    """Rows beyond the batch and actions beyond the legal ones are -1."""
    def fn(planes, legal):
        assert legal.dtype == np.int32 and legal.shape == (8, 800)
        assert all((np.diff((row >= 0).astype(int)) <= 0).all() for row in legal)
        return np.zeros(8), np.take_along_axis(rated(planes), legal.astype(int).clip(0), 1)

    of_all = _Batch(_Model(lambda planes: (np.zeros(8), rated(planes)), [8]), hello())
    assert answers_of(_Batch(_Model(fn, [8], legal=True), hello()), *sizes) == answers_of(of_all, *sizes)


def test_a_position_has_at_most_so_many_legal_actions_as_the_hello_says():
    batch = _Batch(_Model(lambda planes, legal: (np.zeros(8), np.zeros(legal.shape)), [8], legal=True), hello(width=30))
    body = question(1, batch_of(1)[0], [range(31)])[12:]
    with pytest.raises(selfplay.evaluator.WrongAnswer, match="actions that do not exist"):
        batch.answer(memoryview(body), 1, 31)


@pytest.mark.parametrize("legal", [False, True])
@pytest.mark.parametrize("approximate", [False, True])
@pytest.mark.parametrize("differs", ["", "size", "row"])
def test_small_batches_have_small_arrays_unless_their_floats_differ(legal, approximate, differs):
    called = []

    def fn(planes, *of):
        called.append(len(planes))
        value = np.cos(planes.reshape(len(planes), -1).sum(1))
        if differs == "size" and len(planes) == 4:
            value *= np.float32(1 + 1e-6)
        if differs == "row" and len(planes) == 4:
            value[-1] *= np.float32(1 + 1e-6)
        return value, np.take_along_axis(rated(planes), of[0].astype(int).clip(0), 1) if legal else rated(planes)

    model = _Model(fn, [4, 8], legal=legal)
    batch = _Batch(model, hello(approximate=approximate))
    first = answers_of(batch, 6)
    called.clear()
    rest = answers_of(batch, 3, 8, 1, 4, 5)
    one_shape = differs and not approximate
    assert called == ([8] * 5 if one_shape else [4, 8, 4, 4, 8])
    if not (differs and approximate):
        assert first + rest == answers_of(_Batch(_Model(fn, [8], legal=legal), hello()), 6, 3, 8, 1, 4, 5)


def test_models_may_use_the_memory_of_their_answers_again():
    """The second connection calls the model as soon as the first one lets go of it."""
    values, logits, answers = np.zeros(8, np.float32), np.zeros((8, ACTIONS), np.float32), []
    calls = iter((1, 2))

    def fn(planes):
        call = next(calls)
        values[:], logits[:] = call / 8, -call * (np.arange(ACTIONS) % 50)
        return values, logits

    class Lock:
        def __enter__(self):
            pass

        def __exit__(self, *_):
            if not answers:
                answers.append(None)
                answers[0] = second.answer(body, n, m)

    model = _Model(fn, [8])
    model.lock = Lock()
    first, second = _Batch(model, hello()), _Batch(model, hello())
    planes, actions = batch_of(3)
    body = memoryview(question(1, planes, actions)[12:])
    n, m = struct.unpack_from("<4xII", body)
    answers.insert(0, first.answer(body, n, m))
    for call, (value, logit, _) in enumerate(answers, 1):
        want = np.concatenate([(np.min(a) - a) * 100 * call for a in (np.array(a) % 50 for a in actions)])
        assert (value == call * 2048).all() and np.array_equal(logit, want)


@pytest.mark.parametrize("kind", ["tcp", "unix"])
def test_a_model_serves_several_connections(start, tmp_path, kind):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp:127.0.0.1:{port}" if kind == "tcp" else f"unix:{tmp_path}/model.sock"
    start(GOOD, EVALUATOR_LISTEN=address)
    clients = [connected(kind, port, tmp_path) for _ in range(2)]
    for client in clients:
        client.write(frame(1, json.dumps(hello()).encode()))
        client.flush()
        assert read_frame(client)[0] == 1
    for ident, client in enumerate(clients):
        client.write(question(ident, *batch_of(4)))
        client.flush()
    first, second = (read_answer(client) for client in clients)
    assert (first[0], second[0]) == (0, 1) and np.array_equal(first[1], second[1]) and np.array_equal(first[2], second[2])


@pytest.mark.parametrize("host", ["[::1]", "::1"])
def test_a_model_listens_on_version_6(start, host):
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6) as free:
            port = free.getsockname()[1]
    except OSError:
        pytest.skip("no IPv6 on this system")
    start(GOOD, EVALUATOR_LISTEN=f"tcp:{host}:{port}")
    client = connected("tcp", port, None, host="::1")
    client.write(frame(1, json.dumps(hello()).encode()))
    client.flush()
    assert read_frame(client)[0] == 1


def connected(kind, port, tmp_path, host="127.0.0.1"):
    for _ in range(200):
        try:
            if kind == "tcp":
                s = socket.create_connection((host, port))
            else:
                s = socket.socket(socket.AF_UNIX)
                s.connect(f"{tmp_path}/model.sock")
            return s.makefile("rwb")
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the model does not listen")


def test_bad_arguments_are_refused(tmp_path):
    with pytest.raises(ValueError, match="batch 0: want 1 to 16384"):
        selfplay.evaluate(lambda planes: None, batch=0)
    with pytest.raises(ValueError, match="unknown game 'shogi'"):
        selfplay.evaluate(lambda planes: None, game="shogi")
    with pytest.raises(ValueError, match="want tcp:HOST:PORT or unix:PATH"):
        selfplay.evaluate(lambda planes: None, listen="http:9")


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no such sockets on this system")
def test_only_sockets_without_a_server_are_replaced(tmp_path):
    weights, path = tmp_path / "net.pt", tmp_path / "model.sock"
    weights.write_bytes(b"weights")
    with pytest.raises(ValueError, match="the file exists, and is no socket"):
        selfplay.evaluate(lambda planes: None, game="contrast", listen=f"unix:{weights}")
    assert weights.read_bytes() == b"weights"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        with pytest.raises(ValueError, match="another server listens there"):
            selfplay.evaluate(lambda planes: None, game="contrast", listen=f"unix:{path}")
    assert path.exists()  # of a server that has ended
    selfplay.transport._remove_socket(str(path))
    assert not path.exists()
