package engine

import (
	"math/rand/v2"
	"slices"
)

// A Journal keeps games while they are played, so that a later run goes on where this one stopped. Its methods
// are safe for concurrent use and keep neither rec nor src.
type Journal interface {
	// Resume returns what earlier runs kept of the game of rec, nil if nothing. rec holds the game as it
	// begins, with its opening; the error says that the kept game begins in another way. The result is read only.
	Resume(rec *Record) (*Unfinished, error)
	// Keep keeps a game under way. src is the random source of the game after the last ply of rec.
	Keep(rec *Record, src *rand.PCG) error
	// Finish keeps a finished game.
	Finish(rec *Record) error
}

// Unfinished is a game under way, from which its player can go on.
type Unfinished struct {
	Record          // without an outcome
	Source rand.PCG // the random source after the last ply
}

// Agrees reports whether r and o may be the same game, one of them with more plies: each list of one begins
// with that of the other. Outcomes are not compared.
func (r *Record) Agrees(o *Record) bool {
	return r.Game == o.Game && r.Start == o.Start && r.OpeningPlies == o.OpeningPlies && r.Players == o.Players && slices.Equal(r.Tags, o.Tags) &&
		agree(r.Actions, o.Actions) && agree(r.MoveRanks, o.MoveRanks) &&
		agree(r.Best, o.Best) && agree(r.Scores, o.Scores) && agree(r.Nodes, o.Nodes) &&
		agree(r.PolicySize, o.PolicySize) && agree(r.PolicyAction, o.PolicyAction) && agree(r.PolicyWeight, o.PolicyWeight) &&
		agree(r.OldBest, o.OldBest) && agree(r.OldScores, o.OldScores) && agree(r.OldNodes, o.OldNodes)
}

func agree[T comparable](a, b []T) bool {
	n := min(len(a), len(b))
	return slices.Equal(a[:n], b[:n])
}
