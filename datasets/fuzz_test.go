package datasets

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"selfplay/encode"
)

// fuzzSpec is a small file of every kind of column.
func fuzzSpec(format, boardType string) tableSpec {
	return tableSpec{format: format, packed: boardType == Packed, columns: everyColumn(), rows: 16,
		metadata: []encode.KeyValue{{Key: "b", Value: "1"}, {Key: "a", Value: "é"}}}
}

// FuzzParquet and FuzzArrow read damaged files, which must end with rows or an error
// that is ErrCorrupt, in bounded memory.
func FuzzParquet(f *testing.F) { fuzzReader(f, Parquet) }
func FuzzArrow(f *testing.F)   { fuzzReader(f, Arrow) }

func fuzzReader(f *testing.F, format string) {
	var specs []tableSpec
	for i, boardType := range []string{List, Packed} {
		s := fuzzSpec(format, boardType)
		data := writeIn(f, s, randomTable(rand.New(rand.NewPCG(1, 2)), s.columns, 40), 20)
		specs = append(specs, s)
		f.Add(i == 1, data)
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
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%v, want ErrCorrupt", err)
		}
		if r, err := newTableReader(bytes.NewReader(data), s); err == nil {
			r.Metadata()
		}
	})
}

// FuzzManifest verifies a dataset with a manifest of any bytes: only the right ones
// are no problem.
func FuzzManifest(f *testing.F) {
	fuzzSmallFile(f, manifestName, func(r *Report) bool { return r.OK() })
}

// FuzzTarget verifies a dataset with a target of any bytes. It is right, or larger
// than what is there.
func FuzzTarget(f *testing.F) {
	fuzzSmallFile(f, targetName, func(r *Report) bool { return r.OK() && len(r.Missing) == 0 })
}

func fuzzSmallFile(f *testing.F, name string, right func(*Report) bool) {
	root := f.TempDir()
	makeIn(f, root, fakePlan(), 8, fakeOptions())
	path := filepath.Join(root, filepath.FromSlash(name))
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"format":1}`))
	f.Add([]byte(`{"format":1,"games":18446744073709551615}`))
	f.Add(bytes.Replace(whole, []byte("3"), []byte("2"), 1))
	f.Add(bytes.Replace(whole, []byte("8"), []byte("9"), 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Verification{Level: VerifyQuick, Rows: nil}.Run(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		if equal := bytes.Equal(data, whole); equal != right(r) {
			t.Errorf("%q: %+v", data, r)
		}
		if _, err := (Repair{DryRun: true}).Run(t.Context(), root); err != nil {
			t.Error(err)
		}
	})
}
