// Command export inspects, checks, converts, samples and relabels datasets. It offers the
// same commands as `selfplay export`. Shells have a builtin named export, so call this
// program by its path. Its commands are in package cmd/internal/export.
package main

import "selfplay/cmd/internal/export"

func main() { export.Main() }
