package making

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/checking"
	"selfplay/datasets/internal/canonical"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// fakeFilter drops all rows of some games, then all odd plies, then every fifth ply.
var fakeFilter = []string{"where=games", "where=even", "keep=0.8"}

// filteredPlan returns a plan with the fake filter.
func (f formatTest) filteredPlan() plan.Plan {
	p := f.plan()
	p.Filter = fakeFilter
	return p
}

// filteredOptions returns options with the fake filter. It drops all rows of the games for
// which whole is true.
func filteredOptions(whole func(game uint64) bool) Options {
	o := fakeOptions()
	o.Rows = func() datasets.RowFunc { return filteredRows(whole) }
	return o
}

func filteredRows(whole func(game uint64) bool) datasets.RowFunc {
	rows, all := fakeRows(), encode.NewTable(fakeColumns)
	return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
		all.Reset()
		if err := rows(r, all, nil); err != nil {
			return err
		}
		for ply := range all.Rows {
			switch {
			case whole(r.Game):
				dropped[0]++
			case ply%2 == 1:
				dropped[1]++
			case ply%5 == 0:
				dropped[2]++
			default:
				for col := range all.Columns {
					t.AddBytes(col, all.Cell(col, ply))
				}
				t.Rows++
			}
		}
		return nil
	}
}

func noGame(uint64) bool   { return false }
func allGames(uint64) bool { return true }

// TestDroppedRowsAreCounted for each part of the filter: in commit records, manifest, card
// and Info.
func TestDroppedRowsAreCounted(t *testing.T) {
	third := func(game uint64) bool { return game%3 == 0 }
	for _, f := range formats {
		root := t.TempDir()
		s := makeIn(t, root, f.filteredPlan(), 11, filteredOptions(third))
		want := []record.Dropped{{Filter: "where=games", Rows: 0}, {Filter: "where=even", Rows: 0}, {Filter: "keep=0.8", Rows: 0}}
		rows, plies := uint64(0), uint64(0)
		fakePlay(context.Background(), plan.Numbers(0, 11), nil, func(r *engine.Record) error {
			for ply := range r.Actions {
				switch {
				case third(r.Game):
					want[0].Rows++
				case ply%2 == 1:
					want[1].Rows++
				case ply%5 == 0:
					want[2].Rows++
				default:
					rows++
				}
				plies++
			}
			return nil
		})
		if s.Rows != rows {
			t.Errorf("%s: %d rows, want %d of %d", f.name, s.Rows, rows, plies)
		}
		ds := must.Get(datasets.Open(root))(t)
		info, err := ds.Info()
		if err != nil || !info.Complete || !slices.Equal(info.Dropped, want) {
			t.Errorf("%s: info %+v, %v, want dropped rows %v", f.name, info, err, want)
		}
		files := tree(t, root)
		for _, d := range want {
			if text := fmt.Sprintf("{\n      \"filter\": %q,\n      \"rows\": %d\n    }", d.Filter, d.Rows); !strings.Contains(files[plan.ManifestName], text) {
				t.Errorf("%s: %s is missing in the manifest", f.name, text)
			}
			if text := fmt.Sprintf("| `%s` | %d |\n", d.Filter, d.Rows); !strings.Contains(files[plan.CardName], text) {
				t.Errorf("%s: %s is missing in the card", f.name, text)
			}
		}
		if text := `"filter": "where=even"`; !strings.Contains(files[plan.CommitName(0)], text) {
			t.Errorf("%s: %s is missing in the record", f.name, text)
		}
	}
}

// TestFilteredDatasetIsAFunctionOfItsPlan: it is the same after one run and after several
// that were stopped and extended it.
func TestFilteredDatasetIsAFunctionOfItsPlan(t *testing.T) {
	o := filteredOptions(func(game uint64) bool { return game >= 6 && game < 9 }) // shard 2
	for _, f := range formats {
		root := t.TempDir()
		o.OpenShards = 1
		makeIn(t, root, f.filteredPlan(), 20, o)
		want := tree(t, root)
		for _, steps := range [][]uint64{{20}, {7, 20}, {1, 8, 13, 20}} {
			root := t.TempDir()
			for _, games := range steps {
				stopped := o
				ctx, cancel := context.WithCancel(context.Background())
				stopped.OpenShards, stopped.Play = 3, stopAfter(4, cancel)
				if _, err := Make(ctx, root, f.filteredPlan(), games, stopped); err != nil && !errors.Is(err, fault.ErrIncomplete) {
					t.Fatal(err)
				}
				cancel()
				makeIn(t, root, f.filteredPlan(), games, o)
			}
			sameTree(t, tree(t, root), want)
			remove(t, root, plan.ManifestName, plan.CroissantName, plan.CardName)
			must.Get(Finalize(root, false))(t)
			sameTree(t, tree(t, root), want)
		}
	}
}

