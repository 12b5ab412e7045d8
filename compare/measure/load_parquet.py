"""Loads Parquet with pyarrow alone."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.dataset

from .load import Batch


def batches(folder: Path) -> Iterator[Batch]:
    """Reads the files of a dataset whose boards are lists."""
    files = sorted(str(path) for path in (folder / "positions").glob("train-*.parquet"))
    table = pyarrow.dataset.dataset(files, format="parquet")
    for rows in table.to_batches(columns=["board", "side", "score", "outcome"]):
        if rows.num_rows:
            flat = rows["board"].flatten().to_numpy().astype(np.uint8, copy=False)
            rows["score"].to_numpy()
            yield Batch(flat.reshape(rows.num_rows, -1), rows["side"].to_numpy(), rows["outcome"].to_numpy())
