"""Files of the package import each other in one direction."""

import ast
from pathlib import Path

import selfplay

FILES = {file.stem: file for file in Path(selfplay.__file__).parent.glob("*.py")}


def imports_of(name):
    """Returns the files that a file imports, in functions and for types, too."""
    froms = [node for node in ast.walk(ast.parse(FILES[name].read_text("utf-8"))) if isinstance(node, ast.ImportFrom) and node.level == 1]
    return {module for node in froms for module in ([node.module] if node.module else [alias.name for alias in node.names])}


def test_no_file_imports_itself_through_others():
    below = {name: imports_of(name) & FILES.keys() for name in FILES}
    while free := [name for name in below if not below[name]]:
        for name in free:
            del below[name]
        for rest in below.values():
            rest.difference_update(free)
    assert not below
