package engine

import "fmt"

// Record is one finished game: everything a training row needs that replaying
// the game cannot recompute. It is the truth of a dataset; rows are a pure
// function of it.
//
// Actions and Ranks have one entry a ply. Best, Scores, Nodes and PolicySize have one
// a ply if either player searched, and are empty otherwise; a ply that was not
// searched has 0 nodes. PolicySize tells how many of PolicyAction and PolicyWeight
// belong to each ply.
type Record struct {
	Game    uint64 // number in the dataset, from 0
	Start   string // text of the first position, "" for the game's start
	Actions []uint16

	Best      []uint16 // action of the best move found; that of the ply if it was not searched
	MoveRanks []uint8  // RankBest, n for the n-th best by root score, or RankRandom
	Scores    []int16  // root score, mover's view
	Nodes     []uint32 // nodes searched

	PolicySize   []uint16
	PolicyAction []uint16
	PolicyWeight []uint16

	OpeningPlies uint16    // leading plies that were drawn, not decided
	Players      [2]string // who played First and Second
	Outcome      Outcome
}

// Ranks that are not "n-th best".
const (
	RankBest   uint8 = 0   // the best move by root score, or the only one looked at
	RankRandom uint8 = 255 // drawn at random from the legal moves
)

// Reset empties the record and keeps its memory.
func (r *Record) Reset() {
	r.Forget()
	*r = Record{
		Actions: r.Actions, Best: r.Best, MoveRanks: r.MoveRanks, Scores: r.Scores, Nodes: r.Nodes,
		PolicySize: r.PolicySize, PolicyAction: r.PolicyAction, PolicyWeight: r.PolicyWeight,
	}
}

// Forget drops the plies and keeps their memory.
func (r *Record) Forget() {
	r.Actions = r.Actions[:0]
	r.Best = r.Best[:0]
	r.MoveRanks = r.MoveRanks[:0]
	r.Scores = r.Scores[:0]
	r.Nodes = r.Nodes[:0]
	r.PolicySize = r.PolicySize[:0]
	r.PolicyAction = r.PolicyAction[:0]
	r.PolicyWeight = r.PolicyWeight[:0]
}

// Begin sets p to the first position of a game: that of the text, or the game's
// start if start is "". What no game leads to is refused as a beginning too.
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
