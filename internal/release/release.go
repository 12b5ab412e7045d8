// Package release names the version of this source: programs print it, release archives and wheels are
// named by it, and the Python package has the same one. No byte of the data of a dataset depends on it:
// what does is versioned on its own (rules, players, layouts, actions, writer, format).
package release

// Version is that of the next release, with .dev0 until then (PEP 440). python/pyproject.toml reads this line.
const Version = "1.0.0"
