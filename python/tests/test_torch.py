"""Workers and ranks of PyTorch. A stand-in takes the place of torch where it is not installed."""

import copy
import importlib
import importlib.util
import sys
import types

import pytest

import selfplay


class IterableDataset:
    def __class_getitem__(cls, _):
        return cls


class Shared(list):
    """A tensor in memory that processes share."""

    def share_memory_(self):
        return self


@pytest.fixture
def torch(monkeypatch):
    """torch, or a module that has what selfplay.torch needs of it."""
    if importlib.util.find_spec("torch"):
        return importlib.import_module("torch")
    data = types.SimpleNamespace(IterableDataset=IterableDataset, get_worker_info=lambda: None)
    distributed = types.SimpleNamespace(is_available=lambda: True, is_initialized=lambda: False)
    fake = types.ModuleType("torch")
    fake.utils, fake.from_numpy, fake.distributed = types.SimpleNamespace(data=data), lambda array: array, distributed
    fake.zeros, fake.int64 = lambda n, **_: Shared([0] * n), None
    monkeypatch.setitem(sys.modules, "torch", fake)
    monkeypatch.setitem(sys.modules, "torch.utils", fake.utils)
    monkeypatch.setitem(sys.modules, "torch.utils.data", data)
    monkeypatch.delitem(sys.modules, "selfplay.torch", raising=False)
    return fake


def rows_of(torch, monkeypatch, batches, workers):
    """Returns the rows that each of several workers has, as torch tells them who they are."""
    seen = []
    for worker in range(workers):
        info = types.SimpleNamespace(id=worker, num_workers=workers) if workers > 1 else None
        monkeypatch.setattr(torch.utils.data, "get_worker_info", lambda info=info: info)
        batches.set_epoch(0)
        seen.append([g for batch in batches for g in batch["game"].tolist()])
    return seen


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("ranks", [1, 3, 7])
def test_each_row_once_over_all_ranks_and_workers(folder, torch, monkeypatch, shuffle, workers, ranks):
    ds = selfplay.open(folder)
    seen = []
    for rank in range(ranks):
        batches = ds.torch_batches("train", 50, ["game"], shuffle=shuffle, window=200, rank=rank, world_size=ranks, even=False)
        own = sum(rows_of(torch, monkeypatch, batches, workers), [])
        assert 1000 // ranks <= len(own) <= -(-1000 // ranks) and len(batches) == -(-len(own) // 50)
        seen += own
    assert sorted(seen) == list(range(1000))


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_even_ranks_have_the_same_number_of_batches(folder, torch, monkeypatch, workers):
    ds = selfplay.open(folder)
    ranks = [ds.torch_batches("train", 50, ["game"], shuffle=True, rank=r, world_size=3) for r in range(3)]
    seen = [sum(rows_of(torch, monkeypatch, batches, workers), []) for batches in ranks]
    assert [len(s) for s in seen] == [333] * 3 and len(set(sum(seen, []))) == 999


def test_ranks_are_those_of_torch_distributed(folder, torch, monkeypatch):
    for name, value in (("is_initialized", True), ("get_rank", 2), ("get_world_size", 4)):
        monkeypatch.setattr(torch.distributed, name, lambda value=value: value, raising=False)
    ds = selfplay.open(folder)
    batches = ds.torch_batches("train", 50, ["game"]).batches
    assert (batches.rank, batches.world_size) == (2, 4)
    assert ds.torch_batches("train", 50, rank=0, world_size=1).batches.world_size == 1


@pytest.mark.parametrize("workers", [0, 2, 3])
def test_a_real_loader_has_each_row_once(folder, workers):
    torch = pytest.importorskip("torch")
    seen = []
    for rank in range(2):
        batches = selfplay.open(folder).torch_batches("train", 64, ["game"], shuffle=True, rank=rank, world_size=2, even=False)
        loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
        seen += [g for batch in loader for g in batch["game"].tolist()]
    assert sorted(seen) == list(range(1000))


@pytest.mark.parametrize("folder", ["arrow"], indirect=True)
def test_a_state_that_only_workers_know_is_refused(folder, torch, monkeypatch):
    batches = selfplay.open(folder).torch_batches("train", 64, ["game"])
    rows_of(torch, monkeypatch, batches, 2)
    assert batches.state_dict()["batch"] == 0  # in a worker, its own state
    monkeypatch.setattr(torch.utils.data, "get_worker_info", lambda: None)
    with pytest.raises(ValueError, match="state of batches: worker processes have it: want num_workers=0"):
        batches.state_dict()
    batches.set_epoch(4)
    state = batches.state_dict()
    assert (state["epoch"], state["batch"]) == (4, 0)
    next(iter(batches))
    assert batches.state_dict()["batch"] == 1


@pytest.mark.parametrize("folder", ["arrow"], indirect=True)
@pytest.mark.parametrize("context", ["fork", "spawn", "copied"])
def test_a_real_loader_tells_that_its_workers_iterate(folder, context):
    torch = pytest.importorskip("torch")
    if context != "spawn" and "fork" not in torch.multiprocessing.get_all_start_methods():
        pytest.skip("no fork on this system")
    batches = selfplay.open(folder).torch_batches("train", 64, ["game"])
    if context == "copied":
        context, batches = "fork", copy.deepcopy(batches)
    loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=1, multiprocessing_context=context)
    next(iter(loader))
    with pytest.raises(ValueError, match="worker processes have it"):
        batches.state_dict()
    batches.set_epoch(1)
    assert batches.state_dict()["epoch"] == 1


@pytest.mark.parametrize("folder", ["arrow"], indirect=True)
def test_workers_that_persist_begin_where_they_are_told(folder):
    torch = pytest.importorskip("torch")
    options = {"shuffle": True, "window": 200, "seed": 5}
    batches, alone = (selfplay.open(folder).torch_batches("train", 64, ["game"], **options) for _ in range(2))
    loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=1, persistent_workers=True)

    def games(source):
        return [g for batch in source for g in batch["game"].tolist()]

    for epoch in (4, 1, 1, 7):
        batches.set_epoch(epoch)
        alone.set_epoch(epoch)
        assert games(loader) == games(alone)
    alone.set_epoch(2)
    next(iter(alone))
    state = alone.state_dict()
    batches.load_state_dict(state)
    alone.load_state_dict(state)
    assert games(loader) == games(alone)
