"""Chooses rows of small datasets by `--where` and in DuckDB, by SQL over the tables of positions and games, and
compares which rows they are. Compares texts of `--text` with the columns that have their numbers.

    python where.py EXPORT DIR...

EXPORT is the built export program. Each DIR is a dataset; those of Arrow files are left out.
"""

import io
import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pandas

# Conditions, and what holds of a row p and its game g. {side}, {player} and {reason} are of the dataset.
CONDITIONS = {
    "reason={reason}|ply_limit": "p.reason in ({reason_number}, 10)",
    "result=draw|none": "g.result in (0, 3)",
    'player="{player}"': "'{player}' in (g.player_first, g.player_second)",
    "plies=20-55,ply<30": "len(g.action) between 20 and 55 and p.ply < 30",
    "phase=end|opening": "3 * p.ply >= 2 * (p.ply + p.plies_left) or 3 * p.ply < p.ply + p.plies_left",
    "score>=50": "p.searched and p.score >= 50",
    "abs_score!=0-100,!random": "p.searched and abs(p.score) > 100 and p.move_rank <> 255",
    "side={side},outcome!=won": "p.side = 1 and p.outcome <> 1",
    "!score>=50,!reason={reason}|ply_limit": "not (p.searched and p.score >= 50) and p.reason not in ({reason_number}, 10)",
    "unlikely>30": "p.searched and p.reason <> 10 and (p.score > 30 and p.outcome <= 0 or p.score < -30 and p.outcome >= 0)",
    "nodes>0,plies_left<=9": "p.nodes > 0 and p.plies_left <= 9",
}


def convert(export, folder, *flags):
    """Returns the rows that convert writes as a frame."""
    text = subprocess.run([export, "convert", "--quiet", "--format", "csv", "--out", "-", *flags, folder], check=True, capture_output=True).stdout
    return pandas.read_csv(io.BytesIO(text), keep_default_na=False)


def check(export, folder):
    document = json.loads((Path(folder) / "plan.json").read_text())
    plan, description = document["plan"], document["description"]
    tables = {name: f"'{folder}/{name}/*.parquet'" for name in ("positions", "games")}
    number, player = duckdb.sql(f"select max(reason), max(player_second) from {tables['games']}").fetchall()[0]
    names = {"side": description["sides"][1], "player": player, "reason": description["reasons"][number], "reason_number": number}
    held = 0
    for condition, sql in CONDITIONS.items():
        rows = convert(export, folder, "--columns", "game,ply", "--where", condition.format(**names))
        want = duckdb.sql(f"select p.game, p.ply from {tables['positions']} p join {tables['games']} g using (game) where {sql.format(**names)}").fetchall()
        assert sorted(map(tuple, rows.values.tolist())) == sorted(want), f"{folder}: {condition}: {len(rows)} rows, want {len(want)}"
        held += len(want) > 0
    texts = convert(export, folder, "--text")
    assert (texts["side_name"] == texts["side"].map(dict(enumerate(description["sides"])))).all()
    assert (texts["reason_name"] == texts["reason"].map(dict(enumerate(description["reasons"])))).all()
    same = texts["action"] == texts["best_action"]
    assert (texts["move"] == texts["best_move"])[same].all() and texts["player_second"].isin([player]).any()
    if "move" in plan["columns"]:
        assert (texts["move"] == convert(export, folder, "--columns", "move")["move"]).all()
    print(f"{plan['game']:9} {plan['layout']:8} rows by {held} of {len(CONDITIONS)} conditions equal, and {len(texts)} rows of texts", flush=True)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        if list(Path(each, "positions").glob("*.parquet")):
            check(sys.argv[1], each)
