package making

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"selfplay/datasets/colfile"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// benchBatches returns the tables of a shard of 1000 games of about 140 plies, in the
// batches in which a run writes them.
func benchBatches(b *testing.B) (positions, games []*encode.Table) {
	b.Helper()
	rows := fakeRows()
	p, g := encode.NewTable(fakeColumns), encode.NewTable(gamerow.Columns())
	must.Do(b, fakeGames(context.Background(), plan.Numbers(0, 1000), 80, 200, nil, func(r *engine.Record) error {
		gamerow.Append(g, r)
		if g.Rows == gamesBatch {
			games, g = append(games, g), encode.NewTable(gamerow.Columns())
		}
		if p.Rows >= colfile.BatchRows {
			positions, p = append(positions, p), encode.NewTable(fakeColumns)
		}
		return rows(r, p, nil)
	}))
	return append(positions, p), append(games, g)
}

var benchSpecs = []struct {
	name   string
	format string
	packed bool
}{
	{"parquet/list", plan.Parquet, false},
	{"parquet/packed", plan.Parquet, true},
	{"arrow/list", plan.Arrow, false},
	{"arrow/packed", plan.Arrow, true},
}

func reportRows(b *testing.B, rows, bytes int) {
	perRow := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(rows)
	b.ReportMetric(perRow, "ns/row")
	b.ReportMetric(1e9/perRow, "rows/s")
	b.ReportMetric(float64(bytes)/float64(rows), "B/row")
}

func totalRows(tables []*encode.Table) int {
	n := 0
	for _, t := range tables {
		n += t.Rows
	}
	return n
}

func writeAll(tb testing.TB, w io.Writer, s colfile.Spec, tables []*encode.Table) {
	tb.Helper()
	tw := must.Get(colfile.NewWriter(w, s))(tb)
	for _, t := range tables {
		must.Do(tb, tw.Write(t))
	}
	must.Do(tb, tw.Close())
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

func BenchmarkWrite(b *testing.B) {
	positions, games := benchBatches(b)
	for _, bs := range benchSpecs {
		b.Run(bs.name, func(b *testing.B) {
			b.ReportAllocs()
			var c counter
			for b.Loop() {
				c = counter{}
				writeAll(b, &c, colfile.Spec{Format: bs.format, Packed: bs.packed, Columns: fakeColumns, GroupRows: colfile.PositionGroupRows}, positions)
			}
			reportRows(b, totalRows(positions), c.n)
		})
	}
	for _, format := range []string{plan.Parquet, plan.Arrow} {
		b.Run(format+"/games", func(b *testing.B) {
			b.ReportAllocs()
			var c counter
			for b.Loop() {
				c = counter{}
				writeAll(b, &c, colfile.Spec{Format: format, Columns: gamerow.Columns(), GroupRows: colfile.GameGroupRows}, games)
			}
			reportRows(b, totalRows(positions), c.n) // per move
		})
	}
}

// BenchmarkWriteColumns writes each column alone.
func BenchmarkWriteColumns(b *testing.B) {
	positions, _ := benchBatches(b)
	for i, c := range fakeColumns {
		b.Run(c.Name, func(b *testing.B) {
			var one []*encode.Table
			for _, t := range positions {
				one = append(one, &encode.Table{Columns: t.Columns[i : i+1], Rows: t.Rows, Data: t.Data[i : i+1], Ends: t.Ends[i : i+1]})
			}
			var n counter
			for b.Loop() {
				n = counter{}
				writeAll(b, &n, colfile.Spec{Format: plan.Parquet, Columns: fakeColumns[i : i+1], GroupRows: colfile.PositionGroupRows}, one)
			}
			reportRows(b, totalRows(positions), n.n)
		})
	}
}

// BenchmarkCheck decodes all rows and computes their digest, as CheckFull does.
func BenchmarkCheck(b *testing.B) {
	positions, _ := benchBatches(b)
	for _, bs := range benchSpecs {
		b.Run(bs.name, func(b *testing.B) {
			b.ReportAllocs()
			var file bytes.Buffer
			s := colfile.Spec{Format: bs.format, Packed: bs.packed, Columns: fakeColumns, GroupRows: colfile.PositionGroupRows}
			writeAll(b, &file, s, positions)
			for b.Loop() {
				r := must.Get(colfile.NewReader(bytes.NewReader(file.Bytes()), s))(b)
				d := colfile.NewRowDigest(fakeColumns)
				for g := range r.Groups() {
					must.Do(b, colfile.DigestGroup(r, g, d))
				}
			}
			reportRows(b, totalRows(positions), file.Len())
		})
	}
}

func BenchmarkDigest(b *testing.B) {
	positions, _ := benchBatches(b)
	for b.Loop() {
		d := colfile.NewRowDigest(fakeColumns)
		for _, t := range positions {
			d.Add(t)
		}
	}
	reportRows(b, totalRows(positions), 0)
}

// BenchmarkMake makes datasets of four shards on disk. It includes the time to play the
// fake game and make its rows, which BenchmarkPlay measures.
func BenchmarkMake(b *testing.B) {
	for _, check := range []record.CheckLevel{record.CheckFull, record.CheckLight} {
		for _, bs := range benchSpecs {
			b.Run(fmt.Sprintf("%s/%s", []string{"full", "light"}[check], bs.name), func(b *testing.B) {
				var s Summary
				for b.Loop() {
					p := fakePlan()
					p.ShardGames, p.Format = 1000, bs.format
					if bs.packed {
						p.BoardType = plan.Packed
					}
					o := fakeOptions()
					o.OpenShards, o.Check, o.Play = runtime.GOMAXPROCS(0), check, benchPlay
					s = must.Get(Make(context.Background(), b.TempDir(), p, 4000, o))(b)
				}
				reportRows(b, int(s.Rows), int(s.Bytes))
			})
		}
	}
}

func benchPlay(ctx context.Context, games []uint64, journal engine.Journal, sink func(*engine.Record) error) error {
	return fakeGames(ctx, games, 80, 200, journal, sink)
}

func BenchmarkPlay(b *testing.B) {
	rows, t, n := fakeRows(), encode.NewTable(fakeColumns), 0
	for b.Loop() {
		n = 0
		fakeGames(context.Background(), plan.Numbers(0, 1000), 80, 200, nil, func(r *engine.Record) error {
			t.Reset()
			err := rows(r, t, nil)
			n += t.Rows
			return err
		})
	}
	reportRows(b, n, 0)
}
