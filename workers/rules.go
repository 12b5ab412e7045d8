package workers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Opening describes how a game begins before the players decide: at a drawn start or a
// position of a book, followed by random plies, and not in a position that is already decided.
type Opening struct {
	Start              string   // way to draw the first position, see engine.Starts; "" for the start of the game
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
	starts *engine.Starts
	order  []uint32      // permutation of the book, a function of the seed
	random Player        // plays the random plies; nil without any
	score  OpeningScorer // nil if every start is accepted
}

func newOpener(s *Series, abort search.Abort) opener {
	o := opener{Opening: &s.Opening, starts: s.Game.StartsOf(s.Variant), order: bookOrder(len(s.Opening.Book), s.Seed)}
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
		if o.Start != "" {
			rec.Start = o.starts.Draw(o.Start, &w.src)
		}
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

// Exploration makes the players deviate from their best move at some plies after the
// opening. It diversifies the games of strong players and shows the cost of mistakes.
type Exploration struct {
	Moves       int // explored plies per game, for both sides together; 0 disables exploration
	First, Last int // range of the explored plies, counted from the end of the opening, inclusive
	Among       int // number of best moves to draw from, limited to exact ones (ab:multi=N); 0 draws from all legal moves
	Window      int // with Among: largest distance to the best score in centi-units; 0 means no limit
}

// Validate returns an error for the first value out of range.
func (e *Exploration) Validate() error {
	switch {
	case e.Moves == 0:
		return nil
	case e.First < 0 || e.Last < e.First:
		return fmt.Errorf("explored plies %d-%d: want 0 or more, the smaller number first", e.First, e.Last)
	case e.Moves > maxExplored:
		return fmt.Errorf("%d explored moves: want at most %d", e.Moves, maxExplored)
	case e.Moves < 0 || e.Moves > e.Last-e.First+1:
		return fmt.Errorf("%d explored moves in plies %d-%d: want at most one per ply", e.Moves, e.First, e.Last)
	case e.Among < 0 || e.Window < 0:
		return fmt.Errorf("explore among %d moves within %d: want 0 or more", e.Among, e.Window)
	}
	return nil
}

// maxExplored limits the time of choosePlies, which is quadratic in the number of plies.
const maxExplored = 1000

// explorer applies the exploration to the current game of a worker.
type explorer struct {
	*Exploration
	plies  []int  // explored plies of the current game still to come, in descending order
	random Player // draws from all legal moves; nil without exploration
}

func newExplorer(s *Series) explorer {
	e := explorer{Exploration: &s.Exploration}
	if e.Moves > 0 {
		e.random = auxiliary(&s.Game.Game, explorePlayer).newPlayer(nil)
	}
	return e
}

// choosePlies draws the explored plies of the next game, whose opening ends before ply
// begin. It samples without replacement by Floyd's algorithm.
func (e *explorer) choosePlies(src *rand.PCG, begin int) {
	e.plies = e.plies[:0]
	n := e.Last - e.First + 1
	for j := n - e.Moves; j < n; j++ {
		ply := begin + e.First + int(engine.Below(src, uint32(j+1)))
		if slices.Contains(e.plies, ply) {
			ply = begin + e.First + j
		}
		e.plies = append(e.plies, ply)
	}
	slices.Sort(e.plies)
	slices.Reverse(e.plies)
}

// due reports whether a ply is explored. Call it with ascending plies.
func (e *explorer) due(ply int) bool {
	n := len(e.plies)
	if n == 0 || e.plies[n-1] != ply {
		return false
	}
	e.plies = e.plies[:n-1]
	return true
}

// deviate replaces p.Play at an explored ply. If p does not search, or Among is 0, it plays
// a random legal move.
func (e *explorer) deviate(p Player, pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	s, searches := p.(*searchPlayer)
	if e.Among == 0 || !searches {
		return e.random.Play(pos, src, d)
	}
	moves := s.search(pos, src, d)
	if len(moves) == 0 {
		return false
	}
	n := 1
	for n < min(e.Among, len(moves)) && moves[n].Exact && (e.Window == 0 || moves[0].Score-moves[n].Score <= e.Window) {
		n++
	}
	i := int(engine.Below(src, uint32(n)))
	d.Move, d.Rank = moves[i].Move, moveRank(i)
	pos.Do(d.Move)
	return true
}

// Adjudication ends games that are decided according to the players' scores, to save
// time. The zero value adjudicates nothing.
type Adjudication struct {
	Win     WinRule
	Draw    DrawRule
	PlayOut engine.Fraction // fraction of the games that are played out anyway, to check the rules
}

// WinRule adjudicates a win to the side that the scores of both players see ahead by
// Score centi-units or more for Plies consecutive plies. Plies 0 disables the rule.
type WinRule struct{ Score, Plies int }

// DrawRule adjudicates a draw when the scores of both players are within ±Score
// centi-units for Plies consecutive plies, all of them at ply From or later. Plies 0
// disables the rule.
type DrawRule struct{ Score, Plies, From int }

// Validate returns an error for the first value out of range.
func (a *Adjudication) Validate() error {
	switch {
	case a.Win.Plies < 0 || a.Win.Plies > 0 && a.Win.Score < 1:
		return fmt.Errorf("adjudicate wins by %d for %d plies: want a score and plies above 0", a.Win.Score, a.Win.Plies)
	case a.Draw.Plies < 0 || a.Draw.Score < 0 || a.Draw.From < 0:
		return fmt.Errorf("adjudicate draws within %d for %d plies from ply %d: want 0 or more", a.Draw.Score, a.Draw.Plies, a.Draw.From)
	}
	return nil
}

// adjudicator applies the rules to the current game of a worker.
type adjudicator struct {
	*Adjudication
	playOut   bool   // the current game is not adjudicated
	winPlies  [2]int // by side: consecutive plies with a winning score
	drawPlies int    // consecutive plies with a drawn score
}

// begin starts a game and draws whether it is played out.
func (a *adjudicator) begin(src *rand.PCG) {
	*a = adjudicator{Adjudication: a.Adjudication}
	a.playOut = a.Win.Plies == 0 && a.Draw.Plies == 0
	if !a.playOut && a.PlayOut > 0 {
		a.playOut = engine.Fraction(engine.Below(src, uint32(engine.One))) < a.PlayOut
	}
}

// adjudicate counts the decision of a side at a ply and returns the adjudicated outcome,
// or Ongoing. A decision without a search resets all counts.
func (a *adjudicator) adjudicate(ply int, side engine.Side, d *Decision) engine.Outcome {
	if a.playOut {
		return engine.Ongoing
	}
	score := int(d.Score) // from the view of First
	if side == engine.Second {
		score = -score
	}
	searched := d.Nodes > 0
	a.winPlies[engine.First] = countIf(searched && score >= a.Win.Score, a.winPlies[engine.First])
	a.winPlies[engine.Second] = countIf(searched && -score >= a.Win.Score, a.winPlies[engine.Second])
	a.drawPlies = countIf(searched && max(score, -score) <= a.Draw.Score && ply >= a.Draw.From, a.drawPlies)
	for _, s := range [2]engine.Side{engine.First, engine.Second} {
		if a.Win.Plies > 0 && a.winPlies[s] >= a.Win.Plies {
			return engine.Outcome{Result: engine.Win(s), Reason: engine.Adjudicated}
		}
	}
	if a.Draw.Plies > 0 && a.drawPlies >= a.Draw.Plies {
		return engine.Outcome{Result: engine.Draw, Reason: engine.Adjudicated}
	}
	return engine.Ongoing
}

// countIf returns n+1 if the condition holds, else 0.
func countIf(condition bool, n int) int {
	if condition {
		return n + 1
	}
	return 0
}

// Auxiliary players act for neither side: they play openings, explore and score starts.
// The games depend on them, so a plan stores their names and versions.
const (
	openingPlayer = "random"              // plays the random plies of an opening
	explorePlayer = "random:uniform"      // explores all legal moves
	scoringPlayer = "ab:depth=2,net=none" // scores starts
)

// auxiliary returns an auxiliary player. It panics if the game does not support it: every
// game supports the random ones, and games with a static evaluation all of them.
func auxiliary(g *engine.Game, name string) PlayerSpec {
	spec, err := ParsePlayer(g, name)
	if err != nil {
		panic("workers: " + err.Error())
	}
	return spec
}
