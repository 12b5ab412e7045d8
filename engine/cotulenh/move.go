package cotulenh

import (
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

const (
	Normal  Effect = 0 // move to an empty square
	Capture Effect = 1 // remove the enemy and move there
	Stay    Effect = 2 // remove the enemy, but stay
	Suicide Effect = 3 // remove the enemy and the capturer
	Join    Effect = 4 // combine with an own stack
)

func newStep(from, to uint8, mover engine.Move, e Effect) engine.Move {
	return engine.Move(from) | engine.Move(to)<<ToShift | mover<<MoverShift | engine.Move(e)<<EffectShift
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

// The text of a step: the members that move, in upper case with + before a heroic
// one; the square that they leave; > for a deployment; the mark of the effect; the
// square that they go to. Examples: Ic5c6, Tc3>xd3, (NF)a3b3.

const commitText = "commit"

var effectMarks = [...]string{Normal: "", Capture: "x", Stay: "_", Suicide: "@", Join: "&"}

// FormatMove writes a legal step.
func (p *Position) FormatMove(m engine.Move) string { return FormatStep(m, p.cells[fromOf(m)]) }

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
