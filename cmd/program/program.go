// Package program holds the two programs of this module, so that others can have them with
// games and players of their own: a main function that calls Main.
//
// The program selfplay plays games against itself and writes every position into a dataset.
// It also lists moves, counts positions, matches players, and inspects, checks, repairs, converts
// and samples datasets, as the program export does. Results go to stdout; progress,
// logs and errors go to stderr.
//
// A file with the name of a command reads from top to bottom: the command and its flags, what
// it refuses, what it does. What several commands share has files of its own. The work is done by
// selfplay/workers and the packages below selfplay/datasets.
package program

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/tablefile"
	"selfplay/encode"
	"selfplay/workers"
)

// Main runs the program selfplay with the arguments of the process and exits with its code. It
// plays the games of a catalog by the players of a list, and reads their datasets:
//
//	Main(append(encode.Games(), othello.Entry()), workers.PlayerTypes())
//
// It panics if names of games or players cannot be told apart.
func Main(games encode.Catalog, players workers.Players) { runProgram(games, players, runSelfplay) }

// Export runs the program export, which has only the commands about datasets.
func Export(games encode.Catalog, players workers.Players) { runProgram(games, players, runExport) }

// runProgram runs a program with a catalog.
func runProgram(games encode.Catalog, players workers.Players, run func(context.Context, workers.Catalog, []string, io.Reader, io.Writer, io.Writer) int) {
	known := workers.Catalog{Games: games, Players: players}
	if err := known.Check(); err != nil {
		panic(err)
	}
	exitWith(func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return run(ctx, known, args, stdin, stdout, stderr)
	})
}

// runSelfplay runs the program with a catalog and returns its exit code.
func runSelfplay(ctx context.Context, known workers.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := newApp("selfplay", "play board games against yourself and write datasets", known, selfplayValues(known), selfplayCommands(known.Games)...)
	return runApp(ctx, program, args, stdin, stdout, stderr)
}

// selfplayCommands returns all commands of the program. A new command is added here, one about datasets in datasetCommands.
func selfplayCommands(games encode.Catalog) []*cli.Command {
	making, reading, writing := datasetCommands(games)
	return slices.Concat(
		inGroup(groupMaking, append([]*cli.Command{runCommand(games), statusCommand(), finalizeCommand()}, making...)...),
		inGroup(groupReading, append(reading, replayCommand())...),
		inGroup(groupWriting, writing...),
		inGroup(groupAsking, movesCommand(games), perftCommand(games), gamesCommand(), playersCommand(games), presetsCommand(games), matchCommand(games), netCommand(), uciCommand(), positionsCommand(games), benchCommand(games)),
	)
}

// inGroup puts commands into a group of the help.
func inGroup(group string, commands ...*cli.Command) []*cli.Command {
	for _, c := range commands {
		c.Category = group
	}
	return commands
}

// runExport runs the program with a catalog and returns its exit code.
func runExport(ctx context.Context, known workers.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := newApp("export", "inspect, check and convert datasets of self-play", known, exportValues(known.Games), exportCommands(known.Games)...)
	return runApp(ctx, program, args, stdin, stdout, stderr)
}

// exportCommands returns the commands of the program export, which are commands of selfplay too.
func exportCommands(games encode.Catalog) []*cli.Command {
	making, reading, writing := datasetCommands(games)
	return slices.Concat(inGroup(groupMaking, making...), inGroup(groupReading, reading...), inGroup(groupWriting, writing...))
}

// datasetCommands returns the commands about datasets: those that make one of others, that read one, and that write its rows
// for other programs.
func datasetCommands(games encode.Catalog) (making, reading, writing []*cli.Command) {
	making = []*cli.Command{importCommand(games), rowsCommand(), rescoreCommand(), dedupCommand()}
	reading = []*cli.Command{infoCommand(), verifyCommand(), repairCommand(), headCommand(), statsCommand(), reportCommand(), serveCommand(), wdlCommand()}
	writing = []*cli.Command{convertCommand(), sampleCommand(), shuffleCommand(), mixCommand()}
	for _, c := range slices.Concat(making, reading, writing) {
		c.Flags = append(c.Flags, storeFlags()...)
	}
	return making, reading, append(writing, actionsCommand(games))
}

// exportValues returns the values that the flags of the commands complete to.
func exportValues(games encode.Catalog) map[string]flagValues {
	values := rowValues(games)
	values["game"] = oneOf(games.Names()...)
	values["to"] = oneOf(plan.Parquet, plan.Arrow)
	values["split"] = oneOf(plan.Train, plan.Validation)
	values["boards"] = oneOf(boardsArray, boardsText)
	for _, command := range []string{"head", "sample", "convert", "shuffle"} {
		values[command+" columns"] = anyOf(columnNames()...)
	}
	values["rescore where"] = oneOf("all", "sample=", "surprise>", "blunder>")
	values["by"] = oneOf(query.StrataNames()...)
	values["sample format"] = oneOf(singleFileNames()...)
	values["mix format"] = oneOf(tablefile.Names()...)
	values["import format"] = oneOf(ingest.Names()...)
	values["convert format"] = oneOf(append(tablefile.Names(), movetext.Names()...)...)
	return values
}

// selfplayValues returns the values that the flags of all commands complete to.
func selfplayValues(known workers.Catalog) map[string]flagValues {
	all, catalog := exportValues(known.Games), catalogValues(known)
	maps.Copy(all, map[string]flagValues{
		"game":          oneOf(known.Games.Names()...),
		"games table":   oneOf(known.Games.Names()...),
		"variant":       catalog.variants,
		"engine":        catalog.engines,
		"preset":        catalog.presets,
		"player":        catalog.players,
		"player-first":  catalog.players,
		"player-second": catalog.players,
		"a":             catalog.players,
		"b":             catalog.players,
	})
	return all
}

// catalogValues completes flags to what a catalog has.
type catalogValues workers.Catalog

// gamesOf returns the game on the line, or all games.
func (k catalogValues) gamesOf(given func(string) string) encode.Catalog {
	if game, err := findGame(k.Games, given("game")); err == nil {
		return encode.Catalog{game}
	}
	return k.Games
}

func (k catalogValues) variants(_ string, given func(string) string) (list []string) {
	for _, g := range k.gamesOf(given) {
		list = append(list, g.NamedVariants()...)
	}
	return list
}

func (k catalogValues) engines(_ string, given func(string) string) (list []string) {
	for _, g := range k.gamesOf(given) {
		for _, e := range g.Engines {
			list = append(list, e.Name)
		}
	}
	return list
}

func (k catalogValues) presets(_ string, given func(string) string) []string {
	return presetNames(k.gamesOf(given)[0].Presets)
}

// players returns the players, and after the colon of one its parameters.
func (k catalogValues) players(typed string, given func(string) string) (list []string) {
	game := k.gamesOf(given)[0]
	for _, kind := range k.Players.Facts(&game.Game) {
		if !strings.HasPrefix(typed, kind.Name+":") {
			list = append(list, kind.Name)
			continue
		}
		before := typed[:strings.LastIndexAny(typed, ":,")+1]
		for _, p := range kind.Params {
			name := p.Name
			if p.Default != "" { // else it is a switch
				name += "="
			}
			list = append(list, before+name)
		}
	}
	return list
}
