"""Measures the groups of cases and makes their tables."""

from . import data, engines
from .cases import AT_ONCE, FORMS_OF_PLANES, GAMES, GROUPS, LOADERS
from .inputs import Inputs
from .load import same
from .page import table
from .rounds import Figure, measure


def cells(figure: Figure) -> list[str]:
    """Returns median and range in a unit that suits them."""
    return [short(figure.median), f"{short(figure.low)} to {short(figure.high)}"]


def short(rate: float) -> str:
    """Returns three digits of a rate."""
    rounded = float(f"{rate:.3g}")
    return f"{rounded:,.0f}"


def simple(group: str, count: str, rounds: int) -> str:
    """Measures a group whose cases need nothing else."""
    figures = measure([(group, name) for name in GROUPS[group]], rounds)
    rows = [[name, *cells(figures[group, name])] for name in GROUPS[group]]
    return table(["tool", f"{count} per CPU second, median", "range"], rows)


def steps(rounds: int) -> str:
    """Measures steps through games, by game, number of games and form of the planes."""
    figures = measure([("steps", name) for name in GROUPS["steps"]], rounds)
    rows = []
    for title in GAMES:
        for n in AT_ONCE:
            cells_of = [cells(figures["steps", f"{title} {n} {form}"]) for form in FORMS_OF_PLANES]
            rows.append([title, f"{n:,}", *(f"{median} ({spread})" for median, spread in cells_of)])
    head = ["game", "games at once", *(f"plies per CPU second, {form}: median (range)" for form in FORMS_OF_PLANES)]
    return table(head, rows)


def load(inputs: Inputs, rounds: int) -> str:
    """Makes the files, compares what the loaders read, and measures them."""
    data.make(inputs)
    firsts = {name: next(loader(inputs)) for name, (_, loader) in LOADERS.items()}
    reference = next(iter(firsts.values()))
    for name, first in firsts.items():
        if not same(reference, first):
            raise ValueError(f"load with {name}: other positions than in the dataset")
    figures = measure([("load", name) for name in LOADERS], rounds)
    count = rows_of(inputs)
    lines = []
    for name, (form, _) in LOADERS.items():
        size = data.bytes_of(inputs, form) / count
        lines.append([name, data.FORMS[form].name, f"{size:.1f}", *cells(figures["load", name])])
    return table(["tool", "files", "bytes a position", "positions per CPU second, median", "range"], lines)


def rows_of(inputs: Inputs) -> int:
    """Returns how many positions there are."""
    import selfplay

    return selfplay.open(inputs.data / "packed").splits["train"]


def strength(inputs: Inputs, rounds: int) -> str:
    """Finds equal nodes, and measures the positions that each side searches with them."""
    matches = {engine.name: engines.equal(inputs, engine) for engine in engines.ENGINES}
    players = sorted({engine.ours for engine in engines.ENGINES})
    cases = [("ours", player) for player in players]
    cases += [("theirs", name, str(match.nodes)) for name, match in matches.items()]  # type: ignore[misc]
    figures = measure(list(cases), rounds)
    rows = [[f"`{player}`", "", "", *cells(figures["ours", player])] for player in players]
    for engine in engines.ENGINES:
        found = matches[engine.name]
        elo = f"{found.elo:+.0f} ({found.low:+.0f} to {found.high:+.0f}), {found.games} games"
        figure = figures["theirs", engine.name, str(found.nodes)]
        rows.append([f"{engine.name}, `nodes={found.nodes}`", f"`{engine.ours}`", elo, *cells(figure)])
    head = ["player", "matched with", "Elo of ours against it", "searched positions per CPU second, median", "range"]
    return table(head, rows)
