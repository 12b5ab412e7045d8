package gameindex

import (
	"encoding/binary"
	"fmt"

	"selfplay/datasets"
	"selfplay/encode"
	"selfplay/engine"
)

// worker searches groups. It belongs to one goroutine.
type worker struct {
	*search
	reader  int
	pos     engine.Position
	counter *counter
	rec     engine.Record
}

// scan searches a group.
func (w *worker) scan(o *opened, group int) ([]rowHit, error) {
	r := o.readers[w.reader]
	if r == nil {
		var err error
		if r, err = o.first.Fork(); err != nil {
			return nil, err
		}
		o.readers[w.reader] = r
	}
	t, err := r.Read(group)
	if err != nil {
		return nil, err
	}
	if o.stored {
		return w.scanHashes(o, group, t)
	}
	return w.scanGames(o, newGameTable(t))
}

// scanHashes returns the games of a group of positions that have the hash.
func (w *worker) scanHashes(o *opened, group int, t *encode.Table) (hits []rowHit, err error) {
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
	r, err := o.first.Fork(encode.GameColumn, encode.PlyColumn)
	if err != nil {
		return nil, err
	}
	if t, err = r.Read(group); err != nil {
		return nil, err
	}
	for _, i := range rows {
		row := int(binary.LittleEndian.Uint64(t.Cell(0, i)) - o.commit.FirstGame)
		if row < 0 || row >= o.games() {
			return nil, fmt.Errorf("%w: game %d is not of the shard", datasets.ErrCorrupt, row)
		}
		if n := len(hits); (n == 0 || hits[n-1].row != row) && w.matches(o, row) {
			hits = append(hits, rowHit{row, int(binary.LittleEndian.Uint16(t.Cell(1, i)))})
		}
	}
	return hits, nil
}

// matches reports whether a game is to be searched.
func (w *worker) matches(o *opened, row int) bool {
	return w.q.Within == nil || w.q.Within.fails[o.index][row] == 0
}

// scanGames replays the games of a group.
func (w *worker) scanGames(o *opened, t *gameTable) (hits []rowHit, err error) {
	w.prepare()
	game := encode.ColumnNamed(t.Columns, encode.GameColumn)
	for i := range t.Rows {
		row := int(binary.LittleEndian.Uint64(t.Cell(game, i)) - o.commit.FirstGame)
		if row < 0 || row >= o.games() {
			return nil, fmt.Errorf("%w: game %d is not of the shard", datasets.ErrCorrupt, row)
		}
		if !w.matches(o, row) {
			continue
		}
		t.read(i, &w.rec)
		hit := -1
		err := replay(&w.ix.shape.Game, w.pos, &w.rec, func(ply int) bool {
			if w.isTarget() {
				hit = ply
			}
			return hit < 0
		})
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", o.commit.FirstGame+uint64(row), err)
		}
		if hit >= 0 {
			hits = append(hits, rowHit{row, hit})
		}
	}
	return hits, nil
}

// prepare makes what a replay takes.
func (w *worker) prepare() {
	if w.pos != nil {
		return
	}
	shape := w.ix.shape
	w.pos = shape.Game.New(shape.Variant)
	if m := w.q.Target.material; m != nil {
		w.counter = newCounter(&shape.Game, m)
	}
}

// isTarget reports whether the worker's position is what the search looks for.
func (w *worker) isTarget() bool {
	if w.counter != nil {
		return w.counter.matches(w.pos)
	}
	return w.pos.Hash() == w.q.Target.hash
}
