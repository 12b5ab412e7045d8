package chess

import "selfplay/engine"

var _ engine.Policied = (*Position)(nil)

// policySet has the parts of a move: from*64 + to, and 4096 + kind*64 + to with the kind of the
// piece that arrives, a promoted one after a promotion. Kinds and cells count as in featureSet.
var policySet = engine.PolicySet{Name: "chess-step-piece", Version: 1, Size: stepParts + featuresPerSide}

const stepParts = 64 * 64

// MoveParts returns the step of a move and the piece on its target.
func (p *Position) MoveParts(m engine.Move) [2]uint16 {
	side := engine.Side(sideOf(pieceOf(m)))
	from, to := cellViews[fromOf(m)].In(side), cellViews[toOf(m)].In(side)
	kind := int(pieceOf(m) & kindBits)
	if promoted := promotionOf(m); promoted != 0 {
		kind = int(promoted)
	}
	return [2]uint16{uint16(from*64 + to), uint16(stepParts + (kind-1)*64 + to)}
}
