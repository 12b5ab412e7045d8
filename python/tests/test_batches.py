"""Order, shuffling, ranks, workers and resuming."""

import numpy as np
import pytest

import selfplay


def games(batches):
    return [g for batch in batches for g in batch["game"].tolist()]


def test_batches_are_in_order_and_cross_files_and_groups(folder):
    batches = selfplay.open(folder).batches("train", 70, ["game", "board"])
    sizes = [len(b["game"]) for b in batches]
    assert sizes == [70] * 14 + [20] and len(batches) == 15
    assert games(batches) == list(range(1000))


def test_drop_last(folder):
    batches = selfplay.open(folder).batches("train", 300, ["game"], drop_last=True)
    assert len(batches) == 3 and games(batches) == list(range(900))


@pytest.mark.parametrize("window", [1, 200, 5000])
def test_shuffled_epochs_have_every_row_once(folder, window):
    batches = selfplay.open(folder).batches("train", 70, ["game"], shuffle=True, seed=3, window=window)
    first, second = games(batches), games(batches)
    assert sorted(first) == sorted(second) == list(range(1000))
    assert first != second and first != sorted(first)


def test_rows_stay_whole_when_shuffled(folder):
    ds = selfplay.open(folder)
    want = ds.to_numpy()
    for batch in ds.batches("train", 70, shuffle=True, window=300):
        g = batch["game"]
        assert (batch["board"] == want["board"][g]).all() and (batch["score"] == want["score"][g]).all()
        assert batch["policy_action"].tolist() == want["policy_action"].take(g).tolist()
        assert batch["move"] == [want["move"][i] for i in g]


def test_a_seed_always_gives_the_same_order(folder):
    ds = selfplay.open(folder)
    one, same, other = (games(ds.batches("train", 64, ["game"], shuffle=True, seed=s)) for s in (1, 1, 2))
    assert one == same != other


