"""A split as a sequence of rows."""

import numpy as np
import pyarrow as pa
import pytest
from conftest import make_rows, table_of

import selfplay


def same(got, want):
    assert got.keys() == want.keys()
    for name in want:
        whole = want[name] if isinstance(want[name], list) else want[name].tolist()
        assert (got[name] if isinstance(got[name], list) else got[name].tolist()) == whole


def test_a_split_has_the_rows_of_its_files(folder):
    ds = selfplay.open(folder)
    assert len(ds) == 1100 and len(ds["train"]) == 1000 and len(ds["validation"]) == 100
    same(ds["train"].to_numpy(), ds.to_numpy("train"))
    assert list(ds["train"].features) == list(ds.features) == list(ds.columns)
    assert ds.features["board"].dtype == np.int16 and ds.features["board"].shape == (138,)


@pytest.mark.parametrize("key", [slice(100, 200), slice(None), slice(590, 610), slice(-5, None), slice(900, 10, -7), slice(5, 5), slice(9, 2), slice(0, 1000, 333)])
def test_slices_are_rows(folder, key):
    train = selfplay.open(folder)["train"]
    got = train[key]
    assert got["game"].tolist() == list(range(1000))[key] and got["move"] == [f"move {g}" for g in range(1000)][key]
    assert got["policy_weight"].tolist() == [list(range(g % 5)) for g in range(1000)][key]


@pytest.mark.parametrize("numbers", [[5, 999, 5, 600, -1], [], np.arange(3, dtype=np.uint8)])
def test_rows_by_number_in_any_order(folder, numbers):
    train = selfplay.open(folder)["train"]
    want = [range(1000)[n] for n in numbers]
    got = train[numbers]
    assert got["game"].tolist() == want and got["board"].shape == (len(want), 138) and got["move"] == [f"move {g}" for g in want]
    assert got["policy_weight"].tolist() == [list(range(g % 5)) for g in want]


def test_a_row_has_its_values(folder):
    train = selfplay.open(folder)["train"]
    for row, number in ((train[700], 700), (train[-1], 999), (train[np.int64(3)], 3)):
        assert row["game"] == number and row["move"] == f"move {number}" and row["board"].shape == (138,)
        assert row["policy_weight"].tolist() == list(range(number % 5))


def test_a_column_is_all_rows(folder):
    train = selfplay.open(folder)["train"]
    assert train["game"].tolist() == list(range(1000)) and len(train["policy_action"]) == 1000


def test_iteration_yields_rows(folder, monkeypatch):
    monkeypatch.setattr("selfplay.dataset.STEP", 300)
    ds = selfplay.open(folder)
    assert [row["game"] for row in ds["train"]] == list(range(1000))
    assert [row["game"] for row in ds] == list(range(1100))


def test_selected_columns_only(folder):
    some = selfplay.open(folder)["train"].select(["side", "move"])
    assert list(some[3]) == ["side", "move"] and list(some.to_arrow().column_names) == ["side", "move"]
    assert "1,000 rows, columns side, move" in repr(some)


def test_arrow_has_the_types_of_the_files(folder):
    got = selfplay.open(folder)["validation"].to_arrow()
    want = table_of(make_rows(100, 1000), "packed" in folder.name or pa.types.is_fixed_size_binary(got.schema.field("board").type))
    assert got.equals(want) and got.schema.field("action").type == pa.uint16()


def test_pandas_has_a_cell_per_value(folder):
    pytest.importorskip("pandas")
    frame = selfplay.open(folder)["validation"].to_pandas()
    assert len(frame) == 100 and frame["game"].tolist() == list(range(1000, 1100)) and len(frame["policy_weight"][4]) == 4


def test_wrong_keys_are_refused(folder):
    ds = selfplay.open(folder)
    with pytest.raises(KeyError, match="no split 'test': it has train, validation"):
        ds["test"]
    with pytest.raises(KeyError, match="no column bord: it has game, ply"):
        ds["train"]["bord"]
    with pytest.raises(ValueError, match="no column bord"):
        ds["train"].select(["bord"])
    for row in (1000, -1001, [3, 1000]):
        with pytest.raises(IndexError, match="the split train has 1,000 rows"):
            ds["train"][row]
    for key in (1.5, None, [[1]], ["game"]):
        with pytest.raises(TypeError, match="want a number, a slice, a list of numbers, or the name of a column"):
            ds["train"][key]


@pytest.mark.parametrize("workers", [0, 1])
def test_rows_with_policies_are_items_of_a_loader(folder, workers):
    data = pytest.importorskip("torch.utils.data")
    train = selfplay.open(folder)["train"]
    seen = {}
    for batch in data.DataLoader(train, batch_size=7, shuffle=True, num_workers=workers):
        actions, weights = (batch[name] for name in ("policy_action", "policy_weight"))
        assert actions.shape == weights.shape and actions.shape[1] == max(g % 5 for g in batch["game"].tolist())
        for game, list_, shares in zip(batch["game"].tolist(), actions.tolist(), weights.tolist()):
            seen[game] = [a for a in list_ if a >= 0], [w for a, w in zip(list_, shares) if a >= 0]
    assert seen == {g: (train[g]["policy_action"].tolist(), train[g]["policy_weight"].tolist()) for g in range(1000)}
