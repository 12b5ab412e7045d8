package rowstream

import (
	"selfplay/datasets/colfile"
	"selfplay/encode"
)

// window puts the rows of windows in random order.
type window struct {
	number uint64 // of the next window
	order  []int
	part   *encode.Table
}

// shuffle yields the rows of a table in random order, in tables of a record batch each. It
// returns false if yield does.
func (w *window) shuffle(t *encode.Table, seed uint64, yield func(*encode.Table, error) bool) bool {
	random := newSource(seed, windowStream+w.number)
	w.number++
	w.order = w.order[:0]
	for i := range t.Rows {
		w.order = append(w.order, i)
	}
	random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	if w.part == nil {
		w.part = encode.NewTable(t.Columns)
	}
	for from := 0; from < t.Rows; from += colfile.BatchRows {
		w.part.Reset()
		colfile.AppendPicked(w.part, t, w.order[from:min(from+colfile.BatchRows, t.Rows)])
		if !yield(w.part, nil) {
			return false
		}
	}
	return true
}
