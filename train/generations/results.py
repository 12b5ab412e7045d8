"""The table of generations, and a plot of Elo by generation as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .journal import Journal

HEADER = """| generation | rows | validation loss | against the last | against the first | kept | CPU hours |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Point:
    """A match against the first player, in the plot."""

    generation: int
    match: dict[str, Any]
    kept: bool


@dataclass(frozen=True)
class Line:
    generation: int
    rows: int
    validation: float
    last: dict[str, Any]
    first: dict[str, Any] | None
    kept: bool
    hours: float


def lines(journal: Journal) -> list[Line]:
    """Returns one line for each complete generation."""
    found = []
    for generation in sorted({s["generation"] for s in journal.steps}):
        steps = {s["step"]: s for s in journal.steps if s["generation"] == generation}
        if "decide" not in steps:
            continue
        result = {name: s["result"] for name, s in steps.items()}
        hours = sum(s["cpu_seconds"] for s in steps.values()) / 3600
        found.append(
            Line(
                generation, result["play"]["rows"], result["fit"]["validation"], result["match-last"],
                result.get("match-first"), result["decide"]["kept"], hours,
            )
        )  # fmt: skip
    return found


def elo_text(match: dict[str, Any] | None) -> str:
    """Returns Elo with its interval, the number of games, and the opponent's CPU time divided by ours, as
    +52 (+20 to +85), 400 games, time 0.98."""
    if match is None:
        return "not played"
    games = match["wins"] + match["losses"] + match["draws"]
    interval = f"{match['elo']:+.0f} ({match['elo_low']:+.0f} to {match['elo_high']:+.0f})"
    return f"{interval}, {games:,} games, time {match['cpu_b'] / max(match['cpu_a'], 1e-9):.2f}"


def table(found: list[Line]) -> str:
    rows = [
        f"| {x.generation} | {x.rows:,} | {x.validation:.6f} | {elo_text(x.last)} | {elo_text(x.first)} "
        f"| {'yes' if x.kept else 'no'} | {x.hours:.3f} |\n"
        for x in found
    ]
    return HEADER + "".join(rows)


WIDTH, HEIGHT, MARGIN = 640, 360, 56


def points(found: list[Line]) -> list[Point]:
    return [Point(x.generation, x.first, x.kept) for x in found if x.first is not None]


def plot(played: list[Point], title: str, first: str = "hand-written") -> str:
    """Returns an SVG of Elo over the first player with 95 % intervals; dropped networks are hollow."""
    bounds = [0.0] + [float(x.match[k]) for x in played for k in ("elo_low", "elo_high")]
    low, high = min(bounds), max(*bounds, 10.0)
    top = max((x.generation for x in played), default=1)

    def at(generation: float, elo: float) -> tuple[float, float]:
        x = MARGIN + generation / top * (WIDTH - 2 * MARGIN)
        return round(x, 1), round(HEIGHT - MARGIN - (elo - low) / (high - low) * (HEIGHT - 2 * MARGIN), 1)

    parts = [_text(WIDTH / 2, 24, title, 16), _text(WIDTH / 2, HEIGHT - 12, "generation", 12)]
    for value in _ticks(low, high):
        (x0, y), (x1, _) = at(0, value), at(top, value)
        label = f"{value:+d}" if value else "0"
        parts += [f'<path d="M{x0} {y}H{x1}" stroke="#ddd"/>', _text(MARGIN - 24, y + 4, label, 12)]
    kept = [at(0, 0)] + [at(x.generation, x.match["elo"]) for x in played if x.kept]
    parts.append(f'<polyline points="{" ".join(f"{x},{y}" for x, y in kept)}" fill="none" stroke="#1f77b4"/>')
    parts.append(_text(at(0, low)[0], HEIGHT - MARGIN + 18, first, 12))
    for point in played:
        (x, y), (_, y0), (_, y1) = (at(point.generation, point.match[k]) for k in ("elo", "elo_low", "elo_high"))
        fill = "#1f77b4" if point.kept else "#fff"
        parts.append(f'<path d="M{x} {y0}V{y1}" stroke="#1f77b4"/>')
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="#1f77b4"/>')
        parts.append(_text(x, HEIGHT - MARGIN + 18, str(point.generation), 12))
    body = "\n".join(parts)
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return f'{frame}\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{body}\n</svg>\n'


def _text(x: float, y: float, text: str, size: int) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle">{text}</text>'


def _ticks(low: float, high: float) -> list[int]:
    """Returns four to nine round values between two bounds."""
    step = next((s for s in (5, 10, 20, 50, 100, 200) if (high - low) / s <= 8), 500)
    return list(range(int(-(-low // step)) * step, int(high) + 1, step))
