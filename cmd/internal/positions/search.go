package positions

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"selfplay/engine"
	"selfplay/internal/goroutine"
	"selfplay/workers"
)

// beat is the time between two frames that say that a search goes on. The other side takes one that says nothing for dead.
const beat = time.Second

// thinker is a goroutine's own player, with the memory that it needs.
type thinker struct {
	players  []workers.Player // of a mixture, or one; nil if each decision gets a new one
	scratch  engine.Position
	src      rand.PCG
	decision workers.Decision
}

// search answers with what the player finds in the positions of a query. The error is that of the writer, or a panic.
func (s *session) search() ([]byte, *refusal, error) {
	if s.config.Player == nil {
		return nil, refuse(-1, "a search without a player: start this program with --player"), nil
	}
	q, refused := readQuery(s.body, s.batch)
	if refused != nil {
		return nil, refused, nil
	}
	if refused := q.check(s.thinker(0).scratch); refused != nil {
		return nil, refused, nil
	}
	list := make([]searchResult, len(q.seeds))
	if err := s.think(q, list); err != nil {
		var found *noMoveError
		if errors.As(err, &found) {
			return nil, refuse(found.index, "%v", err), nil
		}
		return nil, nil, err
	}
	s.frame = appendResults(s.frame[:0], list)
	return s.frame, nil, nil
}

// think searches the positions of a query.
func (s *session) think(q *query, list []searchResult) error {
	return s.each(len(list), func(t *thinker, i int) error { return s.find(t, q, i, &list[i]) })
}

// each calls do for the numbers below n, on several goroutines with a thinker each, and says again and again how far it is. It
// returns the first error: of do, of the writer, or a panic.
func (s *session) each(n int, do func(t *thinker, i int) error) error {
	var next, done atomic.Int64
	group := goroutine.New()
	for i := range min(max(s.config.Workers, 1), n) {
		t := s.thinker(i)
		group.Go(func() error { return s.work(t, n, &next, &done, do) })
	}
	ended := make(chan error, 1)
	waiting := goroutine.New()
	waiting.Go(func() error { ended <- group.Wait(); return nil })
	ticker := time.NewTicker(s.beat)
	defer ticker.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-ticker.C:
			if err := s.report(done.Load(), n); err != nil {
				s.abandoned.Store(true)
				<-ended
				return err
			}
		}
	}
}

// report writes how many positions are searched.
func (s *session) report(done int64, n int) error {
	frame := appendHeader(nil, kindProgress, 8)
	frame = binary.LittleEndian.AppendUint32(frame, uint32(done))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(n))
	if _, err := s.out.Write(frame); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

// thinker returns one of the players, which are made when a search first needs them.
func (s *session) thinker(i int) *thinker {
	for len(s.thinkers) <= i {
		t := &thinker{scratch: s.config.Game.New(s.config.Variant)}
		if s.config.Player.Stateless() {
			t.players = s.config.Player.NewPlayers(s.aborted)
		}
		s.thinkers = append(s.thinkers, t)
	}
	return s.thinkers[i]
}

// aborted reports whether nobody waits for a search any more.
func (s *session) aborted() bool { return s.abandoned.Load() || s.ctx.Err() != nil }

// work does one number after the other until none is left.
func (s *session) work(t *thinker, n int, next, done *atomic.Int64, do func(t *thinker, i int) error) error {
	for {
		i := int(next.Add(1)) - 1
		if i >= n || s.aborted() {
			return nil
		}
		if err := do(t, i); err != nil {
			next.Store(int64(n))
			return err
		}
		done.Add(1)
	}
}

// noMoveError is the error of a player that plays nothing although the game goes on.
type noMoveError struct{ index int }

func (e *noMoveError) Error() string {
	return fmt.Sprintf("position %d: the player finds no move", e.index)
}

// find searches one position. The result depends on the position, its history and its seed only: the random source begins
// anew, and so does a player that keeps something.
func (s *session) find(t *thinker, q *query, i int, f *searchResult) error {
	p, over, err := q.position(i, t.scratch)
	if over || err != nil {
		f.over = true
		return err
	}
	if !s.decide(t, p, q.seeds[i], q.seeds[i]) {
		if s.aborted() {
			return nil
		}
		return &noMoveError{i}
	}
	p.Undo()
	f.set(&s.config.Game.Actions, p, &t.decision, q.mover && p.Turn() == engine.Second)
	return nil
}

// decide lets the player play in a position. It returns false if it plays nothing. game is the seed by which the player of
// a mixture is drawn, seed that of the decision.
func (s *session) decide(t *thinker, p engine.Position, game, seed uint64) bool {
	player := s.drawn(t, game)
	t.src.Seed(engine.Mix(seed), seed)
	t.decision.Nodes = 0
	return player.Play(p, &t.src, &t.decision)
}

// drawn returns the player of a game.
func (s *session) drawn(t *thinker, game uint64) workers.Player {
	t.src.Seed(engine.Mix(game), gameStream)
	if t.players == nil {
		return s.config.Player.NewPlayer(&t.src, s.aborted)
	}
	return t.players[s.config.Player.Draw(&t.src)]
}

// gameStream sets the numbers that draw a player of a mixture apart from those of its decisions.
const gameStream = 1
