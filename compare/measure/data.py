"""Makes the files that the loaders read: the same searched games in every format."""

from dataclasses import dataclass
from pathlib import Path

from .inputs import Inputs, call


@dataclass(frozen=True)
class Form:
    """A folder of files."""

    name: str
    pattern: str  # of the files with rows


FORMS = {
    "packed": Form("dataset, boards packed", "positions/train-*.parquet"),
    "list": Form("dataset, boards as lists", "positions/train-*.parquet"),
    "arrow-stream": Form("arrow-stream", "train-*.arrows"),
    "binpack": Form("binpack", "train-*.binpack"),
    "epd": Form("EPD", "train-*.epd"),
}


def make(inputs: Inputs) -> None:
    """Makes every folder that is missing."""
    first = inputs.data / "packed"
    if not first.exists():
        call(inputs.selfplay, "run", "--quiet", "--game", "chess", "--player", "ab:depth=1", "--board-type", "packed",
             "--validation", "0", "--games", str(inputs.games), "--out", str(first))  # fmt: skip
    for form in FORMS:
        if not (inputs.data / form).exists():
            convert(inputs, first, form)


def convert(inputs: Inputs, first: Path, form: str) -> None:
    """Writes the rows of the dataset in another form."""
    kind = ["--format", "parquet", "--board-type", "list"] if form == "list" else ["--format", form]
    if form == "arrow-stream":
        kind += ["--board-type", "packed"]
    call(inputs.export, "convert", "--quiet", *kind, "--out", str(inputs.data / form), str(first))


def bytes_of(inputs: Inputs, form: str) -> int:
    """Returns the size of the files with rows."""
    return sum(path.stat().st_size for path in (inputs.data / form).glob(FORMS[form].pattern))
