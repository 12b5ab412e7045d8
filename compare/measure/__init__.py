"""Measures the same work with this project and with other tools, and writes the tables of docs/comparison.md."""
