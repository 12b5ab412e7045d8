"""python -m selfplay: the program."""

import os
import subprocess
import sys

from .program import ProgramError, find_program

try:
    command = [find_program(), *sys.argv[1:]]
except ProgramError as err:
    sys.exit(f"selfplay: {err}")
if os.name == "posix":
    os.execv(command[0], command)
sys.exit(subprocess.run(command, check=False).returncode)
