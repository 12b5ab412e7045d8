package dedup

import (
	"context"
	"iter"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/rows"
	"selfplay/datasets/scan"
	"selfplay/engine"
)

// Overlap counts the rows of a dataset whose position another row has too. Shares are
// between 0 and 1.
type Overlap struct {
	Rows       uint64  `json:"rows"`
	Distinct   uint64  `json:"distinct"`   // positions
	Duplicates float64 `json:"duplicates"` // share of the rows whose position an earlier row has
	Validation uint64  `json:"validation"` // rows of the validation split
	Leaked     uint64  `json:"leaked"`     // validation rows whose position is in the train split
	Leakage    float64 `json:"leakage"`    // Leaked as a share of Validation
}

// Split is a game and its split.
type Split struct {
	*engine.Record
	Validation bool
}

// Measure compares the positions of all rows that a dataset of shape s has. If the shape
// is Unique, games are all games of the dataset, as Games describes, and n counts each twice.
// For memory and errors see Find.
func Measure(ctx context.Context, s *rows.Shape, games iter.Seq2[Split, error], size Size, memory int64, n *scan.Counter) (Overlap, error) {
	var o Overlap
	var x *Index // nil: the dataset has every row
	if s.Unique {
		var err error
		x, err = Find(ctx, s, records(games), size, memory, n)
		if err != nil {
			return o, err
		}
	}
	keys, err := newKeys(memory, size.Rows) // after Find has freed its memory
	if err != nil {
		return o, err
	}
	defer keys.close()
	reader, done := newReader(s), steps{n: n}
	for g, err := range games {
		before := keys.n
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = g.add(x, reader, keys)
		}
		if err != nil {
			return o, err
		}
		done.read(keys.n - before)
	}
	return o, o.count(keys, &done)
}

// add adds the keys of the rows that the dataset has of a game. If x is not nil, these are
// the rows that are the first with their position.
func (g *Split) add(x *Index, reader *reader, keys *keys) error {
	if err := reader.read(g.Record); err != nil {
		return err
	}
	stored := func(int) bool { return true }
	if x != nil {
		var err error
		stored, err = x.firsts(g.Game, reader.table.Rows)
		if err != nil {
			return err
		}
	}
	tag := uint64(0)
	if g.Validation {
		tag = 1
	}
	for row := range reader.table.Rows {
		if !stored(row) {
			continue
		}
		if err := keys.add(reader.hash(row), tag); err != nil {
			return err
		}
	}
	return nil
}

// records yields the games without their splits.
func records(games iter.Seq2[Split, error]) Games {
	return func(yield func(*engine.Record, error) bool) {
		for g, err := range games {
			if !yield(g.Record, err) {
				return
			}
		}
	}
}

// count sets o from the keys, and counts them in done.
func (o *Overlap) count(k *keys, done *steps) error {
	type splits struct {
		validation uint32 // rows
		train      bool
	}
	var seen map[xxh3.Uint128]splits
	finishPart := func() {
		o.Distinct += uint64(len(seen))
		for _, in := range seen {
			if in.train {
				o.Leaked += uint64(in.validation)
			}
		}
		seen = map[xxh3.Uint128]splits{}
	}
	err := k.each(finishPart, func(key xxh3.Uint128, tag uint64) {
		in := seen[key]
		if tag == 1 {
			o.Validation++
			in.validation++
		} else {
			in.train = true
		}
		seen[key] = in
		done.compare()
	})
	finishPart()
	o.Rows = k.n
	if o.Rows > 0 {
		o.Duplicates = 1 - float64(o.Distinct)/float64(o.Rows)
	}
	if o.Validation > 0 {
		o.Leakage = float64(o.Leaked) / float64(o.Validation)
	}
	return err
}
