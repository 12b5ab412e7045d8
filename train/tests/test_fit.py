"""Training on small data, from files to files."""

import hashlib
import json
import re
import shlex

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import torch

import selfplay
from conftest import write
from nnue import fit, networkfile
from nnue.data import Data
from nnue.features import of_game
from nnue.inference import scores
from nnue.model import Network
from nnue.quantise import quantise, take
from nnue.training import Settings, falling, train

FLAGS = ["--hidden", "16", "--epochs", "3", "--batch", "100", "--rate", "0.02"]


def test_a_network_learns_who_has_more_pieces(name, tmp_path):
    data = Data([write(tmp_path / name, name)])
    _, history = train(data, Settings(hidden=16, epochs=4, batch=50, rate=0.02))
    rows = data.datasets[0].to_numpy("validation", ["score"])["score"]
    constant = float(np.var(1 / (1 + np.exp(-rows / 600.0))))
    assert min(e.validation for e in history) < 0.6 * constant
    assert [e.rows for e in history] == [540] * len(history), "rows without a search teach nothing"


def test_batches_without_searched_rows_are_left_out(tmp_path):
    data = Data([write(tmp_path / "data", "chess", rows=50)])
    _, history = train(data, Settings(hidden=16, epochs=2, batch=1))
    assert [e.rows for e in history] == [45, 45], "of one row each, five are not searched"
    assert all(np.isfinite([e.train, e.validation]).all() for e in history)


def test_absolute_boards_teach_the_same(name, tmp_path):
    data = Data([write(tmp_path / "board", name, mover=False)])
    rows = next(iter(data.batches("train", 50)))
    seen = data.datasets[0].game.turn_boards(rows["board"], rows["side"])
    want, got = of_game(name).bags(seen), data.mover_bags(rows)
    for i in range(50):
        a, b = (x.values[x.offsets[i] : x.offsets[i + 1]] for x in (want, got))
        assert sorted(a.tolist()) == sorted(b.tolist())


