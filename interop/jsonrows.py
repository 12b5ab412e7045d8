"""Rows as the export program writes them in JSON, where hash is text: many readers round numbers of 64 bits."""

import json


def row_of(line):
    return with_hash(json.loads(line))


def with_hash(row):
    return row | {"hash": int(row["hash"])} if "hash" in row else row
