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
	crew   *crew
	flags  uint32
	limit  uint32          // of plies
	start  string          // text of the first position
	spare  engine.Position // of a line
	moves  []engine.Move   // of a line

	seats  []seat
	parts  []part // of the seats
	asked  []byte // the actions of a step
	frame  []byte // the last observation, without large planes
	pieces [][]byte

	choosePart, playPart, lookPart func(part int) // for the crew: made once, so that a step allocates nothing
}

// seat is one position.
type seat struct {
	pos     engine.Position
	moves   []engine.Move  // since the first position
	outcome engine.Outcome // of the game that has ended, at the last step or before
	ended   bool           // by the last step
	seed    uint64         // of the round that began the game
}

// begin returns the batch that the body of a frame asks for, whose positions nobody has looked at yet.
func begin(c *Config, layout *encode.Layout, w *crew, body []byte) (*batch, *refusal) {
	if len(body) < beginHead {
		return nil, refuse(-1, "a begin of %d bytes: want at least %d", len(body), beginHead)
	}
	n, flags, limit := binary.LittleEndian.Uint32(body), binary.LittleEndian.Uint32(body[4:]), binary.LittleEndian.Uint32(body[8:])
	if n < 1 || n > MaxPositions || flags > allFlags || limit < 1 {
		return nil, refuse(-1, "%d positions, flags %d, ply limit %d: want 1 to %d positions, flags up to %d, a ply at least",
			n, flags, limit, MaxPositions, allFlags)
	}
	b := &batch{
		game: &c.Game, layout: layout, crew: w, flags: flags, limit: limit, start: string(body[beginHead:]), spare: c.Game.New(c.Variant),
		seats: make([]seat, n),
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
	b.divide(w.size)
	b.choosePart = func(i int) { b.parts[i].choose() }
	b.playPart = func(i int) { b.parts[i].play() }
	b.lookPart = func(i int) { b.parts[i].look() }
	return b, nil
}

// look looks at all positions. The error is a panic.
func (b *batch) look() error { return b.crew.run(b.lookPart, len(b.parts)) }

// step plays the actions in the body of a frame, all of them or none. The error is a panic.
func (b *batch) step(body []byte) (*refusal, error) {
	if len(body) != 2*len(b.seats) {
		return refuse(-1, "a step of %d bytes: want %d", len(body), 2*len(b.seats)), nil
	}
	b.asked = body
	if err := b.crew.run(b.choosePart, len(b.parts)); err != nil {
		return nil, err
	}
	for i := range b.parts {
		if refused := b.parts[i].refused; refused != nil {
			return refused, nil
		}
	}
	return nil, b.crew.run(b.playPart, len(b.parts))
}

// flips reports whether the actions of a position are numbered as the second side sees them.
func (b *batch) flips(p engine.Position) bool {
	return b.flags&flagMover != 0 && p.Turn() == engine.Second
}

// over reports whether a game has ended, by the rules or at the ply limit, and its position stays. With flagRestart the
// outcome is that of an earlier game.
func (b *batch) over(s *seat) bool {
	return s.outcome != engine.Ongoing && b.flags&flagRestart == 0
}

// play plays a move, and begins again or stays where the game ends.
func (b *batch) play(s *seat, m engine.Move) {
	s.ended = false
	if b.over(s) {
		return
	}
	s.pos.Do(m)
	b.advance(s, m)
}

// advance looks whether the game has ended with the last move.
func (b *batch) advance(s *seat, m engine.Move) {
	s.moves = append(s.moves, m)
	s.outcome = s.pos.Outcome()
	if s.outcome == engine.Ongoing && len(s.moves) >= int(b.limit) {
		s.outcome.Reason = engine.PlyLimit
	}
	s.ended = s.outcome != engine.Ongoing
	if s.ended && b.flags&flagRestart != 0 {
		b.again(s)
	}
}

// again sets up the first position. What is said of the game that has ended stays.
func (b *batch) again(s *seat) {
	s.moves = s.moves[:0]
	if err := engine.Begin(s.pos, b.start); err != nil {
		panic("positions: " + err.Error()) // it began there before
	}
}

// endedBit marks, beside the side to move, that the step ended a game.
const endedBit = 2

// manyPlanes is the number of bytes of the planes of a part from which to copy them costs more than another write.
const manyPlanes = 1 << 15

// planesSize returns the number of bytes of the planes of a position, 0 without planes.
func (b *batch) planesSize() int {
	if b.flags&flagPlanes == 0 {
		return 0
	}
	return b.layout.Len() * b.layout.Kind.Size()
}

// observe returns the observation as a frame in pieces, which are valid until the next one.
func (b *batch) observe() [][]byte {
	m := 0
	for i := range b.parts {
		m += len(b.parts[i].actions)
	}
	dst := appendHeader(b.frame[:0], kindObservation, 0)
	for _, v := range [4]uint32{uint32(len(b.seats)), uint32(m), uint32(b.planesSize()), 0} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = b.appendStates(b.appendActions(dst))
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(dst)-headerSize+len(b.seats)*b.planesSize()))
	b.pieces = append(b.pieces[:0], nil)
	copied := len(b.seats)*b.planesSize() < manyPlanes*len(b.parts)
	for i := range b.parts {
		if planes := b.parts[i].planes; copied {
			dst = append(dst, planes...)
		} else {
			b.pieces = append(b.pieces, planes)
		}
	}
	b.pieces[0], b.frame = dst, dst
	return b.pieces
}

