package datasets

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/encode"
	"selfplay/engine"
)

// replay makes the positions of a shard again from a sample of its games and
// compares them with the ones that are stored, row by row.
func (ds *Dataset) replay(ctx context.Context, c *Commit, rows RowFunc, sample engine.Fraction) error {
	next, stop := iter.Pull2(ds.Positions(c))
	defer stop()
	stored := &cursor{next: next}
	replayed := encode.NewTable(ds.h.description.Columns)
	counted, dropped, game := results{}, make([]uint64, len(ds.h.plan.Filter)), c.FirstGame
	for r, err := range ds.Games(c) {
		if err != nil {
			return err
		}
		if r.Game != game {
			return fault.Corrupt("game %d stands where game %d belongs", r.Game, game)
		}
		game++
		counted[[2]uint8{uint8(r.Outcome.Result), uint8(r.Outcome.Reason)}]++
		if inSample(r.Game, sample) {
			err = replayGame(r, rows, replayed, dropped, stored)
		} else {
			err = stored.skip(r.Game)
		}
		if err != nil {
			return fmt.Errorf("game %d: %w", r.Game, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	more, err := stored.more()
	if err != nil {
		return err
	}
	if more {
		return fault.Corrupt("rows after the last game")
	}
	if !slices.Equal(counted.counts(), c.Results) {
		return fault.Corrupt("the record counts other results than the games have")
	}
	if all := sample == 0 || sample == engine.One; all && !slices.Equal(ds.h.plan.dropped(dropped), c.Dropped) {
		return fault.Corrupt("the record counts %v rows left out, replay %v", c.Dropped, ds.h.plan.dropped(dropped))
	}
	return nil
}

// inSample reports whether a game is replayed. A larger sample contains a smaller one.
func inSample(game uint64, share engine.Fraction) bool {
	return share == 0 || engine.Fraction(engine.Mix(game)%uint64(engine.One)) < share
}

// replayGame compares the rows of one game.
func replayGame(r *engine.Record, rows RowFunc, t *encode.Table, dropped []uint64, stored *cursor) error {
	t.Reset()
	if err := rows(r, t, dropped); err != nil {
		return fault.Corrupt("replay: %w", err)
	}
	for from := 0; from < t.Rows; {
		more, err := stored.more()
		if err != nil {
			return err
		}
		if !more {
			return fault.Corrupt("rows are missing")
		}
		n := min(t.Rows-from, stored.t.Rows-stored.at)
		if err := colfile.CompareRows(t, from, stored.t, stored.at, n); err != nil {
			return err
		}
		from += n
		stored.at += n
	}
	return nil
}

// cursor walks over the rows of tables.
type cursor struct {
	next func() (*encode.Table, error, bool)
	t    *encode.Table
	at   int
}

// more reports whether there is a row at the cursor.
func (c *cursor) more() (bool, error) {
	for c.t == nil || c.at == c.t.Rows {
		t, err, ok := c.next()
		if !ok || err != nil {
			return false, err
		}
		c.t, c.at = t, 0
	}
	return true, nil
}

// skip leaves out the rows of a game.
func (c *cursor) skip(game uint64) error {
	for {
		more, err := c.more()
		if err != nil || !more {
			return err
		}
		col := slices.IndexFunc(c.t.Columns, func(c encode.Column) bool { return c.Name == gameColumn })
		if binary.LittleEndian.Uint64(c.t.Cell(col, c.at)) != game {
			return nil
		}
		c.at++
	}
}

// gameColumn is the column of the positions that tells the game.
const gameColumn = "game"
