"""All cases by name. Each imports its own tool only: it runs in a process of its own."""

from collections.abc import Callable, Iterator

from .clock import Work
from .inputs import Inputs
from .load import Batch, read_all

Case = Callable[[Inputs], Work]


def ours_dataset(inputs: Inputs) -> Work:
    from . import play_ours

    return play_ours.dataset(inputs)


def ours_planes(inputs: Inputs) -> Work:
    from . import play_ours

    return play_ours.dataset_planes(inputs)


def positions(planes: str | None) -> Case:
    def case(inputs: Inputs) -> Work:
        from . import play_ours

        return play_ours.positions(inputs, planes)

    return case


def steps(game: str, n: int, planes: str) -> Case:
    def case(inputs: Inputs) -> Work:
        from . import play_ours

        return play_ours.steps(inputs, game, n, planes)

    return case


def openspiel(observe: bool) -> Case:
    def case(inputs: Inputs) -> Work:
        from . import play_openspiel

        return play_openspiel.play(inputs, observe)

    return case


def pgx(batch: int, observe: bool) -> Case:
    def case(inputs: Inputs) -> Work:
        from . import play_pgx

        return play_pgx.play(inputs, batch, observe)

    return case


def python_chess(observe: bool) -> Case:
    def case(inputs: Inputs) -> Work:
        from . import play_pychess

        return play_pychess.play(inputs, observe)

    return case


PLAY: dict[str, Case] = {
    "selfplay run: dataset on disk": ours_dataset,
    "selfplay in Python, 1,024 games": positions(None),
    "OpenSpiel": openspiel(False),
    "pgx, 64 games": pgx(64, False),
    "pgx, 1,024 games": pgx(1024, False),
    "python-chess": python_chess(False),
}

PLANES: dict[str, Case] = {
    "selfplay run, read as batches of planes": ours_planes,
    "selfplay in Python, 1,024 games, packed bits": positions("packed"),
    "selfplay in Python, 1,024 games, float32": positions("float32"),
    "OpenSpiel": openspiel(True),
    "pgx, 64 games": pgx(64, True),
    "python-chess, 12 planes by hand": python_chess(True),
}


GAMES = {"chess": "chess", "Contrast": "contrast", "CoTuLenh": "cotulenh"}
AT_ONCE = [1, 64, 1024]
FORMS_OF_PLANES = ["packed", "float32"]
STEPS: dict[str, Case] = {
    f"{title} {n} {planes}": steps(name, n, planes)
    for title, name in GAMES.items()
    for n in AT_ONCE
    for planes in FORMS_OF_PLANES
}


def ours_form(form: str) -> Callable[[Inputs], Iterator[Batch]]:
    def batches(inputs: Inputs) -> Iterator[Batch]:
        from . import load_ours

        return load_ours.batches(inputs.data / form)

    return batches


def parquet(inputs: Inputs) -> Iterator[Batch]:
    from . import load_parquet

    return load_parquet.batches(inputs.data / "list")


def binpack(inputs: Inputs) -> Iterator[Batch]:
    from . import load_binpack

    return load_binpack.batches(inputs.data / "binpack", inputs.binpack)


def text_numpy(inputs: Inputs) -> Iterator[Batch]:
    from . import load_text

    return load_text.by_numpy(inputs.data / "epd")


def text_python_chess(inputs: Inputs) -> Iterator[Batch]:
    from . import load_text

    return load_text.by_python_chess(inputs.data / "epd", inputs.games)


# The folder that a loader reads, and the loader. python-chess reads one position of each hundred.
LOADERS: dict[str, tuple[str, Callable[[Inputs], Iterator[Batch]]]] = {
    "selfplay in Python": ("packed", ours_form("packed")),
    "selfplay in Python, converted once": ("arrow-stream", ours_form("arrow-stream")),
    "pyarrow": ("list", parquet),
    "crate sfbinpack": ("binpack", binpack),
    "NumPy by hand": ("epd", text_numpy),
    "python-chess": ("epd", text_python_chess),
}


def load(name: str) -> Case:
    return lambda inputs: read_all(LOADERS[name][1](inputs))


LOAD: dict[str, Case] = {name: load(name) for name in LOADERS}
GROUPS: dict[str, dict[str, Case]] = {"play": PLAY, "planes": PLANES, "steps": STEPS, "load": LOAD}
