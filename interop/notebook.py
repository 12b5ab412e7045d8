"""Executes the code cells of a notebook in order, as a kernel does, and prints what they show. The notebook has no magics.

    python notebook.py NOTEBOOK DIR      DIR is where it writes
"""

import ast
import json
import os
import sys
import time


def main(path, folder):
    with open(path, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    names = {"__name__": "__main__"}
    begin = time.monotonic()
    for number, cell in enumerate(cells, 1):
        show(execute("".join(cell["source"]), f"{os.path.basename(path)}, code cell {number}", names))
    print(f"notebook: {len(cells)} cells, {time.monotonic() - begin:.0f} s")


def execute(source, name, names):
    """Runs a cell, and returns the value of its last expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), names)


def show(value):
    """Prints a value, and asks it for its picture if it has one."""
    if value is None:
        return
    print(repr(value))
    if picture := getattr(value, "_repr_svg_", None):
        assert "<svg" in picture()


if __name__ == "__main__":
    main(*sys.argv[1:])
