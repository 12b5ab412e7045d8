"""Trains one network on datasets of one game.

    train/fit --out FILE.safetensors [flags] DIR...

Writes the network, FILE.check.jsonl with 10,000 positions and their scores, and FILE.json with settings, losses and
CPU time. Prints the SHA-256 and the match that says whether the network is stronger. Exit codes: 0 done, 1 failure or a
network that learned too little, 2 usage or bad input, 130 interrupted.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import math
import os
import shlex
import sys
import time
from pathlib import Path

from . import networkfile
from .data import Data
from .export import check_lines, kept_metadata, metadata, network_file
from .features import FeatureSet
from .quantise import Weights, largest_sum, quantise
from .targets import BASES, CURVES, MAX_SCALE, Target
from .training import Epoch, Settings, baseline, best_of, train

MARGINS = {"none": 0.1, "static": 0.01}  # outcomes are mostly chance: corrections of a good score predict little more


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="train/fit", description="Train one network on datasets of one game.")
    add_settings(p)
    p.add_argument("--generation", type=int, default=1, help="number of the generation, for the metadata (default: 1)")
    p.add_argument("--name", default="", help="name of the network, for the metadata")
    begin = p.add_mutually_exclusive_group()
    begin.add_argument("--from", type=Path, dest="begin", metavar="FILE", help="begin with the weights of this "
                       "network, which has the same features and base; its size and scale are taken too")  # fmt: skip
    begin.add_argument("--policy-on", type=Path, metavar="FILE", help="keep the weights of such a network, and learn "
                       "only a policy head")  # fmt: skip
    p.add_argument("--margin", type=float, metavar="SHARE", help="fail unless the validation loss is so much below "
                   "that without the network, which is that of the base or of all positions even (default: 0.1, with a "
                   "base 0.01), or not below that of the network of --from")  # fmt: skip
    p.add_argument("--out", type=Path, required=True, metavar="FILE", help="network to write, ends in .safetensors")
    p.add_argument("--dry-run", action="store_true", help="check flags and datasets, and train nothing")
    p.add_argument("dirs", type=Path, nargs="*", metavar="DIR", help="datasets of selfplay run")
    return p


def add_settings(p: argparse.ArgumentParser) -> None:
    """Adds one flag for each setting."""
    default = Settings()
    p.add_argument("--curve", metavar="A,B", help="curve that turns scores into chances (default: 0,600 in "
                   "CoTuLenh, 0,200 in chess and Contrast)")  # fmt: skip
    p.add_argument("--outcome", type=float, default=default.target.outcome, metavar="SHARE",
                   help="share of the outcome in the target, 0 to 1 (default: %(default)s)")  # fmt: skip
    p.add_argument("--linear", type=float, default=default.target.linear, metavar="WEIGHT", help="weight of the "
                   "difference of scores in the loss, beside that of values; it keeps scores exact where one side is "
                   "winning (default: %(default)s)")  # fmt: skip
    p.add_argument("--base", choices=BASES, default=default.target.base, help="score that the network corrects: static "
                   "needs datasets with the column static_score (default: %(default)s)")  # fmt: skip
    p.add_argument("--loss", choices=("mse", "wdl"), default=default.target.loss, help="loss (default: %(default)s)")
    helps = {
        "hidden": "hidden units of each side, a multiple of 16",
        "epochs": "passes over the training split, at most",
        "patience": "epochs without a better validation loss before training stops",
        "batch": "rows of a step",
        "rate": "learning rate at the start",
        "decay": "weight decay",
        "seed": "seed of weights and order of rows",
        "threads": "threads of PyTorch",
        "policy": "weight of a policy head's cross entropy in the loss; 0 for none. It needs datasets with the column "
        "legal_actions",
    }
    for name, text in helps.items():
        value = getattr(default, name)
        p.add_argument(f"--{name}", type=type(value), default=value, help=f"{text} (default: %(default)s)")
    p.add_argument("--buckets", type=int, help="output layers (default: those of the feature set)")


def settings_of(args: argparse.Namespace) -> Settings:
    """Returns the settings of flags. ValueError for values out of range."""
    a, b = curve_of(args.curve) if args.curve else (Target.a, Target.b)
    names = {f.name for f in dataclasses.fields(Settings)} & set(vars(args))
    target = Target(a, b, args.outcome, args.loss, args.base, args.linear)
    return Settings(**{n: getattr(args, n) for n in names}, target=target)


@dataclasses.dataclass(frozen=True)
class Start:
    """The network with whose weights training begins."""

    file: Path
    weights: Weights
    metadata: dict[str, str]
    sha256: str
    frozen: bool  # only a policy head is learned

    def check(self, features: FeatureSet) -> None:
        """Raises ValueError for a network of other features than those of the data."""
        wanted = {"game": features.game.name, "features": features.name, "features_version": str(features.version)}
        for key, want in wanted.items():
            if self.metadata.get(key) != want:
                raise ValueError(f"begin with {self.file}: {key} is {self.metadata.get(key)}, want {want}")

    def settings(self, settings: Settings) -> Settings:
        """Returns settings with the size and the scale of the network."""
        target = dataclasses.replace(settings.target, units=int(self.metadata["scale"]))
        return dataclasses.replace(settings, target=target, hidden=self.weights.hidden, buckets=self.weights.buckets)

    def result_metadata(self, entries: dict[str, str]) -> dict[str, str]:
        """Returns the metadata of the trained network, of which entries are those of any network."""
        return kept_metadata(self.metadata, entries) if self.frozen else entries | {"from": self.sha256}


def start_of(file: Path, frozen: bool, settings: Settings) -> Start:
    """Returns the network of a file. ValueError if it does not fit the settings."""
    try:
        raw = file.read_bytes()
        weights, entries = networkfile.decode(raw)
    except OSError as error:
        raise ValueError(f"read {file}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"read {file}: {error}") from error
    scale = entries.get("scale", "")
    if not (scale.isascii() and scale.isdecimal() and 1 <= int(scale) <= MAX_SCALE):
        raise ValueError(f"begin with {file}: scale is {scale!r}, want a number from 1 to {MAX_SCALE}")
    if (base := entries.get("base", "none")) != settings.target.base:
        raise ValueError(f"begin with {file}: base is {base}, want --base {base}")
    if not frozen and weights.policy_weights is not None:
        raise ValueError(f"begin with {file}: it has a policy head, which --from does not train; use --policy-on")
    if frozen and not settings.policy:
        raise ValueError(f"begin with {file}: nothing to learn without --policy")
    return Start(file, weights, entries, hashlib.sha256(raw).hexdigest(), frozen)


def curve_of(text: str) -> tuple[float, float]:
    """Returns A and B."""
    try:
        a, b = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--curve {text}: want A,B such as 0,600") from None
    return a, b


def for_game(settings: Settings, game: str) -> Settings:
    """Returns the settings with the default curve of a game."""
    a, b = CURVES.get(game, (Target.a, Target.b))
    return dataclasses.replace(settings, target=dataclasses.replace(settings.target, a=a, b=b))


def fit(
    data: Data, settings: Settings, out: Path, generation: int, name: str, margin: float, start: Start | None = None
) -> str:
    """Trains and writes the three files, the network last. Returns its SHA-256. ValueError, and no file, if the
    network learned less than the margin."""
    begin = time.process_time()
    frozen = start is not None and start.frozen
    losses = Losses(even=baseline(data, settings))
    network, history = train(data, settings, losses.note, start.weights if start else None, frozen)
    if not frozen:
        losses.check(best_of(history, settings).validation, margin)
    weights = quantise(network)
    scale = settings.target.scale
    entries = metadata(data, settings, history, generation, name)
    raw = network_file(weights, start.result_metadata(entries) if start else entries)
    stem = out.name.removesuffix(".safetensors")
    lines = check_lines(data, weights, scale)
    document = report(settings, history, losses, weights, data, time.process_time() - begin)
    # From here on only writing is left, so an interrupt before leaves no file.
    networkfile.write(out.with_name(stem + ".check.jsonl"), lines.encode())
    networkfile.write(out.with_name(stem + ".json"), document.encode())
    return networkfile.write(out, raw)


@dataclasses.dataclass
class Losses:
    """Validation losses that a network has to be below."""

    even: float  # without it: all positions even, or as the base says
    before: float | None = None  # of the network whose weights it began with

    def note(self, epoch: Epoch) -> None:
        """Shows an epoch as it ends, and keeps the loss before the first one."""
        if epoch.number == 0:
            self.before = epoch.validation
        show(epoch)

    def check(self, lowest: float, margin: float) -> None:
        """Raises ValueError for a network that learned too little. A negative margin lets worse ones pass."""
        advice = "try more rows, a lower --rate or a higher --decay"
        if self.before is not None and not lowest < (1 - min(margin, 0)) * self.before:
            raise ValueError(
                f"train network: validation loss {lowest:.6f}, want it below {self.before:.6f}, "
                f"that of the network of --from; {advice}"
            )
        if not lowest <= (1 - margin) * self.even:  # NaN is no success
            raise ValueError(
                f"train network: validation loss {lowest:.6f}, want {margin:.0%} below {self.even:.6f}, "
                f"the loss without a network; {advice}"
            )


def show(epoch: Epoch) -> None:
    if epoch.number == 0:
        print(f"before   validation {epoch.validation:.6f}", file=sys.stderr, flush=True)
        return
    rate = epoch.rows / max(epoch.seconds, 1e-9)
    policy = f"  policy {epoch.policy:.4f}" if epoch.policy else ""
    losses = f"training {epoch.train:.6f}  validation {epoch.validation:.6f}{policy}"
    print(f"epoch {epoch.number}  {losses}  {rate:,.0f} rows/s", file=sys.stderr, flush=True)


def report(
    settings: Settings, history: list[Epoch], losses: Losses, weights: Weights, data: Data, seconds: float
) -> str:
    """Returns a JSON document of how the network came to be."""
    document = {
        "settings": dataclasses.asdict(settings),
        "plans": data.plans,
        "epochs": [dataclasses.asdict(e) for e in history],
        "best": best_of(history, settings).number,
        **dataclasses.asdict(losses),
        "largest_sum": largest_sum(weights, data.features.most),
        "cpu_seconds": round(seconds, 1),
    }
    return json.dumps(document, indent=1) + "\n"


def match_of(game: str, network: Path, start: Start | None) -> str:
    """Returns the command of a match of a network against the one that it began with, or against no network."""
    a, b = f"ab:nodes=500,net={network}", f"ab:nodes=500,net={start.file if start else 'none'}"
    if start and start.frozen:  # it differs by its policy head
        a, b = f"mcts:sims=100,priors=net,net={network}", f"mcts:sims=100,net={network}"
    return shlex.join(["selfplay", "match", "--game", game, "--a", a, "--b", b, "--games", "200"])


def check_out(file: Path) -> None:
    """Raises ValueError for a file that could not be written after the training."""
    if file.suffix != ".safetensors":
        raise ValueError(f"write --out {file}: want a name that ends in .safetensors")
    if not file.parent.is_dir():
        raise ValueError(f"write --out {file}: {file.parent} is not a folder")
    if file.is_dir():
        raise ValueError(f"write --out {file}: it is a folder")
    if not os.access(file.parent, os.W_OK | os.X_OK):
        raise ValueError(f"write --out {file}: no permission to write to {file.parent}")


def check_margin(margin: float | None) -> None:
    """Raises ValueError for a margin that no network could have. A negative one lets worse networks pass."""
    if margin is not None and not (math.isfinite(margin) and margin < 1):
        raise ValueError(f"--margin {margin}: want a number below 1")


def prepared(args: argparse.Namespace) -> tuple[Data, Settings, Start | None] | None:
    """Checks all flags and opens the datasets; None if a dry run names none. OSError or ValueError for bad input."""
    check_out(args.out)
    check_margin(args.margin)
    settings = settings_of(args)
    file = args.begin or args.policy_on
    start = start_of(file, file == args.policy_on, settings) if file else None
    if not args.dirs:
        if args.dry_run:
            return None
        raise ValueError("open datasets: want at least one DIR")
    data = Data(args.dirs, settings.target.base, settings.policy > 0)
    if not args.curve:
        settings = for_game(settings, data.features.game.name)
    if start:
        start.check(data.features)
        settings = start.settings(settings)
    return data, settings, start


def run(args: argparse.Namespace) -> int:
    """Does what the flags say. Returns the exit code."""
    try:
        found = prepared(args)
    except (OSError, ValueError) as error:
        print(f"train/fit: {error}", file=sys.stderr)
        return 2
    if found is None or args.dry_run:
        return 0
    data, settings, start = found
    try:
        margin = args.margin if args.margin is not None else MARGINS[settings.target.base]
        print(fit(data, settings, args.out, args.generation, args.name, margin, start), args.out)
        print("is it stronger?", match_of(data.features.game.name, args.out, start))
    except (OSError, ValueError) as error:
        print(f"train/fit: {error}", file=sys.stderr)
        return 1
    return 0


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    try:
        return run(args)
    except KeyboardInterrupt:
        print("train/fit: stopped; nothing was written", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
