"""Rewrites the parts of the page that are made by the command, each between `<!-- measured: NAME -->` and
`<!-- end -->`."""

import re
from pathlib import Path


def table(head: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def rewrite(page: Path, name: str, part: str) -> None:
    """Replaces a part, and fails if the page lacks it."""
    pattern = re.compile(rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    text, found = pattern.subn(lambda mark: f"{mark[1]}{part}\n{mark[2]}", page.read_text())
    if found != 1:
        raise ValueError(f"rewrite {page}: {found} parts {name}: it must have one")
    page.write_text(text)
