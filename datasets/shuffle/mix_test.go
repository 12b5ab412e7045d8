package shuffle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
	"selfplay/workers"
)

// source makes a dataset of Contrast and returns its training shards.
func source(t *testing.T, seed, games uint64, weight engine.Fraction) Source {
	t.Helper()
	g := encode.Contrast()
	player := must.Get(workers.ParsePlayer(&g.Game, "random"))(t)
	pool := workers.Start(workers.Series{Game: g, Players: [2]workers.PlayerSpec{player, player}, Seed: seed, MaxPlies: 30}, 2)
	defer pool.Close()
	shape := rows.New(g, "", seed, true)
	shape.Extra = []string{encode.MoveColumn}
	plan := plan.Plan{Game: g.Name, Rules: g.Rules, Seed: seed, MaxPlies: 30, Actions: g.Actions.Version, ShardGames: 8}
	shape.Into(&plan)
	dir := filepath.Join(t.TempDir(), "set")
	must.Get(making.Make(t.Context(), dir, plan, games, making.Options{Play: pool.Play, Rows: shape.Rows(), Description: shape.Description()}))(t)
	ds := must.Get(datasets.Open(dir))(t)
	return Source{ds, must.Get(ds.Parts())(t), weight}
}

// texts returns every row of a mix as text, all columns included.
func texts(t *testing.T, o MixOptions) []string {
	t.Helper()
	return textsOf(t, o.Tables(t.Context(), new(scan.Counter)))
}

func textsOf(t *testing.T, tables iter.Seq2[*encode.Table, error]) (list []string) {
	t.Helper()
	for table, err := range tables {
		must.Do(t, err)
		for row := range table.Rows {
			list = append(list, text(table, row))
		}
	}
	return list
}

func text(t *encode.Table, row int) (s string) {
	for col := range t.Columns {
		s += fmt.Sprintf("%x|", t.Cell(col, row))
	}
	return s
}

// rowsOf returns the rows of a source, in order.
func rowsOf(t *testing.T, s Source) []string {
	t.Helper()
	return textsOf(t, scan.Tables(t.Context(), s.Dataset, s.Parts, new(scan.Counter)))
}

// TestMixTakesRowsInOrderByWeight: without a buffer, the rows of each source are its first ones,
// in order, and their shares are those of the weights.
func TestMixTakesRowsInOrderByWeight(t *testing.T) {
	a, b := source(t, 1, 40, 700), source(t, 2, 40, 300)
	o := MixOptions{Sources: []Source{a, b}, Seed: 5}
	got := texts(t, o)
	n, shares := o.Count()
	if uint64(len(got)) != n || shares[0]+shares[1] != n || shares[0] != a.rows() && shares[1] != b.rows() {
		t.Fatalf("%d rows, counted %d of %v", len(got), n, shares)
	}
	if share := float64(shares[0]) / float64(n); math.Abs(share-0.7) > 4*math.Sqrt(0.21/float64(n)) {
		t.Errorf("%.3f of the rows are of the first source, want about 0.7", share)
	}
	firsts := [2][]string{rowsOf(t, a), rowsOf(t, b)}
	for i, row := range got {
		switch {
		case len(firsts[0]) > 0 && row == firsts[0][0]:
			firsts[0] = firsts[0][1:]
		case len(firsts[1]) > 0 && row == firsts[1][0]:
			firsts[1] = firsts[1][1:]
		default:
			t.Fatalf("row %d is not the next of a source", i)
		}
	}
}

// TestBufferKeepsTheRows: a buffer changes the order of the rows only, and it does change it.
func TestBufferKeepsTheRows(t *testing.T) {
	o := MixOptions{Sources: []Source{source(t, 1, 24, 500), source(t, 2, 24, 500)}, Seed: 9}
	plain := texts(t, o)
	for _, size := range []int{2, 50, 100_000} {
		o.Buffer = size
		shuffled := texts(t, o)
		if slices.Equal(plain, shuffled) {
			t.Errorf("a buffer of %d rows keeps the order", size)
		}
		if !reflect.DeepEqual(texts(t, o), shuffled) {
			t.Errorf("a buffer of %d rows gives another order each time", size)
		}
		if slices.Sort(shuffled); !slices.Equal(slices.Sorted(slices.Values(plain)), shuffled) {
			t.Errorf("a buffer of %d rows changes the rows", size)
		}
	}
}

