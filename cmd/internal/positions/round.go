package positions

import (
	"encoding/binary"
	"fmt"
	"slices"

	"selfplay/engine"
)

// What a round does with a position first.
const (
	opPlay  = 0 // plays the action
	opBegin = 1 // begins again
	opSkip  = 2 // nothing at all: the player does not play either
)

// roundSize is the number of bytes of a round for each position.
const roundSize = 8 + 2 + 1 + 1

// round plays an action in each position, or begins it again, and then lets the player play for the other side until the given
// side is to move or the game has ended.
func (s *session) round() ([][]byte, *refusal, error) {
	b := s.batch
	switch {
	case b == nil:
		return nil, errNoBatch, nil
	case s.config.Player == nil:
		return nil, refuse(-1, "a round without a player: start this program with --player"), nil
	case b.flags&flagRestart != 0:
		return nil, refuse(-1, "a round of positions that begin again by themselves"), nil
	case len(s.body) != roundSize*len(b.seats):
		return nil, refuse(-1, "a round of %d bytes: want %d", len(s.body), roundSize*len(b.seats)), nil
	}
	n := len(b.seats)
	seeds, actions, sides, ops := s.body[:8*n], s.body[8*n:10*n], s.body[10*n:11*n], s.body[11*n:]
	if refused := b.chooseSome(actions, sides, ops); refused != nil {
		return nil, refused, nil
	}
	if err := s.each(n, func(t *thinker, i int) error {
		return s.playRound(t, i, ops[i], engine.Side(sides[i]), binary.LittleEndian.Uint64(seeds[8*i:]))
	}); err != nil {
		return nil, nil, err
	}
	if err := b.look(); err != nil {
		return nil, nil, err
	}
	return b.observe(), nil, nil
}

// chooseSome finds the moves of the positions in which an action is to be played, without playing them.
func (b *batch) chooseSome(actions, sides, ops []byte) *refusal {
	if i := slices.IndexFunc(sides, func(side byte) bool { return side > 1 }); i >= 0 {
		return refuse(i, "position %d: side %d: want 0 or 1", i, sides[i])
	}
	for k := range b.parts {
		p := &b.parts[k]
		for i := range p.seats {
			switch at := p.first + i; ops[at] {
			case opPlay:
				if refused := p.chooseOne(i, binary.LittleEndian.Uint16(actions[2*at:])); refused != nil {
					return refused
				}
			case opBegin, opSkip:
			default:
				return refuse(at, "position %d: %d is nothing that a round does", at, ops[at])
			}
		}
	}
	return nil
}

// chosen returns the move that is chosen in a position.
func (b *batch) chosen(i int) engine.Move {
	k, _ := slices.BinarySearchFunc(b.parts, i, func(p part, i int) int {
		if p.first+len(p.seats) <= i {
			return -1
		}
		return 0
	})
	return b.parts[k].chosen[i-b.parts[k].first]
}

// playRound plays a round of one position. Each decision of the player has a seed of its own.
func (s *session) playRound(t *thinker, i int, op byte, side engine.Side, seed uint64) error {
	b, seat := s.batch, &s.batch.seats[i]
	switch op {
	case opSkip:
		seat.ended = false
		return nil
	case opBegin:
		b.again(seat)
		seat.outcome, seat.ended, seat.seed = engine.Ongoing, false, seed
	default:
		b.play(seat, b.chosen(i))
	}
	for ply := uint64(0); seat.outcome == engine.Ongoing && seat.pos.Turn() != side; ply++ {
		if !s.decide(t, seat.pos, seat.seed, engine.Mix(seed)+ply) {
			return fmt.Errorf("position %d: the player finds no move in %s", i, seat.pos)
		}
		b.advance(seat, t.decision.Move)
	}
	return nil
}
