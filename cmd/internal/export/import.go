package export

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/progress"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/ingest"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/encode"
)

func importCommand(games encode.Catalog) *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the files"},
		&cli.StringFlag{Name: "game", Category: app.Game, DefaultText: "chess, except for moves", Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		&cli.StringFlag{Name: "variant", Category: app.Game, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules"},
		&cli.StringFlag{Name: "whole-scores", Value: "centipawns", Usage: "`UNIT` of scores without a decimal point in comments of PGN: centipawns or pawns"},
		&cli.BoolFlag{Name: "strict", Usage: "import nothing if a game is bad; a game without moves is not"},
		&cli.StringFlag{Name: "bad", Category: app.Output, Usage: "write the bad games to the new `FILE`: one JSON object each, with file, game, place and error"},
		&cli.StringFlag{Name: "out", Category: app.Output, Usage: "make the dataset in the directory `OUT`"},
		rowflags.CheckFlag(),
		app.JSONFlag(),
	}
	for _, f := range rowflags.Flags("") {
		if f.Names()[0] == "format" { // here it is that of the files
			f = &cli.StringFlag{Name: "to", Category: app.Rows, Value: plan.Parquet, Usage: "file `FORMAT` of the dataset: parquet or arrow"}
		}
		flags = append(flags, f)
	}
	return &cli.Command{
		Name:      "import",
		Usage:     "make a dataset of games of other programs",
		ArgsUsage: "FILE...",
		Description: importForms() + "\n\n" +
			"Files may be compressed (.gz, .bz2, .zst) and archives (.tar). Every move is played by the rules.\n" +
			"A game with a mistake is bad: it is left out whole, counted and named. The plan names the SHA-256\n" +
			"of each file. If the import is stopped, the same command resumes.\n" +
			"Tags of PGN become columns of the table of games.\n" +
			"Positions of binpack and plain are one game as long as each is the one after the move before.\n\n" +
			"Examples:\n" +
			"  export import --format pgn --out data/masters games.pgn.zst more.pgn\n" +
			"  export import --format binpack --out data/theirs night.binpack\n" +
			"  export import --format moves --game cotulenh --out data/theirs games.jsonl",
		Flags:  append(append(flags, rowflags.ShardFlags()...), rowflags.AboutFlags()...),
		Action: runImport,
	}
}

// importForms describes the forms of imported files, one line each.
func importForms() string {
	return "Formats:\n" + formTable(func(add func(name, ext, doc string)) {
		for _, f := range ingest.Forms() {
			add(f.Name, f.Exts[0], f.Doc)
		}
	})
}

// importing is one call of import.
type importing struct {
	files   []string
	out     string
	form    ingest.Form
	game    encode.Game
	options ingest.Options
	shape   *rows.Shape
	plan    plan.Plan
	check   record.CheckLevel
	about   plan.About
	bad     *badGames
}

func runImport(c *cli.Context) error {
	m, err := importFrom(c)
	if err != nil {
		return err
	}
	games, err := m.read(c)
	if err != nil {
		return err
	}
	defer games.Close()
	reportNotes(c, games, m.options.WholePawns)
	if err := m.bad.report(c, games.Games()); err != nil {
		return err
	}
	if err := m.make(c, games); err != nil || app.Quiet(c) {
		return err
	}
	return printInfoOf(c, m.out)
}

// importFrom reads the flags.
func importFrom(c *cli.Context) (m *importing, err error) {
	m = &importing{files: c.Args().Slice()}
	if err := app.RequireFlags(c, "format", "out"); err != nil {
		return nil, err
	}
	if len(m.files) == 0 {
		return nil, app.Usage("no file: want %s [flags] %s", c.Command.HelpName, c.Command.ArgsUsage)
	}
	m.out = c.String("out")
	if m.form, err = ingest.Find(c.String("format")); err != nil {
		return nil, app.Usage("%v", err)
	}
	for _, read := range []func(*cli.Context) error{m.readGame, m.readShape, m.readRest} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	return m, rowflags.RefuseOtherAbout(c, m.out, m.about)
}

