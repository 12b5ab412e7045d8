"""Measures the presets of the games: what their games cost, how they end, how strong the players are, how good the
scores are, and, with --teach, what networks learn from the rows.

    train/presets --out DIR [--game chess] [--teach 3600]

DIR/presets.md has a table for each game, and DIR/presets.json the records of complete steps; the same command resumes.
--write also replaces docs/lab/presets.md and the models of scores in encode/wdl.go.

Exit codes: 0 done, 1 failure, 2 usage or bad input, 3 stopped (the same command resumes), 11 another one is at work in
DIR.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from . import program
from .command import checking_input, locked, run_command
from .gate import equal_nodes
from .journal import Journal, replace
from .players import nodes_of, with_network, with_nodes
from .program import REPOSITORY, Program, chosen
from .results import elo_text
from .settings import ADJUDICATE, WHERE
from .steps import Step, once

PAGE = REPOSITORY / "docs" / "lab" / "presets.md"
MODELS = REPOSITORY / "encode" / "wdl.go"
FIT = "--base static --hidden 32 --epochs 3 --rate 0.0005 --decay 4 --outcome 0.2"
MATCH_PLAYER = "ab:nodes=500,hash=1"  # plays with what was learned
DEEPER = 100  # times the nodes of a player: the search that judges its scores
KEPT = ("wins", "losses", "draws", "elo", "elo_low", "elo_high", "cpu_a", "cpu_b")
HEADER = """| preset | rows a second of CPU time | nodes | drawn, and how | distinct games | bits of the policy \
| alarms of the report | log loss, without scores | rank correlation |
|---|---|---|---|---|---|---|---|---|
"""
MATCHES = """| match | as they are | equal nodes | equal time, nodes of the second |
|---|---|---|---|
"""
TAUGHT = """| rows of | games | rows | CPU time | against the hand-written score | against the network of the first |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class PresetSettings:
    """What train/presets is asked to do."""

    games: int = 2000  # of each preset
    match_games: int = 400
    positions: int = 300  # at least, of each preset, whose scores are judged
    teach: int = 0  # seconds of CPU time for the rows that a network learns from; 0 for no networks
    fit: str = FIT
    seed: int = 1
    workers: int = 1

    def __post_init__(self) -> None:
        for name in ("games", "match_games", "positions", "workers"):
            if getattr(self, name) < 1:
                raise ValueError(f"--{name.replace('_', '-')} {getattr(self, name)}: want at least 1")
        if self.teach < 0 or self.match_games % 2:
            raise ValueError("want --teach of 0 or more and an even number of --match-games")


HELP = {
    "games": "games of each preset",
    "match_games": "games of each match, an even number",
    "positions": "least number of positions whose scores a search of 100 times the nodes judges, of each preset",
    "teach": "seconds of CPU time for the rows that a network learns from, of bulk and balanced; 0 for no networks",
    "fit": "flags of train/fit",
    "seed": "seed of games, matches and networks",
    "workers": "games at once; CPU time is compared, so more than one suits a quiet machine only",
}


