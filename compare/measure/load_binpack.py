"""Loads binpack with the crate sfbinpack, which fills arrays of NumPy."""

import ctypes
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from .load import ROWS, Batch


def open_library(path: str) -> ctypes.CDLL:
    """Opens the library of compare/binpack."""
    library = ctypes.CDLL(path)
    library.binpack_open.restype = ctypes.c_void_p
    library.binpack_open.argtypes = [ctypes.c_char_p]
    library.binpack_read.restype = ctypes.c_size_t
    pointer = ctypes.c_void_p
    library.binpack_read.argtypes = [pointer, ctypes.c_size_t, pointer, pointer, pointer, pointer]
    library.binpack_close.argtypes = [ctypes.c_void_p]
    return library


def batches(folder: Path, library: str) -> Iterator[Batch]:
    """Reads the files of a folder that export has converted."""
    binpack = open_library(library)
    for path in sorted(folder.glob("train-*.binpack")):
        reader = binpack.binpack_open(str(path).encode())
        if not reader:
            raise OSError(f"open {path}: the crate refuses it")
        try:
            yield from read_file(binpack, reader)
        finally:
            binpack.binpack_close(reader)


def read_file(binpack: ctypes.CDLL, reader: int) -> Iterator[Batch]:
    """Yields all batches of an open file, the last one shorter. Each has memory of its own."""
    n = ROWS
    while n == ROWS:
        boards, sides = np.empty((ROWS, 64), np.uint8), np.empty(ROWS, np.uint8)
        scores, outcomes = np.empty(ROWS, np.int16), np.empty(ROWS, np.int8)
        arrays = [array.ctypes.data for array in (boards, sides, scores, outcomes)]
        n = binpack.binpack_read(reader, ROWS, *arrays)
        yield Batch(boards[:n], sides[:n], outcomes[:n])
