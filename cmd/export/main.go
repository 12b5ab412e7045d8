// Command export inspects, checks, converts, samples and relabels datasets. It is the
// same as `selfplay export`: "export" alone is a builtin of shells, so scripts call it by
// its path or through selfplay. Package cmd/internal/export has the commands.
package main

import "selfplay/cmd/internal/export"

func main() { export.Main() }
