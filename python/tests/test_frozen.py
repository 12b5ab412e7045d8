"""Datasets that a release made, of every game, layout, board type and format, are read. The program has made the archives."""

import io
import json
import tarfile

import numpy as np
import pyarrow as pa
import pytest
from conftest import ROOT

import selfplay

ARCHIVES = sorted((ROOT / "cmd" / "program" / "testdata" / "frozen").glob("*/*.tar.zst"))


def test_there_are_archives():
    assert len(ARCHIVES) >= 5


@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_datasets_of_releases_are_read(archive, tmp_path):
    with pa.input_stream(str(archive), compression="zstd") as stream:
        tarfile.open(fileobj=io.BytesIO(stream.read())).extractall(tmp_path, filter="data")
    first = {}
    for folder in sorted(tmp_path.iterdir()):
        ds = selfplay.open(folder, verify=True)
        assert len(ds) == json.loads((folder / "manifest.json").read_text())["rows"] > 0
        for split, count in ds.splits.items():
            rows = ds.to_numpy(split)
            assert len(rows["board"]) == count
            assert ds.layout != "compact" or len(ds.moves(rows)) == count
            for name in ("game", "action", "score", "outcome"):  # all forms of a layout have the same games
                np.testing.assert_array_equal(rows[name], first.setdefault((ds.layout, split, name), rows[name]))
