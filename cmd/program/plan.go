package program

import (
	"math"
	"slices"

	"github.com/urfave/cli/v2"

	"selfplay/cmd/internal/app"
	"selfplay/cmd/internal/models"
	"selfplay/cmd/internal/networks"
	"selfplay/cmd/internal/rowflags"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/workers"
)

// maxPlies bounds --max-plies: the ply column has 16 bits.
const maxPlies = math.MaxUint16

// planFlags set the plan: everything that the bytes of a dataset depend on.
func planFlags(games encode.Catalog) []cli.Flag {
	return slices.Concat(gameFlags(games), []cli.Flag{seedFlag(), maxPliesFlag()},
		playerFlags(), playFlags(), rowflags.Flags(""), rowflags.DeblunderFlags("", "that of the players"), rowflags.ShardFlags())
}

// content is what a run puts into a dataset: the games to play, how a game becomes rows, and
// the plan.
type content struct {
	series workers.Series
	shape  *rows.Shape
	plan   plan.Plan
	nets   [][]byte // files of the players' networks
	models *models.Set
}

// contentFrom reads the plan flags. set has the models that players ask.
func contentFrom(c *cli.Context, set *models.Set) (*content, error) {
	series, err := seriesFrom(c, set)
	if err != nil {
		return nil, err
	}
	if err := readPlay(c, &series); err != nil {
		return nil, err
	}
	t := newContent(series)
	t.models = set
	if err := t.plan.AddEvaluators(set.Plan()); err != nil {
		return nil, app.Usage("%v", err)
	}
	if err := rowflags.Apply(c, t.shape); err != nil {
		return nil, err
	}
	if err := rowflags.ApplyDeblunder(c, t.shape, rowflags.Model); err != nil {
		return nil, err
	}
	if err := rowflags.Shards(c, &t.plan); err != nil {
		return nil, err
	}
	t.plan.Play = series.Settings()
	t.shape.Into(&t.plan)
	if err := t.plan.Validate(); err != nil {
		return nil, app.Usage("%v", err)
	}
	return t, nil
}

// seriesFrom reads the flags of the game and its players.
func seriesFrom(c *cli.Context, set *models.Set) (s workers.Series, err error) {
	if s.Game, s.Variant, err = gameFrom(c); err != nil {
		return s, err
	}
	find := set.Sources(s.Game, s.Variant, networks.Finder(c.String("out")))
	if s.Players, err = playersFrom(c, &s.Game.Game, find); err != nil {
		return s, err
	}
	if err := set.RefuseUnused(); err != nil {
		return s, err
	}
	s.Seed = c.Uint64("seed")
	s.MaxPlies, err = maxPliesFrom(c, &s.Game.Game)
	return s, err
}

// newContent returns the content of a dataset of s, with default rows. All plans of new games
// are made here.
func newContent(s workers.Series) *content {
	p := plan.Plan{
		Game:     s.Game.Name,
		Variant:  s.Variant,
		Rules:    s.Game.Rules,
		Seed:     s.Seed,
		MaxPlies: s.MaxPlies,
		Actions:  s.Game.Actions.Version,
	}
	for side, spec := range s.Players {
		p.Players[side] = plan.Player{Spec: spec.String(), Version: spec.Version()}
	}
	nets := networks.FilesOf(s.Players[:]...)
	p.SetNetworks(nets)
	p.AddStaticScores(s.Game.StaticFingerprint(s.Variant))
	shape := rows.New(s.Game, s.Variant, s.Seed, s.Searches())
	shape.Caps, shape.WDL = s.Caps(), s.WDL()
	if len(s.Opening.Book) > 0 {
		shape.AddStartPly()
	}
	shape.Into(&p)
	return &content{series: s, shape: shape, plan: p, nets: nets}
}
