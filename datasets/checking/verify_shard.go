package checking

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/colfile"
	"selfplay/datasets/internal/fault"
	"selfplay/datasets/plan"
	"selfplay/datasets/record"
	"selfplay/encode"
	"selfplay/engine"
)

// checkShards checks the files of committed shards. It reads their records again instead
// of keeping them in memory, unless the sizes are all that it checks.
func (v *verifier) checkShards(ctx context.Context, records []record.Shard) error {
	return parallel(ctx, records, func(r record.Shard) {
		if v.Level == VerifyQuick && v.hasSizes(r) {
			v.checked(r.Games, r.Plies)
			return
		}
		c, err := record.Read(v.d, v.file, r.Shard)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was repaired
		case err != nil:
			v.problem(ProblemRecord, r.Shard, plan.CommitName(r.Shard), err)
		default:
			v.checkShard(ctx, c)
		}
	})
}

// hasSizes reports whether the files of a shard are regular files with the recorded sizes.
func (v *verifier) hasSizes(r record.Shard) bool {
	for i, name := range v.file.Plan.DataNames(r.Shard, r.Games) {
		info, err := v.d.FS.Stat(v.d.Path(name))
		if err != nil || !info.Mode().IsRegular() || info.Size() != r.Sizes[i] {
			return false
		}
	}
	return true
}

// checkShard checks the files of a shard. It replays the games only if all files are
// intact.
func (v *verifier) checkShard(ctx context.Context, c *record.Commit) {
	intact := true
	for _, p := range c.Parts() {
		for i, f := range p.Files {
			if kind, err := v.checkFile(p, i); err != nil {
				if v.extended(c) {
					return
				}
				v.problem(kind, c.Shard, f.Name, err)
				intact = false
			}
		}
	}
	if v.Level < VerifyDeep || !intact {
		v.checked(c.Games, c.Plies())
		return
	}
	if err := v.replay(ctx, c); err != nil && ctx.Err() == nil && !v.extended(c) {
		v.problem(ProblemReplay, c.Shard, c.Files[plan.PositionsFile].Name, err)
	}
}

// checked reports games as checked.
func (v *verifier) checked(games, plies uint64) {
	if v.Checked != nil {
		v.Checked(games, plies)
	}
}

// extended reports whether the shard has another record than c by now, or none: a run has extended it.
func (v *verifier) extended(c *record.Commit) bool {
	now, err := record.Read(v.d, v.file, c.Shard)
	return errors.Is(err, fs.ErrNotExist) || err == nil && !now.Same(c)
}

// replay replays the games of a shard. The rules may panic on a record that no game can
// have written; that is ErrCorrupt.
func (v *verifier) replay(ctx context.Context, c *record.Commit) (err error) {
	defer fault.RecoverCorrupt(&err)
	return replay(ctx, datasets.New(v.d, v.file), v.file, c, v.Rows(), v.Sample, v.checked)
}

