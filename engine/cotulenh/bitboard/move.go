package bitboard

import (
	"errors"
	"fmt"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// The bits of a step are those of package cotulenh.
const (
	commit    = cotulenh.Commit
	whole     = cotulenh.Whole
	wholeStay = cotulenh.WholeStay
	deploy    = cotulenh.Deploy
)

func newStep(from, to uint8, mover engine.Move, effect cotulenh.Effect) engine.Move {
	return engine.Move(from) | engine.Move(to)<<cotulenh.ToShift | mover<<cotulenh.MoverShift | engine.Move(effect)<<cotulenh.EffectShift
}

func fromOf(m engine.Move) uint8             { return uint8(m) }
func toOf(m engine.Move) uint8               { return uint8(m >> cotulenh.ToShift) }
func moverOf(m engine.Move) uint8            { return uint8(m>>cotulenh.MoverShift) & 7 }
func effectOf(m engine.Move) cotulenh.Effect { return cotulenh.Effect(m>>cotulenh.EffectShift) & 7 }

// isCapture reports whether a step removes an enemy stack.
func isCapture(m engine.Move) bool {
	e := effectOf(m)
	return e == cotulenh.Capture || e == cotulenh.Stay || e == cotulenh.Suicide
}

// FormatMove writes a legal step.
func (p *Position) FormatMove(m engine.Move) string {
	return cotulenh.FormatStep(m, p.cells[fromOf(m)])
}

// ParseMove reads the text of a legal step.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	list := p.Moves(p.moves[:0])
	p.moves = list
	for _, m := range list {
		if p.FormatMove(m) == text {
			return m, nil
		}
	}
	return 0, fmt.Errorf("parse move %q: not a legal step in this position", text)
}

// Pack is the inverse of cotulenh.Unpack for a legal step; the effect follows from the
// board. A step without a possible effect is an error. Pack does not check range, path or
// legality.
func (p *Position) Pack(s cotulenh.Step) (engine.Move, error) {
	if s.Commit {
		if !p.session.open() {
			return 0, errors.New("pack step: cannot commit: no deployment session is open")
		}
		return commit, nil
	}
	from, to := uint8(s.From), uint8(s.To)
	d, distance := rayBetween(s.From, s.To)
	if !s.From.Valid() || !s.To.Valid() || distance == 0 || facts[p.cells[from]&511].side != p.turn ||
		!p.moverAllowed(from, s.Mover) || s.Mover == wholeStay && facts[p.cells[to]&511].side != p.turn^1 {
		return 0, fmt.Errorf("pack step: mover %d cannot go from %v to %v in this position", s.Mover, s.From, s.To)
	}
	m := p.wholeOf(from)
	if s.Mover >= deploy {
		m = p.memberOf(from, s.Mover-deploy)
	}
	switch facts[p.cells[to]&511].side {
	case noSide:
		return newStep(from, to, engine.Move(s.Mover), cotulenh.Normal), nil
	case p.turn:
		if combine(m.moved, p.cells[to]) == cotulenh.Empty {
			return 0, fmt.Errorf("pack step: %v from %v does not combine with %v on %v", m.moved, s.From, p.cells[to], s.To)
		}
		return newStep(from, to, engine.Move(s.Mover), cotulenh.Join), nil
	case p.turn ^ 1:
		if s.Mover == wholeStay {
			return newStep(from, to, wholeStay, cotulenh.Stay), nil
		}
	}
	suicide := m.kind == airKind && distance <= maxDistance && p.flight(from, d, distance) != flightSafe
	return newStep(from, to, engine.Move(s.Mover), captureEffect(m.kind, to, suicide)), nil
}

// moverAllowed reports whether a mover may start from a square now: in a session only the
// remaining members on its origin, else whole stacks and members of two or more.
func (p *Position) moverAllowed(from, mover uint8) bool {
	size := facts[p.cells[from]&511].size
	if p.session.open() {
		return from == p.session.origin && mover >= deploy && p.session.rest>>(mover-deploy)&1 == 1
	}
	return mover < deploy || size > 1 && mover-deploy < size
}

// rayBetween returns the direction and the number of steps from a to b; distance is 0 if
// they share no ray.
func rayBetween(a, b cotulenh.Square) (d int, distance uint8) {
	v := raysByOffset[256+int(b)-int(a)]
	return int(v >> 4), v & 15
}

// raysByOffset holds direction<<4 + distance by 256 + the difference of the squares.
var raysByOffset = func() (table [512]uint8) {
	for d, dir := range directions {
		for n := 1; n <= cotulenh.Unlimited; n++ {
			if i := 256 + n*dir; i >= 0 && i < len(table) {
				table[i] = uint8(d<<4 + n)
			}
		}
	}
	return table
}()
