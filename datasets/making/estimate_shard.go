package making

import (
	"bytes"
	"context"

	"selfplay/datasets/colfile"
	"selfplay/datasets/gamerow"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// estimateShard makes one shard in memory: n games from first.
func estimateShard(ctx context.Context, h *plan.File, first, n uint64, o Options) (e Estimate, err error) {
	m := &shardMaker{h: h}
	tables, splits := [][2]*encode.Table{m.tablesOf(0), m.tablesOf(1)}, h.Plan.Splits()
	rows, dropped := o.Rows(), make([]uint64, len(h.Plan.Filter))
	err = o.Play(ctx, plan.Numbers(first, n), nil, func(r *engine.Record) error {
		t := tables[splits.Count(r.Game, 1)]
		e.Games++
		e.Plies += uint64(len(r.Actions))
		gamerow.Append(t[plan.GamesFile], r)
		before := t[plan.PositionsFile].Rows
		err := rows(r, t[plan.PositionsFile], dropped)
		made := float64(t[plan.PositionsFile].Rows - before)
		e.SquaredRows += made * made
		return err
	})
	for i, split := range []string{plan.Train, plan.Validation} {
		if err == nil {
			err = e.addPart(h, split, tables[i])
		}
	}
	return e, err
}

// addPart adds the files of a part with these tables, if it has games.
func (e *Estimate) addPart(h *plan.File, split string, tables [2]*encode.Table) error {
	part := plan.Part{Split: split, Games: uint64(tables[plan.GamesFile].Rows)}
	if part.Games == 0 {
		return nil
	}
	e.Rows += uint64(tables[plan.PositionsFile].Rows)
	e.RowBytes = max(e.RowBytes, rowBytes(tables[plan.PositionsFile]))
	for i, t := range tables {
		size, err := estimateFile(h.Spec(plan.Tables[i], 0, part), t)
		if err != nil {
			return err
		}
		e.Bytes += uint64(size)
	}
	return nil
}

// rowBytes returns the average size of a row in memory.
func rowBytes(t *encode.Table) (size int) {
	for _, data := range t.Data {
		size += len(data)
	}
	return size / max(1, t.Rows)
}

// estimateFile writes a table to a file in memory, checks it as Make does and returns its
// size.
func estimateFile(s colfile.Spec, t *encode.Table) (size int, err error) {
	var file bytes.Buffer
	w, err := colfile.NewWriter(&file, s)
	if err != nil {
		return 0, err
	}
	digest := colfile.NewRowDigest(s.Columns)
	if t.Rows > 0 {
		digest.Add(t)
		if err := w.Write(t); err != nil {
			return 0, err
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	r, err := colfile.NewReader(bytes.NewReader(file.Bytes()), s)
	if err != nil {
		return 0, err
	}
	return file.Len(), record.CheckFull.Compare(r, s, record.FileEntry{Rows: digest.Rows, RowDigest: digest.Sum()})
}

// Estimate holds the size of some games whose files were written to memory.
type Estimate struct {
	Games, Rows, Plies uint64
	SquaredRows        float64 // the sum of the squares of the rows of each game
	Bytes              uint64  // of the files
	RowBytes           int     // of a row in memory
}

// Add adds other games. Rows have the same size in all of them.
func (e *Estimate) Add(other Estimate) {
	e.Games += other.Games
	e.Rows += other.Rows
	e.Plies += other.Plies
	e.SquaredRows += other.SquaredRows
	e.Bytes += other.Bytes
	e.RowBytes = other.RowBytes
}
