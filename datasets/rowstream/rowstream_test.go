package rowstream

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// shardGames is the number of games of a shard of the tests: about three record batches of rows.
const shardGames = 400

// makeDataset makes a dataset of random games of chess, or extends it, and opens it.
func makeDataset(t *testing.T, root string, games uint64) *datasets.Dataset {
	t.Helper()
	return makeShards(t, root, games, shardGames)
}

func makeShards(t *testing.T, root string, games uint64, shardGames int) *datasets.Dataset {
	t.Helper()
	game := must.Get(encode.Games().Find("chess"))(t)
	random := must.Get(workers.ParsePlayer(&game.Game, "random"))(t)
	pool := workers.Start(workers.Series{Game: game, Players: [2]workers.PlayerSpec{random, random}, Seed: 3, MaxPlies: 60}, 2)
	defer pool.Close()
	shape := rows.New(game, "", 3, false)
	shape.Format, shape.BoardType, shape.Extra = plan.Arrow, plan.Packed, []string{"move"}
	plan := plan.Plan{Game: game.Name, Rules: game.Rules, Seed: 3, MaxPlies: 60, ShardGames: shardGames, Validation: 300}
	shape.Into(&plan)
	o := making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description(), NoJournal: true}
	must.Get(making.Make(t.Context(), root, plan, games, o))(t)
	ds := must.Get(datasets.Open(root))(t)
	return ds
}

// read returns all rows of a stream.
func read(t *testing.T, ds *datasets.Dataset, o Options) *encode.Table {
	t.Helper()
	s := must.Get(New(ds, o))(t)
	all := encode.NewTable(s.Columns())
	for table, err := range s.Rows(t.Context()) {
		must.Do(t, err)
		colfile.AppendRows(all, table, 0, table.Rows)
	}
	return all
}

// positions returns the rows of a split in the order of the dataset.
func positions(t *testing.T, ds *datasets.Dataset, split string) *encode.Table {
	t.Helper()
	all := encode.NewTable(ds.Description().Columns)
	for _, p := range must.Get(ds.Parts())(t) {
		for table, err := range ds.Positions(p) {
			must.Do(t, err)
			if p.Split == split {
				colfile.AppendRows(all, table, 0, table.Rows)
			}
		}
	}
	return all
}

// keys returns game and ply of rows as numbers.
func keys(t *encode.Table) (list []uint64) {
	game, ply := encode.ColumnNamed(t.Columns, "game"), encode.ColumnNamed(t.Columns, "ply")
	for row := range t.Rows {
		list = append(list, binary.LittleEndian.Uint64(t.Cell(game, row))<<16|uint64(binary.LittleEndian.Uint16(t.Cell(ply, row))))
	}
	return list
}

func mustEqual(t *testing.T, want, got *encode.Table) {
	t.Helper()
	if want.Rows != got.Rows {
		t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
	}
	must.Do(t, colfile.CompareRows(want, 0, got, 0, want.Rows))
}

func TestRowsWithoutAWindowAreInTheOrderOfTheDataset(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 3*shardGames+100)
	for _, split := range []string{plan.Train, plan.Validation} {
		want := positions(t, ds, split)
		if want.Rows == 0 {
			t.Fatalf("no rows of %s", split)
		}
		mustEqual(t, want, read(t, ds, Options{Split: split}))
	}
}

func TestColumnsAreThoseThatAreNamed(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), shardGames)
	got := read(t, ds, Options{Split: plan.Train, Columns: []string{"ply", "move", "game"}})
	var names []string
	for _, c := range got.Columns {
		names = append(names, c.Name)
	}
	if want := []string{"game", "ply", "move"}; !slices.Equal(names, want) {
		t.Errorf("columns %q, want %q", names, want)
	}
	if !slices.Equal(keys(got), keys(positions(t, ds, plan.Train))) {
		t.Error("other rows")
	}
}

// TestWindowsHoldEveryRowOnce: whatever the window; and rows keep their values.
func TestWindowsHoldEveryRowOnce(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 3*shardGames+100)
	want := positions(t, ds, plan.Train)
	orders := map[string]bool{}
	for _, window := range []int{1, 20_000, 1_000_000} {
		for _, seed := range []uint64{1, 2} {
			o := Options{Split: plan.Train, Window: window, Seed: seed}
			got := read(t, ds, o)
			mustEqual(t, got, read(t, ds, o))
			numbers := keys(got)
			orders[string(got.Data[encode.ColumnNamed(got.Columns, "game")])] = true
			at := make([]int, got.Rows)
			for i := range at {
				at[i] = i
			}
			slices.SortFunc(at, func(a, b int) int { return int(int64(numbers[a] - numbers[b])) })
			sorted := encode.NewTable(got.Columns)
			colfile.AppendPicked(sorted, got, at)
			mustEqual(t, want, sorted)
		}
	}
	if len(orders) != 6 {
		t.Errorf("%d orders, want 6", len(orders))
	}
}

// TestSharesAreDisjointAndComplete: and nearly equal, also if a shard is all there is.
func TestSharesAreDisjointAndComplete(t *testing.T) {
	for _, games := range []uint64{40, 3*shardGames + 100} {
		testShares(t, makeDataset(t, t.TempDir(), games))
	}
}

