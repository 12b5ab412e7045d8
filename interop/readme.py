"""Follows a page: runs its blocks of commands and of Python in order, as they are written, but for the installation.

    python readme.py PAGE DIR      DIR is where they write; the programs are on the PATH
"""

import os
import re
import subprocess
import sys
from pathlib import Path


def main(page, folder):
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", Path(page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert {language for language, _ in blocks} == {"sh", "python"}, page
    os.makedirs(folder, exist_ok=True)
    for language, text in blocks:
        print("+", text, flush=True)
        if language == "sh":
            text = re.sub(r"^pip install .*\n", "", text, flags=re.MULTILINE)
        subprocess.run(["sh", "-ec", text] if language == "sh" else [sys.executable, "-c", text], cwd=folder, check=True)
    print(f"readme: {len(blocks)} blocks ran")


if __name__ == "__main__":
    main(*sys.argv[1:])
