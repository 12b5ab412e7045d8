"""The SHA-256 of files, as a dataset or a converted folder says them: selfplay.open(path, verify=True)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path


def check_files(files: Iterable[Path]) -> None:
    """Compares files with their SHA-256. Raises ValueError at the first that differs, or that none is known of."""
    known: dict[Path, dict[Path, str]] = {}  # by folder
    for file in files:
        if file.parent not in known:
            known[file.parent] = _of_dataset(file.parent.parent) | _of_dataset(file.parent) | _of_folder(file.parent)
        want = known[file.parent].get(file)
        if want is None:
            raise ValueError(f"open {file}: no manifest, commit record or SHA256SUMS says its SHA-256: open it without verify")
        with file.open("rb") as f:
            if (got := hashlib.file_digest(f, "sha256").hexdigest()) != want:
                raise ValueError(f"open {file}: it is damaged: its SHA-256 begins with {got[:12]}, want {want[:12]}")


def _of_dataset(root: Path) -> dict[Path, str]:
    """Returns the sums of commit records and of the manifest, which must agree."""
    sums: dict[Path, str] = {}
    entries = []
    for record in sorted((root / ".selfplay" / "commits").glob("*.json")):
        entries += json.loads(record.read_text("utf-8")).get("files", [])
    if (root / "manifest.json").exists():
        manifest = json.loads((root / "manifest.json").read_text("utf-8"))
        entries += manifest.get("documents", [])
        entries += [file for shard in manifest.get("files", []) for file in shard["files"]]
    for entry in entries:
        path, sum_ = root / entry["name"], entry["sha256"]
        if sums.setdefault(path, sum_) != sum_:
            raise ValueError(f"open {path}: manifest and commit record have different SHA-256: run selfplay verify {root}")
    return sums


def _of_folder(folder: Path) -> dict[Path, str]:
    """Returns the sums of SHA256SUMS."""
    list_ = folder / "SHA256SUMS"
    if not list_.exists():
        return {}
    lines = (line.split(maxsplit=1) for line in list_.read_text("utf-8").splitlines() if line.strip())
    return {folder / name.lstrip("*"): sum_ for sum_, name in lines}
