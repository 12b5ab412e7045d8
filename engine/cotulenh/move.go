package cotulenh

import "selfplay/engine"

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
