"""What a dataset says about itself.

Every data file has key-value metadata with the prefix selfplay., and a folder of converted files has it as
metadata.json. It names the columns, the elements of a board, results and reasons, so that numbers can be read without
knowing the game.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

PREFIX = "selfplay."

# The types in which columns are handed out. PyTorch has hardly any operator for uint16, uint32 and uint64. A board
# keeps its width, as a view: no value of a board exceeds 32,767 in practice, and Game counts int16 as unsigned.
HANDED_OUT = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}


@dataclass(frozen=True)
class Column:
    """A column of the positions. len is 0 for one value per row, -1 for a list, n for an array of n numbers."""

    name: str
    kind: str  # of a number: uint16, bool and so on, or string
    len: int = 0
    doc: str = ""

    @property
    def is_text(self) -> bool:
        """Whether the values are texts."""
        return self.kind == "string"

    @property
    def is_list(self) -> bool:
        """Whether a value is a list of numbers, whose length differs from row to row: such columns are a Ragged."""
        return self.len < 0 and not self.is_text

    @property
    def stored(self) -> np.dtype[Any]:
        """The type of a number in files, little endian."""
        return np.dtype(self.kind).newbyteorder("<")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a number as it is handed out."""
        if self.name == "board" and self.kind == "uint16":
            return np.dtype("int16")
        return np.dtype(HANDED_OUT.get(self.kind, self.kind))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a row."""
        return (self.len,) if self.len > 0 else ()


@dataclass(frozen=True)
class Element:
    """A run of elements of a board with one meaning."""

    name: str
    count: int
    doc: str = ""


@dataclass(frozen=True)
class Metadata:
    """The metadata of a dataset, parsed."""

    raw: dict[str, str]  # by key, without the prefix
    columns: dict[str, Column]
    elements: list[Element]

    @staticmethod
    def parse(pairs: Mapping[Any, Any]) -> Metadata:
        """Reads the metadata of a file. Keys and values are bytes or text."""
        text = {_text(k): _text(v) for k, v in pairs.items()}
        raw = {k.removeprefix(PREFIX): v for k, v in text.items()}
        if PREFIX + "columns" not in text or raw.get("table") != "positions":
            raise ValueError("no metadata of positions: the file was not written by selfplay or export")
        columns = [Column(c["name"], c["kind"], c["len"], c["doc"]) for c in json.loads(raw["columns"])]
        elements = [Element(e["name"], e["count"], e["doc"]) for e in json.loads(raw.get("layout_elements", "[]"))]
        return Metadata(raw, {c.name: c for c in columns}, elements)

    def list(self, key: str) -> list[str]:
        """Returns a value that is a JSON list of texts."""
        return [str(v) for v in json.loads(self.raw.get(key, "[]"))]


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
