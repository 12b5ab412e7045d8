"""The program selfplay that comes with this package, or is installed beside it."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sysconfig


class ProgramError(RuntimeError):
    """The program selfplay is missing, has failed or ended, does not answer, or answers what is no answer."""


def find_program(program: str | os.PathLike[str] | None = None) -> str:
    """Returns the file of the program: the one that is named, or else by the variable RULES_PROGRAM; or the one that was
    installed with this package; or `selfplay` on the PATH."""
    named = os.fspath(program or os.environ.get("RULES_PROGRAM", ""))
    if named:
        found = shutil.which(named)
    else:
        found = shutil.which("selfplay", path=_scripts()) or shutil.which("selfplay")
    if found is None:
        raise ProgramError(f"no program {named!r}" if named else "no program selfplay on the PATH: set RULES_PROGRAM to its file")
    return found


def _scripts() -> str:
    """Returns the folders in which installers put programs of packages."""
    schemes = [sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")]
    return os.pathsep.join(sysconfig.get_path("scripts", scheme) for scheme in schemes)


def package_version() -> str:
    """Returns the version of this package, "" if it is not installed but read from a folder."""
    try:
        return importlib.metadata.version("selfplay")
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_version(name: str, version: str) -> None:
    """Raises ProgramError if a program, which prints this version, has another one than this package."""
    mine, other = package_version(), version.partition(" ")[0]
    if mine and other and mine != other:
        raise ProgramError(f"{name} has version {other}, this package has {mine}: install both from one release")
