package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"selfplay/engine"
)

// Columns of the positions table, in order.
const (
	colGame = iota
	colPly
	colSide
	colBoard
	colAction
	colBestAction
	colRank
	colSearched
	colScore
	colOutcome
	colReason
	colPliesLeft
	colNodes
	colPolicyAction // where games are searched
	colPolicyWeight
)

// PositionColumns returns the columns of the positions table, one row a decision, of
// games that are searched or not.
func PositionColumns(l *Layout, searched bool) []Column {
	list := []Column{
		colGame:       {Name: "game", Kind: Uint64, Doc: "number of the game in the dataset, from 0"},
		colPly:        {Name: "ply", Kind: Uint16, Doc: "decisions made before this one, from 0"},
		colSide:       {Name: "side", Kind: Uint8, Doc: "who decides: 0 the side that moves first, 1 the other"},
		colBoard:      {Name: "board", Kind: l.Kind, Len: l.Len(), Doc: "the position before the decision, layout " + l.Name},
		colAction:     {Name: "action", Kind: Uint16, Doc: "number of the move that was played", Label: true},
		colBestAction: {Name: "best_action", Kind: Uint16, Doc: "number of the best move found; equals action where nothing was searched", Label: true},
		colRank:       {Name: "rank", Kind: Uint8, Doc: "0 the best move or the only one looked at, n the n-th by root score, 255 drawn at random"},
		colSearched:   {Name: "searched", Kind: Bool, Doc: "whether score, nodes and policy mean something"},
		colScore:      {Name: "score", Kind: Int16, Doc: "root score in centi-units, seen by the side that decides"},
		colOutcome:    {Name: "outcome", Kind: Int8, Doc: "end of the game seen by the side that decides: 1 won, -1 lost, 0 drawn or cut off"},
		colReason:     {Name: "reason", Kind: Uint8, Doc: "how the game ended, by number (see reasons in the metadata)"},
		colPliesLeft:  {Name: "plies_left", Kind: Uint16, Doc: "decisions from this one to the end of the game, this one included"},
		colNodes:      {Name: "nodes", Kind: Uint32, Doc: "nodes searched for this decision"},
	}
	if searched {
		list = append(list,
			Column{Name: "policy_action", Kind: Uint16, Len: Var, Doc: "numbers of the moves that the search has an opinion of, the best first; empty where there was none"},
			Column{Name: "policy_weight", Kind: Uint16, Len: Var, Doc: "what each of these weighs, to be divided by their sum: visits, or a softmax of root scores"},
		)
	}
	return list
}

// Replayer turns records into rows by playing them again. It owns a position and
// belongs to one goroutine.
type Replayer struct {
	game   Game
	layout *Layout
	pos    engine.Position
}

// NewReplayer returns a replayer for games of a variant of g in layout l.
func NewReplayer(g Game, variant string, l *Layout) *Replayer {
	return &Replayer{game: g, layout: l, pos: g.New(variant)}
}

// Append adds one row a decision of rec to t, a table of PositionColumns. It never
// searches. A record that does not fit the rules is an error; t then holds part of
// its rows and must be dropped.
func (r *Replayer) Append(rec *engine.Record, t *Table) error {
	if err := r.start(rec); err != nil {
		return fmt.Errorf("replay game %d: %w", rec.Game, err)
	}
	n := len(rec.Actions)
	sides, outcomes, board := t.Grow(colSide, n), t.Grow(colOutcome, n), t.Data[colBoard]
	for ply, action := range rec.Actions {
		m, err := r.game.Actions.Move(r.pos, action)
		if err != nil {
			return fmt.Errorf("replay game %d: ply %d: %w", rec.Game, ply, err)
		}
		side := r.pos.Turn()
		sides[ply] = byte(side)
		outcomes[ply] = byte(rec.Outcome.For(side))
		board = r.layout.Encode(board, r.pos)
		r.pos.Do(m)
	}
	t.Data[colBoard] = board
	addRecord(rec, t)
	t.Rows += n
	if o := rec.Outcome; o.Reason != engine.PlyLimit && o.Reason != engine.Adjudicated {
		if have := r.pos.Outcome(); have != o {
			return fmt.Errorf("replay game %d: it ends with %v after %d plies, the record says %v",
				rec.Game, have.Reason, len(rec.Actions), o.Reason)
		}
	}
	return nil
}

