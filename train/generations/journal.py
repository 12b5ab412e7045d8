"""loop.json: the settings of a loop, and the records of its complete steps."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# What may differ when a loop goes on: no complete step depends on it, or the record of the step has it.
FREE = ("hours", "workers", "generations", "fit", "learn", "window")


class Journal:
    """The records of a folder, in the order of the steps. unit is what the number of a step counts."""

    def __init__(
        self, folder: Path, settings: DataclassInstance, name: str = "loop.json", unit: str = "generation"
    ) -> None:
        self.folder, self.path, self.unit = folder, folder / name, unit
        self.settings = dataclasses.asdict(settings)
        self.steps: list[dict[str, Any]] = []
        if self.path.exists():
            self._open()

    def _open(self) -> None:
        try:
            document = json.loads(self.path.read_text("utf-8"))
            self.steps, begun = document["steps"], document["settings"]
        except (ValueError, KeyError) as error:
            raise ValueError(f"open {self.path}: not a record of steps: {error}") from error
        for name, value in self.settings.items():
            if name not in FREE and begun.get(name) != value:
                raise ValueError(f"resume {self.folder}: {name} was {begun.get(name)!r}, now it is {value!r}")

    def find(self, generation: int | str, step: str) -> dict[str, Any] | None:
        """Returns the result of a complete step."""
        for record in self.steps:
            if (record["generation"], record["step"]) == (generation, step):
                self._check_file(record)
                result: dict[str, Any] = record["result"]
                return result
        return None

    def add(self, generation: int | str, step: str, result: dict[str, Any], file: Path | None, cpu: float) -> None:
        """Records a step. From here on it is complete."""
        record: dict[str, Any] = {"generation": generation, "step": step, "result": result}
        if file is not None:
            record |= {"file": file.relative_to(self.folder).as_posix(), "sha256": digest(file)}
        self.steps.append(record | {"cpu_seconds": round(cpu, 1)})
        text = json.dumps({"settings": self.settings, "steps": self.steps}, indent=1) + "\n"
        replace(self.path, text)

    def _check_file(self, record: dict[str, Any]) -> None:
        if "file" not in record:
            return
        path = self.folder / record["file"]
        if not path.exists() or digest(path) != record["sha256"]:
            where = f"{self.unit} {record['generation']}, step {record['step']}"
            raise ValueError(f"resume {self.folder}: {path} is not the file of {where}; restore it, or begin anew")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def replace(path: Path, text: str) -> None:
    """Replaces a file as a whole."""
    partial = path.with_name(path.name + ".partial")
    with open(partial, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
