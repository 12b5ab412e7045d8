package bitboard

import (
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
