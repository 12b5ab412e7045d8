// Package program holds the two programs of this module, so that others can have them with
// games and players of their own: a main function that calls Main.
//
// The program selfplay plays games against itself and writes every position into a dataset.
// It also lists moves, counts positions, matches players, and offers the commands of export.
//
//	program.go     Main and Export; the list of commands
//	values.go      what flags complete to
//	game.go        flags for a game and its players
//	position.go    flags for a position
//	run.go         run: make a dataset; job.go its flags
//	plan.go        the plan of a dataset from flags and catalog; cmd/internal/rowflags has
//	               the flags for rows, shards and the card
//	play.go        flags for openings, exploration and adjudication
//	config.go      flags from a file and from the environment; config_yaml.go the file
//	tasks.go       flags to share the work among several runs
//	stop.go        flags to stop a run before its end
//	dryrun.go      --dry-run: what a run would make and take; estimate.go the estimate,
//	               trial.go the games it comes from and its spread, cputime_*.go their
//	               CPU time
//	failure.go     the record of a game that panicked
//	summary.go     the summary at the end of a run; runstate.go the state it comes from
//	publish.go     --status-file and --metrics; metrics.go the metrics
//	preset.go      presets: flags that suit each game, by name
//	games.go       games: the facts of the catalog
//	players.go     players: the players of a game and their parameters; how lists are printed
//	replay.go      replay: play one game of a dataset again
//	status.go      status: how far a run is; status_view.go shows it, status_text.go and
//	               status_tasks.go word it and break lines
//	finalize.go    finalize: complete a dataset that tasks have made
//	moves.go       moves: the legal moves of a position, by package ask
//	batch.go       moves --batch: many positions, line by line
//	perft.go       perft: count move sequences
//	match.go       match: which of two players is stronger; match_result.go what it prints,
//	               elo.go the statistics, sprt.go the sequential test,
//	               threadtime_*.go the CPU time of a thread
//	net.go         net: what a network is, and whether its scores are right, which
//	               netcheck.go compares
//	uci.go         uci: play chess as an engine of a GUI
//	positions.go   positions: the rules for other programs, in batches
//	bench.go       bench: how fast this machine is
//	measure.go     the measurements of bench; measure_rows.go those that write datasets
//
// Results go to stdout; progress and logs go to stderr.
package program

import (
	"context"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/export"
	"selfplay/encode"
	"selfplay/workers"
)

// Main runs the program selfplay with the arguments of the process and exits with its code. It
// plays the games of a catalog by the players of a list, and reads their datasets:
//
//	program.Main(append(encode.Games(), othello.Entry()), workers.PlayerTypes())
//
// It panics if names of games or players cannot be told apart.
func Main(games encode.Catalog, players workers.Players) { main(games, players, run) }

// Export runs the program export, which has only the commands of `selfplay export`.
func Export(games encode.Catalog, players workers.Players) { main(games, players, export.Run) }

// main runs a program with a catalog.
func main(games encode.Catalog, players workers.Players, run func(context.Context, workers.Catalog, []string, io.Reader, io.Writer, io.Writer) int) {
	known := workers.Catalog{Games: games, Players: players}
	if err := known.Check(); err != nil {
		panic(err)
	}
	app.Main(func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return run(ctx, known, args, stdin, stdout, stderr)
	})
}

// run runs the program with a catalog and returns its exit code.
func run(ctx context.Context, known workers.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := app.New("selfplay", "play board games against yourself and write datasets", known, values(known), commands(known.Games)...)
	return app.Run(ctx, program, args, stdin, stdout, stderr)
}

// commands returns all commands of the program. A new command is added here.
func commands(games encode.Catalog) []*cli.Command {
	return slices.Concat(
		inGroup(app.Making, runCommand(games), statusCommand(), finalizeCommand(), replayCommand()),
		inGroup(app.Reading, append(shortcuts(games), exportCommand(games))...),
		inGroup(app.Asking, movesCommand(games), perftCommand(games), gamesCommand(), playersCommand(games), presetsCommand(games), matchCommand(games), netCommand(), uciCommand(), positionsCommand(games), benchCommand(games)),
	)
}

// inGroup puts commands into a group of the help.
func inGroup(group string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = group
	}
	return commands
}

// exportCommand holds all commands of the program export.
func exportCommand(games encode.Catalog) *cli.Command {
	return &cli.Command{
		Name:        export.Name,
		Usage:       "inspect, check, repair, convert and sample datasets, as the program export does",
		Subcommands: export.Commands(games),
	}
}

// shortcuts returns the commands of export that need no word export: selfplay verify is
// selfplay export verify.
func shortcuts(games encode.Catalog) (list []*cli.Command) {
	for _, c := range export.Commands(games) {
		if slices.Contains(app.Shortcuts, c.Name) {
			list = append(list, c)
		}
	}
	return list
}
