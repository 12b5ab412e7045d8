package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
)

// wrongGames makes a dataset whose files are as committed, but whose games break the rules,
// as a faulty program might make it.
func wrongGames(t *testing.T, game encode.Game, seed uint64) string {
	t.Helper()
	dir, src := filepath.Join(t.TempDir(), "set"), rand.New(rand.NewPCG(seed, 1))
	makeRandom(t, dir, game, &game.Layouts[0], 8, plan.Plan{Seed: seed, MaxPlies: 60, ShardGames: 4, Validation: 334}, func(o *making.Options) {
		play := o.Play
		o.Play = func(ctx context.Context, games []uint64, _ engine.Journal, sink func(*engine.Record) error) error {
			return play(ctx, games, nil, func(r *engine.Record) error {
				breakRecord(r, game.Actions.Count, src)
				return sink(r)
			})
		}
		o.Rows = func() datasets.RowFunc {
			return func(*engine.Record, *encode.Table, []uint64) error { return nil }
		}
		o.OpenShards = 1
	})
	return dir
}

// breakRecord changes a record so that it is no longer a game.
func breakRecord(r *engine.Record, actions int, src *rand.Rand) {
	switch at := src.IntN(len(r.Actions)); src.IntN(8) {
	case 0:
		r.Actions[at] = uint16(src.IntN(actions))
	case 1:
		r.Actions[at] = uint16(src.Uint32())
	case 2:
		r.Actions = append(r.Actions, r.Actions...)
		r.MoveRanks = append(r.MoveRanks, r.MoveRanks...)
	case 3:
		src.Shuffle(len(r.Actions), func(i, j int) { r.Actions[i], r.Actions[j] = r.Actions[j], r.Actions[i] })
	case 4:
		r.MoveRanks = r.MoveRanks[:at]
	case 5:
		r.Start = "8/8/8/8/8/8/8/8 w - - 0 1"
	case 6:
		r.Outcome = engine.Outcome{Result: engine.Result(src.IntN(256)), Reason: engine.Reason(src.IntN(256))}
	case 7:
		r.Nodes, r.Scores, r.PolicySize = []uint32{1, 2}, []int16{3}, []uint16{60000}
	}
}

// TestWrongGames: verify --deep finds games that break the rules, and no command that
// replays them crashes.
func TestWrongGames(t *testing.T) {
	rounds := uint64(3)
	if *damageCount >= 1000 {
		rounds = 100
	}
	for _, game := range encode.Games() {
		for seed := range rounds {
			t.Run(fmt.Sprint(game.Name, seed), func(t *testing.T) {
				dir := wrongGames(t, game, seed)
				out := filepath.Join(t.TempDir(), "out")
				mustRun(t, "verify", dir)
				if o := export("verify", "--deep", dir); o.code != 4 {
					t.Errorf("verify --deep: %+v", o)
				}
				for _, args := range [][]string{
					{"info"}, {"head"}, {"stats"}, {"stats", "--exact"}, {"wdl"}, {"rows", "--out", out}, {"dedup", "--out", out + "2"},
					{"convert", "--format", "moves", "--out", "-"}, {"sample", "--rows", "5", "--boards", "text", "--format", "csv", "--out", "-"}, {"report", "--json"},
				} {
					if o := export(append(args, dir)...); o.code > 2 || o.code != 0 && !strings.HasSuffix(o.stderr, "\n") {
						t.Errorf("%v: %+v", args, o)
					}
				}
			})
		}
	}
}
