package colfile

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/datasets/internal/fault"
	"selfplay/encode"
)

// FuzzParquet and FuzzArrow read arbitrary bytes, in bounded memory. The reader returns
// rows or ErrCorrupt and never panics.
func FuzzParquet(f *testing.F) { fuzzReader(f, Parquet) }
func FuzzArrow(f *testing.F)   { fuzzReader(f, Arrow) }

func fuzzReader(f *testing.F, format string) {
	var specs []Spec
	for i, boardType := range []string{List, Packed} {
		s := everyColumnSpec(format, boardType)
		data := writeIn(f, s, randomTable(rand.New(rand.NewPCG(1, 2)), s.Columns, 40), 20)
		specs = append(specs, s)
		f.Add(i == 1, data)
		u := s
		u.Uncompressed = true
		f.Add(i == 1, writeIn(f, u, randomTable(rand.New(rand.NewPCG(1, 2)), s.Columns, 40), 20))
		f.Add(i == 1, data[:len(data)/2])
		src := rand.New(rand.NewPCG(3, uint64(i)))
		for range 20 {
			flipped := slices.Clone(data)
			flipped[src.IntN(len(data))] ^= 1 << src.IntN(8)
			f.Add(i == 1, flipped)
		}
	}
	f.Fuzz(func(t *testing.T, packed bool, data []byte) {
		s := specs[0]
		if packed {
			s = specs[1]
		}
		_, err := readAll(data, s)
		if err != nil && !errors.Is(err, fault.ErrCorrupt) {
			t.Errorf("%v, want ErrCorrupt", err)
		}
		if r, err := NewReader(bytes.NewReader(data), s); err == nil {
			r.Metadata()
			for g := range r.Groups() {
				if err := readSome(r, g, s); err != nil && !errors.Is(err, fault.ErrCorrupt) {
					t.Errorf("%v, want ErrCorrupt", err)
				}
			}
		}
	})
}

// readSome reads every third row of a group.
func readSome(r Reader, group int, s Spec) error {
	n, err := r.Rows(group)
	if err != nil {
		return err
	}
	var rows []int
	for row := 1; row < n; row += 3 {
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return ReadRows(r, group, rows, encode.NewTable(s.Columns))
}

// everyColumnSpec describes a small file with a column of every kind and shape.
func everyColumnSpec(format, boardType string) Spec {
	return Spec{
		Format: format, Packed: boardType == Packed, Columns: everyColumn(), GroupRows: 16,
		Metadata: []encode.KeyValue{{Key: "b", Value: "1"}, {Key: "a", Value: "é"}},
	}
}
