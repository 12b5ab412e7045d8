package positions

import (
	"encoding/binary"
	"slices"

	"selfplay/engine"
)

// savedHead is the number of bytes of a position in a saved, without its moves.
const savedHead = 4 + 4 + 8

// save returns all positions and their history as a frame. It has moves instead of what they lead to, so that no player
// searches again where they are restored.
func (b *batch) save() []byte {
	dst := appendHeader(nil, kindSaved, 0)
	for i := range b.seats {
		s, ended := &b.seats[i], byte(0)
		if s.ended {
			ended = 1
		}
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.moves)))
		dst = append(dst, byte(s.outcome.Result), byte(s.outcome.Reason), ended, 0)
		dst = binary.LittleEndian.AppendUint64(dst, s.seed)
		for _, m := range s.moves {
			dst = binary.LittleEndian.AppendUint16(dst, b.game.Actions.Number(m))
		}
	}
	binary.LittleEndian.PutUint32(dst[8:], uint32(len(dst)-headerSize))
	return dst
}

// restore begins a batch whose positions are those that were saved.
func (s *session) restore() ([][]byte, *refusal, error) {
	if len(s.body) < 4 || uint64(binary.LittleEndian.Uint32(s.body)) > uint64(len(s.body)-4) {
		return nil, refuse(-1, "a restore of %d bytes: want a begin and what was saved", len(s.body)), nil
	}
	length := binary.LittleEndian.Uint32(s.body)
	b, refused := begin(&s.config, s.layout, s.crew, s.body[4:4+length])
	if refused != nil {
		return nil, refused, nil
	}
	saved := s.body[4+length:]
	for i := range b.seats {
		if saved, refused = b.restoreOne(i, saved); refused != nil {
			return nil, refused, nil
		}
	}
	if len(saved) > 0 {
		return nil, refuse(-1, "a restore with %d bytes after the last position", len(saved)), nil
	}
	return s.hold(b)
}

// restoreOne plays the moves of a position, and returns what follows it in saved.
func (b *batch) restoreOne(i int, saved []byte) ([]byte, *refusal) {
	s := &b.seats[i]
	if len(saved) < savedHead || uint64(binary.LittleEndian.Uint32(saved)) > uint64(len(saved)-savedHead)/2 {
		return nil, refuse(i, "position %d: %d bytes are no saved position", i, len(saved))
	}
	count, outcome := int(binary.LittleEndian.Uint32(saved)), engine.Outcome{Result: engine.Result(saved[4]), Reason: engine.Reason(saved[5])}
	ended, seed := saved[6] != 0, binary.LittleEndian.Uint64(saved[8:])
	saved = saved[savedHead:]
	for ply := range count {
		action := binary.LittleEndian.Uint16(saved[2*ply:])
		b.moves = s.pos.Moves(b.moves[:0])
		m, legal := find(&b.game.Actions, b.moves, action, false)
		if !legal || s.outcome != engine.Ongoing {
			return nil, refuse(i, "position %d: action %d is not legal in %s", i, action, s.pos)
		}
		s.pos.Do(m)
		b.advance(s, m)
	}
	if b.flags&flagRestart != 0 {
		known := outcome.Reason == engine.NoReason || slices.Contains(b.game.AllReasons(), outcome.Reason)
		if outcome.Result > engine.Draw || !known {
			return nil, refuse(i, "position %d: result %d, reason %d: there is no such outcome", i, outcome.Result, outcome.Reason)
		}
		s.outcome = outcome // of the game before
	}
	s.ended, s.seed = ended, seed
	return saved[2*count:], nil
}
