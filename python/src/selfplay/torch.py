"""Batches as PyTorch tensors. Only this module imports torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch
import torch.utils.data

from .batches import Batches
from .columns import Rows
from .ragged import Ragged


def tensors(rows: Rows) -> dict[str, Any]:
    """Returns rows as tensors that share their memory. A Ragged is a pair of tensors: values and offsets; texts stay
    a list."""
    return {name: _tensor(column) for name, column in rows.items()}


def _tensor(column: Any) -> Any:
    if isinstance(column, Ragged):
        return torch.from_numpy(column.values), torch.from_numpy(column.offsets)
    return column if isinstance(column, list) else torch.from_numpy(column)


def place() -> dict[str, int]:
    """Returns rank and world_size of this process in torch.distributed, nothing if it is not initialised."""
    distributed = getattr(torch, "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return {}
    return {"rank": distributed.get_rank(), "world_size": distributed.get_world_size()}


class TorchBatches(torch.utils.data.IterableDataset[dict[str, Any]]):
    """Batches as an IterableDataset of dicts of tensors.

    Iterate over it, or give it to DataLoader(..., batch_size=None). Worker processes share the batches of an epoch of
    their rank, so each row comes once, whatever their number; they count no epochs, so call set_epoch before each one,
    also with persistent_workers=True.
    Where they stand is not known here: state_dict() in the middle of an epoch needs num_workers=0. Rows are cheap to
    read: zero workers are faster than several, unless a step of training leaves the processor idle.
    """

    def __init__(self, batches: Batches) -> None:
        super().__init__()
        self.batches = batches
        # Worker processes have copies of all else, so only shared memory tells what the other processes do: whether
        # workers have iterated last, how often this object was told where to begin, and the epoch and batch told last.
        shared: Any = torch.zeros(4, dtype=torch.int64, device="cpu")
        self._shared = shared.share_memory_()
        self._told = 0  # as far as this process knows

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._shared.share_memory_()  # that of copy.deepcopy() is not

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        worker = torch.utils.data.get_worker_info()
        self._shared[0] = worker is not None
        if worker is not None and self._told != int(self._shared[1]):  # since this process began
            _, self._told, epoch, batch = (int(n) for n in self._shared)
            self.batches.load_state_dict(self.batches.state_dict() | {"epoch": epoch, "batch": batch})
        part = iter(self.batches) if worker is None else self.batches.part(worker.id, worker.num_workers)
        return map(tensors, part)

    def set_epoch(self, epoch: int) -> None:
        """Makes the next iteration that of an epoch, from 0: each has its own order."""
        self.batches.set_epoch(epoch)
        self._tell()

    def state_dict(self) -> dict[str, Any]:
        """Returns where the last iteration stands, for load_state_dict(); after set_epoch() that is its first batch.
        Raises ValueError if worker processes have iterated since: only they know how far they are."""
        if self._shared[0] and torch.utils.data.get_worker_info() is None:
            raise ValueError("state of batches: worker processes have it: want num_workers=0, or set_epoch() before")
        return self.batches.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Lets the next iteration go on where a state stood. Raises ValueError at a state of other batches."""
        self.batches.load_state_dict(state)
        self._tell()

    def _tell(self) -> None:
        """Tells worker processes that run already where to begin."""
        state = self.batches.state_dict()
        self._told += 1
        for i, n in enumerate((0, self._told, state["epoch"], state["batch"])):
            self._shared[i] = n