def test_the_same_command_writes_the_same_files(tmp_path):
    folder = write(tmp_path / "data", "contrast")
    for out in ("one", "two"):
        (tmp_path / out).mkdir()
        assert fit.main([*FLAGS, "--out", str(tmp_path / out / "net.safetensors"), str(folder)]) == 0
    for file in ("net.safetensors", "net.check.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert not list(tmp_path.rglob("*.partial"))


def test_the_check_file_has_scores_of_the_positions_it_names(name, tmp_path):
    out = tmp_path / "net.safetensors"
    assert fit.main([*FLAGS, "--out", str(out), str(write(tmp_path / "data", name))]) == 0
    metadata = check_the_check_file(name, out)
    assert metadata["data"] == "ab" * 32 and metadata["game"] == name
    assert metadata["curve"] == ("0,600" if name == "cotulenh" else "0,200")


def check_the_check_file(name, net):
    """Returns the metadata of a network whose check file has its scores."""
    weights, metadata = networkfile.decode(net.read_bytes())
    lines = [json.loads(line) for line in net.with_suffix(".check.jsonl").read_text().splitlines()]
    assert len(lines) > 300
    game, features = selfplay.game(name), of_game(name)
    for line in lines[:50]:
        board, side = game.board(line["position"])
        mover = features.bags(game.turn_boards(board[None], [side]))
        assert scores(features, weights, int(metadata["scale"]), mover).tolist() == [line["score"]]
    return metadata


def test_a_network_that_corrects_static_scores(name, tmp_path):
    out, folder = tmp_path / "net.safetensors", write(tmp_path / "data", name)
    assert fit.main([*FLAGS, "--base", "static", "--margin", "0", "--out", str(out), str(folder)]) == 0
    weights, metadata = networkfile.decode(out.read_bytes())
    assert metadata["base"] == "static"
    data = Data([folder], "static")
    rows = next(iter(data.batches("validation", 50)))
    want = rows["static_score"] + scores(data.features, weights, int(metadata["scale"]), data.mover_bags(rows))
    texts = data.datasets[0].texts(rows)
    lines = map(json.loads, (tmp_path / "net.check.jsonl").read_text().splitlines())
    known = {line["position"]: line["score"] for line in lines}
    found = [(known[text], int(score)) for text, score in zip(texts, want, strict=True) if text in known]
    assert len(found) > 10 and all(got == score for got, score in found)


def test_it_ends_with_the_match_that_compares_the_network(name, tmp_path, capsys):
    folder, first, second = write(tmp_path / "data", name), tmp_path / "1.safetensors", tmp_path / "a 2.safetensors"
    for out, other, flags in ((first, "none", []), (second, first, ["--from", str(first), "--rate", "0.001"])):
        assert fit.main([*FLAGS, *flags, "--out", str(out), str(folder)]) == 0
        match = capsys.readouterr().out.splitlines()[-1].removeprefix("is it stronger? ")
        players = ["--a", f"ab:nodes=500,net={out}", "--b", f"ab:nodes=500,net={other}"]
        assert shlex.split(match) == ["selfplay", "match", "--game", name, *players, "--games", "200"]


def test_training_goes_on_from_a_network(name, tmp_path, capsys):
    folder, first, second = write(tmp_path / "data", name), tmp_path / "1.safetensors", tmp_path / "2.safetensors"
    assert fit.main([*FLAGS, "--out", str(first), str(folder)]) == 0
    reached = json.loads((tmp_path / "1.json").read_text())["epochs"][-1]["validation"]
    flags = ["--epochs", "1", "--batch", "100", "--rate", "0.001", "--from", str(first)]
    assert fit.main([*flags, "--out", str(second), str(folder)]) == 0
    before = float(re.search(r"before +validation ([0-9.]+)", capsys.readouterr().err).group(1))
    assert before == pytest.approx(reached, rel=0.05)
    (old, _), (new, metadata) = (networkfile.decode(f.read_bytes()) for f in (first, second))
    assert metadata["from"] == hashlib.sha256(first.read_bytes()).hexdigest() and new.hidden == 16
    assert (old.feature_weights != new.feature_weights).any()


def test_another_curve_keeps_the_scale_of_the_network(tmp_path):
    folder, first, second = write(tmp_path / "data", "chess"), tmp_path / "1.safetensors", tmp_path / "2.safetensors"
    assert fit.main([*FLAGS, "--out", str(first), str(folder)]) == 0
    assert fit.main([*FLAGS, "--curve", "0,350", "--from", str(first), "--out", str(second), str(folder)]) == 0
    metadata = check_the_check_file("chess", second)
    assert (metadata["curve"], metadata["scale"]) == ("0,350", "200")


def test_a_network_that_is_no_better_than_its_start_is_refused(tmp_path, capsys):
    folder, first, second = write(tmp_path / "data", "chess"), tmp_path / "1.safetensors", tmp_path / "2.safetensors"
    assert fit.main([*FLAGS, "--out", str(first), str(folder)]) == 0
    flags = [*FLAGS, "--epochs", "1", "--rate", "0.5", "--from", str(first), "--out", str(second), str(folder)]
    assert fit.main(flags) == 1
    assert "that of the network of --from" in capsys.readouterr().err and not second.exists()
    assert fit.main([*flags, "--margin", "-9"]) == 0
    report = json.loads((tmp_path / "2.json").read_text())
    assert report["best"] == 1 and report["epochs"][0]["validation"] > report["before"]


@pytest.mark.parametrize("raw, message", [
    (b"no network", "not a safetensors file"),
    (b"\x02\0\0\0\0\0\0\0{}", "format None, want selfplay-nnue of version 1"),
    (b"\x02\0\0\0\0\0\0\0[]", "not a safetensors file"),
])  # fmt: skip
def test_files_that_are_no_networks_are_refused(tmp_path, capsys, raw, message):
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(raw)
    out, folder = tmp_path / "net.safetensors", write(tmp_path / "data", "chess")
    assert fit.main(["--from", str(bad), "--out", str(out), str(folder)]) == 2
    assert capsys.readouterr().err == f"train/fit: read {bad}: {message}\n"


@pytest.mark.parametrize("change, message", [
    ({"scale": None}, "scale is '', want a number"), ({"scale": "0"}, "scale is '0', want a number from 1 to 20000"),
    ({"scale": "20001"}, "scale is '20001', want"), ({"scale": "-5"}, "scale is '-5', want a number"),
    ({"base": "static"}, "base is static, want --base static"),
    ({"game": "contrast"}, "game is contrast, want chess"), ({"features": "other"}, "features is other, want "),
    ({"features_version": "99"}, "features_version is 99, want "),
])  # fmt: skip
def test_networks_that_do_not_fit_are_no_start(tmp_path, capsys, change, message):
    folder, first, second = write(tmp_path / "data", "chess"), tmp_path / "1.safetensors", tmp_path / "2.safetensors"
    assert fit.main([*FLAGS, "--epochs", "1", "--margin", "-9", "--out", str(first), str(folder)]) == 0
    weights, entries = networkfile.decode(first.read_bytes())
    changed = {key: value for key, value in (entries | change).items() if value is not None}
    first.write_bytes(networkfile.encode(weights, changed))
    capsys.readouterr()
    assert fit.main([*FLAGS, "--from", str(first), "--out", str(second), str(folder)]) == 2
    assert f"begin with {first}: {message}" in capsys.readouterr().err and not second.exists()


def test_weights_of_a_file_stay_until_a_step(name, tmp_path):
    data = Data([write(tmp_path / "data", name)])
    weights = quantise(train(data, Settings(hidden=16, epochs=1, batch=50, rate=0.02))[0])
    other = Network(data.features, 16)
    take(other, weights)
    assert all(factor.any() for factor in other.factors)
    got = quantise(other)
    assert all((getattr(got, n) == getattr(weights, n)).all() for n in networkfile.SHAPES)


def test_static_scores_are_a_column_on_request(tmp_path):
    folder = write(tmp_path / "data", "chess", without=("static_score",))
    with pytest.raises(ValueError, match=r"no column static_score; make the dataset with --columns \+static_score"):
        Data([folder], "static")


def test_training_stops_early_and_keeps_the_best(tmp_path, monkeypatch):
    data = Data([write(tmp_path / "data", "chess")])
    losses = iter([0.3, 0.1, 0.2, 0.2, 0.2])
    states = []
    monkeypatch.setattr("nnue.training.measure", lambda n, *_: states.append(n.bias.clone()) or next(losses))
    network, history = train(data, Settings(hidden=16, epochs=5, patience=2, batch=100))
    assert [e.validation for e in history] == [0.3, 0.1, 0.2, 0.2]
    assert torch.equal(network.bias, states[1]) and not torch.equal(states[1], states[3])


def test_several_datasets_are_one_source(tmp_path):
    data = Data([write(tmp_path / str(n), "chess", rows=100 * n) for n in (1, 2)])
    assert data.batches("train", 64).rows == 300 and data.plans == ["ab" * 32] * 2
    assert sum(len(b["score"]) for b in data.batches("train", 64, seed=1)) == 300


def test_datasets_that_do_not_fit_together_are_refused(tmp_path):
    chess, board = write(tmp_path / "a", "chess"), write(tmp_path / "b", "chess", mover=False)
    with pytest.raises(ValueError, match="mover is False"):
        Data([chess, board])
    with pytest.raises(ValueError, match="name is contrast"):
        Data([chess, write(tmp_path / "c", "contrast")])


@pytest.mark.parametrize("flags, message", [
    (["--hidden", "24"], "--hidden 24: want a multiple of 16"), (["--curve", "600"], "--curve 600: want A,B"),
    (["--curve", "0,inf"], "--curve 0,inf: want"), (["--curve", "nan,600"], "--curve nan,600: want"),
    (["--curve", "0,20001"], "--curve 0,20001: want"), (["--epochs", "0"], "--epochs 0"),
    (["--buckets", "17"], "--buckets 17"), (["--outcome", "2"], "--outcome 2.0: want 0 to 1"),
    (["--rate", "-1"], "--rate -1.0: want a number above 0"), (["--from", "missing"], "read missing: No such file"),
    (["--seed", "-1"], "--seed -1: want"), (["--decay", "-1"], "--decay -1.0: want a number of at least 0"),
    (["--decay", "inf"], "--decay inf: want"), (["--margin", "nan"], "--margin nan: want a number below 1"),
    (["--margin", "1"], "--margin 1.0: want"), (["--threads", "100000"], "--threads 100000: want 1 to 1024"),
])  # fmt: skip
def test_bad_flags_are_refused_even_without_datasets(tmp_path, capsys, flags, message):
    assert fit.main([*flags, "--dry-run", "--out", str(tmp_path / "net.safetensors")]) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1 and not list(tmp_path.iterdir())


def test_networks_that_cannot_be_written_are_refused_before_training(tmp_path, capsys, monkeypatch):
    folder = write(tmp_path / "data", "chess")
    (tmp_path / "folder.safetensors").mkdir()
    for name, message in (("missing/net.safetensors", "missing is not a folder"), ("net.onnx", "ends in .safetensors"),
                          ("folder.safetensors", "it is a folder")):  # fmt: skip
        assert fit.main(["--out", str(tmp_path / name), str(folder)]) == 2
        assert message in capsys.readouterr().err
    monkeypatch.setattr(fit.os, "access", lambda *_: False)  # root may write anywhere
    assert fit.main(["--out", str(tmp_path / "net.safetensors"), str(folder)]) == 2
    assert "no permission to write" in capsys.readouterr().err


@pytest.mark.parametrize("stage", ["train", "check_lines"])
def test_an_interrupt_leaves_no_file(tmp_path, capsys, monkeypatch, stage):
    def interrupt(*_):
        raise KeyboardInterrupt

    folder = write(tmp_path / "data", "chess")
    monkeypatch.setattr(fit, stage, interrupt)
    assert fit.main([*FLAGS, "--out", str(tmp_path / "n.safetensors"), str(folder)]) == 130
    assert capsys.readouterr().err.endswith("train/fit: stopped; nothing was written\n")
    assert not list(tmp_path.glob("n.*"))


def test_a_network_that_learned_too_little_is_refused(tmp_path, capsys):
    out = tmp_path / "net.safetensors"
    assert fit.main([*FLAGS, "--margin", "0.99", "--out", str(out), str(write(tmp_path / "data", "chess"))]) == 1
    assert "want 99% below" in capsys.readouterr().err and not out.exists()


def test_missing_data_is_refused(tmp_path, capsys):
    assert fit.main(["--out", str(tmp_path / "n.safetensors"), str(tmp_path / "missing")]) == 2
    assert "no such dataset" in capsys.readouterr().err


@pytest.mark.parametrize("split", ["train", "validation"])
def test_data_without_scores_is_refused(tmp_path, capsys, split):
    folder = write(tmp_path / "data", "chess")
    file = folder / f"{split}-00000.parquet"
    table = pa.parquet.read_table(file)
    column = table.schema.get_field_index("searched")
    table = table.set_column(column, "searched", pa.array(np.zeros(len(table), bool)))
    pa.parquet.write_table(table, file)
    assert fit.main(["--out", str(tmp_path / "n.safetensors"), str(folder)]) == 2
    assert f"the split {split} has no searched rows; use a player that searches" in capsys.readouterr().err


def test_a_dry_run_checks_and_writes_nothing(tmp_path, capsys):
    flags, folder = ["--dry-run", "--out", str(tmp_path / "n.safetensors")], write(tmp_path / "data", "chess")
    assert fit.main([*flags, str(folder)]) == 0 and fit.main(flags) == 0
    assert fit.main([*flags, str(tmp_path / "none")]) == 2 and "none" in capsys.readouterr().err
    assert not list(tmp_path.glob("n.*"))


def test_the_learning_rate_falls():
    assert falling(0) == 1 and falling(0.5) == pytest.approx(0.525) and falling(1) == pytest.approx(0.05)
