// Package export holds the commands of the program export, which selfplay offers as
// `selfplay export` too: what datasets hold, whether they are whole, and what their rows
// say.
//
//	commands.go the list of commands
//	info.go    info: totals, also of a dataset that is being made
//	verify.go  verify: is every byte as it was committed
//	repair.go  repair: drop what is not, so that a run makes it again
//	head.go    head: the first rows
//	rows.go    rows: other rows of the same games, as a dataset of its own
//	dedup.go   dedup: the games of several datasets, each position once
//	sample.go  sample: rows drawn at random, in one file; sample_draw.go draws them
//	convert.go convert: all rows in another form, or all games
//	  convert_files.go, convert_stream.go, convert_games.go, convert_progress.go
//	           as a folder, to stdout, games as texts, and how far it is
//	shuffle.go shuffle: all rows in a random order
//	folder.go  what convert and shuffle write: a folder of files with their sums
//	chain.go   several datasets as one
//	memory.go  how much memory comparing and shuffling take
//	cell.go    the values of a row
//	actions.go actions: what the action numbers stand for
//	stats.go   stats: what the games are like
//	report.go  report: the same as a page, or of two datasets side by side
//	wdl.go     wdl: what scores are worth, by the games
//	reading.go all games of a dataset, read for stats, report and wdl
//	game.go    the game of a dataset, as this program knows it
//
// Results go to stdout, everything else to stderr.
package export

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
)

// Name is the name of the program.
const Name = "export"

// Main runs the program.
func Main() { app.Main(run) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return app.Run(ctx, app.New(Name, "inspect, check and convert datasets of self-play", Values(), Commands()...), args, stdin, stdout, stderr)
}

// Commands returns the commands of the program. To add a command, add it here.
func Commands() []*cli.Command {
	return []*cli.Command{
		infoCommand(), verifyCommand(), repairCommand(), headCommand(), rowsCommand(), dedupCommand(),
		sampleCommand(), convertCommand(), shuffleCommand(), actionsCommand(), statsCommand(), reportCommand(), wdlCommand(),
	}
}

// jsonFlag asks for output for programs.
func jsonFlag(usage string) cli.Flag { return &cli.BoolFlag{Name: "json", Usage: usage} }
