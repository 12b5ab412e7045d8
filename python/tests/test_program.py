"""Where the program comes from, and that its version is checked."""

import subprocess
import sys

import pytest
from selfplay import ProgramError
from selfplay import program as module


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of programs: nothing else is installed or named."""
    monkeypatch.delenv("RULES_PROGRAM", raising=False)
    monkeypatch.setattr(module, "_scripts", lambda: str(tmp_path / "scripts"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))

    def add(name):
        file = tmp_path / name / "selfplay"
        file.parent.mkdir()
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
        return str(file)

    return add


def test_the_program_of_the_wheel_comes_before_the_path(folder):
    path = folder("path")
    assert module.find_program() == path
    own = folder("scripts")
    assert module.find_program() == own
    assert module.find_program(path) == path


def test_a_variable_names_the_program(folder, monkeypatch):
    folder("scripts")
    named = folder("named")
    monkeypatch.setenv("RULES_PROGRAM", named)
    assert module.find_program() == named


def test_a_missing_program_is_an_error(folder):
    with pytest.raises(ProgramError, match="no program selfplay on the PATH"):
        module.find_program()
    with pytest.raises(ProgramError, match="no program '/no/selfplay'"):
        module.find_program("/no/selfplay")


def test_versions_are_compared(monkeypatch):
    monkeypatch.setattr(module, "package_version", lambda: "1.0.0")
    module.check_version("selfplay", "1.0.0 abc go1.26")
    with pytest.raises(ProgramError, match="selfplay has version 0.9.0, this package has 1.0.0: install both from one"):
        module.check_version("selfplay", "0.9.0 abc go1.26")


def test_python_m_selfplay_is_the_program(program):
    command = [sys.executable, "-m", "selfplay", "games", "--names"]
    done = subprocess.run(command, env={"RULES_PROGRAM": program, "PYTHONPATH": ":".join(sys.path)}, capture_output=True, text=True)
    assert done.stdout.split() == ["cotulenh", "chess", "contrast"] and done.returncode == 0
    assert subprocess.run([*command[:3], "no-command"], env={"RULES_PROGRAM": program, "PYTHONPATH": ":".join(sys.path)}).returncode == 2
