// Command selfplay plays games against itself and writes every position into a
// dataset. It also answers questions about the games it knows.
//
//	main.go      the list of commands
//	game.go      flags that choose a game and its players
//	position.go  flags that choose a position
//	run.go       run: make a dataset
//	about.go     what the dataset tells of itself
//	stop.go      how a run is stopped before its end
//	tasks.go     how several runs share the work
//	config.go    flags from a file and from the environment
//	dryrun.go    what a run would do
//	failure.go   what is kept of a game that panicked
//	replay.go    replay: one game of a dataset again
//	finalize.go  finalize: end what tasks have made
//	completion.go  completion: a script for the shell
//	play.go      flags for openings, exploration and adjudication
//	plan.go      what a dataset is made of, from flags and catalog; cmd/internal/rows
//	             has the flags that say how games become rows
//	summary.go   what a run has made
//	moves.go     moves: the legal moves of a position
//	batch.go     moves --batch: of many, line by line
//	perft.go     perft: count the positions ahead
//	games.go     games: the facts of the catalog
//	players.go   players: what there is to choose from
//	preset.go    presets: flags that suit each game, by name
//	match.go     match: which of two players is stronger
//	bytes.go     sizes as people write them
//	bench.go     bench: how fast this machine is
//	measure.go   what bench measures, figure by figure
//
// Results go to stdout; progress and logs to stderr.
package main

import (
	"context"
	"io"

	"selfplay/cmd/internal/app"
)

func main() { app.Main(run) }

// run is the program. The next command is added here and nowhere else.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := app.New("selfplay", "play board games against yourself and write datasets",
		runCommand(), movesCommand(), perftCommand(), benchCommand(), gamesCommand(), playersCommand(), presetsCommand(), matchCommand(),
		finalizeCommand(), replayCommand(),
		completionCommand())
	return app.Run(ctx, program, args, stdin, stdout, stderr)
}
