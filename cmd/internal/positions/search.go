package positions

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"selfplay/encode"
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
		if s.config.Player.StatelessOutsideGames() {
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

// flagHeld is a flag of a search: the positions are those of the batch that are named, with their history.
const flagHeld = 16

// query is a search that is asked for.
type query struct {
	mover bool     // actions are those that the side to move sees
	seeds []uint64 // of the random choices in each position
	texts []string // of the positions, or
	seats []*seat  // of the batch
	batch *batch   // of the seats
}

// readQuery reads the body of a search. batch may be nil.
func readQuery(body []byte, b *batch) (*query, *refusal) {
	if len(body) < 8 {
		return nil, refuse(-1, "a search of %d bytes: want at least 8", len(body))
	}
	n, flags := int(binary.LittleEndian.Uint32(body)), binary.LittleEndian.Uint32(body[4:])
	if n < 1 || n > MaxPositions || flags&^(flagMover|flagHeld) != 0 || len(body) < 8+8*n {
		return nil, refuse(-1, "a search of %d positions, flags %d, %d bytes: want 1 to %d positions and a seed of each", n, flags, len(body), MaxPositions)
	}
	q := &query{mover: flags&flagMover != 0, seeds: make([]uint64, n)}
	for i := range q.seeds {
		q.seeds[i] = binary.LittleEndian.Uint64(body[8+8*i:])
	}
	body = body[8+8*n:]
	if flags&flagHeld != 0 {
		return q, q.readSeats(body, b)
	}
	q.texts = strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	if len(q.texts) != n {
		return nil, refuse(-1, "a search with %d texts: want %d", len(q.texts), n)
	}
	return q, nil
}

// readSeats reads the indexes of positions of the batch. None comes twice: several goroutines search.
func (q *query) readSeats(body []byte, b *batch) *refusal {
	if b == nil {
		return refuse(-1, "a search before the positions have begun")
	}
	if len(body) != 4*len(q.seeds) {
		return refuse(-1, "a search with %d bytes of indexes: want %d", len(body), 4*len(q.seeds))
	}
	q.batch, q.mover = b, b.flags&flagMover != 0
	last := -1
	for i := range q.seeds {
		index := int(binary.LittleEndian.Uint32(body[4*i:]))
		if index <= last || index >= len(b.seats) {
			return refuse(-1, "a search of position %d after %d: want ascending ones below %d", index, last, len(b.seats))
		}
		q.seats, last = append(q.seats, &b.seats[index]), index
	}
	return nil
}

// check refuses the first text that is no position.
func (q *query) check(p engine.Position) *refusal {
	for i, text := range q.texts {
		if err := set(p, text); err != nil {
			return refuse(i, "position %d: %v", i, err)
		}
	}
	return nil
}

// set sets up a text, and plays the moves after it, each of which follows a tab: they are the history of the position.
func set(p engine.Position, text string) error {
	words := strings.Split(text, "\t") // a move of Contrast contains a space
	if err := engine.Begin(p, words[0]); err != nil {
		return err
	}
	for _, move := range words[1:] {
		m, err := p.ParseMove(move)
		if err != nil {
			return fmt.Errorf("play %.100q: %w", move, err)
		}
		p.Do(m)
	}
	return nil
}

// position returns a position to search, and whether its game is over. Those of texts are set up in p.
func (q *query) position(i int, p engine.Position) (_ engine.Position, over bool, err error) {
	if q.seats != nil {
		s := q.seats[i]
		return s.pos, q.batch.over(s), nil
	}
	if err := set(p, q.texts[i]); err != nil {
		return nil, false, err
	}
	return p, p.Outcome() != engine.Ongoing, nil
}

// searchResult is what a player found in a position.
type searchResult struct {
	over       bool // the game is over: there is nothing to find
	move, best uint16
	text       string // of move
	nodes      uint32 // 0 without a search
	score      int16
	policy     []weight
}

// weight is the weight of an action in a policy.
type weight struct{ action, weight uint16 }

// set copies the decision that a player made in a position. flips says how actions are numbered.
func (f *searchResult) set(a *encode.Actions, p engine.Position, d *workers.Decision, flips bool) {
	number := func(m engine.Move) uint16 {
		if flips {
			return a.Flip(a.Number(m))
		}
		return a.Number(m)
	}
	*f = searchResult{move: number(d.Move), text: p.FormatMove(d.Move)}
	f.best = f.move
	if d.Nodes == 0 {
		return
	}
	f.nodes, f.score, f.best = d.Nodes, d.Score, number(d.Best)
	for _, w := range d.Policy {
		f.policy = append(f.policy, weight{number(w.Move), w.Weight})
	}
}

// appendResults appends results as a frame.
func appendResults(dst []byte, list []searchResult) []byte {
	begin := len(dst)
	dst = appendHeader(dst, kindFindings, 0)
	dst = appendEnds(dst, list)
	for i := range list {
		for _, w := range list[i].policy {
			dst = binary.LittleEndian.AppendUint16(dst, w.action)
		}
	}
	for i := range list {
		for _, w := range list[i].policy {
			dst = binary.LittleEndian.AppendUint16(dst, w.weight)
		}
	}
	for i := range list {
		dst = append(append(dst, list[i].text...), '\n')
	}
	binary.LittleEndian.PutUint32(dst[begin+8:], uint32(len(dst)-begin-headerSize))
	return dst
}

// appendEnds appends the parts whose size depends only on the number of results.
func appendEnds(dst []byte, list []searchResult) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(list)))
	end := uint32(0)
	dst = binary.LittleEndian.AppendUint32(dst, end)
	for i := range list {
		end += uint32(len(list[i].policy))
		dst = binary.LittleEndian.AppendUint32(dst, end)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint32(dst, list[i].nodes)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, list[i].move)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, list[i].best)
	}
	for i := range list {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(list[i].score))
	}
	for i := range list {
		over := byte(0)
		if list[i].over {
			over = 1
		}
		dst = append(dst, over)
	}
	return dst
}
