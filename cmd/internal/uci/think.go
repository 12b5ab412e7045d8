package uci

import (
	"context"
	"fmt"
	"strings"
	"time"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// thought is the result of a search.
type thought struct {
	info string // the line about the search, "" without one
	best string // the move
	note string // a message for the user, "" without one
	err  error  // a panic
}

// noMove is the move of a position without any.
const noMove = "(none)"

// search obeys go.
func (s *session) search(args []string) {
	l := parseLimits(args)
	s.hold = l.hold
	if !s.valid {
		s.inform("no search: the position is invalid")
		s.answer(thought{best: noMove})
		return
	}
	text, ignored := l.apply(s.Players.Facts(&s.Game.Game), s.Player)
	if err := s.choosePlayer(text); err != nil {
		s.inform("%v", err)
		s.answer(thought{best: noMove})
		return
	}
	if !s.restrict(l.moves) {
		ignored = append(ignored, "searchmoves")
	}
	if len(ignored) > 0 {
		s.inform("ignored: %s; the player is %s", strings.Join(ignored, ", "), text)
	}
	s.started = time.Now()
	s.searching, s.stop = context.WithCancel(s.ctx)
	s.budget, s.timed = l.time(s.pos.Turn())
	if !s.hold {
		s.startClock()
	}
	done := make(chan thought, 1)
	s.done = done
	goroutine.New().Go(func() error {
		var t thought
		err := goroutine.Catch(func() error { t = s.think(); return nil })
		t.err = err
		done <- t
		return err
	})
}

// startClock lets the search in progress end when its time is up.
func (s *session) startClock() {
	if s.timed {
		s.clock = time.After(s.budget)
	}
}

// restrict makes the player choose among the moves of searchmoves, without those that are not legal. It returns false if
// it cannot; without moves it lifts the restriction.
func (s *session) restrict(texts []string) bool {
	var moves []engine.Move
	for _, text := range texts {
		m, err := s.pos.ParseMove(text)
		if err != nil {
			s.inform("searchmoves %q: %v", text, err)
			continue
		}
		moves = append(moves, m)
	}
	p, ok := s.player.(interface{ SearchOnly([]engine.Move) bool })
	return ok && p.SearchOnly(moves) || len(texts) == 0
}

// choosePlayer makes player play as text. It keeps the player and its memory if it is the
// same.
func (s *session) choosePlayer(text string) error {
	if s.player != nil && s.text == text {
		return nil
	}
	spec, err := s.parsePlayer(text)
	if err != nil {
		return err
	}
	s.player, s.text = spec.NewPlayer(&s.src, s.aborted), text
	s.beginGame()
	return nil
}

// parsePlayer parses a player, and refuses one whose tables do not fit into memory.
func (s *session) parsePlayer(text string) (workers.PlayerSpec, error) {
	spec, err := s.Players.Parse(&s.Game.Game, text, s.Networks)
	if err == nil && s.Fits != nil {
		err = s.Fits(spec)
	}
	return spec, err
}

// beginGame tells a player that keeps something of a game that the next searches are of another one.
func (s *session) beginGame() {
	if p, ok := s.player.(interface{ NewGame() }); ok {
		p.NewGame()
	}
}

// aborted reports whether the search in progress is to end early.
func (s *session) aborted() bool { return s.searching.Err() != nil }

// think searches pos. It runs in a goroutine of its own and leaves pos unchanged.
func (s *session) think() (t thought) {
	pos := s.pos
	if over := pos.Outcome(); over != engine.Ongoing {
		moves := pos.Moves(nil)
		if len(moves) == 0 {
			return thought{best: noMove}
		}
		// The GUI plays on after a draw. If the game is still over without its history, it
		// cannot be won, and any move will do.
		t.note, t.best = "the game is drawn: "+over.Reason.String(), pos.FormatMove(moves[0])
		pos = s.withoutHistory()
	}
	var d workers.Decision
	depth := depthOf(s.text)
	switch played := s.player.Play(pos, &s.src, &d); {
	case played:
		pos.Undo()
	case pos.Outcome() != engine.Ongoing:
		return t
	default: // the search is aborted
		d.Move, depth = d.Best, ""
	}
	t.best = pos.FormatMove(d.Move)
	if d.Nodes > 0 {
		t.info = infoLine(&d, depth, pos.FormatMove(d.Best), time.Since(s.started))
	}
	return t
}

// withoutHistory returns the board of pos with no earlier positions and a half-move clock
// of 0.
func (s *session) withoutHistory() engine.Position {
	fields := strings.Fields(s.pos.String())
	fields[4] = "0"
	pos := s.Game.New(s.variant)
	if err := pos.Set(strings.Join(fields, " ")); err != nil {
		panic("uci: " + err.Error()) // a legal position with another clock is legal
	}
	return pos
}

// infoLine formats the search fields of a decision.
func infoLine(d *workers.Decision, depth, best string, elapsed time.Duration) string {
	text := "info"
	if depth != "" {
		text += " depth " + depth
	}
	return text + fmt.Sprintf(" score %s nodes %d time %d pv %s", scoreText(int(d.Score)), d.Nodes, elapsed.Milliseconds(), best)
}

// scoreText formats a score. A proven end in plies becomes a mate in moves.
func scoreText(score int) string {
	switch {
	case score > engine.MaxStatic:
		return fmt.Sprintf("mate %d", (search.MateScore-score+1)/2)
	case score < -engine.MaxStatic:
		return fmt.Sprintf("mate %d", -(search.MateScore+score+1)/2)
	}
	return fmt.Sprintf("cp %d", score)
}

// answer prints the result of a search, or keeps it until stop.
func (s *session) answer(t thought) {
	if s.done != nil {
		s.done, s.clock = nil, nil
		s.stop()
	}
	if t.err != nil {
		s.err = t.err
		return
	}
	if t.note != "" {
		s.inform("%s", t.note)
	}
	if t.info != "" {
		s.printf("%s", t.info)
	}
	if s.hold {
		s.deferred = &t
		return
	}
	s.printf("bestmove %s", t.best)
}

// abort obeys stop: the search in progress ends with the best move so far.
func (s *session) abort() {
	s.release()
	if s.done != nil {
		s.stop()
	}
}

// ponderhit makes a search that waited one with a clock, which runs from now.
func (s *session) ponderhit() {
	if s.hold && s.done != nil {
		s.startClock()
	}
	s.release()
}

// release lets the result of the search wait no more.
func (s *session) release() {
	s.hold = false
	if s.deferred != nil {
		s.printf("bestmove %s", s.deferred.best)
		s.deferred = nil
	}
}