// checkFile checks file f of a part of a shard.
func (v *verifier) checkFile(p *record.Part, f int) (ProblemKind, error) {
	d, want := v.d, p.Files[f]
	info, err := d.FS.Stat(d.Path(want.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ProblemMissing, fault.Corrupt("%w", err)
	case err != nil:
		return ProblemMissing, err
	case !info.Mode().IsRegular():
		return ProblemMissing, fault.Corrupt("not a regular file")
	case info.Size() != want.Bytes:
		return ProblemSize, fault.Corrupt("%d bytes, want %d", info.Size(), want.Bytes)
	}
	if v.Level >= VerifySums {
		if err := record.CheckSum(d, want.Name, want); err != nil {
			return ProblemSum, err
		}
	}
	if v.Level < VerifyDeep {
		return "", nil
	}
	return ProblemRows, record.CheckFull.Check(d, want.Name, p.Spec(v.file, f), want)
}

// replay checks the positions of a shard against its games. It makes the rows of a sample
// of the games again and compares them with the stored rows; the rows of the other games
// are skipped, and checked is called for all of them. It also compares the results, and the dropped rows if it replays all games.
func replay(ctx context.Context, ds *datasets.Dataset, file *plan.File, c *record.Commit, rows datasets.RowFunc, sample engine.Fraction, checked func(games, plies uint64)) error {
	p := replayer{
		rows: rows, replayed: encode.NewTable(file.Description.Columns), splits: file.Plan.Splits(), stored: map[string]*rowCursor{},
		results: record.ResultCounts{}, dropped: make([]uint64, len(file.Plan.Filter)),
	}
	for _, part := range c.Parts() {
		next, stop := iter.Pull2(ds.Positions(part))
		defer stop()
		p.stored[part.Split] = &rowCursor{next: next}
	}
	game := c.FirstGame
	for r, err := range ds.Games(c.Parts()...) {
		if err != nil {
			return err
		}
		if r.Game != game {
			return fault.Corrupt("game %d, want game %d", r.Game, game)
		}
		game++
		if err := p.check(r, sample); err != nil {
			return fmt.Errorf("game %d: %w", r.Game, err)
		}
		checked(1, uint64(len(r.Actions)))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for _, stored := range p.stored {
		more, err := stored.more()
		if err != nil {
			return err
		}
		if more {
			return fault.Corrupt("rows after the last game")
		}
	}
	return p.checkCounts(file.Plan, c, sample == 0 || sample == engine.One)
}

// inSample reports whether a game is replayed. A larger sample contains every smaller one.
func inSample(game uint64, sample engine.Fraction) bool {
	return sample == 0 || engine.Fraction(engine.Mix(game)%uint64(engine.One)) < sample
}

// replayer replays the games of a shard.
type replayer struct {
	rows     datasets.RowFunc
	replayed *encode.Table // the rows of one game
	splits   plan.Splits
	stored   map[string]*rowCursor // by split
	results  record.ResultCounts
	dropped  []uint64
}

// check compares the stored rows of a game, or skips them if the game is not in the
// sample.
func (p *replayer) check(r *engine.Record, sample engine.Fraction) error {
	p.results.Add(r.Outcome)
	stored := p.stored[p.splits.Of(r.Game)]
	if !inSample(r.Game, sample) {
		return stored.skip(r.Game)
	}
	p.replayed.Reset()
	if err := p.rows(r, p.replayed, p.dropped); err != nil {
		return fault.Corrupt("replay: %w", err)
	}
	for from := 0; from < p.replayed.Rows; {
		more, err := stored.more()
		if err != nil {
			return err
		}
		if !more {
			return fault.Corrupt("rows are missing")
		}
		n := min(p.replayed.Rows-from, stored.t.Rows-stored.row)
		if err := colfile.CompareRows(p.replayed, from, stored.t, stored.row, n); err != nil {
			return err
		}
		from += n
		stored.row += n
	}
	return nil
}

// checkCounts compares the counts of the record. Dropped rows are known only if all games
// were replayed.
func (p *replayer) checkCounts(plan plan.Plan, c *record.Commit, all bool) error {
	if !slices.Equal(p.results.List(), c.Results) {
		return fault.Corrupt("the record has results %v, the games have %v", c.Results, p.results.List())
	}
	if dropped := record.DroppedRows(plan, p.dropped); all && !slices.Equal(dropped, c.Dropped) {
		return fault.Corrupt("the record has dropped rows %v, replay gives %v", c.Dropped, dropped)
	}
	return nil
}

// rowCursor walks over the rows of a sequence of tables.
type rowCursor struct {
	next func() (*encode.Table, error, bool)
	t    *encode.Table // nil before the first table
	row  int           // of t
}

// more reports whether there is a row at the cursor. It moves to the next table if
// necessary.
func (c *rowCursor) more() (bool, error) {
	for c.t == nil || c.row == c.t.Rows {
		t, err, ok := c.next()
		if !ok || err != nil {
			return false, err
		}
		c.t, c.row = t, 0
	}
	return true, nil
}

// skip moves past the rows of a game.
func (c *rowCursor) skip(game uint64) error {
	for {
		more, err := c.more()
		if err != nil || !more {
			return err
		}
		col := slices.IndexFunc(c.t.Columns, func(c encode.Column) bool { return c.Name == gameColumn })
		if binary.LittleEndian.Uint64(c.t.Cell(col, c.row)) != game {
			return nil
		}
		c.row++
	}
}

// gameColumn is the name of the positions column that holds the game number.
const gameColumn = "game"
