// Package export has the commands of the program export, which selfplay offers as
// `selfplay export`: they inspect, check, repair and convert datasets. A command reads its
// flags, shows progress and prints results; the work is done by the packages below
// selfplay/datasets.
//
//	commands.go  the list of commands, and the values that flags complete to
//
//	info.go      info: totals, also while the dataset is being made
//	head.go      head: the first rows
//	head_table.go  its table, without the boards
//	stats.go     stats: statistics of the games
//	stats_text.go  its text
//	report.go    report: an HTML page of one dataset, or of two side by side
//	serve.go     serve: datasets in a browser, and for programs over HTTP
//	wdl.go       wdl: win, draw and loss probabilities of scores
//	actions.go   actions: the meaning of action numbers
//	verify.go    verify: whether the files are as they were committed
//	regenerate.go  its --regenerate: games played again by the players of the plan
//	repair.go    repair: removes damage, so that a run makes the missing shards
//
//	import.go    import: a dataset of games of other programs
//	import_bad.go  its list of games that were not taken
//	rows.go      rows: a dataset with other rows of the same games
//	rescore.go   rescore: the same games with scores of another player
//	rescore_compare.go  what the new scores are worth
//	dedup.go     dedup: a dataset with each position of one or several datasets once
//	dedup_plan.go  which datasets can be joined, and the plan of the result
//	mix.go       mix: rows of several datasets by weights; mix_parts.go which can be mixed, and
//	            mix_games.go whether they have games in common
//	convert.go   convert: all rows or games in another format
//	shuffle.go   shuffle: all rows in random order
//	sample.go    sample: rows drawn at random
//	sample_flags.go, sample_text.go  its flags and its text
//
//	dataset.go   opening datasets, reading them with progress, hints about damage
//	forms.go     flags for the format of rows
//	query.go     flags that choose rows and columns
//	outputs.go   where an output may be written, and what is printed about it
//	memory.go    --memory
//
// Results go to stdout; progress, logs and errors go to stderr.
package export

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/workers"
)

// Name is the name of the program.
const Name = "export"

// Run runs the program with a catalog and returns its exit code.
func Run(ctx context.Context, known workers.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := app.New(Name, "inspect, check and convert datasets of self-play", known, Values(known.Games), Commands(known.Games)...)
	return app.Run(ctx, program, args, stdin, stdout, stderr)
}

// Commands returns the commands of the program. To add a command, add it here.
func Commands(games encode.Catalog) []*cli.Command {
	list := []*cli.Command{
		infoCommand(), verifyCommand(), repairCommand(), headCommand(), importCommand(games), rowsCommand(), rescoreCommand(), dedupCommand(), mixCommand(),
		sampleCommand(), convertCommand(), shuffleCommand(), actionsCommand(games), statsCommand(), reportCommand(), serveCommand(), wdlCommand(),
	}
	for _, c := range list {
		if c.Name != "actions" { // it reads no dataset
			c.Flags = append(c.Flags, app.StoreFlags()...)
		}
	}
	return list
}

// Values returns the values that the flags of the commands complete to.
func Values(games encode.Catalog) map[string]app.Values {
	values := rowflags.Values(games)
	values["game"] = app.OneOf(games.Names()...)
	values["to"] = app.OneOf(plan.Parquet, plan.Arrow)
	values["split"] = app.OneOf(plan.Train, plan.Validation)
	values["boards"] = app.OneOf(boardsArray, boardsText)
	for _, command := range []string{"head", "sample", "convert", "shuffle"} {
		values[command+" columns"] = app.ListOf(columnNames()...)
	}
	values["rescore where"] = app.OneOf("all", "sample=", "surprise>", "blunder>")
	values["by"] = app.OneOf(query.StrataNames()...)
	values["sample format"] = app.OneOf(singleFileNames()...)
	values["mix format"] = app.OneOf(tablefile.Names()...)
	values["import format"] = app.OneOf(ingest.Names()...)
	values["convert format"] = app.OneOf(append(tablefile.Names(), movetext.Names()...)...)
	return values
}
