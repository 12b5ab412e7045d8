package engine

import "fmt"

// Record is one finished game: everything that a training row needs and a replay
// cannot recompute. Rows are a pure function of the record.
//
// Actions has one entry per ply. Best, MoveRanks, Scores, Nodes and PolicySize also
// have one entry per ply if either player searched; otherwise they are empty. Nodes is
// 0 at a ply without a search. PolicySize is the number of entries of PolicyAction and
// PolicyWeight that belong to each ply.
type Record struct {
	Game    uint64 // number of the game in the dataset, from 0
	Start   string // text of the first position, "" for the start of the game
	Actions []uint16

	Best      []uint16 // action of the best move found; the played action if the ply was not searched
	MoveRanks []uint8  // rank of the played move in the order of the search: RankBest, 1 for the second best, and so on, or RankRandom
	Scores    []int16  // root score from the view of the side to move
	Nodes     []uint32 // nodes searched

	PolicySize   []uint16
	PolicyAction []uint16
	PolicyWeight []uint16

	// What an earlier search found, if another player has searched the game again since and
	// this was kept: one entry per ply, as in Best, Scores and Nodes. Otherwise empty.
	OldBest   []uint16
	OldScores []int16
	OldNodes  []uint32

	// Tags are what the file of an imported game says about it, "" for what it does not say. Otherwise empty. Package
	// gamerow says which tags.
	Tags []string

	OpeningPlies uint16    // leading plies that were drawn at random
	Players      [2]string // texts of the players First and Second
	Outcome      Outcome
}

// Special values of MoveRanks.
const (
	RankBest   uint8 = 0   // the best move, or the only one searched
	RankRandom uint8 = 255 // drawn at random from the legal moves
)

// Reset empties the record and keeps its memory.
func (r *Record) Reset() {
	r.Forget()
	*r = Record{
		Actions: r.Actions, Best: r.Best, MoveRanks: r.MoveRanks, Scores: r.Scores, Nodes: r.Nodes,
		PolicySize: r.PolicySize, PolicyAction: r.PolicyAction, PolicyWeight: r.PolicyWeight,
		OldBest: r.OldBest, OldScores: r.OldScores, OldNodes: r.OldNodes, Tags: r.Tags[:0],
	}
}

// CopyFrom makes r a copy of another record. It keeps the memory of r.
func (r *Record) CopyFrom(o *Record) {
	r.Forget()
	r.Game, r.Start, r.OpeningPlies, r.Players, r.Outcome = o.Game, o.Start, o.OpeningPlies, o.Players, o.Outcome
	r.Tags = append(r.Tags[:0], o.Tags...)
	r.Append(o)
}

// Append adds the plies of another record to the lists.
func (r *Record) Append(o *Record) {
	r.Actions, r.MoveRanks = append(r.Actions, o.Actions...), append(r.MoveRanks, o.MoveRanks...)
	r.Best, r.Scores, r.Nodes = append(r.Best, o.Best...), append(r.Scores, o.Scores...), append(r.Nodes, o.Nodes...)
	r.PolicySize = append(r.PolicySize, o.PolicySize...)
	r.PolicyAction, r.PolicyWeight = append(r.PolicyAction, o.PolicyAction...), append(r.PolicyWeight, o.PolicyWeight...)
	r.OldBest, r.OldScores, r.OldNodes = append(r.OldBest, o.OldBest...), append(r.OldScores, o.OldScores...), append(r.OldNodes, o.OldNodes...)
}

// Forget removes all plies and keeps their memory; the other fields stay.
func (r *Record) Forget() {
	r.Actions = r.Actions[:0]
	r.Best = r.Best[:0]
	r.MoveRanks = r.MoveRanks[:0]
	r.Scores = r.Scores[:0]
	r.Nodes = r.Nodes[:0]
	r.PolicySize = r.PolicySize[:0]
	r.PolicyAction = r.PolicyAction[:0]
	r.PolicyWeight = r.PolicyWeight[:0]
	r.OldBest = r.OldBest[:0]
	r.OldScores = r.OldScores[:0]
	r.OldNodes = r.OldNodes[:0]
}

// Begin sets p to the first position of a game: start, or the start of the game if
// start is "". It returns an error if start is invalid or no game leads to it.
func Begin(p Position, start string) error {
	if start == "" {
		p.Reset()
		return nil
	}
	if err := p.Set(start); err != nil {
		return err
	}
	if r, ok := p.(Reacher); ok {
		if err := r.Reachable(); err != nil {
			return fmt.Errorf("begin game at %q: %w", start, err)
		}
	}
	return nil
}

// StartPly returns the number of turns before a position by the number of its full move and
// its side to move. It is 0 in games whose texts have no number.
func StartPly(p Position) int {
	n, ok := p.(Numbered)
	if !ok {
		return 0
	}
	return 2*(int(n.FullMove())-1) + int(p.Turn())
}
