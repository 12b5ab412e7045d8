// Command export inspects, checks, converts, samples and relabels datasets. It has
// the commands of selfplay about datasets. Shells have a builtin named export, so call this
// program by its path. Package cmd/program has its commands.
package main

import (
	"selfplay/cmd/program"
	"selfplay/encode"
	"selfplay/workers"
)

func main() { program.Export(encode.Games(), workers.PlayerTypes()) }
