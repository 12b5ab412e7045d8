package cotulenh

import (
	"errors"
	"fmt"

	"selfplay/engine"
)

// A step is packed into an engine.Move:
//
//	bits 0-7    square left
//	bits 8-15   square entered or captured on
//	bits 16-18  mover: Whole, WholeStay or Deploy+slot
//	bits 19-21  effect
//	bit  22     commit; no other bit is set then
//
// Squares and mover identify the step; the effect follows from them and the board.
const (
	ToShift     = 8
	MoverShift  = 16
	EffectShift = 19

	Commit engine.Move = 1 << 22
)

// Movers.
const (
	Whole     = 0 // the whole stack
	WholeStay = 1 // the whole stack, which captures and stays
	Deploy    = 2 // Deploy+k: slot k leaves the stack
)

// Effect is what a step does on the square that it goes to.
type Effect uint8

// The effects.
const (
	Normal  Effect = 0 // move to an empty square
	Capture Effect = 1 // remove the enemy and move there
	Stay    Effect = 2 // remove the enemy, but stay
	Suicide Effect = 3 // remove the enemy and the capturer
	Join    Effect = 4 // combine with an own stack
)

func newStep(from, to, mover uint8, e Effect) engine.Move {
	return engine.Move(from) | engine.Move(to)<<ToShift | engine.Move(mover)<<MoverShift | engine.Move(e)<<EffectShift
}

// quietStep completes a step to an empty square.
func quietStep(base engine.Move, to uint8) engine.Move { return base | engine.Move(to)<<ToShift }

// noisyStep completes a capture or join. A whole stack that captures and stays is a
// mover of its own.
func noisyStep(base engine.Move, to uint8, e Effect) engine.Move {
	if e == Stay && base>>MoverShift == Whole {
		base |= WholeStay << MoverShift
	}
	return base | engine.Move(to)<<ToShift | engine.Move(e)<<EffectShift
}

func fromOf(m engine.Move) uint8    { return uint8(m) }
func toOf(m engine.Move) uint8      { return uint8(m >> ToShift) }
func moverOf(m engine.Move) uint8   { return uint8(m>>MoverShift) & 7 }
func effectOf(m engine.Move) Effect { return Effect(m>>EffectShift) & 7 }

// isCapture reports whether a step removes an enemy stack.
func isCapture(m engine.Move) bool {
	e := effectOf(m)
	return e == Capture || e == Stay || e == Suicide
}

// Step is a move without its position, for action numbers.
type Step struct {
	From, To Square
	Mover    uint8 // 0 whole stack, 1 whole stack that captures and stays, 2+k slot k deploys
	Commit   bool  // ends a session; the other fields are not used
}

// Unpack returns the step of a move.
func Unpack(m engine.Move) Step {
	if m == Commit {
		return Step{Commit: true}
	}
	return Step{From: Square(fromOf(m)), To: Square(toOf(m)), Mover: moverOf(m)}
}

// Pack is the inverse of Unpack for a legal step; the effect follows from the board.
// A step without a possible effect is an error. Pack does not check range, path or
// legality.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if s.Commit {
		if !p.session.open() {
			return 0, errors.New("pack step: cannot commit: no deployment session is open")
		}
		return Commit, nil
	}
	from, to := uint8(s.From), uint8(s.To)
	stack := p.cells[from]
	in, target := &infos[stack&511], &infos[p.cells[to]&511]
	slot := uint8(0)
	if s.Mover >= Deploy {
		slot = s.Mover - Deploy
	}
	l := lineBetween(s.From, s.To)
	if in.side != p.turn || target.side == sideDead || l.dist == 0 || slot >= in.size || !p.moverAllowed(from, s.Mover) ||
		s.Mover == WholeStay && target.side != p.turn^1 {
		return 0, fmt.Errorf("pack step: mover %d cannot go from %v to %v in this position", s.Mover, s.From, s.To)
	}
	e := Normal
	switch moved := stack.moving(s.Mover); target.side {
	case sideNone:
	case p.turn:
		e = Join
		if combine(moved, p.cells[to]) == Empty {
			return 0, fmt.Errorf("pack step: %v from %v does not combine with %v on %v", moved, s.From, p.cells[to], s.To)
		}
	default:
		e = p.captureEffect(s, infos[moved&511].kinds[0], l)
	}
	return newStep(from, to, s.Mover, e), nil
}

// moverAllowed reports whether a mover may start from a square now: in a session only
// the remaining members on its origin, else whole stacks and members of two or more.
func (p *Position) moverAllowed(from, mover uint8) bool {
	if p.session.open() {
		return from == p.session.origin && mover >= Deploy && p.session.rest>>(mover-Deploy)&1 == 1
	}
	return mover < Deploy || infos[p.cells[from]&511].size > 1
}

// captureEffect returns how a mover of this kind captures the stack on s.To.
func (p *Position) captureEffect(s Step, kind uint8, l line) Effect {
	switch {
	case s.Mover == WholeStay:
		return Stay
	case kind == airKind && p.zones[p.turn&1^1].fly(uint8(s.From), l.dir, int(l.dist)) != safe:
		return Suicide
	case !fits[kind>>1&15][s.To]:
		return Stay
	}
	return Capture
}
