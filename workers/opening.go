package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Opening describes how a game begins before the players decide: at a position of a
// book, followed by random plies, and not in a position that is already decided.
type Opening struct {
	MinPlies, MaxPlies int      // range of the number of random plies, inclusive; the number is uniform
	MaxScore           int      // largest absolute score of a start in centi-units, other starts are drawn again; 0 accepts all
	Book               []string // position texts; empty means the start position of the game
}

// Validate returns an error for the first value out of range.
func (o *Opening) Validate() error {
	switch {
	case o.MinPlies < 0 || o.MaxPlies < o.MinPlies || o.MaxPlies > maxOpening:
		return fmt.Errorf("opening plies %d-%d: want 0 to %d, the smaller number first", o.MinPlies, o.MaxPlies, maxOpening)
	case o.MaxScore < 0 || o.MaxScore > engine.MaxStatic:
		return fmt.Errorf("opening score %d: want 0 to %d", o.MaxScore, engine.MaxStatic)
	}
	return nil
}

const (
	maxOpening   = 1000
	openingTries = 1000 // starts drawn for one game before it fails
)

var errNoOpening = errors.New("found no start that is ongoing and within the maximum score")

// opener plays the openings of a worker.
type opener struct {
	*Opening
	order  []uint32      // permutation of the book, a function of the seed
	random Player        // plays the random plies; nil without any
	score  OpeningScorer // nil if every start is accepted
}

func newOpener(s *Series, abort search.Abort) opener {
	o := opener{Opening: &s.Opening, order: bookOrder(len(s.Opening.Book), s.Seed)}
	if o.MaxPlies > 0 {
		o.random = auxiliary(&s.Game.Game, openingPlayer).newPlayer(nil)
	}
	if o.MaxScore > 0 {
		o.score = NewOpeningScorer(&s.Game.Game, abort)
	}
	return o
}

// bookOrder returns the order in which the games of a seed use the n positions of a
// book: a random permutation, repeated.
func bookOrder(n int, seed uint64) []uint32 {
	order := make([]uint32, n)
	var src rand.PCG
	src.Seed(engine.Mix(seed), uint64(n))
	for i := range order {
		j := engine.Below(&src, uint32(i+1))
		order[i] = order[j]
		order[j] = uint32(i)
	}
	return order
}

// begin plays the opening of a game on the worker's position and into the record.
func (o *opener) begin(w *worker, rec *engine.Record) error {
	if len(o.Book) > 0 {
		rec.Start = o.Book[o.order[w.round%uint64(len(o.Book))]]
	}
	for range openingTries {
		if err := engine.Begin(w.pos, rec.Start); err != nil {
			return err
		}
		rec.Forget()
		accepted := o.playRandom(w, rec) && !o.isDecided(w.pos)
		if w.aborted() { // then isDecided may be wrong
			return context.Cause(w.ctx)
		}
		if accepted {
			rec.OpeningPlies = uint16(len(rec.Actions))
			return nil
		}
	}
	return fmt.Errorf("open game %d: %w in %d tries", rec.Game, errNoOpening, openingTries)
}

// playRandom plays the random plies. It returns false if they end the game.
func (o *opener) playRandom(w *worker, rec *engine.Record) bool {
	if o.MaxPlies == 0 {
		return true
	}
	plies := o.MinPlies + int(engine.Below(&w.src, uint32(o.MaxPlies-o.MinPlies+1)))
	for range plies {
		if !o.random.Play(w.pos, &w.src, &w.decision) {
			return false
		}
		w.add(rec)
	}
	return w.pos.Outcome() == engine.Ongoing
}

// isDecided reports whether the score of a start exceeds MaxScore.
func (o *opener) isDecided(start engine.Position) bool {
	return o.score != nil && o.score(start) > o.MaxScore
}

// OpeningScorer returns the absolute score of a start in centi-units: the lead of either
// side according to a search. That of an aborted search means nothing. It is not safe for
// concurrent use.
type OpeningScorer func(start engine.Position) int

// NewOpeningScorer returns the scorer that Opening.MaxScore refers to. abort ends its searches
// early. It panics if g has no static evaluation.
func NewOpeningScorer(g *engine.Game, abort search.Abort) OpeningScorer {
	p := auxiliary(g, scoringPlayer).newPlayer(abort).(*searchPlayer)
	return func(start engine.Position) int {
		var d Decision
		p.search(start, nil, &d)
		score := int(d.Score)
		return max(score, -score)
	}
}
