package gameindex

import (
	"encoding/binary"
	"fmt"

	"selfplay/datasets"
	"selfplay/datasets/plan"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/goroutine"
)

// worker searches groups. It belongs to one goroutine.
type worker struct {
	*search
	part    *datasets.Part // that reader reads
	reader  *datasets.ColumnReader
	pos     engine.Position
	counter *encode.MaterialCounter // nil: the target is a position
	rec     engine.Record
}

func (s *search) newWorker() *worker {
	shape := s.ix.shape
	w := &worker{search: s, pos: shape.Game.New(shape.Variant)}
	if s.q.Target.material != nil {
		w.counter = encode.NewMaterialCounter(&shape.Game)
	}
	return w
}

// searchGroup searches a group and notes the result.
func (w *worker) searchGroup(o *opened, group int) {
	var hits []Hit
	err := goroutine.Catch(func() (err error) { hits, err = w.scan(o, group); return err })
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		o.err = err
		return
	}
	o.groups[group] = append([]Hit{}, hits...) // not nil
	w.hits += len(hits)
}

// scan returns the hits of a group.
func (w *worker) scan(o *opened, group int) ([]Hit, error) {
	part := o.parts[0]
	if group >= o.second {
		part, group = o.parts[len(o.parts)-1], group-o.second
	}
	if w.part != part {
		r, err := o.columns(part)
		if err != nil {
			return nil, err
		}
		w.part, w.reader = part, r
	}
	t, err := w.reader.Read(group)
	if err != nil {
		return nil, err
	}
	if o.stored {
		return w.scanHashes(o, part, group, t)
	}
	return w.scanGames(o, t)
}

// scanHashes returns the games of a group of positions that have the hash.
func (w *worker) scanHashes(o *opened, part *datasets.Part, group int, t *encode.Table) (hits []Hit, err error) {
	var rows []int
	want := w.q.Target.hash
	for row, v := 0, t.Data[0]; len(v) >= 8; row, v = row+1, v[8:] {
		if binary.LittleEndian.Uint64(v) == want {
			rows = append(rows, row)
		}
	}
	if rows == nil {
		return nil, nil
	}
	r, err := part.Columns(plan.PositionsFile, encode.GameColumn, encode.PlyColumn)
	if err != nil {
		return nil, err
	}
	if t, err = r.Read(group); err != nil {
		return nil, err
	}
	for _, i := range rows {
		row, err := o.row(t.Cell(0, i))
		if err != nil {
			return nil, err
		}
		if n := len(hits); row >= 0 && (n == 0 || hits[n-1].Row != row) {
			hits = append(hits, Hit{w.state.game(o.shard, row), int(binary.LittleEndian.Uint16(t.Cell(1, i)))})
		}
	}
	return hits, nil
}

// row returns the place of a game, given the cell with its number; -1 if it is not to be searched.
func (o *opened) row(cell []byte) (int, error) {
	row, err := o.shard.row(cell)
	if err == nil && o.fails != nil && o.fails[row] != 0 {
		row = -1
	}
	return row, err
}

// scanGames replays the games of a group.
func (w *worker) scanGames(o *opened, t *encode.Table) (hits []Hit, err error) {
	for i := range t.Rows {
		row, err := o.row(t.Cell(colGame, i))
		if err != nil {
			return nil, err
		}
		if row < 0 {
			continue
		}
		readGame(t, i, &w.rec)
		hit := -1
		err = replay(&w.ix.shape.Game, w.pos, &w.rec, func(ply int, _ engine.Move) bool {
			if w.isTarget() {
				hit = ply
			}
			return hit < 0
		})
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", o.commit.FirstGame+uint64(row), err)
		}
		if hit >= 0 {
			hits = append(hits, Hit{w.state.game(o.shard, row), hit})
		}
	}
	return hits, nil
}

// isTarget reports whether the worker's position is what the search looks for.
func (w *worker) isTarget() bool {
	if w.counter != nil {
		return w.counter.Of(w.pos).Equal(w.q.Target.material)
	}
	return w.pos.Hash() == w.q.Target.hash
}
