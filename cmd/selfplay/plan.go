package main

import (
	"math"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/program"
	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/workers"
)

// Limits of what a run may ask for.
const (
	maxPlies  = math.MaxUint16 // a ply is stored in 16 bits
	maxShards = 100_000        // a shard's name has five digits
)

// planFlags say what a dataset is made of.
func planFlags() []cli.Flag {
	flags := append(gameFlags(),
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that all randomness comes from"},
		&cli.IntFlag{Name: "max-plies", Usage: "cut games off after `N` decisions; the game's own limit if not given"},
	)
	flags = append(append(flags, playerFlags()...), playFlags()...)
	return append(flags,
		&cli.StringFlag{Name: "format", Value: datasets.Parquet, Usage: "of the files: parquet or arrow"},
		&cli.StringFlag{Name: "layout", Value: "compact", Usage: "`NAME` of the array that a position becomes"},
		&cli.StringFlag{Name: "board-type", Value: datasets.List, Usage: "how files hold that array: list or packed"},
		&cli.StringFlag{Name: "columns", Usage: "columns beyond the default set (none exist yet)"},
		&cli.IntFlag{Name: "shard-games", Value: datasets.DefaultShardGames, Usage: "`GAMES` in a pair of files"},
		&cli.StringFlag{Name: "validation", Value: "0.05", Usage: "`SHARE` of the shards kept for validation, in whole thousandths"},
	)
}

// task is what a run works on: what is played, how a game becomes rows, and the
// plan of the files.
type task struct {
	series workers.Series
	layout *encode.Layout
	plan   datasets.Plan
}

// replayer returns what makes rows of the task's games.
func (t *task) replayer() *encode.Replayer {
	return encode.NewReplayer(t.series.Game, t.series.Variant, t.layout)
}

// chosenTask reads the plan flags.
func chosenTask(c *cli.Context) (*task, error) {
	series, err := chosenSeries(c)
	if err != nil {
		return nil, err
	}
	settings, err := choosePlay(c, &series)
	if err != nil {
		return nil, err
	}
	layout, err := series.Game.Layout(c.String("layout"))
	if err != nil {
		return nil, program.Usage("%v", err)
	}
	if columns := c.String("columns"); columns != "" {
		return nil, program.Usage("unknown columns %q: only the default set exists", columns)
	}
	validation, err := engine.ParseShare(c.String("validation"))
	if err != nil {
		return nil, program.Usage("validation %v", err)
	}
	shardGames := c.Int("shard-games")
	if shardGames == 0 { // which a plan takes for the default
		return nil, program.Usage("shard-games 0: want at least 1")
	}
	t := newTask(series, layout)
	t.plan.Play = settings
	t.plan.Format = c.String("format")
	t.plan.BoardType = c.String("board-type")
	t.plan.ShardGames = shardGames
	t.plan.Validation = int(validation)
	t.plan = t.plan.WithDefaults()
	if err := t.plan.Validate(); err != nil {
		return nil, program.Usage("%v", err)
	}
	return t, nil
}

// chosenSeries reads the flags that say what is played.
func chosenSeries(c *cli.Context) (s workers.Series, err error) {
	if s.Game, s.Variant, err = chosenGame(c); err != nil {
		return s, err
	}
	if s.Players, err = chosenPlayers(c, &s.Game.Game); err != nil {
		return s, err
	}
	s.Seed = c.Uint64("seed")
	s.MaxPlies, err = chosenMaxPlies(c, &s.Game.Game)
	return s, err
}

// chosenMaxPlies reads the flag, or returns the game's own limit.
func chosenMaxPlies(c *cli.Context, g *engine.Game) (int, error) {
	n := g.MaxPlies
	if c.IsSet("max-plies") {
		n = c.Int("max-plies")
	}
	if n < 1 || n > maxPlies {
		return 0, program.Usage("max-plies %d: want 1 to %d", n, maxPlies)
	}
	return n, nil
}

// newTask returns the task of playing s and keeping positions in layout l. This
// is where a plan is made.
func newTask(s workers.Series, l *encode.Layout) *task {
	plan := datasets.Plan{
		Game:          s.Game.Name,
		Variant:       s.Variant,
		Rules:         s.Game.Rules,
		Seed:          s.Seed,
		MaxPlies:      s.MaxPlies,
		Layout:        l.Name,
		LayoutVersion: l.Version,
		Actions:       s.Game.Actions.Version,
	}
	for side, spec := range s.Players {
		plan.Players[side] = datasets.Player{Spec: spec.String(), Version: spec.Version()}
	}
	for _, column := range encode.PositionColumns(l, s.Thinks()) {
		plan.Columns = append(plan.Columns, column.Name)
	}
	return &task{series: s, layout: l, plan: plan}
}

// description returns what the files say about their numbers.
func (t *task) description() datasets.Description {
	g := &t.series.Game
	return datasets.Description{
		Title:    g.Title,
		Sides:    g.Sides,
		Results:  resultNames(&g.Game),
		Reasons:  engine.Reasons(),
		Actions:  g.Actions.Count,
		Columns:  encode.PositionColumns(t.layout, t.series.Thinks()),
		Elements: t.layout.Elements,
		Metadata: t.layout.Metadata,
	}
}
