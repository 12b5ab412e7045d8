"""Reads the positions of a dataset from an object store and from the disk, and compares all values.

usage: s3.py DIR BUCKET/PREFIX
"""

import os
import sys

import duckdb
import polars
import pyarrow.dataset
import pyarrow.fs
import s3fs

directory, key = sys.argv[1:]
endpoint = os.environ["AWS_ENDPOINT_URL"]
local = pyarrow.dataset.dataset(f"{directory}/positions").to_table()


def same(tool: str, table: pyarrow.Table) -> None:
    """Compares a table with the local one."""
    if table.num_rows != local.num_rows:
        sys.exit(f"{tool}: {table.num_rows} rows, want {local.num_rows}")
    for name in local.column_names:
        if table.column(name).to_pylist() != local.column(name).to_pylist():
            sys.exit(f"{tool}: column {name} differs")


store = pyarrow.fs.S3FileSystem(endpoint_override=endpoint.removeprefix("http://"), scheme="http", region="us-east-1")
same("pyarrow", pyarrow.dataset.dataset(f"{key}/positions", filesystem=store).to_table())

options = {"aws_endpoint_url": endpoint, "aws_allow_http": "true", "aws_region": "us-east-1"}
frame = polars.read_parquet(f"s3://{key}/positions/*.parquet", storage_options=options)
same("polars", frame.to_arrow())

connection = duckdb.connect()
connection.register_filesystem(s3fs.S3FileSystem(endpoint_url=endpoint))
same("duckdb", connection.sql(f"SELECT * FROM read_parquet('s3://{key}/positions/*.parquet')").arrow().read_all())
print(f"{key}: {local.num_rows} rows are the same in pyarrow, Polars and DuckDB")
