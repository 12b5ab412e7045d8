"""Rows of every form, columns by type, and folders that are no datasets."""

import json

import numpy as np
import pytest
from conftest import make_rows

import selfplay
from selfplay.dataset import PRERELEASE


def test_rows_are_those_that_were_written(folder):
    got, want = selfplay.open(folder).to_numpy(), make_rows(600) | {}
    more = make_rows(400, 600)
    for name, column in want.items():
        whole = column + more[name] if isinstance(column, list) else np.concatenate([column, more[name]])
        assert (got[name] if name == "move" else got[name].tolist()) == (whole if isinstance(whole, list) else whole.tolist())


def test_types_suit_torch(folder):
    rows = selfplay.open(folder).to_numpy("validation")
    types = {name: getattr(column, "values", column).dtype.name for name, column in rows.items() if name != "move"}
    assert types == {
        "game": "int64", "ply": "int32", "side": "uint8", "board": "int16", "action": "int32", "searched": "bool",
        "score": "int16", "policy_action": "int32", "policy_weight": "int32",
    }  # fmt: skip


def test_rows_have_memory_of_their_own(folder):
    ds = selfplay.open(folder)
    rows = ds.to_numpy(columns=["board", "score"])
    rows["board"][:] = 0
    assert ds.to_numpy(columns=["board"])["board"].any()


def test_metadata(folder):
    ds = selfplay.open(folder)
    assert ds.name == "cotulenh" and ds.sides == ["red", "blue"] and not ds.mover and ds.layout == "compact"
    assert ds.splits == {"train": 1000, "validation": 100}
    assert ds.elements[0] == selfplay.Element("cells", 132) and ds.columns["board"].len == 138
    assert ds.game is selfplay.game("cotulenh")


def test_one_file_is_a_dataset(folder):
    file = next(f for f in folder.iterdir() if f.name.startswith("train-00001"))
    assert selfplay.open(file).splits == {"train": 400}


def test_unknown_columns_are_refused(folder):
    with pytest.raises(ValueError, match="no column bord: it has game, ply"):
        selfplay.open(folder).to_numpy(columns=["bord"])
    with pytest.raises(ValueError, match="columns are 'board': want a list of names"):
        selfplay.open(folder).to_numpy(columns="board")
    with pytest.raises(ValueError, match="rows have no column side, only board: read it, too"):
        selfplay.open(folder).texts({"board": np.zeros((1, 138), np.uint16)})


def test_rows_are_columns_by_name(folder):
    ds = selfplay.open(folder)
    rows = ds.to_numpy(columns=["board", "side"])
    for method in (ds.texts, ds.moves, ds.planes, ds.boards):
        with pytest.raises(ValueError, match="rows are of type ndarray: want a dict of columns"):
            method(rows["board"])


def test_a_mask_needs_its_column(folder):
    with pytest.raises(ValueError, match=r"no column legal_actions: `selfplay rows --columns \+legal_actions` adds it"):
        selfplay.open(folder).legal_mask({})


def test_a_run_before_its_first_shard(tmp_path):
    (tmp_path / "plan.json").write_text(json.dumps({"plan": {"prerelease": PRERELEASE}}))
    for positions in ("missing", "empty"):
        with pytest.raises(ValueError, match="no shard is finished yet: `selfplay status`"):
            selfplay.open(tmp_path)
        (tmp_path / "positions").mkdir(exist_ok=True)


def test_another_prerelease_is_refused(tmp_path):
    (tmp_path / "plan.json").write_text(json.dumps({"plan": {"prerelease": PRERELEASE + 1}}))
    with pytest.raises(ValueError, match="make the dataset again, or use the build that made it"):
        selfplay.open(tmp_path)


def test_unknown_splits_are_refused(folder):
    for split in ("trian", "test", "valid"):
        with pytest.raises(ValueError, match=f"no split '{split}': want train or validation"):
            selfplay.open(folder).to_numpy(split)


def test_folders_without_rows_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no files of rows"):
        selfplay.open(tmp_path)
    with pytest.raises(FileNotFoundError):
        selfplay.open(tmp_path / "missing")


def test_files_of_others_are_refused(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pa.parquet.write_table(pa.table({"a": [1]}), tmp_path / "train-0.parquet")
    with pytest.raises(ValueError, match="no metadata of positions"):
        selfplay.open(tmp_path)


def test_a_cut_file_is_refused(folder):
    file = sorted(folder.iterdir())[0]
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises((ValueError, OSError)):
        selfplay.open(folder).to_numpy()


def records(folder):
    """Writes 20,000 records of board, score, side and a policy of two moves."""
    rows = make_rows(20_000)
    fields = [("board", "<u2", [138], 0), ("score", "<i2", [], 276), ("side", "|u1", [], 278), ("policy_action", "<u2", [2], 280)]
    described = [dict(zip(("name", "type", "shape", "offset", "meaning"), (*f, ""))) for f in fields]
    document = {"version": 1, "game": "cotulenh", "layout": "compact", "record_bytes": 284, "fields": described}
    (folder / "dtype.json").write_text(json.dumps(document))
    names, types, shapes, offsets = zip(*fields)
    formats = [(t, tuple(s)) for t, s in zip(types, shapes)]
    data = np.zeros(20_000, {"names": names, "formats": formats, "offsets": offsets, "itemsize": 284})
    for name in ("board", "score", "side"):
        data[name] = rows[name]
    data["policy_action"] = 55440
    data.tofile(folder / "train-00000.records")
    return rows


@pytest.mark.parametrize("shuffle", [False, True])
def test_records(tmp_path, shuffle):
    want = records(tmp_path)
    ds = selfplay.open(tmp_path)
    assert set(ds.columns) == {"board", "score", "side", "policy_action"} and ds.splits == {"train": 20_000}
    parts = list(ds.batches("train", 3000, shuffle=shuffle))
    board = np.concatenate([p["board"] for p in parts])
    score = np.concatenate([p["score"] for p in parts])
    assert board.dtype == np.int16 and board.flags.c_contiguous
    assert parts[0]["policy_action"].dtype == np.int32 and parts[0]["policy_action"].min() == 55440
    if shuffle:
        assert (score != want["score"]).any()
        lines = sorted(zip(score.tolist(), map(bytes, board)))
        assert lines == sorted(zip(want["score"].tolist(), map(bytes, want["board"])))
    else:
        assert (board == want["board"]).all() and (score == want["score"]).all()


def test_records_without_a_description_are_refused(tmp_path):
    records(tmp_path)
    (tmp_path / "dtype.json").unlink()
    with pytest.raises(ValueError, match="dtype.json"):
        selfplay.open(tmp_path)


def test_value_follows_the_model_of_the_dataset(folder):
    ds = selfplay.open(folder)
    with pytest.raises(ValueError, match="no model of scores"):
        ds.value([0, 1000, -5000])
    other = ds.value([0, 100, -100, 20000], model=(100, 50))
    ds.metadata.raw["wdl"] = '{"version":1,"a":100,"b":50,"fitted_to":"x"}'
    value = ds.value([0, 100, -100, 20000])
    assert (value == other).all()
    assert value[0] == 0 and 0 < value[1] < 0.5 and value[1] == -value[2] and value[3] == 1
