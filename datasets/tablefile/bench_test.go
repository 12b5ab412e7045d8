package tablefile

import (
	"io"
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// BenchmarkWrite writes rows of CoTuLenh with policies, legal moves and hashes in every
// form, and discards the bytes.
func BenchmarkWrite(b *testing.B) {
	m, g := new(made), encode.CoTuLenh()
	m.make(b, g, &g.Layouts[0], false, 60, 1000)
	for _, f := range Forms() {
		b.Run(f.Name, func(b *testing.B) { m.bench(b, &f, false) })
	}
	csv, _ := Find("csv")
	b.Run("csv with positions as text", func(b *testing.B) { m.bench(b, &csv, true) })
}

func (m *made) bench(b *testing.B, f *Form, text bool) {
	b.ReportAllocs()
	for b.Loop() {
		w, err := f.New(io.Discard, Spec{Source: m.ds, Shape: m.shape, Rows: uint64(m.rows.Rows), Temp: b.TempDir(), Text: text})
		if err == nil {
			err = w.Write(m.rows)
		}
		if err == nil {
			err = w.Close()
		}
		must.Do(b, err)
	}
	b.ReportMetric(float64(b.N*m.rows.Rows)/b.Elapsed().Seconds(), "rows/s")
}
