// Package query chooses rows of a dataset by conditions on rows and their games, or at random, and adds texts to
// them. Rows and texts do not depend on the layout, the perspective or the columns of the dataset.
//
// Conditions are answered by the cheapest data that can: the commit record of a shard, columns of its rows, and
// last the records of games, of which only those with rows that may match are replayed.
//
// A Sample draws rows at random, each at most once. Which rows are drawn depends on the seed and on the rows of the
// dataset only, not on the format of its files.
package query

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
)

// Query says which rows of a dataset are read, and how. Several goroutines may use it.
type Query struct {
	Dataset *datasets.Dataset
	// Shape is that of the dataset. It is nil for a game that this program does not know; then Where
	// is nil and Text false.
	Shape *rows.Shape
	Where *encode.Where // nil: all rows
	Text  bool          // adds texts beside numbers
}

// Columns returns the columns of the tables.
func (q *Query) Columns() []encode.Column {
	columns := q.Dataset.Description().Columns
	if q.Text {
		columns = TextColumns(columns)
	}
	return columns
}

// Head returns the first n rows that match, or all if fewer do.
func (q *Query) Head(ctx context.Context, n int) (*encode.Table, error) {
	head := encode.NewTable(q.Columns())
	parts, err := q.Dataset.Parts()
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		for t, err := range q.Tables(p) {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				return nil, &datasets.ShardError{Op: "read", Shard: p.Shard, Err: err}
			}
			colfile.AppendRows(head, t, 0, min(t.Rows, n-head.Rows))
			if head.Rows == n {
				return head, nil
			}
		}
	}
	return head, nil
}

// Tables is Rows.Tables for callers that read a part once.
func (q *Query) Tables(p *record.Part) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		r, err := q.Rows(p)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close()
		r.Tables()(yield)
	}
}

// MayMatch reports whether a part can have a decision that matches, by the commit record of its shard.
func (q *Query) MayMatch(p *record.Part) bool {
	return q.Where == nil || q.Where.MayMatch(&q.Shape.Game, p.Commit.FirstGame, p.Commit.FirstGame+p.Commit.Games, p.Outcomes())
}

// Games returns a function that reports whether a game has a decision that matches, for one goroutine. It replays a
// game only for conditions on positions, and only if what its record says of game and decisions leaves some.
func (q *Query) Games() func(r *engine.Record) (bool, error) {
	if q.Where == nil {
		return func(*engine.Record) (bool, error) { return true, nil }
	}
	replayer := q.newReplayer(q.Where)
	return func(r *engine.Record) (bool, error) {
		n, err := replayer.Count(r)
		return n > 0, err
	}
}

// newReplayer returns a replayer that keeps the decisions that match.
func (q *Query) newReplayer(w *encode.Where) *encode.Replayer {
	view := encode.View{Layout: q.Shape.Layout, Filter: encode.Filter{Where: w}}
	return encode.NewReplayer(q.Shape.Game, q.Shape.Variant, view)
}

// Rows are the rows of a part of a shard that match, by their numbers from 0.
type Rows struct {
	*datasets.Part
	q    *Query
	bits []uint64 // one for each row of the part; nil: all match
}