// TestSharesOfManyGroups: those after the first ones are not shared by rows.
func TestSharesOfManyGroups(t *testing.T) {
	ds := makeShards(t, t.TempDir(), 600, 5)
	testShares(t, ds)
	whole := 0
	for _, c := range must.Get(ds.Parts())(t) {
		if o := (Options{World: 3}); c.Split == plan.Train && !o.isShared(c.Shard) {
			whole++
		}
	}
	if whole < 50 {
		t.Errorf("%d shards are read by one reader each", whole)
	}
}

func testShares(t *testing.T, ds *datasets.Dataset) {
	t.Helper()
	want := keys(positions(t, ds, plan.Train))
	for _, window := range []int{0, 20_000} {
		var got []uint64
		for rank := range 3 {
			share := keys(read(t, ds, Options{Split: plan.Train, Window: window, Rank: rank, World: 3}))
			if equal := len(want) / 3; len(share) < equal*9/10 || len(share) > equal*11/10 {
				t.Errorf("rank %d has %d of %d rows", rank, len(share), len(want))
			}
			got = append(got, share...)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("window %d: %d rows, want %d", window, len(got), len(want))
		}
	}
}

// TestStreamsFollowTheDataset: while it grows, and a short shard is extended,
// every row comes once.
func TestStreamsFollowTheDataset(t *testing.T) {
	for _, window := range []int{0, 20_000} {
		for _, world := range []int{1, 2} {
			if testing.Short() && (window == 0) == (world == 1) {
				continue
			}
			var got, want []uint64
			for rank := range world {
				root := t.TempDir()
				ds := makeDataset(t, root, 100)
				// The next run has a larger target before it has a shard.
				raise(t, root, 4*shardGames+50)
				steps, idle := []uint64{350, 2*shardGames + 300, 4*shardGames + 50}, 0
				wait := func(context.Context) error {
					makeDataset(t, root, steps[0])
					raise(t, root, 4*shardGames+50)
					steps = steps[1:]
					return nil
				}
				s := must.Get(New(ds, Options{Split: plan.Train, Window: window, Rank: rank, World: world, Wait: wait}))(t)
				for table, err := range s.Rows(t.Context()) {
					must.Do(t, err)
					if table.Rows == 0 {
						idle++
					}
					got = append(got, keys(table)...)
				}
				if len(steps) != 0 || idle != 3 {
					t.Errorf("%d steps left, idle %d times, want 3", len(steps), idle)
				}
				want = keys(positions(t, ds, plan.Train))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("window %d, %d readers: %d rows, want %d", window, world, len(got), len(want))
			}
		}
	}
}

// raise sets the target of a dataset.
func raise(t *testing.T, root string, games uint64) {
	t.Helper()
	path := filepath.Join(root, ".selfplay", "target.json")
	data := must.Get(os.ReadFile(path))(t)
	data = regexp.MustCompile(`("games": ?)\d+`).ReplaceAll(data, fmt.Appendf(nil, "${1}%d", games))
	must.Do(t, os.WriteFile(path, data, 0o644))
}

func TestOptionsThatAreRefused(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 10)
	for want, o := range map[string]Options{
		`no column "elo": want one of game, ply,`: {Split: plan.Train, Columns: []string{"game", "elo"}},
		"column ply twice":                        {Split: plan.Train, Columns: []string{"ply", "ply"}},
		`no split "test": want train or`:          {Split: "test"},
		"rank 2 of 2":                             {Split: plan.Train, Rank: 2, World: 2},
		"rank 1 of 1":                             {Split: plan.Train, Rank: 1},
	} {
		must.Fail(New(ds, o))(t, ErrOptions, want)
	}
}

func TestDamageEndsAStream(t *testing.T) {
	root := t.TempDir()
	ds := makeDataset(t, root, 3*shardGames)
	path := filepath.Join(root, "positions", "train-00002.arrow")
	data := must.Get(os.ReadFile(path))(t)
	data[len(data)/2] ^= 1
	os.WriteFile(path, data, 0o644)
	s := must.Get(New(ds, Options{Split: plan.Train}))(t)
	var last error
	rows := 0
	for table, err := range s.Rows(t.Context()) {
		if last = err; err == nil {
			rows += table.Rows
		}
	}
	if !errors.Is(last, datasets.ErrCorrupt) || !strings.Contains(last.Error(), "shard 00002") || rows == 0 {
		t.Errorf("%d rows, then %v", rows, last)
	}
}

// TestStreamsCanBeLeft: after any table, and while they wait.
func TestStreamsCanBeLeft(t *testing.T) {
	ds := makeDataset(t, t.TempDir(), 2*shardGames)
	for tables := range 6 {
		ctx, stop := context.WithCancel(t.Context())
		s := must.Get(New(ds, Options{Split: plan.Train, Wait: func(ctx context.Context) error { <-ctx.Done(); return nil }}))(t)
		for range s.Rows(ctx) {
			if tables--; tables < 0 {
				break
			}
		}
		stop()
	}
}
