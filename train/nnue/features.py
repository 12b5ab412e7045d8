"""Boards as lists of active features.

A feature set numbers the facts of a board that a network sees, such as "own knight on f3". A board of n facts is a
list of n numbers. Boards are of the layout compact, as one side sees them: cells from the top left, own pieces first.
The view of the other side has other numbers for the same facts, and `turned` maps one to the other.

The folder tables has the numbers of each game, which tests of the engines write: go test ./engine/... -run
TestFeatureTable -update. A set is a frozen part of network files: a change is a new version. Features are counted by
hand in tests/test_features.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import selfplay

Ints = NDArray[np.int32]


@dataclass
class Bags:
    """Lists of features of n boards: those of board i are values[offsets[i]:offsets[i+1]]."""

    values: Ints
    offsets: Ints  # [n + 1], from 0

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> Ints:
        return np.diff(self.offsets)

    def slice(self, begin: int, end: int) -> Bags:
        """Returns the lists from begin to end."""
        offsets = self.offsets[begin : end + 1]
        return Bags(self.values[offsets[0] : offsets[-1]], offsets - offsets[0])


@dataclass(frozen=True)
class KingViews:
    """Views whose numbers depend on the cell of the own king: files are mirrored if it is on the right half, and each
    bucket of cells has features of its own."""

    size: int  # features of a bucket
    kings: range  # those of the own king, of which boards have one, in the first bucket
    mirrored: Ints  # [size], the number of a feature on the mirrored board
    mirrors: NDArray[np.bool_]  # [len(kings)], whether a king there mirrors the view
    bucket: Ints  # [len(kings)]

    def apply(self, bags: Bags) -> Bags:
        values = bags.values % self.size
        at = np.flatnonzero((values >= self.kings.start) & (values < self.kings.stop))
        boards = np.searchsorted(bags.offsets, at, "right") - 1
        kings = np.zeros(len(bags), np.int32)
        kings[boards] = values[at] - self.kings.start
        values = np.where(np.repeat(self.mirrors[kings], bags.counts), self.mirrored[values], values)
        return Bags(values + np.repeat(self.bucket[kings] * self.size, bags.counts), bags.offsets)


@dataclass(frozen=True, eq=False)
class FeatureSet:
    """The features of a game. members lists what a code of a cell stands for, as the first feature of each member,
    to which the cell is added. hands are elements of the board beside the cells, and the first feature of each."""

    name: str
    game: selfplay.Game
    size: int
    most: int  # active features of a board, at most
    buckets: int  # output layers, by default
    members: list[list[int]]
    hands: tuple[tuple[int, int], ...]
    turned: Ints  # [size], the number of a feature in the view of the other side
    factors: dict[str, Ints]  # [size] each: features with the same number share weights while training
    king_views: KingViews | None = None
    version: int = 1

    @cached_property
    def _counts(self) -> NDArray[np.int8]:
        """The members of every code."""
        return np.array([len(m) for m in self.members], np.int8)

    @cached_property
    def _tables(self) -> list[Ints]:
        """The features of every code and cell, one table for each place in a stack: [codes * cells]."""
        tables: list[Ints] = []
        for place in range(max(map(len, self.members))):
            first = np.array([m[place] if place < len(m) else 0 for m in self.members], np.int32)
            tables.append(np.asarray(first[:, None] + np.arange(self.game.cells), np.int32).ravel())
        return tables

    def bags(self, boards: NDArray[Any]) -> Bags:
        """Returns the features of boards [n, elements], in the view of the side that sees the boards so."""
        cells = self.game.cells
        codes = np.ascontiguousarray(boards[:, :cells])
        used = np.flatnonzero(codes != 0)  # in all games, code 0 has no features
        code = codes.ravel()[used]
        counts = self._counts[code]
        at = code.astype(np.int32) * cells + (used % cells).astype(np.int32)
        ends = np.cumsum(counts, dtype=np.int32)
        values = np.empty(int(ends[-1]) if len(ends) else 0, np.int32)
        starts = ends - counts
        values[starts] = self._tables[0][at]
        for place, table in enumerate(self._tables[1:], 1):
            more = np.flatnonzero(counts > place)
            values[starts[more] + place] = table[at[more]]
        rows = np.bincount(used // cells, counts, len(boards)).astype(np.int32)
        offsets = np.concatenate([[0], np.cumsum(rows, dtype=np.int32)]).astype(np.int32)
        return self._by_king(self._with_hands(boards, Bags(values, offsets)))

    def _by_king(self, bags: Bags) -> Bags:
        return self.king_views.apply(bags) if self.king_views else bags

    def _with_hands(self, boards: NDArray[Any], bags: Bags) -> Bags:
        """Adds one feature for each hand to every list."""
        if not self.hands:
            return bags
        elements, first = np.array(self.hands).T
        hands = (boards[:, elements] + first).astype(np.int32)
        at = np.repeat(bags.offsets[1:], hands.shape[1])
        offsets = bags.offsets + hands.shape[1] * np.arange(len(bags) + 1, dtype=np.int32)
        return Bags(np.insert(bags.values, at, hands.ravel()), offsets)

    def other(self, bags: Bags) -> Bags:
        """Returns the features in the view of the other side."""
        return self._by_king(Bags(self.turned[bags.values], bags.offsets))

    def other_where(self, mask: NDArray[np.bool_], bags: Bags) -> Bags:
        """Returns the features in the view of the other side for the boards of a mask."""
        turn = np.repeat(mask, bags.counts)
        return self._by_king(Bags(np.where(turn, self.turned[bags.values], bags.values), bags.offsets))

    def bucket(self, counts: NDArray[Any], buckets: int) -> NDArray[np.int64]:
        """Returns the output layer of boards with so many active features."""
        return np.clip((counts.astype(np.int64) - 1) * buckets // self.most, 0, buckets - 1)


TABLES = Path(__file__).parent / "tables"


def table_of(name: str) -> dict[str, Any]:
    """Returns the feature table of a game."""
    table: dict[str, Any] = json.loads((TABLES / f"{name}.json").read_text("utf-8"))
    return table


# Features that share weights while training, by game and name of the group: functions of the features of the first
# bucket, and of the number of cells. A block is a fact on each cell, such as "own knight".
FACTORS: dict[str, dict[str, Callable[[Ints, int], Ints]]] = {
    "cotulenh": {
        "plane": lambda feature, cells: feature // cells,
        "kind and cell": lambda feature, cells: feature // cells // 4 * cells + feature % cells,  # 4 blocks a kind
    },
    "chess": {
        "plane": lambda feature, cells: feature // cells,
        "any king": lambda feature, cells: feature,
    },
    "contrast": {  # six blocks of pieces on three kinds of tiles, two of bare tiles, hands
        "plane": lambda feature, cells: np.minimum(feature // cells, 8),
        "side and cell": lambda feature, cells: np.where(
            feature < 6 * cells,
            feature // cells // 3 * cells + feature % cells,
            np.minimum(feature - 4 * cells, 4 * cells),
        ),
    },
}


def _turned(table: dict[str, Any], game: selfplay.Game) -> Ints:
    """Returns the numbers in the view of the other side, of the first bucket."""
    to = np.array(game.table["flip"]["to"][: game.cells])
    blocks = (np.array(table["turned"])[:, None] + to).ravel()
    hands = [first + n for _, _, first, values in table["hands"] for n in range(values)]
    return np.concatenate([blocks, hands]).astype(np.int32)


def _king_views(kings: dict[str, Any], cells: int) -> KingViews:
    mirror = np.array(kings["mirror"])
    mirrored = np.arange(kings["size"]) ^ mirror.max()
    bucket = np.array(kings["bucket"], np.int32)
    first: int = kings["first"]
    return KingViews(kings["size"], range(first, first + cells), mirrored.astype(np.int32), mirror > 0, bucket)


def _set(name: str, table: dict[str, Any], buckets: int) -> FeatureSet:
    game, kings = selfplay.game(name), table["kings"]
    first = np.arange(table["size"], dtype=np.int32) % (kings["size"] if kings else table["size"])
    bucket = np.arange(table["size"], dtype=np.int32) - first
    factors = {key: factor(first, game.cells).astype(np.int32) for key, factor in FACTORS[name].items()}
    hands = tuple((element, feature) for element, feature, _, _ in table["hands"])
    turned = _turned(table, game)[first] + bucket
    views = _king_views(kings, game.cells) if kings else None
    return FeatureSet(
        name=table["name"],
        game=game,
        size=table["size"],
        most=table["most"],
        buckets=buckets,
        members=table["codes"],
        hands=hands,
        turned=turned,
        factors=factors,
        king_views=views,
        version=table["version"],
    )


BUCKETS = {"cotulenh": 4, "chess": 8, "contrast": 1}  # output layers, by default


@cache
def of_game(name: str) -> FeatureSet:
    """Returns the feature set of a game."""
    if name not in BUCKETS:
        raise ValueError(f"features of {name}: no feature set, want one of {', '.join(sorted(BUCKETS))}")
    return _set(name, table_of(name), BUCKETS[name])
