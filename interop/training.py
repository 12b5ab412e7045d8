"""Batches of a dataset as PyTorch tensors, from its files or from a pipe.

    for batch in training.loader(split, workers=2): ...  # a DataLoader over row groups
    for batch in training.stream(split): ...             # the output of export convert

split comes from boards.open_split. A batch is a dict with one tensor per column, or a list of texts; boards
have the shape [rows, numbers]. A column of variable-length lists is a pair of tensors: all values,
and for each row the end of its values.
"""

import subprocess

import numpy
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import torch
import torch.utils.data


def tensor(values):
    """Returns a tensor with a copy of the values, because Arrow's memory is read-only."""
    return torch.from_numpy(numpy.array(values))


def column(split, array):
    """Returns the tensor, or the pair of tensors, of an Arrow array."""
    kind = array.type
    if pyarrow.types.is_fixed_size_list(kind):
        return tensor(array.flatten().to_numpy().reshape(len(array), -1))
    if pyarrow.types.is_fixed_size_binary(kind):
        board = numpy.frombuffer(array.buffers()[1], split.dtype, offset=array.offset * kind.byte_width,
                                 count=len(array) * split.width)
        return tensor(board.reshape(len(array), -1))
    if pyarrow.types.is_list(kind):
        ends = array.offsets.to_numpy()
        return tensor(array.flatten().to_numpy()), tensor(ends[1:] - ends[0])
    if pyarrow.types.is_string(kind):
        return array.to_pylist()
    return tensor(array.to_numpy(zero_copy_only=False))


def batch_of(split, rows):
    """Returns the tensors of a record batch by column name."""
    return {name: column(split, rows.column(i)) for i, name in enumerate(rows.schema.names)}


class RowGroups(torch.utils.data.IterableDataset):
    """Yields one batch per Parquet row group or Arrow record batch. Worker k of n takes every
    n-th group from the k-th on. Memory holds one group per worker."""

    def __init__(self, split):
        self.split = split

    def groups(self):
        """Yields a function per group that reads it; call it before the next one."""
        for file in self.split.files:
            if self.split.format == "arrow":
                reader = pyarrow.ipc.open_file(pyarrow.memory_map(file))
                for i in range(reader.num_record_batches):
                    yield lambda: reader.get_batch(i)
            else:
                reader = pyarrow.parquet.ParquetFile(file)
                for i in range(reader.num_row_groups):
                    yield lambda: reader.read_row_group(i, use_threads=False).combine_chunks().to_batches()[0]

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        for number, read in enumerate(self.groups()):
            if worker is None or number % worker.num_workers == worker.id:
                yield batch_of(self.split, read())


def loader(split, workers):
    """Returns a DataLoader of batches, read by worker processes."""
    return torch.utils.data.DataLoader(RowGroups(split), batch_size=None, num_workers=workers)


def stream(split):
    """Yields the batches of `export convert` while it writes them."""
    flags = ["--split", split.name] if split.name else []
    command = [split.export, "convert", "--quiet", "--format", "arrow-stream", *flags, "--out", "-", str(split.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with pyarrow.ipc.open_stream(process.stdout) as batches:
            for rows in batches:
                yield batch_of(split, rows)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {process.returncode}")
