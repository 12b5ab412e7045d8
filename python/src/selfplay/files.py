"""Data files as groups of rows that can be read one by one.

    Parquet   a group is a row group
    Arrow     a group is a record batch: files (.arrow) and streams (.arrows), memory-mapped
    records   a group is 8,192 records of fixed size, memory-mapped; dtype.json describes them

The programs write compressed pages and buffers as frames with a checksum, which zstd verifies; checksums in page headers,
which other writers add, are verified too. Uncompressed Arrow and records have none: see sums.py.

A reader returns views (see columns.py). Uncompressed Arrow and records are views of the file.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
from numpy.typing import NDArray

from .columns import Rows, view
from .metadata import Column, Metadata

RECORDS_GROUP = 8192  # rows of a group of records


class File(Protocol):
    """An open data file. It belongs to one thread."""

    rows: list[int]  # of each group

    def read(self, group: int, columns: Sequence[Column]) -> Rows:
        """Returns views of columns of a group."""
        ...

    def table(self, names: Sequence[str]) -> pa.Table:
        """Returns columns of all groups in the types of the file."""
        ...


class ParquetFile(File):
    """A Parquet file."""

    def __init__(self, path: Path) -> None:
        self._file = pa.parquet.ParquetFile(path, memory_map=True, page_checksum_verification=True)
        meta = self._file.metadata
        self.metadata = dict(self._file.schema_arrow.metadata or {})
        self.rows = [meta.row_group(g).num_rows for g in range(meta.num_row_groups)]

    def read(self, group: int, columns: Sequence[Column]) -> Rows:
        table = self._file.read_row_group(group, [c.name for c in columns], use_threads=False)
        return {c.name: view(_one_chunk(table[c.name]), c) for c in columns}

    def table(self, names: Sequence[str]) -> pa.Table:
        return self._file.read(list(names))


def checked_parquet() -> Any:
    """Returns the format of Parquet files for pyarrow.dataset, with the checksums of pages verified."""
    import pyarrow.dataset

    options = pa.dataset.ParquetFragmentScanOptions(page_checksum_verification=True)
    return pa.dataset.ParquetFileFormat(default_fragment_scan_options=options)


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    array = column.combine_chunks()
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


class ArrowFile(File):
    """Arrow batches. The messages are walked once, so that rows are known without reading a batch."""

    def __init__(self, path: Path) -> None:
        source = pa.memory_map(str(path))
        batches = None  # a stream does not say how many there are
        if source.read_buffer(6).to_pybytes() == b"ARROW1":
            batches = pa.ipc.open_file(source).num_record_batches
        source.seek(0 if batches is None else 8)
        self.schema = pa.ipc.read_schema(pa.ipc.read_message(source))
        self.metadata = dict(self.schema.metadata or {})
        self._messages = list(_batches(source, batches))
        self.rows = [_batch_rows(message.metadata.to_pybytes()) for message in self._messages]

    def read(self, group: int, columns: Sequence[Column]) -> Rows:
        batch = pa.ipc.read_record_batch(self._messages[group], self.schema)
        return {c.name: view(batch.column(batch.schema.get_field_index(c.name)), c) for c in columns}

    def table(self, names: Sequence[str]) -> pa.Table:
        batches = [pa.ipc.read_record_batch(message, self.schema) for message in self._messages]
        return pa.Table.from_batches(batches, self.schema).select(list(names))


def _batches(source: Any, count: int | None) -> Iterator[Any]:
    """Yields the messages of so many record batches, or of all up to the end of a stream."""
    while count is None or count > 0:
        try:
            message = pa.ipc.read_message(source)
        except EOFError:
            if count is None:
                return
            raise
        if message is None or message.type != "record batch":
            raise pa.ArrowInvalid(f"a message of type {message and message.type}, want a record batch")
        yield message
        count = None if count is None else count - 1


def _batch_rows(message: bytes) -> int:
    """Returns the rows of a record batch: the first field of the header of its flatbuffer message."""
    header = _field(message, struct.unpack_from("<I", message, 0)[0], 2)
    batch = header + struct.unpack_from("<I", message, header)[0]
    return int(struct.unpack_from("<q", message, _field(message, batch, 0))[0])


def _field(data: bytes, table: int, number: int) -> int:
    """Returns where a field of a flatbuffer table is."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    return int(table + struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0])


class RecordsFile(File):
    """A file of records of fixed size."""

    def __init__(self, path: Path, dtype: np.dtype[Any]) -> None:
        self._data = np.memmap(path, dtype, mode="r")
        n = len(self._data)
        self.rows = [min(RECORDS_GROUP, n - at) for at in range(0, n, RECORDS_GROUP)]

    def read(self, group: int, columns: Sequence[Column]) -> Rows:
        rows = self._data[group * RECORDS_GROUP :][:RECORDS_GROUP]
        return {c.name: np.asarray(rows[c.name]) for c in columns}

    def table(self, names: Sequence[str]) -> pa.Table:
        return pa.table({name: _array(np.ascontiguousarray(self._data[name])) for name in names})


def _array(values: NDArray[Any]) -> pa.Array:
    """Returns an array [rows] or [rows, n] as an Arrow array of numbers or of lists of fixed size."""
    if values.ndim == 1:
        return pa.array(values)
    return pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), values.shape[1])


def records_layout(path: Path) -> tuple[np.dtype[Any], Metadata]:
    """Reads dtype.json, whose fields are columns, and the metadata.json beside it, if it is there. Boards are read as
    int16, like everywhere."""
    document = json.loads(path.read_text("utf-8"))
    if document.get("version") != 1:
        raise ValueError(f"read {path}: version {document.get('version')}, want 1")
    columns, formats = {}, []
    for f in document["fields"]:
        shape, stored = tuple(f["shape"]), np.dtype(f["type"])
        column = Column(f["name"], stored.newbyteorder("=").name, int(np.prod(shape)) if shape else 0, f["meaning"])
        columns[column.name] = column
        same_size = stored.itemsize == column.dtype.itemsize
        formats.append((column.dtype.newbyteorder("<") if same_size else stored, shape))
    offsets = [f["offset"] for f in document["fields"]]
    dtype = np.dtype({"names": list(columns), "formats": formats, "offsets": offsets, "itemsize": document["record_bytes"]})
    beside = path.with_name("metadata.json")
    if beside.exists():
        found = Metadata.parse(json.loads(beside.read_text("utf-8")))
        return dtype, Metadata(found.raw, columns, found.elements)
    raw = {k: str(v) for k, v in document.items() if k in ("game", "variant", "layout", "perspective")}
    return dtype, Metadata(raw, columns, [])
