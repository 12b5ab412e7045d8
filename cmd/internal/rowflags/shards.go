package rowflags

import (
	"math"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/datasets/plan"
	"selfplay/engine"
)

// ShardFlags say how games are grouped into shards and splits.
func ShardFlags() []cli.Flag {
	return []cli.Flag{
		app.CountFlag("shard-games", plan.DefaultShardGames, app.Rows, "put `N` games into each shard, which is two files"),
		&cli.StringFlag{Name: "validation", Category: app.Rows, Value: "0.05", Usage: "`FRACTION` of the shards in the validation split, in whole thousandths"},
	}
}

// Shards reads ShardFlags into a plan.
func Shards(c *cli.Context, p *plan.Plan) error {
	validation, err := engine.ParseFraction(c.String("validation"))
	if err != nil {
		return app.Usage("validation %v", err)
	}
	games := c.Uint64("shard-games")
	if games == 0 { // in a plan 0 means the default
		return app.Usage("shard-games 0: want at least 1")
	}
	p.ShardGames = int(min(games, math.MaxInt32)) // Validate has the real limit
	p.Validation = int(validation)
	return nil
}
