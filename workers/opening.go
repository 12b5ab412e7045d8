package workers

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"selfplay/engine"
)

// Opening says how games begin before the players decide: at a position of a book,
// then with some drawn plies, and not where one side already has the game.
type Opening struct {
	MinPlies, MaxPlies int      // drawn plies, their number uniform between the two
	MaxScore           int      // start again if the score is larger, either way, in centi-units; 0 takes every start
	Book               []string // texts of first positions; none: the start of the game
}

// Validate returns what is wrong with the opening, nil if nothing is.
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
	openingTries = 1000 // starts that may be drawn for one game
)

var errNoOpening = errors.New("no start was found that goes on and is not decided")

// opener begins games for a worker.
type opener struct {
	*Opening
	order []uint32 // of the book, drawn by the seed
	draw  Player   // draws plies
	judge Judge    // weighs starts; nil if every start will do
}

func newOpener(s *Series) opener {
	o := opener{Opening: &s.Opening, order: bookOrder(len(s.Opening.Book), s.Seed)}
	if o.MaxPlies > 0 {
		o.draw = neutral(&s.Game.Game, openingPlayer).make()
	}
	if o.MaxScore > 0 {
		o.judge = NewJudge(&s.Game.Game)
	}
	return o
}

// bookOrder is the order in which the games of a seed take the positions of a book:
// each once before any again.
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

// begin plays the beginning of a game on the worker's position, into the record.
func (o *opener) begin(w *worker, rec *engine.Record) error {
	if len(o.Book) > 0 {
		rec.Start = o.Book[o.order[rec.Game%uint64(len(o.Book))]]
	}
	for range openingTries {
		if err := engine.Begin(w.pos, rec.Start); err != nil {
			return err
		}
		rec.Forget()
		if o.drawPlies(w, rec) && !o.decided(w) {
			rec.OpeningPlies = uint16(len(rec.Actions))
			return nil
		}
	}
	return fmt.Errorf("open game %d: %w in %d tries", rec.Game, errNoOpening, openingTries)
}

// drawPlies plays the drawn plies; false if the game ends on the way.
func (o *opener) drawPlies(w *worker, rec *engine.Record) bool {
	if o.MaxPlies == 0 {
		return true
	}
	plies := o.MinPlies + int(engine.Below(&w.src, uint32(o.MaxPlies-o.MinPlies+1)))
	for range plies {
		if !o.draw.Play(w.pos, &w.src, &w.decision) {
			return false
		}
		w.add(rec)
	}
	return w.pos.Outcome() == engine.Ongoing
}

// decided reports whether the start is worth too much to one side.
func (o *opener) decided(w *worker) bool { return o.judge != nil && o.judge(w.pos) > o.MaxScore }

// Judge says by how much one side is ahead at a start, in centi-units. It belongs to one
// goroutine.
type Judge func(start engine.Position) int

// NewJudge returns the judge of the openings of a game.
func NewJudge(g *engine.Game) Judge {
	t := neutral(g, openingJudge).make().(*searchPlayer)
	return func(start engine.Position) int {
		var d Decision
		t.search(start, nil, &d)
		score := int(d.Score)
		return max(score, -score)
	}
}
