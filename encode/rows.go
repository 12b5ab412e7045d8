package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"selfplay/engine"
)

// View describes how games become rows: what a row contains, from which point of view, and
// which decisions get a row. All of it is in the plan of a dataset, because the rows of a
// record are a pure function of the record and the View.
type View struct {
	Layout   *Layout
	Searched bool     // the games were searched: the table has policy columns
	Caps     bool     // some searches were cheap: the table says which were full
	Old      bool     // the table has columns with what an earlier search found
	Extra    []string // names of the extra columns
	// Deblunder adds the column of value targets; nil: no such column.
	Deblunder *Deblunder
	// Mover shows every row from the view of the side to move: where the second side is to
	// move, the board and all action numbers are flipped (see Layout.Flip), so that the
	// input of a network and the index of its policy agree. The column side is not flipped.
	// Layouts without Flip are always seen so: see SeenByMover.
	Mover  bool
	Filter Filter
	Seed   uint64 // of the plan; sampling depends on it
}

// SeenByMover reports whether rows are seen from the side to move: on request, and in a
// layout whose boards are always seen so. Actions follow the board.
func (v *View) SeenByMover() bool { return v.Mover || v.Layout.Flip == nil }

// flipped reports whether the rows of a side are flipped.
func (v *View) flipped(side byte) bool { return side != 0 && v.SeenByMover() }

// Replayer turns records into rows by replaying them. It owns a position; only one
// goroutine may use it.
type Replayer struct {
	game    Game
	view    View
	pos     engine.Position
	flip    func(values []byte) // flips boards of the second side; nil: boards are not flipped
	parts   int                 // number of parts of the filter
	counted []uint64            // dropped rows of Count, not used
	choice  choice
	extra   extra
	full    int // index of the column of full searches, -1 without it
	old     int // index of the first column of an earlier search, -1 without them
	value   int // index of the column of value targets, -1 without it
	turns   []engine.Side
	values  []int16
	// material counts the pieces for Filter.Where; nil without it.
	material *MaterialCounter
	look     look // of Filter.Where
}

// NewReplayer returns a replayer that makes the rows of v from games of a variant of g.
func NewReplayer(g Game, variant string, v View) *Replayer {
	r := &Replayer{game: g, view: v, pos: g.New(variant), parts: len(v.Filter.Texts())}
	if v.SeenByMover() {
		r.flip = v.Layout.Flip
	}
	r.counted = make([]uint64, r.parts)
	if v.Filter.Where != nil {
		r.material = NewMaterialCounter(&r.game)
		r.look = look{Replayer: r, game: &r.game, reasons: r.game.AllReasons()}
	}
	r.extra = newExtra(v)
	r.full = ColumnNamed(v.Columns(), FullSearchColumn)
	r.old, r.value = ColumnNamed(v.Columns(), OldBestActionColumn), ColumnNamed(v.Columns(), ValueTargetColumn)
	return r
}

// Append adds the rows of rec to t, a table with the view's columns: one row per decision
// that the filter keeps. It adds the numbers of dropped rows to dropped, which has one
// counter per part of the filter. Append never searches.
//
// A record that does not fit the rules is an error, even if none of its rows is kept. After
// an error t holds a part of the rows and must be discarded.
func (r *Replayer) Append(rec *engine.Record, t *Table, dropped []uint64) error {
	err := r.game.checkRecord(rec)
	if err == nil {
		err = r.append(rec, t, dropped)
	}
	if err != nil {
		return fmt.Errorf("replay game %d: %w", rec.Game, err)
	}
	return nil
}

// Count returns the number of rows that Append would add.
func (r *Replayer) Count(rec *engine.Record) (int, error) {
	plies, err := r.Plies(rec, nil)
	return len(plies), err
}

// Plies returns the plies of the rows that Append would add, ascending, or those of them that are among some
// plies, which ascend; nil stands for all. It replays the game as far as it must. The list is valid until the
// next call.
func (r *Replayer) Plies(rec *engine.Record, among []uint16) (plies []uint16, err error) {
	err = r.game.checkRecord(rec)
	if err == nil {
		clear(r.counted)
		plies, err = r.choose(rec, among, r.counted)
	}
	if err != nil {
		return nil, fmt.Errorf("replay game %d: %w", rec.Game, err)
	}
	return plies, nil
}

