"""A flipped bit of any file is an error: by the checksums that files carry, or by their SHA-256."""

import hashlib
import json
import random
import shutil

import numpy as np
import pyarrow.parquet as pq
import pytest

import selfplay


def write_sums(folder):
    lines = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines))


def flip(path, rng, copy):
    bad = bytearray(copy)
    bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
    path.write_bytes(bad)


def test_verified_folders_load(folder):
    write_sums(folder)
    assert len(selfplay.open(folder, verify=True)) == 1100
    assert len(selfplay.open(folder / next(f.name for f in folder.iterdir() if f.name.startswith("validation")), verify=True)) == 100


def test_every_flipped_bit_is_an_error_with_verify(folder):
    write_sums(folder)
    rng, path = random.Random(1), sorted(folder.glob("train*"))[0]
    copy = path.read_bytes()
    for _ in range(50):
        flip(path, rng, copy)
        with pytest.raises(ValueError, match=f"{path.name}: it is damaged"):
            selfplay.open(folder, verify=True)


def test_no_sum_is_an_error(folder):
    with pytest.raises(ValueError, match="open it without verify"):
        selfplay.open(folder, verify=True)


def test_checksums_of_page_headers_are_verified(tmp_path):
    """Rewritten by a tool that compresses without a checksum, but writes those of page headers."""
    from conftest import make_rows, table_of

    path = tmp_path / "train-00000.parquet"
    pq.write_table(table_of(make_rows(600), False), path, compression="none", use_dictionary=False, write_page_checksum=True)
    copy, want, rng, wrong = path.read_bytes(), selfplay.open(path).to_numpy()["board"], random.Random(1), 0
    begin = copy.index(np.ascontiguousarray(want[:1], np.uint16).astype("<u4").tobytes()[:40])
    for _ in range(20):
        bad = bytearray(copy)
        bad[begin + rng.randrange(4000)] ^= 1 << rng.randrange(8)
        path.write_bytes(bad)
        try:
            wrong += not np.array_equal(selfplay.open(path).to_numpy()["board"], want)
        except OSError:
            pass
    assert wrong == 0


def test_datasets_of_the_program(program, tmp_path, monkeypatch):
    monkeypatch.setenv("RULES_PROGRAM", program)
    out = tmp_path / "d"
    selfplay.run(game="contrast", player="random", games=40, shard_games=20, out=out, progress=False)
    ds = selfplay.open(out, verify=True)
    assert ds.games().num_rows == ds.games("train").num_rows + ds.games("validation").num_rows == 40
    with pytest.raises(ValueError, match="no split 'val': want train or validation"):
        ds.games("val")
    unfinished = tmp_path / "unfinished"
    shutil.copytree(out, unfinished)
    (unfinished / "manifest.json").unlink()
    assert len(selfplay.open(unfinished, verify=True)) == len(ds)

    want, rng, path = ds.to_numpy(), random.Random(1), sorted((out / "positions").glob("train*"))[0]
    copy = path.read_bytes()
    for _ in range(30):
        flip(path, rng, copy)
        with pytest.raises(ValueError, match="it is damaged"):
            selfplay.open(out, verify=True)
        try:
            got = selfplay.open(out).to_numpy()
        except Exception:
            continue  # zstd, or a header that cannot be read
        assert all(np.array_equal(got[name], want[name]) for name in want)
    path.write_bytes(copy)

    games = sorted((out / "games").glob("train*"))[0]
    games.write_bytes(games.read_bytes()[:-1] + b"x")
    with pytest.raises(ValueError, match="games.*it is damaged"):
        selfplay.open(out, verify=True).games()

    manifest = json.loads((out / "manifest.json").read_text())
    manifest["files"][0]["files"][0]["sha256"] = "0" * 64
    (out / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ValueError, match="manifest and commit record have different SHA-256"):
        selfplay.open(out, verify=True)
