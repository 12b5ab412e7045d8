"""Boards as lists of active features.

A feature set numbers the facts of a board that a network sees, such as "own knight on f3". A board of n facts is a
list of n numbers. Boards are of the layout compact, as one side sees them: cells from the top left, own pieces first.
The view of the other side has other numbers for the same facts, and `turned` maps one to the other.

    cotulenh-stacks  (((enemy*11 + kind)*2 + heroic)*2 + carried)*132 + cell, for every member of every stack
    chess-768x4-mirrored
                     bucket*768 + (enemy*6 + kind)*64 + cell, where files are mirrored in a view whose king is on the
                     files e to h, and the bucket is that of the king: a1 and b1, c1 and d1, second rank, others
    contrast-cells   (enemy*3 + tile)*25 + cell of a piece; 150 + cell a black tile and 175 + cell a gray tile without
                     a piece; 200 + number of own black tiles in hand, 204 + own gray, 206 + enemy black, 210 + gray

Features are counted by hand in tests/test_features.py. A set is a frozen part of network files: a change is a new
version.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
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


def cotulenh_stacks() -> FeatureSet:
    game = selfplay.game("cotulenh")
    kinds = len(game.table["kinds"])
    shape = (2, kinds, 2, 2, game.cells)
    enemy, kind, heroic, carried, cell = np.unravel_index(np.arange(np.prod(shape)), shape)
    first = [
        [(((side * kinds + k) * 2 + ring) * 2 + (place > 0)) * game.cells for place, (k, side, ring) in enumerate(code)]
        for code in game.table["pieces"]
    ]
    turned = np.ravel_multi_index((1 - enemy, kind, heroic, carried, _to(game)[cell]), shape)
    factors = {
        "plane": ((enemy * kinds + kind) * 2 + heroic) * 2 + carried,
        "kind and cell": (enemy * kinds + kind) * game.cells + cell,
    }
    return _set("cotulenh-stacks", game, 38, 4, first, (), turned, factors)


def chess_768x4_mirrored() -> FeatureSet:
    game, buckets = selfplay.game("chess"), 4
    kinds = game.table["kinds"]
    shape = (2, len(kinds), game.cells)
    size = int(np.prod(shape))
    bucket, feature = np.divmod(np.arange(buckets * size), size)
    enemy, kind, cell = np.unravel_index(feature, shape)
    first = [[(side * shape[1] + k) * game.cells for k, side, _ in code] for code in game.table["pieces"]]
    turned = bucket * size + np.ravel_multi_index((1 - enemy, kind, _to(game)[cell]), shape)
    factors = {"plane": enemy * shape[1] + kind, "any king": feature}
    king = kinds.index("king") * game.cells
    rank, file = np.divmod(np.arange(game.cells), 8)  # rank 7 is the own first rank
    half = np.minimum(file, 7 - file)
    bucket_of = np.select([rank == 7, rank == 6], [half // 2, 2], 3).astype(np.int32)
    mirrored = (np.arange(size) ^ 7).astype(np.int32)
    views = KingViews(size, range(king, king + game.cells), mirrored, file >= 4, bucket_of)
    return _set("chess-768x4-mirrored", game, 32, 8, first, (), turned, factors, views)


def contrast_cells() -> FeatureSet:
    """Unlike other codes, an empty cell may have a feature here: its tile."""
    game = selfplay.game("contrast")
    cells, enemy_hand = game.cells, 6  # an own hand has 4 + 2 features
    first: list[list[int]] = [[]]
    first += [[(5 + tile) * cells] for tile in (1, 2)]
    first += [[(enemy * 3 + tile) * cells] for enemy in (0, 1) for tile in range(3)]
    feature = np.arange(8 * cells)
    block, cell = feature // cells, feature % cells
    other = np.where(block < 6, (block + 3) % 6, block)
    hands = 8 * cells + (np.arange(12) + enemy_hand) % 12
    turned = np.concatenate([other * cells + _to(game)[cell], hands])
    side_and_cell = np.where(block < 6, block // 3, block - 4) * cells + cell
    factors = {
        "plane": np.concatenate([block, np.full(12, 8)]),
        "side and cell": np.concatenate([side_and_cell, np.full(12, 4 * cells)]),
    }
    elements = range(cells, cells + 4)
    bases = (8 * cells, 8 * cells + 4, 8 * cells + 6, 8 * cells + 10)
    return _set("contrast-cells", game, 22, 1, first, tuple(zip(elements, bases)), turned, factors)


def _to(game: selfplay.Game) -> NDArray[Any]:
    """Returns where each cell is in the view of the other side."""
    return np.array(game.table["flip"]["to"])


def _set(
    name: str,
    game: selfplay.Game,
    most: int,
    buckets: int,
    first: list[list[int]],
    hands: tuple[tuple[int, int], ...],
    turned: NDArray[Any],
    factors: dict[str, NDArray[Any]],
    king_views: KingViews | None = None,
) -> FeatureSet:
    numbered = {key: np.asarray(value, np.int32) for key, value in factors.items()}
    turned = turned.astype(np.int32)
    return FeatureSet(name, game, len(turned), most, buckets, first, hands, turned, numbered, king_views)


@cache
def of_game(name: str) -> FeatureSet:
    """Returns the feature set of a game."""
    sets = {"cotulenh": cotulenh_stacks, "chess": chess_768x4_mirrored, "contrast": contrast_cells}
    if name not in sets:
        raise ValueError(f"features of {name}: no feature set, want one of {', '.join(sorted(sets))}")
    return sets[name]()