// start checks the shape of a record and sets its first position up.
func (r *Replayer) start(rec *engine.Record) error {
	n := len(rec.Actions)
	switch {
	case n > math.MaxUint16:
		return fmt.Errorf("%d plies: at most %d fit a row", n, math.MaxUint16)
	case len(rec.Ranks) != n:
		return fmt.Errorf("%d plies but %d ranks", n, len(rec.Ranks))
	case len(rec.Nodes) != 0 && len(rec.Nodes) != n || len(rec.Scores) != len(rec.Nodes) || len(rec.Best) != len(rec.Nodes):
		return errors.New("scores, nodes and best moves are not one a ply")
	}
	if err := checkPolicy(rec); err != nil {
		return err
	}
	return engine.Begin(r.pos, rec.Start)
}

// checkPolicy checks that the policies of all plies are there.
func checkPolicy(rec *engine.Record) error {
	sum := 0
	for _, size := range rec.PolicySize {
		sum += int(size)
	}
	if len(rec.PolicySize) != len(rec.Nodes) || sum != len(rec.PolicyAction) || sum != len(rec.PolicyWeight) {
		return errors.New("policies do not add up")
	}
	return nil
}

// addRecord fills the columns that follow from the record without playing it.
func addRecord(rec *engine.Record, t *Table) {
	n := len(rec.Actions)
	t.Fill(colGame, n, rec.Game)
	t.Fill(colReason, n, uint64(rec.Outcome.Reason))
	t.AddBytes(colRank, rec.Ranks)
	action, best, found := t.Grow(colAction, n), t.Grow(colBestAction, n), rec.Best
	if len(found) == 0 {
		found = rec.Actions
	}
	ply, left := t.Grow(colPly, n), t.Grow(colPliesLeft, n)
	for i, a := range rec.Actions {
		binary.LittleEndian.PutUint16(action[2*i:], a)
		binary.LittleEndian.PutUint16(best[2*i:], found[i])
		binary.LittleEndian.PutUint16(ply[2*i:], uint16(i))
		binary.LittleEndian.PutUint16(left[2*i:], uint16(n-i))
	}
	addSearch(rec, t)
	if len(t.Columns) > colPolicyAction {
		addPolicy(rec, t)
	}
}

// addPolicy fills the columns of the policy.
func addPolicy(rec *engine.Record, t *Table) {
	at := 0
	for ply := range rec.Actions {
		size := 0
		if len(rec.PolicySize) > 0 {
			size = int(rec.PolicySize[ply])
		}
		for i := at; i < at+size; i++ {
			t.AddUint16(colPolicyAction, rec.PolicyAction[i])
			t.AddUint16(colPolicyWeight, rec.PolicyWeight[i])
		}
		at += size
		t.End(colPolicyAction)
		t.End(colPolicyWeight)
	}
}

// addSearch fills the columns that mean something where the player searched.
func addSearch(rec *engine.Record, t *Table) {
	n := len(rec.Actions)
	if len(rec.Nodes) == 0 {
		t.Fill(colSearched, n, 0)
		t.Fill(colScore, n, 0)
		t.Fill(colNodes, n, 0)
		return
	}
	for ply, nodes := range rec.Nodes {
		var searched uint8
		var score int16
		if nodes != 0 {
			searched, score = 1, rec.Scores[ply]
		}
		t.AddUint8(colSearched, searched)
		t.AddUint16(colScore, uint16(score))
		t.AddUint32(colNodes, nodes)
	}
}