func (r *Replayer) append(rec *engine.Record, t *Table, dropped []uint64) error {
	plies, err := r.choose(rec, nil, dropped)
	if err != nil {
		return err
	}
	if err := engine.Begin(r.pos, rec.Start); err != nil {
		return err
	}
	n := len(plies)
	sides, outcomes, board := t.Grow(colSide, n), t.Grow(colOutcome, n), t.Data[colBoard]
	row, d := 0, decision{startPly: engine.StartPly(r.pos)}
	clear(r.extra.visits)
	r.turns = r.turns[:0]
	for ply, action := range rec.Actions {
		m, err := r.game.Actions.Move(r.pos, action)
		if err != nil {
			return fmt.Errorf("ply %d: %w", ply, err)
		}
		if r.extra.visits != nil { // rows that the filter drops count, too
			d.earlier = r.extra.visits.add(r.pos.Hash())
		}
		if r.value >= 0 { // rows that the filter drops may be blunders
			r.turns = append(r.turns, r.pos.Turn())
		}
		if row < n && int(plies[row]) == ply {
			side, start := r.pos.Turn(), len(board)
			sides[row] = byte(side)
			outcomes[row] = byte(rec.Outcome.For(side))
			board = r.view.Layout.Encode(board, r.pos)
			if side == engine.Second && r.flip != nil {
				r.flip(board[start:])
			}
			d.move = m
			r.addExtra(t, d)
			row++
		}
		r.pos.Do(m)
	}
	t.Data[colBoard] = board
	r.addRecord(rec, t, plies)
	if r.view.SeenByMover() {
		r.flipActions(t, sides)
	}
	t.Rows += n
	return r.checkEnd(rec)
}

// checkEnd compares the outcome of the final position with the record. Games that were
// adjudicated or cut off have no outcome of their own.
func (r *Replayer) checkEnd(rec *engine.Record) error {
	o := rec.Outcome
	if o.Reason == engine.PlyLimit || o.Reason == engine.Adjudicated {
		return nil
	}
	if have := r.pos.Outcome(); have != o {
		return fmt.Errorf("the game ends with %q after %d plies, the record says %q", r.game.ReasonName(have.Reason), len(rec.Actions), r.game.ReasonName(o.Reason))
	}
	return nil
}

// checkRecord checks the lengths and ranges of a record.
func (g *Game) checkRecord(rec *engine.Record) error {
	n := len(rec.Actions)
	switch {
	case n > math.MaxUint16:
		return fmt.Errorf("%d plies, want at most %d", n, math.MaxUint16)
	case len(rec.MoveRanks) != n:
		return fmt.Errorf("%d plies but %d ranks", n, len(rec.MoveRanks))
	case len(rec.Nodes) != 0 && len(rec.Nodes) != n || len(rec.Scores) != len(rec.Nodes) || len(rec.Best) != len(rec.Nodes):
		return errors.New("scores, nodes and best moves: want one of each per ply")
	case len(rec.OldNodes) != 0 && len(rec.OldNodes) != n || len(rec.OldScores) != len(rec.OldNodes) || len(rec.OldBest) != len(rec.OldNodes):
		return errors.New("old scores, nodes and best moves: want one of each per ply")
	case rec.Outcome.Result > engine.Draw || !g.hasReason(rec.Outcome.Reason):
		return fmt.Errorf("unknown result %d or reason %d", rec.Outcome.Result, rec.Outcome.Reason)
	}
	return checkPolicy(rec)
}

// checkPolicy checks that the sizes of the policies add up.
func checkPolicy(rec *engine.Record) error {
	sum := 0
	for _, size := range rec.PolicySize {
		sum += int(size)
	}
	if len(rec.PolicySize) != len(rec.Nodes) || sum != len(rec.PolicyAction) || sum != len(rec.PolicyWeight) {
		return errors.New("sizes of policies do not add up to their entries")
	}
	return nil
}

// addRecord fills the columns that need the record but no position.
func (r *Replayer) addRecord(rec *engine.Record, t *Table, plies []uint16) {
	n := len(plies)
	t.Fill(colGame, n, rec.Game)
	t.Fill(colReason, n, uint64(rec.Outcome.Reason))
	actions, bests, best := t.Grow(colAction, n), t.Grow(colBestAction, n), rec.Best
	if len(best) == 0 {
		best = rec.Actions
	}
	ranks, numbers, left := t.Grow(colMoveRank, n), t.Grow(colPly, n), t.Grow(colPliesLeft, n)
	for i, ply := range plies {
		binary.LittleEndian.PutUint16(actions[2*i:], rec.Actions[ply])
		binary.LittleEndian.PutUint16(bests[2*i:], best[ply])
		ranks[i] = rec.MoveRanks[ply]
		binary.LittleEndian.PutUint16(numbers[2*i:], ply)
		binary.LittleEndian.PutUint16(left[2*i:], uint16(len(rec.Actions)-int(ply)))
	}
	addSearch(rec, t, plies)
	if r.view.Searched {
		addPolicy(rec, t, plies)
	}
	if r.full >= 0 {
		r.addFull(rec, t, plies)
	}
	if r.old >= 0 {
		r.addOld(rec, t, plies)
	}
	if r.value >= 0 {
		r.addValues(rec, t, plies)
	}
}