// TestSeedsGiveOtherOrders, and equal seeds the same one.
func TestSeedsGiveOtherOrders(t *testing.T) {
	o := MixOptions{Sources: []Source{source(t, 1, 24, 500), source(t, 2, 24, 500)}, Seed: 1}
	first := texts(t, o)
	if !slices.Equal(first, texts(t, o)) {
		t.Error("the same seed gives another order")
	}
	if o.Seed = 2; slices.Equal(first, texts(t, o)) {
		t.Error("another seed gives the same order")
	}
}

// TestRepeatBeginsAgain: a source that ends begins again, up to the number of rows.
func TestRepeatBeginsAgain(t *testing.T) {
	a, b := source(t, 1, 8, 900), source(t, 2, 40, 100)
	want := 5*a.rows() + 3
	o := MixOptions{Sources: []Source{a, b}, Seed: 3, Rows: want, Repeat: true}
	got, list := texts(t, o), rowsOf(t, a)
	n, shares := o.Count()
	if uint64(len(got)) != want || n != want {
		t.Fatalf("%d rows, counted %d, want %d", len(got), n, want)
	}
	if seen := map[string]int{}; shares[0] > 2*a.rows() {
		for _, row := range got {
			seen[row]++
		}
		if seen[list[0]] < 2 {
			t.Errorf("the first row occurs %d times in %d rows of %d", seen[list[0]], shares[0], a.rows())
		}
	}
	if o.Rows, o.Repeat = 10, false; len(texts(t, o)) != 10 {
		t.Error("a limit of 10 rows is not kept")
	}
}

// TestEmptyFindsSourcesWithoutRows.
func TestEmptyFindsSourcesWithoutRows(t *testing.T) {
	some, none := Source{Parts: []*record.Part{{}, {Rows: 1}}}, Source{Parts: []*record.Part{{}}}
	for want, sources := range map[int][]Source{-1: {some, some}, 1: {some, none, none}, 0: {{}, some}} {
		if got := (MixOptions{Sources: sources}).Empty(); got != want {
			t.Errorf("source %d of %d is empty, want %d", got, len(sources), want)
		}
	}
}

// TestTablesEndAtCuts: no table has rows on both sides of a multiple of Cut.
func TestTablesEndAtCuts(t *testing.T) {
	o := MixOptions{Sources: []Source{source(t, 1, 24, 500), source(t, 2, 24, 500)}, Seed: 1, Cut: 70, Buffer: 20}
	done := uint64(0)
	for table, err := range o.Tables(t.Context(), new(scan.Counter)) {
		must.Do(t, err)
		if last := done + uint64(table.Rows) - 1; done/70 != last/70 {
			t.Fatalf("a table has the rows %d to %d", done, last)
		}
		done += uint64(table.Rows)
	}
	if n, _ := o.Count(); done != n {
		t.Errorf("%d rows, want %d", done, n)
	}
}

// TestMixIsFrozen: the first sources of a seed. Every mix depends on them.
func TestMixIsFrozen(t *testing.T) {
	d := newDraw(&MixOptions{Sources: make([]Source, 3), Repeat: true, Rows: 24, Seed: 1})
	d.upTo = []uint32{500, 800, 1000}
	var got []byte
	for i, ok := d.next(); ok; i, ok = d.next() {
		got = append(got, '0'+byte(i))
	}
	if string(got) != frozenDraw {
		t.Errorf("sources %s, want %s", got, frozenDraw)
	}
	if n := binary.LittleEndian.Uint64([]byte("mixmixed")); newSource(n, drawStream).Uint64() == newSource(n, bufferStream).Uint64() {
		t.Error("draws and buffers share random numbers")
	}
}

func TestMixEndsEarly(t *testing.T) {
	o := MixOptions{Sources: []Source{source(t, 1, 24, 500), source(t, 2, 24, 500)}, Seed: 1, Cut: 5}
	for range o.Tables(t.Context(), new(scan.Counter)) {
		break // the sources are closed
	}
	o.Sources[0].Parts[0].Files[plan.PositionsFile].Name += "x"
	o.Sources[0].Parts[0].Rows++ // so that the draw asks for a row that is not there
	var last error
	for _, err := range o.Tables(t.Context(), new(scan.Counter)) {
		last = err
	}
	if last == nil || errors.Is(last, errEnough) {
		t.Errorf("error %v of a missing file", last)
	}
}

const frozenDraw = "100220010122001001010210"
