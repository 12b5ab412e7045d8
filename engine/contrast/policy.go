package contrast

import "selfplay/engine"

var _ engine.Policied = (*Position)(nil)

// policySet has the parts of a move: its step, from*25 + to, and what happens with the tile,
// 625 + to*51 + Step.Tile. A row of weights for each of the 31,875 actions would take megabytes.
// Cells count as in featureSet: White sees the board rotated.
var policySet = engine.PolicySet{Name: "contrast-step-tile", Version: 1, Size: stepParts + numCells*tileParts}

const (
	stepParts = numCells * numCells
	tileParts = 1 + 2*numCells
)

// MoveParts returns the step and the tile of a move.
func (p *Position) MoveParts(m engine.Move) [2]uint16 {
	side := engine.Side(p.turn & 1)
	from, to := cellViews[fromOf(m)&63].In(side), cellViews[toOf(m)&63].In(side)
	tile := 0
	if kind := kindOf(m); kind != noTile {
		tile = 1 + int(kind-blackTile)*numCells + cellViews[tileSquareOf(m)&63].In(side)
	}
	return [2]uint16{uint16(from*numCells + to), uint16(stepParts + to*tileParts + tile)}
}
