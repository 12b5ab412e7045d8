"""How far a command of the program is: one line in a terminal, a bar in a notebook, nothing elsewhere."""

from __future__ import annotations

import html
import sys
from collections.abc import Callable
from typing import Any

Progress = Callable[[int, int], object]  # is called with what is done, and of how much


class Bar:
    """Shows the progress of games as long as its with statement runs. Errors and output of the program stay above it."""

    def __init__(self, progress: Progress | bool) -> None:
        self.call = progress if callable(progress) else None
        self.terminal = progress is True and not _in_notebook() and sys.stderr is not None and sys.stderr.isatty()
        self.notebook = progress is True and _in_notebook()
        self.display: Any = None  # of the notebook, from the first number on
        self.done, self.of, self.more = 0, 0, ""

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def show(self, event: dict[str, Any]) -> None:
        """Takes an event of the program's log. Only those that count games matter."""
        if not ("of" in event or "games_done" in event):
            return
        self.done, self.of = int(event.get("games_done", event["games"])), int(event.get("of", event["games"]))
        rates = [f"{event[name]:,.0f} {unit}" for name, unit in (("plies_per_s", "plies/s"), ("rows_per_s", "rows/s")) if name in event]
        self.more = ", ".join(["", *rates, *([f"{event['eta']} left"] if event.get("eta", "0s") != "0s" else [])])
        if self.call is not None:
            self.call(self.done, self.of)
        self._draw()

    def print(self, text: str) -> None:
        """Prints a line of the program above the bar."""
        self._clear()
        print(text, file=sys.stderr, flush=True)

    def __repr__(self) -> str:
        return f"{self.done:,} of {self.of:,} games{self.more}" if self.of else ""

    def _repr_html_(self) -> str:
        return f'<progress value="{self.done}" max="{self.of}"></progress> {html.escape(repr(self))}' if self.of else ""

    def _draw(self) -> None:
        if self.terminal:
            print(f"\r{self!r}\x1b[K", end="", file=sys.stderr, flush=True)
        elif self.notebook and self.display is None:
            self.display = sys.modules["IPython"].display.display(self, display_id=True)
        elif self.notebook:
            self.display.update(self)

    def _clear(self) -> None:
        if self.terminal and self.of:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.of = 0
        if self.display is not None:
            self.display.update(self)


def _in_notebook() -> bool:
    """Reports whether this is the kernel of a notebook. IPython in a terminal has none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
