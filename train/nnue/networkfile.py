"""Network files: safetensors with integer tensors and metadata.

The bytes are a function of tensors and metadata: keys are sorted, there are no timestamps, and the header is padded
to a multiple of eight. So the SHA-256 of a file identifies a network.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .quantise import Weights

FORMAT, VERSION = "selfplay-nnue", "1"
TYPES: dict[str, np.dtype[Any]] = {"I8": np.dtype("i1"), "I16": np.dtype("<i2"), "I32": np.dtype("<i4")}
SHAPES = {"feature_bias": "I16", "feature_weights": "I16", "output_bias": "I32", "output_weights": "I16"}
POLICY = {"policy_bias": "I32", "policy_weights": "I8"}  # only with a policy head


def encode(weights: Weights, metadata: dict[str, str]) -> bytes:
    """Returns the file of a network."""
    header: dict[str, Any] = {"__metadata__": {"format": FORMAT, "version": VERSION} | metadata}
    data = b""
    for name, kind in (SHAPES | (POLICY if weights.policy_bias is not None else {})).items():
        tensor: NDArray[Any] = getattr(weights, name)
        raw = np.ascontiguousarray(tensor, TYPES[kind]).tobytes()
        header[name] = {"data_offsets": [len(data), len(data) + len(raw)], "dtype": kind, "shape": list(tensor.shape)}
        data += raw
    text = json.dumps(header, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def decode(raw: bytes) -> tuple[Weights, dict[str, str]]:
    """Returns the network of a file and its metadata. It trusts files that encode wrote; the program checks more."""
    size = int.from_bytes(raw[:8], "little")
    try:
        header = json.loads(raw[8 : 8 + size])
        metadata = header.pop("__metadata__", {})
    except (ValueError, AttributeError, TypeError):
        raise ValueError("not a safetensors file") from None
    if (metadata.get("format"), metadata.get("version")) != (FORMAT, VERSION):
        raise ValueError(f"format {metadata.get('format')}, want {FORMAT} of version {VERSION}")
    if set(header) not in (set(SHAPES), set(SHAPES) | set(POLICY)):
        raise ValueError(f"tensors {', '.join(sorted(header))}: want {', '.join(SHAPES)}")
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + size + at for at in entry["data_offsets"])
        tensors[name] = np.frombuffer(raw[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
    return Weights(**tensors), metadata


def write(path: Path, raw: bytes) -> str:
    """Writes a file under its final name only when it is complete. Returns its SHA-256."""
    partial = path.with_name(path.name + ".partial")
    with open(partial, "wb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    return hashlib.sha256(raw).hexdigest()
