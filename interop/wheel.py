"""Uses the installed wheel as a new user does, without Go: makes a dataset, opens it, takes one step of a linear model.

    python wheel.py DIR      DIR is the dataset to make
"""

import shutil
import subprocess
import sys

import numpy
import selfplay
from selfplay.program import find_program, package_version


def main(folder):
    assert not shutil.which("go") and find_program() == shutil.which("selfplay")
    for command in (["selfplay"], [sys.executable, "-m", "selfplay"]):
        first = subprocess.run([*command, "version"], check=True, capture_output=True, text=True).stdout.splitlines()[0]
        assert first.split() == ["selfplay", package_version()], first
    subprocess.run(["selfplay", "run", "--quiet", "--game", "contrast", "--player", "random", "--games", "100", "--out", folder], check=True)
    ds = selfplay.open(folder)
    rows = ds.to_numpy("train")
    x, y = ds.planes(rows).reshape(len(rows["board"]), -1).astype(numpy.float64), rows["outcome"].astype(numpy.float64)
    weights = x.T @ y / (len(x) * x.shape[1])
    assert ((x @ weights - y) ** 2).mean() < (y**2).mean(), "a step along the gradient lowers the loss"
    with selfplay.game("contrast").positions(8) as positions:
        seen = positions.observe()
        for _ in range(10):
            seen = positions.step(seen.sample(numpy.random.default_rng(1)))
    print(f"wheel: {package_version()}, {len(x)} rows, no Go")


if __name__ == "__main__":
    main(sys.argv[1])
