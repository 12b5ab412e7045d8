package gameindex

import (
	"cmp"
	"path/filepath"
	"testing"

	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// set describes a dataset for tests.
type set struct {
	game   encode.Game
	player string
	games  uint64
	extra  []string // columns
	filter []string
	format string
	seed   uint64
	shard  int // games of a shard; 0: 8
}

// dataset makes a dataset in root.
func (s set) make(t testing.TB, root string) {
	t.Helper()
	if s.game.Name == "" {
		s.game = encode.Contrast()
	}
	if s.player == "" {
		s.player = "random"
	}
	player, err := workers.ParsePlayer(&s.game.Game, s.player)
	must.Do(t, err)
	series := workers.Series{Game: s.game, Players: [2]workers.PlayerSpec{player, player}, Seed: s.seed + 5, MaxPlies: 60}
	pool := workers.Start(series, 2)
	defer pool.Close()
	shape := rows.New(s.game, "", s.seed+5, s.player != "random")
	shape.Extra = s.extra
	if s.format != "" {
		shape.Format = s.format
	}
	shape.Filter, err = shape.Game.ParseFilter(s.filter)
	must.Do(t, err)
	if s.player != "random" {
		shape.WDL = &encode.WDL{Version: 1, A: 58, B: 144, FittedTo: "tests"}
	}
	plan := plan.Plan{
		Game: s.game.Name, Rules: s.game.Rules, Seed: s.seed + 5, MaxPlies: 60, Actions: s.game.Actions.Version,
		ShardGames: cmp.Or(s.shard, 8), Validation: 250, Players: [2]plan.Player{{Spec: s.player, Version: 1}, {Spec: s.player, Version: 1}},
	}
	shape.Into(&plan)
	o := making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description()}
	_, err = making.Make(t.Context(), root, plan, s.games, o)
	must.Do(t, err)
}

// made makes the dataset in a folder of its own.
func (s set) made(t testing.TB) (root string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "set")
	s.make(t, root)
	return root
}

// open makes a dataset and opens its whole index.
func (s set) open(t testing.TB) *Index {
	t.Helper()
	return updated(t, s.made(t), "")
}

// loaded opens an index, which must have some shards in its file.
func loaded(t testing.TB, root, cache string, shards int) *Index {
	t.Helper()
	ix := must.Get(Open(encode.Games(), root, cache))(t)
	if n := ix.Status().Indexed; n != shards {
		t.Fatalf("%d shards in the index file, want %d", n, shards)
	}
	return ix
}

// updated opens the whole index of a dataset.
func updated(t testing.TB, root, cache string) *Index {
	t.Helper()
	ix := must.Get(Open(encode.Games(), root, cache))(t)
	must.Do(t, ix.Update(t.Context()))
	return ix
}

// records returns copies of all games of the dataset.
func records(t testing.TB, ix *Index) (list []*engine.Record) {
	t.Helper()
	commits := must.Get(ix.ds.Commits())(t)
	for _, c := range commits {
		for r, err := range ix.ds.Games(c.Parts()...) {
			must.Do(t, err)
			own := new(engine.Record)
			own.CopyFrom(r)
			list = append(list, own)
		}
	}
	return list
}
