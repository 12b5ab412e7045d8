package query

import (
	"fmt"
	"iter"

	"selfplay/datasets"
	"selfplay/engine"
)

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
