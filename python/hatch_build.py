"""Puts the program selfplay into a wheel.

SELFPLAY_PROGRAM names the file. SELFPLAY_PLATFORM is the platform tag of the wheel, such as win_amd64, by default that of
this machine. THIRD_PARTY_NOTICES.txt beside the program, if it is there, gets into the wheel, too. Without a program the
wheel is py3-none-any. deploy/dist/wheels makes those of a release.
"""

import os
import re
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["extra_metadata"][str(Path(self.root).parent / "LICENSE")] = "LICENSE"
        program = os.environ.get("SELFPLAY_PROGRAM")
        if program:
            build_data["shared_scripts"][program] = Path(program).name
            notices = Path(program).with_name("THIRD_PARTY_NOTICES.txt")
            if notices.exists():
                build_data["extra_metadata"][str(notices)] = notices.name
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{os.environ.get('SELFPLAY_PLATFORM') or re.sub('[-.]', '_', sysconfig.get_platform())}"