def test_a_window_mixes_groups_from_everywhere(folder):
    first = next(iter(selfplay.open(folder).batches("train", 256, ["game"], shuffle=True, window=256)))
    assert len({g // 64 for g in first["game"].tolist()}) >= 4


@pytest.mark.parametrize("shuffle", [False, True])
def test_ranks_share_the_rows_equally(folder, shuffle):
    ds = selfplay.open(folder)
    ranks = [ds.batches("train", 50, ["game"], shuffle=shuffle, rank=r, world_size=3) for r in range(3)]
    seen = [games(b) for b in ranks]
    assert [len(s) for s in seen] == [333] * 3 and {len(b) for b in ranks} == {7}
    assert len(set(sum(seen, []))) == 999


def test_workers_share_the_batches(folder):
    batches = selfplay.open(folder).batches("train", 64, ["game"], shuffle=True)
    whole = [b["game"].tolist() for b in batches]
    parts = []
    for worker in range(3):
        batches.set_epoch(0)
        parts += [b["game"].tolist() for b in batches.part(worker, 3)]
    assert parts == whole


@pytest.mark.parametrize("after", [0, 1, 7, 15, 16, 20])
def test_resumed_batches_are_those_that_would_have_come(folder, after):
    ds = selfplay.open(folder)
    options = dict(shuffle=True, seed=5, window=200)
    source = ds.batches("train", 64, ["game"], **options)
    every = [b["game"].tolist() for _ in range(3) for b in source]

    source = ds.batches("train", 64, ["game"], **options)
    got, left = [], after
    while left:
        for batch in source:
            got.append(batch["game"].tolist())
            left -= 1
            if not left:
                break
    resumed = ds.batches("train", 64, ["game"], **options)
    resumed.load_state_dict(source.state_dict())
    while len(got) < len(every):
        got += [b["game"].tolist() for b in resumed]
    assert got == every


def test_the_epoch_that_is_set_is_in_the_state(folder):
    ds = selfplay.open(folder)
    batches = ds.batches("train", 64, ["game"], shuffle=True)
    next(iter(batches))
    batches.set_epoch(3)
    state = batches.state_dict()
    assert (state["epoch"], state["batch"]) == (3, 0)
    resumed = ds.batches("train", 64, ["game"], shuffle=True)
    resumed.load_state_dict(state)
    assert games(resumed) == games(batches)


@pytest.mark.parametrize("after", [0, 1, 7, 15])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_resume_an_epoch_together(folder, after, workers):
    batches = selfplay.open(folder).batches("train", 64, ["game"], shuffle=True)
    every, part = games(batches), []
    batches.set_epoch(0)
    iterator = iter(batches)
    head = games(next(iterator) for _ in range(after))
    state = batches.state_dict()
    for worker in range(workers):
        batches.load_state_dict(state)
        part += games(batches.part(worker, workers))
    assert head + part == every


@pytest.mark.parametrize("change", [{"seed": 2}, {"size": 65}, {"window": 100}, {"world_size": 2}, {"shuffle": False}])
def test_a_state_of_other_batches_is_refused(folder, change):
    ds = selfplay.open(folder)
    options = {"size": 64, "seed": 1, "shuffle": True}
    state = ds.batches("train", columns=["game"], **options).state_dict()
    with pytest.raises(ValueError, match=f"resume batches: {next(iter(change))} was"):
        ds.batches("train", columns=["game"], **options | change).load_state_dict(state)


def test_padded_policies(folder):
    ds = selfplay.open(folder)
    batch = next(iter(ds.batches("train", 6, ["policy_action", "policy_weight"], pad={"policy_action": 3, "policy_weight": 3})))
    assert batch["policy_action"][:5].tolist() == [[-1] * 3, [55440, -1, -1], [55440, 55439, -1], [55440, 55439, 55438], [55440, 55439, 55438]]
    assert batch["policy_weight"][4].tolist() == [0, 1, 2]


def test_padding_cuts_no_legal_moves():
    rows = {"legal_actions": selfplay.Ragged(np.array([5, 6, 7]), np.array([0, 1, 3]))}
    padded = {width: selfplay.Batches([], open, [], 2, pad={"legal_actions": width})._padded for width in (1, 2)}
    assert padded[2](dict(rows))["legal_actions"].tolist() == [[5, -1], [6, 7]]
    with pytest.raises(ValueError, match="pad legal_actions: width 1, but a row has 2 values"):
        padded[1](dict(rows))


@pytest.mark.parametrize(
    "options, want",
    [
        ({"size": 0}, "size is 0, want 1 or more"),
        ({"window": 0}, "window is 0, want 1 or more"),
        ({"world_size": 0}, "world_size is 0, want 1 or more"),
        ({"rank": 1}, "rank is 1, want 0 to 0 for a world_size of 1"),
        ({"rank": -1}, "rank is -1, want 0 to 0"),
    ],
)
def test_options_out_of_range_are_refused(folder, options, want):
    with pytest.raises(ValueError, match=f"make batches: {want}"):
        selfplay.open(folder).batches(**options)


def test_tensors(folder):
    torch = pytest.importorskip("torch")
    ds = selfplay.open(folder)
    batches = ds.torch_batches("train", 64, ["game", "board", "policy_action", "move"], shuffle=True)
    plain = list(ds.batches("train", 64, ["game", "board"], shuffle=True))
    for got, want in zip(batches, plain, strict=True):
        assert got["board"].dtype == torch.int16 and (got["board"].numpy() == want["board"]).all()
        values, offsets = got["policy_action"]
        assert len(offsets) == len(want["game"]) + 1 and values.dtype == torch.int32
    for workers in (0, 2):
        batches.set_epoch(0)
        loader = torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers)
        assert sorted(g for b in loader for g in b["game"].tolist()) == list(range(1000))
    batches.set_epoch(1)  # where workers stand only they know
    state = batches.state_dict()
    batches.load_state_dict(state)
    assert ds.to_torch("validation", ["score"])["score"].dtype == torch.int16


def test_lists():
    ragged = selfplay.Ragged(np.array([1, 2, 3, 4], np.int32), np.array([0, 1, 1, 4]))
    assert ragged.tolist() == [[1], [], [2, 3, 4]] and len(ragged) == 3 and ragged[-1].tolist() == [2, 3, 4]
    assert ragged.take([2, 0, 1, 2]).tolist() == [[2, 3, 4], [1], [], [2, 3, 4]]
    assert ragged.slice(1, 3).tolist() == ragged[1:].tolist() == [[], [2, 3, 4]]
    assert ragged[::-2].tolist() == [[2, 3, 4], [1]] and len(ragged[3:]) == 0
    assert selfplay.Ragged.concatenate([ragged.slice(2, 3), ragged]).tolist() == [[2, 3, 4], [1], [], [2, 3, 4]]
    assert ragged.padded().tolist() == [[1, -1, -1], [-1, -1, -1], [2, 3, 4]]
    unsigned = selfplay.Ragged(ragged.values.astype(np.uint16), ragged.offsets)  # as legal actions of positions are
    assert unsigned.padded().tolist() == ragged.padded().tolist() and unsigned.padded(fill=65535).dtype == np.uint16
    assert selfplay.legal_mask(ragged, 5).tolist() == [[0, 1, 0, 0, 0], [0] * 5, [0, 0, 1, 1, 1]]
    numbers, shares = selfplay.policy(ragged, ragged, 2)
    assert numbers.tolist() == [[1, -1], [-1, -1], [3, 4]] and np.allclose(shares, [[1, 0], [0, 0], [3 / 7, 4 / 7]])