// readGame reads the game and its variant.
func (m *importing) readGame(c *cli.Context) (err error) {
	name := c.String("game")
	if name == "" && m.form.Game == "" {
		return app.Usage("flag --game is missing: files in %s do not say what was played", m.form.Name)
	}
	if m.game, err = app.FindGame(app.Catalog(c).Games, cmp.Or(name, m.form.Game)); err != nil {
		return err
	}
	if m.plan.Variant, err = app.FindVariant(&m.game.Game, c.String("variant")); err != nil {
		return err
	}
	if err := m.form.Check(m.game, m.plan.Variant); err != nil {
		return app.Usage("%v", err)
	}
	return nil
}

// readShape reads how games become rows and shards.
func (m *importing) readShape(c *cli.Context) error {
	m.shape = rows.New(m.game, m.plan.Variant, 0, false)
	m.shape.AddStartPly()
	if err := rowflags.Apply(c, m.shape); err != nil {
		return err
	}
	m.shape.Format = c.String("to") // --format is that of the files; Plan.Validate checks this one
	player := plan.Player{Spec: plan.ImportedPlayer}
	m.plan.Game, m.plan.Rules, m.plan.Actions = m.game.Name, m.game.Rules, m.game.Actions.Version
	m.plan.Players, m.plan.MaxPlies = [2]plan.Player{player, player}, math.MaxUint16
	if err := rowflags.Shards(c, &m.plan); err != nil {
		return err
	}
	m.shape.Into(&m.plan)
	if err := m.plan.Validate(); err != nil {
		return app.Usage("%v", err)
	}
	return nil
}

// readRest reads how files are checked, what the card says, and what happens to bad games.
func (m *importing) readRest(c *cli.Context) (err error) {
	if m.check, err = rowflags.Check(c); err != nil {
		return err
	}
	if m.about, err = rowflags.About(c); err != nil {
		return err
	}
	m.about.Title = cmp.Or(m.about.Title, m.game.Title+", imported games")
	m.bad = &badGames{strict: c.Bool("strict"), file: c.String("bad")}
	unit := c.String("whole-scores")
	switch {
	case unit != "centipawns" && unit != "pawns":
		return app.Usage("flag --whole-scores: unknown unit %q: want centipawns or pawns", unit)
	case c.IsSet("whole-scores") && m.form.Name != "pgn":
		return app.Usage("flag --whole-scores: it is for comments of PGN, and the format is %s", m.form.Name)
	}
	m.options = ingest.Options{Form: m.form, Game: m.game, Variant: m.plan.Variant, WholePawns: unit == "pawns", Bad: m.bad.add}
	return nil
}

// read reads the games of all files.
func (m *importing) read(c *cli.Context) (*ingest.Games, error) {
	n := new(scan.Counter)
	p := progress.New("reading", 0, app.Log(c), c.App.ErrWriter, app.Quiet(c), "files", len(m.files))
	stop := p.Watch(n)
	m.options.Counter = n
	games, err := ingest.Read(c.Context, m.files, m.options)
	stop()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, app.Usage("%v", err)
	}
	return games, err
}

// make makes the missing shards of the dataset. It has columns for tags and policies if any game has some.
func (m *importing) make(c *cli.Context, games *ingest.Games) error {
	m.shape.Searched = games.Policies
	m.shape.Into(&m.plan)
	if games.Tags {
		m.plan.Tags = plan.ColumnNames(gamerow.TagColumns())
	}
	m.plan.Play = games.Settings(m.options)
	return makeFrom(c, games, newDataset{
		out: m.out, plan: m.plan, rows: m.shape.Rows(), check: m.check, from: strings.Join(m.files, " "),
		description: m.shape.Description(), about: m.about,
	})
}
