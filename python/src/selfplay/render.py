"""What environments render: the text of a position, its drawing, or the pixels of that."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .rules import Positions

MODES = ["human", "ansi", "svg", "rgb_array"]  # human prints the text after each step


def checked_mode(mode: str | None) -> str | None:
    """Returns a render mode. Raises ValueError if there is none of this name."""
    if mode not in (None, *MODES):
        raise ValueError(f"render_mode {mode!r}: want None or one of {', '.join(MODES)}")
    return mode


def render(positions: Positions, index: int, mode: str | None) -> Any:
    """Returns a picture of a position: a text, SVG, or uint8 [height, width, 3]. human prints the text, and returns None."""
    if mode is None:
        return None
    drawn = mode in ("svg", "rgb_array")
    sight = positions.look(index, picture=drawn)
    if mode == "human":
        print(sight.text, flush=True)
        return None
    return sight.text if not drawn else pixels(sight.values["picture"]) if mode == "rgb_array" else str(sight.values["picture"])


def pixels(svg: str) -> NDArray[np.uint8] | None:
    """Returns the pixels of a drawing on white, uint8 [height, width, 3]. Without resvg-py and Pillow it is None, and there is
    one warning: pip install 'selfplay[pixels]'."""
    draw = _drawer()
    return None if draw is None else draw(svg)


@cache
def _drawer() -> Callable[[str], NDArray[np.uint8]] | None:
    try:
        import resvg_py
        from PIL import Image
    except ImportError as missing:
        warnings.warn(f"render_mode rgb_array draws nothing without {missing.name}: pip install 'selfplay[pixels]'", stacklevel=4)
        return None

    def draw(svg: str) -> NDArray[np.uint8]:
        png = bytes(resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff"))
        return np.array(Image.open(io.BytesIO(png)).convert("RGB"))

    return draw
