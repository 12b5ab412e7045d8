"""Small datasets of random boards, written by pyarrow with the metadata of the program."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import selfplay

GAMES = ("chess", "contrast", "cotulenh")


def random_boards(name: str, rows: int, seed: int = 1) -> np.ndarray:
    """Returns boards with some pieces of both sides; they need not be legal."""
    game, rng = selfplay.game(name), np.random.default_rng(seed)
    boards = np.zeros((rows, game.length), game.dtype)
    used = rng.random((rows, game.cells)) < 0.1
    used[:, 0] = True  # no board is empty
    codes = rng.integers(1, len(game.pieces), (rows, game.cells))
    boards[:, : game.cells] = np.where(used, codes, 0)
    if name == "contrast":
        boards[:, 25:] = rng.integers(0, 4, (rows, 4)) % [4, 2, 4, 2]
    if name == "chess":
        _one_king_each(game, boards, rng)
    return boards


def _one_king_each(game: selfplay.Game, boards: np.ndarray, rng: np.random.Generator) -> None:
    """The king of a side decides which way its view is mirrored."""
    kings = [code for code, pieces in enumerate(game.pieces) if pieces and pieces[0].kind == "king"]
    boards[np.isin(boards, kings) & (np.arange(game.length) < game.cells)] = 0
    for board in boards:
        board[rng.choice(game.cells, 2, replace=False)] = kings


def moves(game: selfplay.Game, boards: np.ndarray, side: np.ndarray, mover: bool) -> dict[str, np.ndarray | pa.Array]:
    """Returns columns of moves: the legal ones start where the side to move has a piece, and the best one is the
    first of them on the board that it sees. Every third row has a policy."""
    seen = boards if mover else game.turn_boards(boards, side)
    own = np.array([pieces[0].side == 0 if pieces else False for pieces in game.pieces])
    origins = game.parts(np.arange(game.actions))[0]
    valid = np.flatnonzero(origins >= 0)[:: game.actions // 1000]
    lists, policies = [], []
    for row, board in enumerate(seen):
        legal = valid[own[board[origins[valid]]]]
        turned = legal if mover or side[row] == 0 else game.flip_actions(legal)
        lists.append(np.sort(turned).tolist())
        policies.append(turned[:2].tolist())
    weighted = [p if row % 3 == 0 else [] for row, p in enumerate(policies)]
    of_lists = pa.list_(pa.uint16())
    return {
        "best_action": np.array([p[0] for p in policies], np.uint16), "legal_actions": pa.array(lists, of_lists),
        "policy_action": pa.array(weighted, of_lists),
        "policy_weight": pa.array([[30000, 10000][: len(p)] for p in weighted], of_lists),
    }  # fmt: skip


def write(
    folder: Path, name: str, mover: bool = True, rows: int = 600, without: tuple[str, ...] = (), policy: bool = False
) -> Path:
    """Writes a folder with two splits, whose scores are a simple function of the boards: what a network can learn."""
    game = selfplay.game(name)
    folder.mkdir(parents=True, exist_ok=True)
    for number, split in enumerate(("train", "validation")):
        boards = random_boards(name, rows, number)
        if policy:  # both sides have a piece that may move
            codes = [[p[0].side if p else -1 for p in game.pieces].index(side) for side in (0, 1)]
            boards[:, [game.cells // 2, game.cells // 2 + 1]] = codes
        rng = np.random.default_rng(number)
        side = rng.integers(0, 2, rows).astype(np.uint8)
        owners = np.array([pieces[0].side if pieces else -1 for pieces in game.pieces])[boards[:, : game.cells]]
        lead = (owners == 0).sum(axis=1) - (owners == 1).sum(axis=1)
        sign = 1 if mover else 1 - 2 * side.astype(int)
        score = (100 * lead * sign).astype(np.int16)
        static = score // 2
        columns = {
            "ply": np.arange(rows).astype(np.uint16), "side": side, "board": boards, "score": score,
            "static_score": static, "outcome": np.sign(score).astype(np.int8), "searched": np.arange(rows) % 10 > 0,
        }  # fmt: skip
        if policy:
            columns |= moves(game, boards, side, mover)
        columns = {n: c for n, c in columns.items() if n not in without}
        _write(folder / f"{split}-00000.parquet", game, columns, mover)
    return folder


def _write(path: Path, game: selfplay.Game, columns: dict[str, np.ndarray], mover: bool) -> None:
    kind = np.dtype(game.dtype).name
    lists = {n for n, c in columns.items() if isinstance(c, pa.Array)}
    kinds = {n: "uint16" if n in lists else c.dtype.name for n, c in columns.items()}
    described = [{"name": n, "kind": kinds[n], "len": -1 if n in lists else 0, "doc": ""} for n in columns]
    for entry in described:
        if entry["name"] == "board":
            entry |= {"kind": kind, "len": game.length}
    elements = [{"name": e["name"], "count": e["count"], "doc": ""} for e in game.table["layout"]["elements"]]
    metadata = {
        "game": game.name, "table": "positions", "columns": json.dumps(described), "layout": "compact",
        "layout_version": str(game.versions["layout compact"]), "actions_version": "1",
        "layout_elements": json.dumps(elements), "perspective": "mover" if mover else "board",
        "sides": json.dumps(game.sides), "plan_hash": "ab" * 32,
    }  # fmt: skip
    arrays = {n: pa.array(c) for n, c in columns.items() if n != "board"}
    arrays["board"] = pa.FixedSizeListArray.from_arrays(pa.array(columns["board"].ravel()), game.length)
    table = pa.table({n: arrays[n] for n in columns})
    table = table.replace_schema_metadata({f"selfplay.{k}": v for k, v in metadata.items()})
    pa.parquet.write_table(table, path, row_group_size=100)


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