// TestShardsWithoutRowsAreValid, alone and beside others.
func TestShardsWithoutRowsAreValid(t *testing.T) {
	for _, f := range formats {
		for name, whole := range map[string]func(game uint64) bool{
			"the first shard": func(game uint64) bool { return game < 3 },
			"the last shard":  func(game uint64) bool { return game >= 6 },
			"every shard":     allGames,
		} {
			for _, check := range []record.CheckLevel{record.CheckFull, record.CheckLight} {
				t.Run(fmt.Sprintf("%s/%s/%d", f.name, name, check), func(t *testing.T) {
					root := t.TempDir()
					o := filteredOptions(whole)
					o.Check = check
					s := makeIn(t, root, f.filteredPlan(), 9, o)
					if s.Games != 9 || s.Shards != 3 || s.Rows == 0 != (name == "every shard") {
						t.Errorf("%+v", s)
					}
					r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: func() datasets.RowFunc { return filteredRows(whole) }})
					if err != nil || !r.OK() || !r.Complete || r.Rows != s.Rows {
						t.Errorf("%+v, %v", r, err)
					}
					ds := must.Get(datasets.Open(root))(t)
					head, err := (&query.Query{Dataset: ds}).Head(t.Context(), 1000)
					if err != nil || head.Rows != int(s.Rows) {
						t.Errorf("%d rows, %v, want %d", head.Rows, err, s.Rows)
					}
				})
			}
		}
	}
}

// TestDeepFindsWrongDroppedCounts, which no sum covers.
func TestDeepFindsWrongDroppedCounts(t *testing.T) {
	root := t.TempDir()
	o := filteredOptions(noGame)
	o.Rows = func() datasets.RowFunc {
		rows := filteredRows(noGame)
		return func(r *engine.Record, t *encode.Table, dropped []uint64) error {
			err := rows(r, t, dropped)
			if r.Game == 4 {
				dropped[0], dropped[1] = dropped[0]+1, dropped[1]-1
			}
			return err
		}
	}
	makeIn(t, root, formats[0].filteredPlan(), 9, o)
	r, err := checking.Verify(context.Background(), root, checking.VerifyOptions{Level: checking.VerifyDeep, Rows: func() datasets.RowFunc { return filteredRows(noGame) }})
	if err != nil || len(r.Problems) != 1 || r.Problems[0].Shard != 1 || !strings.Contains(r.Problems[0].Message, "replay gives [{where=games 0}") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRecordMustCountThePartsOfTheFilter(t *testing.T) {
	p := fakePlan()
	p.Filter = fakeFilter
	file := must.Get(plan.New(p, fakeDescription(), plan.About{}))(t)
	for _, c := range []struct {
		dropped []record.Dropped
		good    bool
	}{
		{[]record.Dropped{{Filter: "where=games", Rows: 1}, {Filter: "where=even", Rows: 0}, {Filter: "keep=0.8", Rows: 7}}, true},
		{nil, false},
		{[]record.Dropped{{Filter: "where=games", Rows: 1}, {Filter: "where=even", Rows: 0}}, false},
		{[]record.Dropped{{Filter: "where=even", Rows: 1}, {Filter: "where=games", Rows: 0}, {Filter: "keep=0.8", Rows: 7}}, false},
		{[]record.Dropped{{Filter: "where=games", Rows: 1}, {Filter: "where=even", Rows: 0}, {Filter: "keep=0.9", Rows: 7}}, false},
	} {
		rec := fakeCommit(file)
		rec.Dropped = c.dropped
		if _, err := record.Parse(rec.Encode(), file, 3); (err == nil) != c.good || err != nil && !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%v: %v, good %t", c.dropped, err, c.good)
		}
	}
	rec := fakeCommit(fakeHeader(t))
	rec.Dropped = []record.Dropped{{Filter: "where=games", Rows: 1}}
	must.Fail(record.Parse(rec.Encode(), fakeHeader(t), 3))(t, fault.ErrCorrupt, "")
}

// TestFilteredBytesAreFrozen: golden files of a plan with filter and perspective.
func TestFilteredBytesAreFrozen(t *testing.T) {
	root := t.TempDir()
	p := formats[0].filteredPlan()
	p.Perspective = plan.Mover
	makeIn(t, root, p, 10, filteredOptions(func(game uint64) bool { return game < 3 }))
	goldenFiles(t, root, "filtered", plan.FileName, plan.CommitName(0), plan.CommitName(1), plan.ManifestName, plan.CardName, plan.CroissantName)
}

// TestEmptyPlanFieldsAreOmitted, so that a new member leaves the hashes of other plans.
func TestEmptyPlanFieldsAreOmitted(t *testing.T) {
	text := string(canonical.Marshal(fakePlan()))
	if strings.Contains(text, "filter") || strings.Contains(text, "perspective") || strings.Contains(text, `"split"`) {
		t.Error(text)
	}
}
