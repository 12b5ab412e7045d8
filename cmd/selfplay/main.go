// Command selfplay plays board games against itself and writes datasets. Package
// cmd/program has its commands.
package main

import (
	"selfplay/cmd/program"
	"selfplay/encode"
	"selfplay/workers"
)

func main() { program.Main(encode.Games(), workers.PlayerTypes()) }
