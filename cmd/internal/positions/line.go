package positions

import (
	"encoding/binary"
	"slices"

	"selfplay/encode"
	"selfplay/engine"
)

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
