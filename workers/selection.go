package workers

import (
	"fmt"
	"strconv"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// Selection says which decisions of finished games are searched again. It depends on the record
// of the game alone. Every byte of a rescored dataset depends on it.
type Selection struct {
	rule   string          // how its text begins
	sample engine.Fraction // of selectSample
	above  int             // points of selectSurprise and selectBlunder
	model  *encode.WDL     // of these two
	seed   uint64
}

const (
	selectAll      = "all"
	selectSample   = "sample="   // a random fraction
	selectSurprise = "surprise>" // the score and the result of the game disagree
	selectBlunder  = "blunder>"  // the move that was played loses points by the next score
)

// point is a hundredth of a game, in the unit of search.Expected.
const point = 100

// ParseSelection parses all, sample=FRACTION, surprise>POINTS or blunder>POINTS. Points are
// hundredths of a game: win chances plus half the chances of a draw, by the model, which may be
// nil for the first two. Samples depend on the seed.
func ParseSelection(text string, model *encode.WDL, seed uint64) (s Selection, err error) {
	value := text[strings.IndexAny(text, "=>")+1:]
	s = Selection{seed: seed, rule: strings.TrimSuffix(text, value)}
	switch {
	case text == selectAll:
		s.rule = selectAll
		return s, nil
	case s.rule == selectSample:
		if s.sample, err = engine.ParseFraction(value); err == nil && s.sample == 0 {
			err = fmt.Errorf("%q: want a fraction above 0", value)
		}
		return s, err
	case s.rule != selectSurprise && s.rule != selectBlunder:
		return s, fmt.Errorf("%q: want all, sample=FRACTION, surprise>POINTS or blunder>POINTS", text)
	}
	if s.above, err = strconv.Atoi(value); err != nil || s.above < 0 || s.above > 99 {
		return s, fmt.Errorf("%q: want 0 to 99 points", value)
	}
	if s.model = model; model == nil {
		return s, ErrNoModel
	}
	return s, nil
}

// ErrNoModel means that a selection by win chances needs a model of what scores are worth.
var ErrNoModel = fmt.Errorf("win chances need a model of scores")

// String returns the text that plans store.
func (s *Selection) String() string {
	switch s.rule {
	case selectAll:
		return s.rule
	case selectSample:
		return s.rule + s.sample.String()
	}
	return fmt.Sprintf("%s%d by a=%d b=%d", s.rule, s.above, s.model.A, s.model.B)
}

// Choose returns for every ply of a record whether it is searched again. turns are the sides to
// move. The result reuses the memory of dst.
func (s *Selection) Choose(r *engine.Record, turns []engine.Side, dst []bool) []bool {
	dst = dst[:0]
	for ply := range r.Actions {
		dst = append(dst, s.chooses(r, turns, ply))
	}
	return dst
}

func (s *Selection) chooses(r *engine.Record, turns []engine.Side, ply int) bool {
	switch s.rule {
	case selectSample:
		key := engine.Mix(engine.Mix(s.seed^engine.Mix(rescorePurpose)) ^ r.Game)
		return engine.Mix(key^uint64(ply))>>32*uint64(engine.One)>>32 < uint64(s.sample)
	case selectSurprise:
		if !searchedAt(r, ply) || r.Outcome.Result == engine.NoResult {
			return false
		}
		result := 50 * point * (1 + int(r.Outcome.For(turns[ply])))
		return abs(s.expected(r, ply)-result) > s.above*point
	case selectBlunder:
		if ply+1 == len(r.Actions) || !searchedAt(r, ply) || !searchedAt(r, ply+1) {
			return false
		}
		after := s.expected(r, ply+1)
		if turns[ply+1] != turns[ply] {
			after = 100*point - after
		}
		return s.expected(r, ply)-after > s.above*point
	}
	return true
}

// rescorePurpose is the purpose of the random numbers; see encode.Filter.
const rescorePurpose = 0x72657363 // "resc"

// expected returns the expected result of the side to move.
func (s *Selection) expected(r *engine.Record, ply int) int {
	return search.Expected(int(r.Scores[ply]), s.model.A, s.model.B)
}

// searchedAt reports whether a ply of a record has a score.
func searchedAt(r *engine.Record, ply int) bool { return len(r.Nodes) > 0 && r.Nodes[ply] > 0 }

func abs(x int) int { return max(x, -x) }

// rescorePart begins the setting of a plan; plan.Plan.Rescored looks for it.
const rescorePart = "rescore="

// RescoreSetting returns what a plan says about a series that rescores games.
func (s *Series) RescoreSetting() string {
	return fmt.Sprintf("%s%s where=%s", rescorePart, s.Players[engine.First].versioned(), s.Rescore)
}
