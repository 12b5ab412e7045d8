package dedup

import (
	"context"
	"iter"

	"github.com/zeebo/xxh3"

	"selfplay/datasets/rows"
	"selfplay/engine"
)

// Overlap tells how many rows of a dataset show a position that another shows too.
// Shares are between 0 and 1.
type Overlap struct {
	Rows       uint64  `json:"rows"`
	Distinct   uint64  `json:"distinct"`
	Duplicates float64 `json:"duplicates"` // share of the rows whose position an earlier one has
	Validation uint64  `json:"validation"` // rows of the validation split
	Leaked     uint64  `json:"leaked"`     // of these, rows whose position is in the train split
	Leakage    float64 `json:"leakage"`    // share of the validation rows
}

// Measure reads games, each with whether it is of the validation split, and compares
// the positions of all the rows that a dataset of this shape has of them. Where the
// shape is Unique the games are all of the dataset's: see Games.
func Measure(ctx context.Context, s *rows.Shape, games iter.Seq2[Split, error], size Size, memory int64) (Overlap, error) {
	var o Overlap
	var x *Index // nil: all rows are there
	if s.Unique {
		var err error
		if x, err = Find(ctx, s, records(games), size, memory); err != nil {
			return o, err
		}
	}
	keys, err := newKeys(memory, size.Rows) // when Find has given its memory back
	if err != nil {
		return o, err
	}
	defer keys.close()
	at := newReader(s)
	for g, err := range games {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = g.add(x, at, keys)
		}
		if err != nil {
			return o, err
		}
	}
	return o, o.count(keys)
}

// Split is a game and the split that it is in.
type Split struct {
	*engine.Record
	Validation bool
}

// add adds the keys of the rows that the dataset has of a game: all of them, or those
// that are the first by x.
func (g *Split) add(x *Index, at *reader, keys *keys) error {
	if err := at.read(g.Record); err != nil {
		return err
	}
	there := func(int) bool { return true }
	if x != nil {
		var err error
		if there, err = x.firsts(g.Game, at.table.Rows); err != nil {
			return err
		}
	}
	tag := uint64(0)
	if g.Validation {
		tag = 1
	}
	for row := range at.table.Rows {
		if !there(row) {
			continue
		}
		if err := keys.add(at.sum(row), tag); err != nil {
			return err
		}
	}
	return nil
}

// records leaves out what split games are in.
func records(games iter.Seq2[Split, error]) Games {
	return func(yield func(*engine.Record, error) bool) {
		for g, err := range games {
			if !yield(g.Record, err) {
				return
			}
		}
	}
}

// count counts the keys.
func (o *Overlap) count(k *keys) error {
	type found struct {
		validation uint32 // rows
		train      bool
	}
	var seen map[xxh3.Uint128]found
	close := func() {
		o.Distinct += uint64(len(seen))
		for _, f := range seen {
			if f.train {
				o.Leaked += uint64(f.validation)
			}
		}
		seen = map[xxh3.Uint128]found{}
	}
	err := k.each(close, func(key xxh3.Uint128, tag uint64) {
		f := seen[key]
		if tag == 1 {
			o.Validation++
			f.validation++
		} else {
			f.train = true
		}
		seen[key] = f
	})
	close()
	o.Rows = k.n
	if o.Rows > 0 {
		o.Duplicates = 1 - float64(o.Distinct)/float64(o.Rows)
	}
	if o.Validation > 0 {
		o.Leakage = float64(o.Leaked) / float64(o.Validation)
	}
	return err
}