// Rows finds the rows of a part that match. The caller calls Close; the rows may be read after it.
func (q *Query) Rows(p *record.Part) (*Rows, error) {
	r := &Rows{Part: q.Dataset.Part(p), q: q}
	if q.Where == nil {
		return r, nil
	}
	r.bits = make([]uint64, (p.Rows+63)/64)
	if !q.MayMatch(p) {
		return r, nil
	}
	err := r.find()
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Has reports whether a row matches.
func (r *Rows) Has(row int) bool {
	return r.bits == nil || row/64 < len(r.bits) && r.bits[row/64]>>(row%64)&1 != 0
}

// Count returns the number of rows.
func (r *Rows) Count() (n uint64) {
	if r.bits == nil {
		return r.Of.Rows
	}
	for _, word := range r.bits {
		n += uint64(bits.OnesCount64(word))
	}
	return n
}

// Tables yields the rows in order, with texts if the query has them. A table is valid until the next one. An
// error ends the sequence.
func (r *Rows) Tables() iter.Seq2[*encode.Table, error] {
	if r.bits == nil {
		return r.WithTexts(r.Part.Rows(nil))
	}
	if r.Count() == 0 {
		return func(func(*encode.Table, error) bool) {}
	}
	return r.WithTexts(r.Part.Rows(func(first, end int) (rows []int) {
		for row := first; row < end; row++ {
			if r.Has(row) {
				rows = append(rows, row-first)
			}
		}
		return rows
	}))
}

// find sets bits by the columns of the rows, and by the records of those games that have rows that may match then.
func (r *Rows) find() error {
	stored, others := r.q.Where.ByColumns(r.q.Dataset.Description().Columns)
	f := &finder{bits: r.bits}
	var names []string
	if stored != nil {
		f.byColumns = r.q.Shape.Game.NewRowMatcher(stored)
		names = f.byColumns.Columns()
	}
	if others != nil {
		f.byGames = &gameMatcher{records: newRecords(r.Games()), replayer: r.q.newReplayer(others), bits: r.bits}
		defer f.byGames.stop()
		names = append(names, encode.GameColumn, encode.PlyColumn)
		slices.Sort(names)
		names = slices.Compact(names)
	}
	columns, err := r.Part.Columns(plan.PositionsFile, names...)
	if err != nil {
		return err
	}
	first := 0 // row of the group
	for group := range columns.Groups() {
		t, err := columns.Read(group)
		if err == nil && first+t.Rows > 64*len(r.bits) {
			err = fmt.Errorf("%w: more rows than the commit record has", datasets.ErrCorrupt)
		}
		for from := 0; err == nil && from < t.Rows; from += blockRows {
			err = f.add(t, from, min(from+blockRows, t.Rows), first)
		}
		if err != nil {
			return err
		}
		first += t.Rows
	}
	if others == nil {
		return nil
	}
	return f.byGames.end()
}

// blockRows is the number of rows that are looked at together: few enough for the caches of a processor.
const blockRows = 4096

// finder sets the bits of rows that match. Without a matcher, every row passes its stage.
type finder struct {
	bits      []uint64
	byColumns *encode.RowMatcher
	byGames   *gameMatcher
	rows      []int
}

// add looks at the rows of a table from from up to, but not including, to. first is the number of its first row.
func (f *finder) add(t *encode.Table, from, to, first int) (err error) {
	f.rows = f.rows[:0]
	for row := from; row < to; row++ {
		f.rows = append(f.rows, row)
	}
	rows := f.rows
	if f.byColumns != nil {
		rows, err = f.byColumns.Match(t, rows)
	}
	for _, row := range rows {
		number := first + row
		if f.byGames == nil {
			f.bits[number/64] |= 1 << (number % 64)
			continue
		}
		err = f.byGames.add(t, row, number)
		if err != nil {
			return err
		}
	}
	return err
}

// gameMatcher sets the bits of rows that match by the records of their games. It collects the rows of a game,
// and replays it once.
type gameMatcher struct {
	*records
	replayer *encode.Replayer
	bits     []uint64

	game  uint64
	plies []uint16 // of the game, and their rows
	rows  []int
}

// add adds a row of a table, which has a number in the part.
func (m *gameMatcher) add(t *encode.Table, row, number int) error {
	game := binary.LittleEndian.Uint64(t.Cell(encode.ColumnNamed(t.Columns, encode.GameColumn), row))
	ply := binary.LittleEndian.Uint16(t.Cell(encode.ColumnNamed(t.Columns, encode.PlyColumn), row))
	if game != m.game {
		err := m.end()
		if err != nil {
			return err
		}
	}
	if n := len(m.plies); n > 0 && ply <= m.plies[n-1] {
		return fmt.Errorf("%w: game %d: a row of ply %d follows one of ply %d", datasets.ErrCorrupt, game, ply, m.plies[n-1])
	}
	m.game, m.plies, m.rows = game, append(m.plies, ply), append(m.rows, number)
	return nil
}

// end sets the bits of the collected rows that match.
func (m *gameMatcher) end() error {
	if len(m.plies) == 0 {
		return nil
	}
	_, err := m.records.find(m.game)
	if err != nil {
		return err
	}
	if n := len(m.rec.Actions); int(m.plies[len(m.plies)-1]) >= n {
		return fmt.Errorf("%w: game %d of %d plies has a row of ply %d", datasets.ErrCorrupt, m.game, n, m.plies[len(m.plies)-1])
	}
	matching, err := m.replayer.Plies(m.rec, m.plies)
	if err != nil {
		return err
	}
	for i, ply := range m.plies {
		if len(matching) > 0 && matching[0] == ply {
			m.bits[m.rows[i]/64] |= 1 << (m.rows[i] % 64)
			matching = matching[1:]
		}
	}
	m.plies, m.rows = m.plies[:0], m.rows[:0]
	return nil
}

// records has the records of games, which are read beside their rows: both are in the order of the
// games. It belongs to one goroutine.
type records struct {
	read func() (*engine.Record, error, bool)
	stop func() // ends reading
	rec  *engine.Record
}

func newRecords(games iter.Seq2[*engine.Record, error]) *records {
	read, stop := iter.Pull2(games)
	return &records{read: read, stop: stop}
}

// find sets rec to the record of a game, which must not come before that of the last call. It reports
// whether rec has changed.
func (r *records) find(game uint64) (changed bool, err error) {
	for r.rec == nil || r.rec.Game < game {
		rec, err, more := r.read()
		if err != nil {
			return false, err
		}
		if !more {
			return false, fmt.Errorf("%w: game %d has rows but no record", datasets.ErrCorrupt, game)
		}
		r.rec, changed = rec, true
	}
	if r.rec.Game != game {
		return false, fmt.Errorf("%w: rows of game %d follow those of game %d", datasets.ErrCorrupt, game, r.rec.Game)
	}
	return changed, nil
}
