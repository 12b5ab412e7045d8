package workers

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/search"
)

// RecordSource sets r to the record of a game. Rescore calls it with ascending numbers, from
// the goroutine that called Rescore.
type RecordSource func(game uint64, r *engine.Record) error

// Rescore searches decisions of finished games again: those that Series.Rescore chooses, by the
// first player of the series. They get the score, the best move, the policy and the nodes of
// the new search; moves, ranks of moves, players and outcomes stay. A decision that is not
// chosen keeps what it has, and so does one where the player finds the game over.
//
// The player searches the plies of a game in order, with the random source of the game. So a
// record depends on its source and on the series only. In all other respects Rescore is Play.
func (p *Pool) Rescore(ctx context.Context, games []uint64, source RecordSource, journal engine.Journal, sink func(*engine.Record) error) error {
	return p.deliver(ctx, games, source, journal, sink)
}

// rescore searches the game of a record again.
func (w *worker) rescore(rec *engine.Record) error {
	reseed(&w.src, w.series.Seed, rec.Game)
	w.players[engine.First].draw(&w.src)
	w.old, *rec = *rec, w.old // both keep their memory
	if err := w.beginAgain(rec); err != nil {
		return err
	}
	first, err := w.resumeRescore(rec)
	if err != nil {
		return fmt.Errorf("rescore game %d: %w", rec.Game, err)
	}
	policy := 0 // entries of the old policies of earlier plies
	for ply, action := range w.old.Actions {
		m, err := w.series.Game.Actions.Move(w.pos, action)
		if err != nil {
			return fmt.Errorf("rescore game %d: ply %d: %w", rec.Game, ply, err)
		}
		if ply >= first {
			if err := w.rescorePly(rec, ply, policy); err != nil {
				return err
			}
		}
		if len(w.old.PolicySize) > 0 {
			policy += int(w.old.PolicySize[ply])
		}
		w.pos.Do(m)
	}
	return nil
}

// rescorePly searches the position at a ply again, if the ply is chosen. policy is where its old policy begins.
func (w *worker) rescorePly(rec *engine.Record, ply, policy int) error {
	w.seen.Actions = w.old.Actions[:ply]
	if !w.chosen[ply] || !w.searchAgain(rec) {
		w.keepSearch(rec, ply, policy)
	}
	if w.aborted() { // maybe in the search
		return context.Cause(w.ctx)
	}
	if err := w.players[engine.First].err(); w.chosen[ply] && err != nil {
		return fmt.Errorf("rescore game %d: ply %d: %w", rec.Game, ply, err)
	}
	return w.keep(rec)
}

// resumeRescore goes on with a game whose searches the journal has, and returns the first ply without.
func (w *worker) resumeRescore(rec *engine.Record) (first int, err error) {
	u, err := w.kept(rec)
	if u == nil || err != nil {
		return 0, err
	}
	first = len(u.Nodes)
	if err := checkSearched(&u.Record, first); err != nil {
		return 0, err
	}
	outcome := rec.Outcome
	rec.CopyFrom(&u.Record)
	rec.Outcome, w.src = outcome, u.Source
	return first, nil
}

// beginAgain copies what stays of the old record, and chooses the plies to search.
func (w *worker) beginAgain(rec *engine.Record) error {
	old := &w.old
	rec.Reset()
	rec.Game, rec.Start, rec.OpeningPlies = old.Game, old.Start, old.OpeningPlies
	rec.Players, rec.Outcome = old.Players, old.Outcome
	rec.Tags = append(rec.Tags, old.Tags...)
	rec.Actions = append(rec.Actions, old.Actions...)
	rec.MoveRanks = append(rec.MoveRanks, old.MoveRanks...)
	if w.series.KeepOld {
		rec.OldBest = append(rec.OldBest, old.Best...)
		rec.OldScores = append(rec.OldScores, old.Scores...)
		rec.OldNodes = append(rec.OldNodes, old.Nodes...)
	}
	var err error
	w.turns, err = w.series.Turns(w.pos, old, w.turns)
	if err != nil {
		return err
	}
	w.chosen = w.series.Rescore.Choose(old, w.turns, w.chosen)
	w.seen.Game, w.seen.Start, w.seen.Actions = old.Game, old.Start, nil
	if e, ok := w.players[engine.First].current.(beginner); ok {
		e.Begin(&w.seen)
	}
	return engine.Begin(w.pos, old.Start)
}

// Turns returns the side to move at every ply of a record, which it replays on pos. The result
// reuses the memory of dst.
func (s *Series) Turns(pos engine.Position, r *engine.Record, dst []engine.Side) ([]engine.Side, error) {
	dst = dst[:0]
	err := s.Game.Replay(pos, r, func(int, engine.Move) { dst = append(dst, pos.Turn()) })
	return dst, err
}

// searchAgain lets the player search the position and appends what it found. It returns false if
// the player finds the game over or its search is aborted.
func (w *worker) searchAgain(rec *engine.Record) bool {
	p, d := &w.players[engine.First], &w.decision
	before := w.read(p)
	if !p.current.Play(w.pos, &w.src, d) {
		return false
	}
	w.pos.Undo() // the record says what is played
	if p.clock != nil {
		w.costs[engine.First].add(before, w.read(p), d)
	}
	w.addSearch(rec, d)
	w.count(d)
	return true
}

// keepSearch appends what the old record says of a ply. policy is where its old policy begins.
func (w *worker) keepSearch(rec *engine.Record, ply, policy int) {
	old := &w.old
	if len(old.Nodes) == 0 {
		rec.Best, rec.Scores, rec.Nodes = append(rec.Best, old.Actions[ply]), append(rec.Scores, 0), append(rec.Nodes, 0)
		rec.PolicySize = append(rec.PolicySize, 0)
		return
	}
	size := int(old.PolicySize[ply])
	rec.Best, rec.Scores = append(rec.Best, old.Best[ply]), append(rec.Scores, old.Scores[ply])
	rec.Nodes, rec.PolicySize = append(rec.Nodes, old.Nodes[ply]), append(rec.PolicySize, old.PolicySize[ply])
	rec.PolicyAction = append(rec.PolicyAction, old.PolicyAction[policy:policy+size]...)
	rec.PolicyWeight = append(rec.PolicyWeight, old.PolicyWeight[policy:policy+size]...)
}

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
		s.sample, err = engine.ParseFraction(value)
		if err == nil && s.sample == 0 {
			err = fmt.Errorf("%q: want a fraction above 0", value)
		}
		return s, err
	case s.rule != selectSurprise && s.rule != selectBlunder:
		return s, fmt.Errorf("%q: want all, sample=FRACTION, surprise>POINTS or blunder>POINTS", text)
	}
	s.above, err = strconv.Atoi(value)
	if err != nil || s.above < 0 || s.above > 99 {
		return s, fmt.Errorf("%q: want 0 to 99 points", value)
	}
	s.model = model
	if model == nil {
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
