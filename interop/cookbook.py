"""Runs the blocks of docs/cookbook.md: commands, and each question in DuckDB and in Polars. Compares the two answers,
and both with the tables and charts of the page.

    python cookbook.py DIR            DIR has the built programs
    python cookbook.py DIR --update   writes tables and charts instead
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "cookbook.md"

BLOCK = re.compile(r"```(sh|python)\n(.*?)```|<!-- answer (\d+) -->\n(?:(.*?)<!-- end -->\n)?", re.DOTALL)


def table(columns, rows):
    """Returns rows as a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def close(a, b):
    return a == b or isinstance(a, float) and abs(a - b) < 1e-9


def answers(page):
    """Runs the page in the current directory and yields the table of each answer, and what the page has."""
    names, given = {}, []
    for language, code, number, shown in BLOCK.findall(page):
        if language == "sh":
            subprocess.run(["bash", "-euo", "pipefail", "-c", code], check=True, stdout=subprocess.DEVNULL)
        elif language == "python":  # as a reader would run it
            names.pop("answer", None)
            exec(compile(code, str(PAGE), "exec"), names)
            given += [names["answer"]] if "answer" in names else []
        else:
            duck, polars = given
            rows, given = polars.rows(), []
            assert duck.columns == polars.columns, f"answer {number}: columns {duck.columns} and {polars.columns}"
            other = duck.fetchall()
            same = len(rows) == len(other) and all(close(a, b) for x, y in zip(rows, other) for a, b in zip(x, y))
            assert same, f"answer {number}: DuckDB has {other}, Polars {rows}"
            yield number, table(polars.columns, rows), shown


def main(programs, update):
    os.environ["PATH"] = f"{os.path.abspath(programs)}:{os.environ['PATH']}"
    page, count = PAGE.read_text(), 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, made, shown in answers(page):
            count += 1
            if update:
                begin, end = f"<!-- answer {number} -->\n", "<!-- end -->\n"
                before, after = page.split(begin)
                page = before + begin + made + end + after.removeprefix(shown + end)
            else:
                assert made == shown, f"answer {number}: the page has\n{shown}want\n{made}"
        for chart in Path().glob("*.svg"):
            if update:
                (DOCS / chart.name).write_text(chart.read_text())
            else:
                assert (DOCS / chart.name).read_text() == chart.read_text(), f"{chart}: the page has another chart"
    if update:
        PAGE.write_text(page)
    print(f"cookbook: {count} answers of DuckDB and Polars are equal, and those of the page")


if __name__ == "__main__":
    main(sys.argv[1], "--update" in sys.argv)