@dataclass(frozen=True)
class Preset:
    """A preset of a game. Its folders lie in that of the command."""

    game: str
    name: str
    flags: str
    home: Path
    settings: PresetSettings
    selfplay: Program

    @property
    def key(self) -> str:
        return f"{self.game} {self.name}"

    @property
    def player(self) -> str:
        found = re.search(r"--player (\S+)", self.flags)
        if not found:
            raise ValueError(f"preset {self.key}: want --player")
        return found[1]

    @property
    def folder(self) -> Path:
        return self.home / f"{self.game}-{self.name}"

    @property
    def network(self) -> Path:
        return self.folder / "net.safetensors"

    def run(self, out: Path, games: int, *more: str) -> dict[str, Any]:
        """Makes a dataset and returns its summary, with the CPU time. One that was interrupted begins anew: what
        it took is lost."""
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(exist_ok=True)
        begin = program.cpu_seconds()
        done = self.selfplay.json(
            "run", "--quiet", "--game", self.game, "--preset", self.name, "--games", str(games), "--seed",
            str(self.settings.seed), "--workers", str(self.settings.workers), "--out", str(out), *more,
        )  # fmt: skip
        return {"games": done["games"], "rows": done["rows"], "cpu": program.cpu_seconds() - begin}

    def play(self) -> Step:
        data = self.folder / "data"
        found = self.run(data, self.settings.games, "--shard-games", str(self.settings.games))
        return found | facts(self.selfplay, data), data / "manifest.json"

    def labels(self) -> Step:
        """Searches some positions again with many times the nodes, and compares the order of the scores."""
        data, deep = self.folder / "data", self.folder / "deep"
        rows = pq.read_table(data / "positions", columns=["game"]).num_rows
        player = with_nodes(self.player, DEEPER * nodes_of(self.player))
        share = min(1000, -(-1000 * self.settings.positions // rows))  # thousandths
        self.selfplay.text(
            "rescore", "--quiet", "--player", player, "--where", f"sample={share / 1000:.3f}", "--keep-old",
            "--workers", str(self.settings.workers), "--out", str(deep), str(data),
        )  # fmt: skip
        names = ["score", "old_score", "nodes", "old_nodes"]
        table = {n: pq.read_table(deep / "positions", columns=[n])[n].to_numpy() for n in names}
        chosen = table["nodes"] != table["old_nodes"]  # the others were not searched again
        score, old = table["score"][chosen], table["old_score"][chosen]
        return {"positions": len(score), "correlation": rank_correlation(score, old)}, None

    def against(self, other: Preset) -> Step:
        """Plays a cheaper preset: both as they are, with the same nodes, and with the same time."""
        games = "--games", str(self.settings.match_games), "--workers", str(self.settings.workers)
        rule = ADJUDICATE[self.game]
        fixed = ["--game", self.game, *games, *(["--adjudicate-win", rule] if rule else []), "--a", self.player]
        seed = 1_000_000 * self.settings.seed

        def match(nodes: int, number: int) -> dict[str, Any]:
            b = with_nodes(other.player, nodes)
            found = self.selfplay.json("match", *fixed, "--b", b, "--seed", str(seed + number))
            return {k: found[k] for k in KEPT} | {"nodes": nodes}

        as_is = match(nodes_of(other.player), 1)
        paced = equal_nodes({"cpu_a": as_is["cpu_b"], "cpu_b": as_is["cpu_a"]}, nodes_of(other.player))
        return {"as_is": as_is, "nodes": match(nodes_of(self.player), 2), "time": match(paced, 3)}, None

    def teach(self, games_a_second: float) -> Step:
        """Makes rows for a given CPU time, and a network that learns from them."""
        data, games = self.folder / "rows", round(games_a_second * self.settings.teach)
        rows = ["--where", WHERE, "--perspective", "mover", "--board-type", "packed", "--columns", "+static_score"]
        found = self.run(data, max(games, 2), "--shard-games", "5000", *rows)
        flags = [*shlex.split(self.settings.fit), "--seed", str(self.settings.seed)]
        program.fit([*flags, "--out", str(self.network), str(data)])
        return found, self.network

    def taught(self, first: Preset) -> Step:
        """Lets the network play the hand-written score, and that of another preset."""

        def match(other: Path | None, number: int) -> dict[str, Any]:
            rule = ADJUDICATE[self.game]
            found = self.selfplay.json(
                "match", "--game", self.game, "--a", with_network(MATCH_PLAYER, self.network, 0),
                "--b", with_network(MATCH_PLAYER, other, 0), "--games", str(self.settings.match_games),
                "--seed", str(1_000_000 * self.settings.seed + number), "--workers", str(self.settings.workers),
                *(["--adjudicate-win", rule] if rule else []),
            )  # fmt: skip
            return {k: found[k] for k in KEPT}

        result = {"hand": match(None, 11)}
        return result | ({} if self == first else {"first": match(first.network, 12)}), None


def facts(selfplay: Program, data: Path) -> dict[str, Any]:
    """What the report and the model of scores say of a dataset."""
    report = selfplay.json("report", "--quiet", str(data))["datasets"][0]
    stats, wdl = report["stats"], selfplay.json("wdl", "--quiet", "--adjudicated", str(data))
    games = pq.read_table(data / "games", columns=["start", "action"]).to_pylist()
    drawn = {e["reason"]: e["games"] for e in stats["endings"] if e["result"] == 3}
    return {
        "drawn": drawn, "distinct": len({(g["start"], tuple(g["action"])) for g in games}), "bits": policy_bits(data),
        "nodes": mean_nodes(data), "alarms": [c["check"] for c in report["checks"] if c["level"] == "alarm"],
        "a": wdl["a"], "b": wdl["b"], "drawn_at_0": wdl["drawn_at_0"], "loss": wdl["log_loss"],
        "loss_without": wdl["log_loss_constant"],
    }  # fmt: skip


def mean_nodes(data: Path) -> float:
    return float(np.mean(pq.read_table(data / "positions", columns=["nodes"])["nodes"].to_numpy()))


def policy_bits(data: Path) -> float | None:
    """Returns the mean entropy of the policies of two moves or more, None if there are none."""
    policies = pq.read_table(data / "positions", columns=["policy_weight"])["policy_weight"].to_pylist()
    shares = [np.array(w, float) / sum(w) for w in policies if len(w) > 1]
    if not shares:
        return None
    return float(np.mean([-np.sum(p[p > 0] * np.log2(p[p > 0])) for p in shares]))


def rank_correlation(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    """Returns Spearman's coefficient; equal values have the mean of their ranks."""

    def ranks(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        _, group, count = np.unique(x, return_inverse=True, return_counts=True)
        return np.asarray((np.cumsum(count) - (count - 1) / 2)[group])

    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def measure(journal: Journal, presets: list[Preset], with_teach: bool) -> str:
    """Makes the steps that are missing for the presets of a game, and returns its section."""
    lines, matches, learned = "", "", ""
    rates: dict[str, float] = {}
    for p in presets:
        played = once(journal, p.key, "play", p.play)
        rates[p.name] = played["games"] / played["cpu"]
        labels = once(journal, p.key, "labels", p.labels)
        lines += line(p, played, labels)
    for cheaper, p in itertools.pairwise(presets):
        found = once(journal, p.key, f"against {cheaper.name}", partial(p.against, cheaper))
        results = [elo_text(found[k]) for k in ("as_is", "nodes", "time")]
        matches += f"| {p.name} against {cheaper.name} | {' | '.join(results)}, {found['time']['nodes']:,} |\n"
    for p in presets[:2] if with_teach else []:
        made = once(journal, p.key, "teach", partial(p.teach, rates[p.name]))
        found = once(journal, p.key, "taught", partial(p.taught, presets[0]))
        first = elo_text(found["first"]) if "first" in found else ""
        learned += f"| {p.name} | {made['games']:,} | {made['rows']:,} | {made['cpu']:,.0f} s "
        learned += f"| {elo_text(found['hand'])} | {first} |\n"
    return f"## {presets[0].game}\n\n{HEADER}{lines}\n{MATCHES}{matches}" + (f"\n{TAUGHT}{learned}" if learned else "")


def line(p: Preset, played: dict[str, Any], labels: dict[str, Any]) -> str:
    games = played["games"]
    how = ", ".join(f"{reason} {n / games:.1%}" for reason, n in sorted(played["drawn"].items(), key=lambda x: -x[1]))
    bits = "" if played["bits"] is None else f"{played['bits']:.2f}"
    return (
        f"| `{p.name}` | {played['rows'] / played['cpu']:,.0f} | {played['nodes']:,.0f} "
        f"| {sum(played['drawn'].values()) / games:.1%}: {how} | {played['distinct']:,} of {games:,} | {bits} "
        f"| {', '.join(played['alarms']) or 'none'} | {played['loss']:.3f}, {played['loss_without']:.3f} "
        f"| {labels['correlation']:.3f} ({labels['positions']}) |\n"
    )


def replace_models(text: str, presets: list[Preset], journal: Journal) -> str:
    """Returns encode/wdl.go with the models that were fitted to the games of presets."""
    for p in presets:
        played = journal.find(p.key, "play")
        function = re.search(rf"func {p.game}Models\(\).*?\n}}\n", text, re.S)
        if not played or not function:
            raise ValueError(f"write models of {p.key}: no games, or no function {p.game}Models")
        exploring = "Explored: true" if "--explore-moves" in p.flags else ""
        found = [
            x for x in re.findall(r"\t\t\{Games: SearchedGames\{Nodes: .*\n", function[0])
            if f"Nodes: {nodes_of(p.player)}," in x.replace("}", ",") and ("Explored: true" if exploring else "") in x
        ]  # fmt: skip
        if len(found) != 1:
            raise ValueError(f"write models of {p.key}: {len(found)} lines have its nodes, want one: add it first")
        values = f"A: {played['a']:.0f}, B: {played['b']:.0f}, DrawnAt0: {100 * played['drawn_at_0']:.0f}"
        text = text.replace(function[0], function[0].replace(found[0], re.sub(r"A: .*DrawnAt0: \d+", values, found[0])))
    return text


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="train/presets", description="Measure the presets of the games.")
    p.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the measurement")
    p.add_argument("--program", type=Path, metavar="FILE", help="selfplay (default: built from this repository)")
    p.add_argument("--game", action="append", choices=list(ADJUDICATE), help="game to measure (default: all)")
    p.add_argument("--write", action="store_true", help="replace the page of presets and their models of scores")
    for field in dataclasses.fields(PresetSettings):
        kind = str if field.name == "fit" else int
        name = "--" + field.name.replace("_", "-")
        p.add_argument(name, type=kind, default=field.default, help=f"{HELP[field.name]} (default: {field.default})")
    args = p.parse_args(argv)
    return run_command("train/presets", lambda: command(args))


def command(args: argparse.Namespace) -> str:
    """Checks the input and measures the presets of all games."""
    with checking_input():
        settings = PresetSettings(**{f.name: getattr(args, f.name) for f in dataclasses.fields(PresetSettings)})
        args.out.mkdir(parents=True, exist_ok=True)
    with locked("train/presets", args.out):
        home = args.out.resolve()
        selfplay, journal = chosen(home, args.program), Journal(home, settings, "presets.json", "preset")
        sections, all_presets = [], []
        for game in args.game or ADJUDICATE:
            listed: Any = selfplay.json("presets", "--game", game)
            presets = [Preset(game, x["name"], x["flags"], home, settings, selfplay) for x in listed]
            sections.append(measure(journal, presets, settings.teach > 0))
            all_presets += presets
            replace(home / "presets.md", "\n".join(sections))
        if args.write:
            replace(MODELS, replace_models(MODELS.read_text("utf-8"), all_presets, journal))
            replace(PAGE, page(settings, sections))
        return "\n".join(sections)


def page(settings: PresetSettings, sections: list[str]) -> str:
    """Returns the page of the measurement."""
    return (
        f"# Presets\n\n`make presets` writes this page: {settings.games:,} games of each preset, matches of "
        f"{settings.match_games:,} games,\nrows of {settings.teach:,} s of CPU time to learn from, seed "
        f"{settings.seed}. `time` is the CPU time of the second player by that of\nthe first. The rank correlation is "
        "that of scores with "
        f"those of {DEEPER} times the nodes, on the positions in brackets.\n\n"
        + "\n".join(sections)
    )


if __name__ == "__main__":
    sys.exit(main())