// appendActions appends where the legal actions of each position begin, and the actions.
func (b *batch) appendActions(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	begin := uint32(0)
	for i := range b.parts {
		p := &b.parts[i]
		for _, end := range p.ends {
			dst = binary.LittleEndian.AppendUint32(dst, begin+end)
		}
		begin += uint32(len(p.actions))
	}
	for i := range b.parts {
		dst = appendNumbers(dst, b.parts[i].actions)
	}
	return dst
}

// appendNumbers appends numbers as bytes.
func appendNumbers(dst []byte, list []uint16) []byte {
	dst = slices.Grow(dst, 2*len(list))
	at := dst[len(dst) : len(dst)+2*len(list)]
	for i, v := range list {
		binary.LittleEndian.PutUint16(at[2*i:], v)
	}
	return dst[:len(dst)+len(at)]
}

// appendStates appends sides, results and reasons.
func (b *batch) appendStates(dst []byte) []byte {
	for i := range b.seats {
		state := byte(b.seats[i].pos.Turn())
		if b.seats[i].ended {
			state |= endedBit
		}
		dst = append(dst, state)
	}
	for i := range b.seats {
		dst = append(dst, byte(b.seats[i].outcome.Result))
	}
	for i := range b.seats {
		dst = append(dst, byte(b.seats[i].outcome.Reason))
	}
	return dst
}

// line answers with the texts of the moves of one game, one a line. The body has its actions from the first position of the batch,
// as a step has them.
func (b *batch) line(body []byte) ([]byte, *refusal) {
	if len(body)%2 != 0 {
		return nil, refuse(-1, "a line of %d bytes: want 2 for each action", len(body))
	}
	p := b.spare
	if err := engine.Begin(p, b.start); err != nil {
		return nil, refuse(-1, "position %q: %v", b.start, err)
	}
	dst := appendHeader(b.frame[:0], kindTexts, 0)
	for ply := 0; 2*ply < len(body); ply++ {
		action := binary.LittleEndian.Uint16(body[2*ply:])
		m, legal := b.find(p, action)
		if !legal {
			return nil, refuse(ply, "ply %d: action %d is not legal in %s", ply, action, p)
		}
		dst = append(append(dst, p.FormatMove(m)...), '\n')
		p.Do(m)
	}
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(dst)-headerSize))
	b.frame = dst
	return dst, nil
}

// find returns the legal move with an action as the other side numbers it.
func (b *batch) find(p engine.Position, action uint16) (m engine.Move, legal bool) {
	b.moves = p.Moves(b.moves[:0])
	return find(&b.game.Actions, b.moves, action, b.flips(p))
}

// find returns the move with an action among the legal ones. flips: the action is that of the flipped position.
func find(a *encode.Actions, legal []engine.Move, action uint16, flips bool) (engine.Move, bool) {
	if flips {
		action = a.Flip(action)
	}
	i := slices.IndexFunc(legal, func(m engine.Move) bool { return a.Number(m) == action })
	if i < 0 {
		return 0, false
	}
	return legal[i], true
}
