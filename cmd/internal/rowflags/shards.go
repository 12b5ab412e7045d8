package rowflags

import (
	"math"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

// validationName is the name of the flag for the share of the validation split.
const validationName = "validation"

// ShardFlags say how games are grouped into shards and splits.
func ShardFlags() []cli.Flag {
	return []cli.Flag{
		app.CountFlag("shard-games", plan.DefaultShardGames, app.Rows, "put `N` games into each shard, which is two files for each split"),
		&cli.StringFlag{Name: validationName, Category: app.Rows, Value: "0.05", Usage: "`FRACTION` of the games in the validation split, in whole thousandths"},
	}
}

// SplitFlag is the flag of commands that make a dataset of the games of others, whose splits it replaces.
func SplitFlag() cli.Flag {
	return &cli.StringFlag{Name: validationName, Category: app.Rows, DefaultText: "the split of each game as it is",
		Usage: "draw a new validation split, with this `FRACTION` of the games, in whole thousandths"}
}

// ApplySplit changes the split of a plan as SplitFlag says.
func ApplySplit(c *cli.Context, p *plan.Plan) error {
	if !c.IsSet(validationName) {
		return nil
	}
	return readShare(c, p)
}

// readShare reads the share of the validation split into a plan.
func readShare(c *cli.Context, p *plan.Plan) error {
	validation, err := engine.ParseFraction(c.String(validationName))
	if err != nil {
		return app.Usage("validation %v", err)
	}
	p.Validation, p.Split = int(validation), nil
	return nil
}

// Shards reads ShardFlags into a plan.
func Shards(c *cli.Context, p *plan.Plan) error {
	games := c.Uint64("shard-games")
	if games == 0 { // in a plan 0 means the default
		return app.Usage("shard-games 0: want at least 1")
	}
	p.ShardGames = int(min(games, math.MaxInt32)) // Validate has the real limit
	return readShare(c, p)
}
