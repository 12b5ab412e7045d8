package positions

import (
	"encoding/binary"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

// The flags of a begin.
const (
	flagRestart = 1 << iota // a finished position begins again; without it, it stays
	flagMover               // actions are those that the side to move sees; without it, they are absolute
	flagPlanes              // observations have planes
	allFlags    = 1<<iota - 1
)

// batch is n positions of a game.
type batch struct {
	game   *encode.Game
	layout *encode.Layout
	flags  uint32
	limit  uint32          // of plies
	start  string          // text of the first position
	spare  engine.Position // of a line

	seats   []seat
	chosen  []engine.Move // of a step
	moves   []engine.Move // of one position
	actions []uint16      // the legal ones of all positions, as the other side numbers them
	ends    []uint32      // where they begin: n+1
	sorter  sorter
	frame   []byte // the last observation
}

// seat is one position.
type seat struct {
	pos     engine.Position
	plies   uint32
	outcome engine.Outcome // of the game that has ended, at the last step or before
	ended   bool           // by the last step
}

// begin returns the batch that the body of a frame asks for.
func begin(c *Config, layout *encode.Layout, body []byte) (*batch, *refusal) {
	if len(body) < beginHead {
		return nil, refuse(-1, "a begin of %d bytes: want at least %d", len(body), beginHead)
	}
	n, flags, limit := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint32(body[8:])
	if n < 1 || n > MaxPositions || flags > allFlags || limit < 1 {
		return nil, refuse(-1, "%d positions, flags %d, ply limit %d: want 1 to %d positions, flags up to %d, a ply at least",
			n, flags, limit, MaxPositions, allFlags)
	}
	b := &batch{
		game: &c.Game, layout: layout, flags: flags, limit: limit, start: string(body[beginHead:]), spare: c.Game.New(c.Variant),
		seats: make([]seat, n), chosen: make([]engine.Move, n), sorter: newSorter(c.Game.Actions.Count),
	}
	for i := range b.seats {
		b.seats[i].pos = c.Game.New(c.Variant)
		if err := engine.Begin(b.seats[i].pos, b.start); err != nil {
			return nil, refuse(-1, "position %q: %v", b.start, err)
		}
	}
	if b.seats[0].pos.Outcome() != engine.Ongoing {
		return nil, refuse(-1, "position %q: the game is over", b.start)
	}
	b.list()
	return b, nil
}

// step plays the actions in the body of a frame, all of them or none.
func (b *batch) step(body []byte) *refusal {
	if len(body) != 2*len(b.seats) {
		return refuse(-1, "a step of %d bytes: want %d", len(body), 2*len(b.seats))
	}
	for i := range b.seats {
		if refused := b.choose(i, binary.LittleEndian.Uint16(body[2*i:])); refused != nil {
			return refused
		}
	}
	for i := range b.seats {
		b.play(&b.seats[i], b.chosen[i])
	}
	b.list()
	return nil
}

// choose finds the move of an action without playing it.
func (b *batch) choose(i int, action uint16) *refusal {
	s := &b.seats[i]
	if s.outcome != engine.Ongoing && b.flags&flagRestart == 0 {
		return nil
	}
	if _, legal := slices.BinarySearch(b.actions[b.ends[i]:b.ends[i+1]], action); !legal {
		return refuse(i, "position %d: action %d is not legal in %s", i, action, s.pos)
	}
	if b.flips(s.pos) {
		action = b.game.Actions.Flip(action)
	}
	m, err := b.game.Actions.Move(s.pos, action)
	if err != nil {
		return refuse(i, "position %d: %v", i, err)
	}
	b.chosen[i] = m
	return nil
}

// flips reports whether the actions of a position are numbered as the second side sees them.
func (b *batch) flips(p engine.Position) bool {
	return b.flags&flagMover != 0 && p.Turn() == engine.Second
}

// play plays a move, and begins again or stays where the game ends.
func (b *batch) play(s *seat, m engine.Move) {
	s.ended = false
	restarts := b.flags&flagRestart != 0
	if s.outcome != engine.Ongoing && !restarts {
		return
	}
	s.pos.Do(m)
	s.plies++
	s.outcome = s.pos.Outcome()
	if s.outcome == engine.Ongoing && s.plies >= b.limit {
		s.outcome.Reason = engine.PlyLimit
	}
	s.ended = s.outcome != engine.Ongoing
	if s.ended && restarts {
		s.plies = 0
		if err := engine.Begin(s.pos, b.start); err != nil {
			panic("positions: " + err.Error()) // it began there before
		}
	}
}

// list lists the legal actions of all positions.
func (b *batch) list() {
	b.actions, b.ends = b.actions[:0], append(b.ends[:0], 0)
	for i := range b.seats {
		if s := &b.seats[i]; s.outcome == engine.Ongoing || b.flags&flagRestart != 0 {
			b.listOne(s.pos)
		}
		b.ends = append(b.ends, uint32(len(b.actions)))
	}
}

// listOne appends the legal actions of a position.
func (b *batch) listOne(p engine.Position) {
	b.moves = p.Moves(b.moves[:0])
	a, flips := &b.game.Actions, b.flips(p)
	for _, m := range b.moves {
		action := a.Number(m)
		if flips {
			action = a.Flip(action)
		}
		b.sorter.add(action)
	}
	b.actions = b.sorter.appendTo(b.actions)
}
