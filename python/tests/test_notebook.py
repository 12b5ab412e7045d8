"""The notebook in examples/ as it is stored. interop/run executes it."""

import ast
import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_outputs_are_stripped(path):
    notebook = json.loads(path.read_text("utf-8"))
    assert notebook["nbformat"] == 4 and set(notebook["metadata"]) <= {"kernelspec", "language_info"}
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}, "run `jupyter nbconvert --clear-output --ClearMetadataPreprocessor.enabled=True`"
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, "run `jupyter nbconvert --clear-output --inplace`"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_cells_are_python(path):
    """Without magics, so that interop/notebook.py executes them as a kernel does."""
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert ast.parse("".join(cell["source"])).body


def test_there_is_a_notebook():
    assert [path.name for path in NOTEBOOKS] == ["first_steps.ipynb"]
