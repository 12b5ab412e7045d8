package tablefile

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/making"
	"selfplay/datasets/plan"
	"selfplay/datasets/query"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/internal/must"
	"selfplay/workers"
)

// made is a dataset with all columns, and its rows.
type made struct {
	ds    *datasets.Dataset
	shape *rows.Shape
	rows  *encode.Table
}

// eachDataset makes small datasets of every game, layout and perspective.
func eachDataset(t *testing.T, test func(t *testing.T, m *made)) {
	t.Helper()
	for _, g := range encode.Games() {
		for i := range g.Layouts {
			for _, mover := range []bool{false, true} {
				name := fmt.Sprintf("%s %s mover=%t", g.Name, g.Layouts[i].Name, mover)
				t.Run(name, func(t *testing.T) { test(t, play(t, g, i, mover, 6, 40)) })
			}
		}
	}
}

// play makes a dataset of games of a random player against a searching player.
func play(t testing.TB, g encode.Game, layout int, mover bool, games uint64, plies int) *made {
	t.Helper()
	var players [2]workers.PlayerSpec
	for i, spec := range []string{"random", "ab:depth=1,multi=3"} {
		players[i] = must.Get(workers.ParsePlayer(&g.Game, spec))(t)
	}
	m := &made{shape: rows.New(g, "", 5, true)}
	m.shape.Layout, m.shape.Mover, m.shape.Extra = &g.Layouts[layout], mover, encode.ExtraNames()
	pool := workers.Start(workers.Series{Game: g, Players: players, Seed: 5, MaxPlies: plies}, 2)
	defer pool.Close()
	plan := plan.Plan{Game: g.Name, Rules: g.Rules, Seed: 5, MaxPlies: plies, Actions: g.Actions.Version}
	m.shape.Into(&plan)
	dir := t.TempDir()
	must.Get(making.Make(t.Context(), dir, plan, games, making.Options{Play: pool.Play, Rows: m.shape.Rows(), Description: m.shape.Description()}))(t)
	m.ds = must.Get(datasets.Open(dir))(t)
	m.rows = must.Get((&query.Query{Dataset: m.ds}).Head(t.Context(), 1<<20))(t)
	return m
}

// write returns a file of the rows, which are written in tables of n rows.
func (m *made) write(t testing.TB, form string, n int, change func(*Spec)) []byte {
	t.Helper()
	f := must.Get(Find(form))(t)
	s := Spec{Source: m.ds, Shape: m.shape, Rows: uint64(m.rows.Rows), Temp: t.TempDir()}
	if change != nil {
		change(&s)
	}
	var b bytes.Buffer
	w := must.Get(f.New(&b, s))(t)
	for from := 0; from < m.rows.Rows; from += n {
		must.Do(t, w.Write(slice(m.rows, from, min(from+n, m.rows.Rows))))
	}
	must.Do(t, w.Close())
	return b.Bytes()
}

// slice returns the rows with the numbers from up to, but not including, to.
func slice(t *encode.Table, from, to int) *encode.Table {
	s := encode.NewTable(t.Columns)
	colfile.AppendRows(s, t, from, to)
	return s
}

// BenchmarkWrite writes rows of CoTuLenh with policies, legal moves and hashes in every
// form, and discards the bytes.
func BenchmarkWrite(b *testing.B) {
	m := play(b, encode.CoTuLenh(), 0, false, 60, 1000)
	for _, f := range Forms() {
		b.Run(f.Name, func(b *testing.B) { m.bench(b, &f, false) })
	}
	csv, _ := Find("csv")
	b.Run("csv with positions as text", func(b *testing.B) { m.bench(b, &csv, true) })
}

func (m *made) bench(b *testing.B, f *Form, text bool) {
	b.ReportAllocs()
	for b.Loop() {
		w := must.Get(f.New(io.Discard, Spec{Source: m.ds, Shape: m.shape, Rows: uint64(m.rows.Rows), Temp: b.TempDir(), Text: text}))(b)
		must.Do(b, w.Write(m.rows))
		must.Do(b, w.Close())
	}
	b.ReportMetric(float64(b.N*m.rows.Rows)/b.Elapsed().Seconds(), "rows/s")
}
