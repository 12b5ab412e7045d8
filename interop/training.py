"""Batches of a dataset as PyTorch tensors, from its files or from a pipe.

    for batch in training.loader(split, workers=2): ...  # a DataLoader over row groups
    for batch in training.stream(split): ...             # export convert, through a pipe

A batch is a dict of tensors, one a column, in which boards have the shape [rows, numbers].
Lists of any length are two tensors: values, and the end of each row in them.
"""

import subprocess

import numpy
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import torch
import torch.utils.data


def tensor(values):
    """A tensor that shares no memory: what Arrow hands out must not be written to."""
    return torch.from_numpy(numpy.array(values))


def column(split, array):
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
    return tensor(array.to_numpy(zero_copy_only=False))


def batch_of(split, rows):
    """The tensors of a record batch."""
    return {name: column(split, rows.column(i)) for i, name in enumerate(rows.schema.names)}


class RowGroups(torch.utils.data.IterableDataset):
    """A batch a row group of Parquet, or a record batch of Arrow. Workers share the
    groups out among themselves, each file open in one place at a time, so that memory
    holds one group a worker."""

    def __init__(self, split):
        self.split = split

    def groups(self):
        for file in self.split.files:
            if self.split.format == "arrow":
                opened = pyarrow.ipc.open_file(pyarrow.memory_map(file))
                for i in range(opened.num_record_batches):
                    yield lambda: opened.get_batch(i)
            else:
                opened = pyarrow.parquet.ParquetFile(file)
                for i in range(opened.num_row_groups):
                    yield lambda: opened.read_row_group(i, use_threads=False).combine_chunks().to_batches()[0]

    def __iter__(self):
        me = torch.utils.data.get_worker_info()
        for number, read in enumerate(self.groups()):
            if me is None or number % me.num_workers == me.id:
                yield batch_of(self.split, read())


def loader(split, workers):
    return torch.utils.data.DataLoader(RowGroups(split), batch_size=None, num_workers=workers)


def stream(split):
    """The batches of export's stream, which is read while it is written."""
    only = ["--split", split.name] if split.name else []
    command = [split.export, "convert", "--quiet", "--format", "arrow-stream", *only, "--out", "-", str(split.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as made:
        with pyarrow.ipc.open_stream(made.stdout) as batches:
            for rows in batches:
                yield batch_of(split, rows)
    if made.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit code {made.returncode}")
