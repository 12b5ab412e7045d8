package program

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/human"
	"selfplay/datasets/disk"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/ingest"
	"selfplay/datasets/movetext"
	"selfplay/datasets/output"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/encode"
)

func importCommand(games encode.Catalog) *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "`FORMAT` of the files"},
		&cli.StringFlag{Name: "game", Category: groupGame, DefaultText: "chess, except for moves", Usage: "`NAME` of the game: " + strings.Join(games.Names(), ", ")},
		&cli.StringFlag{Name: "variant", Category: groupGame, DefaultText: "the game's first", Usage: "`NAME` of the variant of its rules"},
		&cli.StringFlag{Name: "whole-scores", Value: "centipawns", Usage: "`UNIT` of scores without a decimal point in comments of PGN: centipawns or pawns"},
		&cli.BoolFlag{Name: "strict", Usage: "import nothing if a game is bad; a game without moves is not"},
		&cli.StringFlag{Name: "bad", Category: groupOutput, Usage: "write the bad games to the new `FILE`: one JSON object each, with file, game, place and error"},
		&cli.StringFlag{Name: "out", Category: groupOutput, Usage: "make the dataset in the directory `OUT`"},
		checkFlag(),
		jsonFlag(),
	}
	for _, f := range rowFlags("") {
		if f.Names()[0] == "format" { // here it is that of the files
			f = &cli.StringFlag{Name: "to", Category: groupRows, Value: plan.Parquet, Usage: "file `FORMAT` of the dataset: parquet or arrow"}
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
			"  selfplay import --format pgn --out data/masters games.pgn.zst more.pgn\n" +
			"  selfplay import --format binpack --out data/theirs night.binpack\n" +
			"  selfplay import --format pgn --game cotulenh --out data/people games.pgn\n" +
			"  selfplay import --format moves --game cotulenh --out data/theirs games.jsonl",
		Flags:  append(append(flags, shardFlags()...), aboutFlags()...),
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
	reportNotes(c, games, c.String("whole-scores"))
	if err := m.bad.report(c, games.Games()); err != nil {
		return err
	}
	if err := m.make(c, games); err != nil || isQuiet(c) {
		return err
	}
	return printInfoOf(c, m.out)
}

// importFrom reads the flags.
func importFrom(c *cli.Context) (m *importing, err error) {
	m = &importing{files: c.Args().Slice()}
	if err := requireFlags(c, "format", "out"); err != nil {
		return nil, err
	}
	if len(m.files) == 0 {
		return nil, usagef("no file: want %s [flags] %s", c.Command.HelpName, c.Command.ArgsUsage)
	}
	m.out = c.String("out")
	if m.form, err = ingest.Find(c.String("format")); err != nil {
		return nil, usagef("%v", err)
	}
	for _, read := range []func(*cli.Context) error{m.readGame, m.readShape, m.readRest} {
		if err := read(c); err != nil {
			return nil, err
		}
	}
	return m, refuseOtherAbout(c, m.out, m.about)
}

// readGame reads the game and its variant.
func (m *importing) readGame(c *cli.Context) (err error) {
	name := c.String("game")
	if name == "" && m.form.Game == "" {
		return usagef("flag --game is missing: files in %s do not say what was played", m.form.Name)
	}
	if m.game, err = findGame(catalogOf(c).Games, cmp.Or(name, m.form.Game)); err != nil {
		return err
	}
	if m.plan.Variant, err = findVariant(&m.game.Game, c.String("variant")); err != nil {
		return err
	}
	if err := m.form.Check(m.game, m.plan.Variant); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// readShape reads how games become rows and shards.
func (m *importing) readShape(c *cli.Context) error {
	m.shape = rows.New(m.game, m.plan.Variant, 0, false)
	m.shape.AddStartPly()
	if err := applyRows(c, m.shape); err != nil {
		return err
	}
	m.shape.Format = c.String("to") // --format is that of the files; Plan.Validate checks this one
	player := plan.Player{Spec: plan.ImportedPlayer}
	m.plan.Game, m.plan.Rules, m.plan.Actions = m.game.Name, m.game.Rules, m.game.Actions.Version
	m.plan.Players, m.plan.MaxPlies = [2]plan.Player{player, player}, math.MaxUint16
	if err := applyShards(c, &m.plan); err != nil {
		return err
	}
	m.shape.Into(&m.plan)
	if err := m.plan.Validate(); err != nil {
		return usagef("%v", err)
	}
	return nil
}

// readRest reads how files are checked, what the card says, and what happens to bad games.
func (m *importing) readRest(c *cli.Context) (err error) {
	if m.check, err = checkLevelFrom(c); err != nil {
		return err
	}
	if m.about, err = aboutFrom(c); err != nil {
		return err
	}
	m.about.Title = cmp.Or(m.about.Title, m.game.Title+", imported games")
	m.bad = &badGames{strict: c.Bool("strict"), file: c.String("bad")}
	unit := c.String("whole-scores")
	switch {
	case unit != "centipawns" && unit != "pawns":
		return usagef("flag --whole-scores: unknown unit %q: want centipawns or pawns", unit)
	case c.IsSet("whole-scores") && m.form.Name != "pgn":
		return usagef("flag --whole-scores: it is for comments of PGN, and the format is %s", m.form.Name)
	}
	m.options = ingest.Options{Form: m.form, Game: m.game, Variant: m.plan.Variant, WholePawns: unit == "pawns", Bad: m.bad.add}
	return nil
}

// read reads the games of all files.
func (m *importing) read(c *cli.Context) (*ingest.Games, error) {
	n := new(scan.Counter)
	p := newMeter("reading", 0, logOf(c), c.App.ErrWriter, isQuiet(c), "files", len(m.files))
	stop := p.Watch(n)
	m.options.Counter = n
	games, err := ingest.Read(c.Context, m.files, m.options)
	stop()
	system := syscall.Errno(0)
	if err != nil && c.Context.Err() == nil && (!errors.As(err, &system) || system == syscall.ENOENT) {
		return nil, usagef("%v", err) // a disk may fail; all else is the content of the files
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

// reportNotes says what the files have and the dataset has not, or has in another way. unit is that of --whole-scores.
func reportNotes(c *cli.Context, games *ingest.Games, unit string) {
	log := logOf(c)
	if n := games.Empty(); n > 0 {
		log.Info("games without moves were left out", "empty", n)
	}
	for remark, text := range [...]string{
		movetext.UnreadScores:  "comments look like scores and were not read",
		movetext.WholeScores:   "scores without a decimal point were taken as " + unit,
		movetext.DroppedRights: "start positions had castling rights without king or rook at home, which were dropped",
		movetext.CutComments:   "games have so long comments that not all of them were read",
		movetext.EditedNames:   "names of players were cut, or lost characters that are not printed",
	} {
		n := &games.Notes[remark]
		if n.Count == 0 {
			continue
		}
		pairs := append([]any{"count", n.Count, "file", n.File}, n.Pairs()...)
		if n.Text != "" {
			pairs = append(pairs, "first", n.Text)
		}
		log.Warn(text, pairs...)
	}
}

// namedBad is the number of bad games that the log names. --bad has all of them.
const namedBad = 20

// badGames collects the games that were not taken.
type badGames struct {
	strict bool
	file   string // of --bad

	first   []ingest.Bad // at most namedBad
	all     bytes.Buffer // JSON lines, if there is a file
	n       int
	rulings map[string]int // games by the ruling that forbids them
}

// add adds a bad game.
func (b *badGames) add(bad ingest.Bad) error {
	b.n++
	if bad.Ruling != "" {
		if b.rulings == nil {
			b.rulings = map[string]int{}
		}
		b.rulings[bad.Ruling]++
	}
	if len(b.first) < namedBad {
		b.first = append(b.first, bad)
	}
	if b.file == "" {
		return nil
	}
	return encode.NewJSON(&b.all).Encode(bad)
}

// report names the bad games, and refuses an import of none or, with --strict, of some.
func (b *badGames) report(c *cli.Context, good uint64) error {
	log := logOf(c)
	for _, bad := range b.first {
		log.Warn("bad game", append(append([]any{"file", bad.File, "game", bad.Game}, bad.Pairs()...), "why", bad.Why)...)
	}
	if b.n > 0 {
		log.Warn("bad games were left out", "bad", b.n, "named", len(b.first), "imported", good)
	}
	for _, ruling := range slices.Sorted(maps.Keys(b.rulings)) {
		log.Warn("games have turns that a ruling forbids", "ruling", ruling, "bad", b.rulings[ruling])
	}
	if err := b.write(); err != nil {
		return err
	}
	switch {
	case good == 0 && b.n == 0:
		return usagef("import games: the files have no games with moves")
	case good == 0:
		return usagef("import games: no good game and %s, the first: %v", human.Count(b.n, "bad game"), b.first[0])
	case b.strict && b.n > 0:
		return usagef("import games: %s, the first: %v", human.Count(b.n, "bad game"), b.first[0])
	}
	return nil
}

// write writes the file of --bad. The same import writes it again, so an equal one may exist.
func (b *badGames) write() error {
	if b.file == "" {
		return nil
	}
	old, err := disk.ReadRegular(b.file, disk.MaxFile)
	switch {
	case err == nil && bytes.Equal(old, b.all.Bytes()):
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return usagef("write %s: it already exists: move it away", b.file)
	}
	_, err = output.WriteFile(b.file, false, func(f *output.File) error {
		_, err := f.Write(b.all.Bytes())
		return err
	})
	if _, taken := output.IsTaken(err); taken {
		return usagef("write %s: it already exists: move it away", b.file)
	}
	return explainOutput(b.file, err)
}
