package main

import (
	"math"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets"
	"selfplay/datasets/rows"
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
	return append(append(flags, rowflags.Flags("")...),
		&cli.IntFlag{Name: "shard-games", Value: datasets.DefaultShardGames, Usage: "`GAMES` in a pair of files"},
		&cli.StringFlag{Name: "validation", Value: "0.05", Usage: "`SHARE` of the shards kept for validation, in whole thousandths"},
	)
}

// task is what a run works on: what is played, how a game becomes rows, and the
// plan of the files.
type task struct {
	series workers.Series
	shape  *rows.Shape
	plan   datasets.Plan
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
	validation, err := engine.ParseFraction(c.String("validation"))
	if err != nil {
		return nil, app.Usage("validation %v", err)
	}
	shardGames := c.Int("shard-games")
	if shardGames == 0 { // which a plan takes for the default
		return nil, app.Usage("shard-games 0: want at least 1")
	}
	t := newTask(series)
	if err := rowflags.Apply(c, t.shape); err != nil {
		return nil, err
	}
	t.plan.Play = settings
	t.plan.ShardGames = shardGames
	t.plan.Validation = int(validation)
	t.shape.Into(&t.plan)
	if err := t.plan.Validate(); err != nil {
		return nil, app.Usage("%v", err)
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
		return 0, app.Usage("max-plies %d: want 1 to %d", n, maxPlies)
	}
	return n, nil
}

// newTask returns the task of playing s and making rows as usual. This is where a
// plan is made.
func newTask(s workers.Series) *task {
	plan := datasets.Plan{
		Game:     s.Game.Name,
		Variant:  s.Variant,
		Rules:    s.Game.Rules,
		Seed:     s.Seed,
		MaxPlies: s.MaxPlies,
		Actions:  s.Game.Actions.Version,
	}
	for side, spec := range s.Players {
		plan.Players[side] = datasets.Player{Spec: spec.String(), Version: spec.Version()}
	}
	shape := rows.New(s.Game, s.Variant, s.Seed, s.Searches())
	shape.Into(&plan)
	return &task{series: s, shape: shape, plan: plan}
}
