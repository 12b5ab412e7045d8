package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/search"
)

// Deblunder says how value targets differ from outcomes. After a blunder the rest of the game
// says little about the positions before it. So the value target of the decisions up to a blunder
// is the value of the position in which it was played, by the score of the best move; after
// the last blunder it is the outcome. Where there are several, the next blunder counts.
//
// A decision is a blunder if another move than the best one was played and lost at least Points.
// The value of the move that was played is that of the next position by its own score, or the
// result, if it ended the game. A decision is none if either is unknown: without a search, and at
// the end of a game that was cut off.
//
// Values are those of search.Expected by the model, so that they are the same on every machine.
type Deblunder struct {
	Points int // lost expected result, in hundredths of a game, 1 to MaxBlunder
	A, B   int // model of scores, see WDL
}

// MaxBlunder bounds Deblunder.Points: no move loses more than a game.
const MaxBlunder = 99

// Units of search.Expected.
const (
	expectedPoint = 100   // a hundredth of a game
	expectedWin   = 10000 // a game
)

// ValueWin is the value target of a won game. It is the expected result, scaled from -1 for a
// loss to 1 for a win, in 10,000ths.
const ValueWin = expectedWin

// String returns the text that plans store.
func (d *Deblunder) String() string { return fmt.Sprintf("%d by a=%d b=%d", d.Points, d.A, d.B) }

// ParseDeblunder parses the text that String returns, and only in that form.
func ParseDeblunder(text string) (*Deblunder, error) {
	d := new(Deblunder)
	_, err := fmt.Sscanf(text, "%d by a=%d b=%d", &d.Points, &d.A, &d.B)
	if err != nil || d.String() != text || d.Points < 1 || d.Points > MaxBlunder || d.A < 0 || d.B < 1 {
		return nil, fmt.Errorf("deblunder %q: want it written as %q", text, &Deblunder{20, 130, 364})
	}
	return d, nil
}

// Values returns the value target of every ply of a record, from the view of the side to move,
// -ValueWin to ValueWin. turns are the sides to move. The result reuses the memory of dst.
func (d *Deblunder) Values(rec *engine.Record, turns []engine.Side, dst []int16) []int16 {
	dst = dst[:0]
	for _, side := range turns {
		dst = append(dst, ValueWin*int16(rec.Outcome.For(side)))
	}
	blunder := -1 // the next one
	for ply := len(turns) - 1; ply >= 0; ply-- {
		switch {
		case d.isBlunder(rec, turns, ply):
			blunder = ply
			dst[ply] = int16(2*d.expected(rec, ply) - ValueWin)
		case blunder >= 0 && turns[ply] == turns[blunder]:
			dst[ply] = dst[blunder]
		case blunder >= 0:
			dst[ply] = -dst[blunder]
		}
	}
	return dst
}

// isBlunder reports whether the move of a ply loses d.Points.
func (d *Deblunder) isBlunder(rec *engine.Record, turns []engine.Side, ply int) bool {
	if !searched(rec, ply) || rec.Actions[ply] == rec.Best[ply] {
		return false
	}
	after, known := d.after(rec, turns, ply)
	return known && d.expected(rec, ply)-after >= d.Points*expectedPoint
}

// LargestDrop returns the largest loss of expected result from a ply to the next in 10,000ths, 0
// if none loses, and the first ply that loses that much. Unlike a blunder, the ply may have played
// the best move: the search may have been wrong. The step to a result by repetition, by the fifty
// moves or by adjudication is not one: the last move alone did not lose what it cost. known is
// false if no ply has a value before and after its move.
func (d *Deblunder) LargestDrop(rec *engine.Record, turns []engine.Side) (drop, at int, known bool) {
	plies := len(turns)
	switch rec.Outcome.Reason {
	case engine.Repetition, engine.Fifty, engine.Adjudicated:
		plies--
	}
	for ply := range plies {
		if !searched(rec, ply) {
			continue
		}
		after, ok := d.after(rec, turns, ply)
		if !ok {
			continue
		}
		known = true
		if loss := d.expected(rec, ply) - after; loss > drop {
			drop, at = loss, ply
		}
	}
	return drop, at, known
}

// after returns the expected result of the side to move at a ply after its move.
func (d *Deblunder) after(rec *engine.Record, turns []engine.Side, ply int) (expected int, known bool) {
	next := ply + 1
	switch {
	case next == len(turns):
		outcome := int(rec.Outcome.For(turns[ply]))
		return expectedWin / 2 * (1 + outcome), rec.Outcome.Result != engine.NoResult
	case !searched(rec, next):
		return 0, false
	case turns[next] == turns[ply]:
		return d.expected(rec, next), true
	}
	return expectedWin - d.expected(rec, next), true
}

// expected returns the expected result of the side to move at a ply.
func (d *Deblunder) expected(rec *engine.Record, ply int) int {
	return search.Expected(int(rec.Scores[ply]), d.A, d.B)
}