// addFull fills the column of full searches.
func (r *Replayer) addFull(rec *engine.Record, t *Table, plies []uint16) {
	for _, ply := range plies {
		full := uint8(0)
		if rated(rec, int(ply)) {
			full = 1
		}
		t.AddUint8(r.full, full)
	}
}

// addOld fills the columns of an earlier search, with zeros where there was none.
func (r *Replayer) addOld(rec *engine.Record, t *Table, plies []uint16) {
	for _, ply := range plies {
		best, score, nodes := rec.Actions[ply], int16(0), uint32(0)
		if len(rec.OldNodes) > 0 && rec.OldNodes[ply] > 0 {
			best, score, nodes = rec.OldBest[ply], rec.OldScores[ply], rec.OldNodes[ply]
		}
		t.AddUint16(r.old, best)
		t.AddUint16(r.old+1, uint16(score))
		t.AddUint32(r.old+2, nodes)
	}
}

// addValues fills the column of value targets.
func (r *Replayer) addValues(rec *engine.Record, t *Table, plies []uint16) {
	r.values = r.view.Deblunder.Values(rec, r.turns, r.values)
	for _, ply := range plies {
		t.AddUint16(r.value, uint16(r.values[ply]))
	}
}

// addPolicy fills the policy columns.
func addPolicy(rec *engine.Record, t *Table, plies []uint16) {
	begin, next := 0, 0
	for _, ply := range plies {
		for ; next < int(ply) && next < len(rec.PolicySize); next++ {
			begin += int(rec.PolicySize[next])
		}
		size := 0
		if len(rec.PolicySize) > 0 {
			size = int(rec.PolicySize[ply])
		}
		for i := begin; i < begin+size; i++ {
			t.AddUint16(colPolicyAction, rec.PolicyAction[i])
			t.AddUint16(colPolicyWeight, rec.PolicyWeight[i])
		}
		t.End(colPolicyAction)
		t.End(colPolicyWeight)
	}
}

// addSearch fills the columns of search results, with zeros for unsearched decisions.
func addSearch(rec *engine.Record, t *Table, plies []uint16) {
	n := len(plies)
	if len(rec.Nodes) == 0 {
		t.Fill(colSearched, n, 0)
		t.Fill(colScore, n, 0)
		t.Fill(colNodes, n, 0)
		return
	}
	for _, ply := range plies {
		var wasSearched uint8
		var score int16
		if searched(rec, int(ply)) {
			wasSearched, score = 1, rec.Scores[ply]
		}
		t.AddUint8(colSearched, wasSearched)
		t.AddUint16(colScore, uint16(score))
		t.AddUint32(colNodes, rec.Nodes[ply])
	}
}

// flipActions flips the action columns of the rows that were just added. sides holds the
// side to move of each.
func (r *Replayer) flipActions(t *Table, sides []byte) {
	flip := func(values []byte) {
		for ; len(values) > 0; values = values[2:] {
			binary.LittleEndian.PutUint16(values, r.game.Actions.Flip(binary.LittleEndian.Uint16(values)))
		}
	}
	for i, side := range sides {
		if !r.view.flipped(side) {
			continue
		}
		flip(t.Cell(colAction, t.Rows+i))
		flip(t.Cell(colBestAction, t.Rows+i))
		if r.view.Searched {
			flip(t.Cell(colPolicyAction, t.Rows+i))
		}
		if r.old >= 0 {
			flip(t.Cell(r.old, t.Rows+i))
		}
	}
}

// Replay replays the game of a record on pos. It calls look for every decision, with the
// position before the move on pos, and leaves the final position on pos. A record that
// does not fit the rules is an error.
func (g *Game) Replay(pos engine.Position, rec *engine.Record, look func(ply int, m engine.Move)) error {
	err := g.checkRecord(rec) // look may index ranks and scores by ply
	if err == nil {
		err = engine.Begin(pos, rec.Start)
	}
	if err != nil {
		return fmt.Errorf("replay game %d: %w", rec.Game, err)
	}
	for ply, action := range rec.Actions {
		m, err := g.Actions.Move(pos, action)
		if err != nil {
			return fmt.Errorf("replay game %d: ply %d: %w", rec.Game, ply, err)
		}
		look(ply, m)
		pos.Do(m)
	}
	return nil
}
