package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// Actions of Contrast: (from*25 + to)*51 + tile, with tile as in contrast.Step: 0 no tile,
// 1 to 25 a black tile and 26 to 50 a gray tile on a cell.
const (
	contrastTiles       = 1 + 2*contrastCells
	contrastActionCount = contrastCells * contrastCells * contrastTiles
)

func contrastActions() Actions {
	return Actions{
		Version:   1,
		Count:     contrastActionCount,
		Factors:   Factors{Rays: contrastCells, Whats: contrastTiles},
		HasOrigin: true,
		Number:    contrastNumber,
		Move:      contrastMove,
		Describe:  describeContrast,
		Flip:      flipContrastAction,
	}
}

// contrastNumber does not need the position: the move has all the facts.
func contrastNumber(m engine.Move) uint16 {
	s := contrast.Unpack(m)
	return uint16((int(s.From)*contrastCells+int(s.To))*contrastTiles + int(s.Tile))
}

func contrastMove(pos engine.Position, action uint16) (engine.Move, error) {
	if action >= contrastActionCount {
		return 0, fmt.Errorf("action %d: want 0 to %d", action, contrastActionCount-1)
	}
	m, err := pos.(*contrast.Position).Pack(contrastStep(action))
	if err != nil {
		return 0, fmt.Errorf("action %d: %w", action, err)
	}
	return m, nil
}

func contrastStep(action uint16) contrast.Step {
	cells := action / contrastTiles
	return contrast.Step{From: uint8(cells / contrastCells), To: uint8(cells % contrastCells), Tile: uint8(action % contrastTiles)}
}

// describeContrast writes the tile as the text of a move does: c3b, c3g, -1.
func describeContrast(action uint16) Action {
	s := contrastStep(action)
	if !onOneLine(int(s.To/5)-int(s.From/5), int(s.To%5)-int(s.From%5)) {
		return Action{Kind: NoAction}
	}
	a := Action{From: contrastGrid.Name(int(s.From)), To: contrastGrid.Name(int(s.To)), Kind: "-1"}
	switch {
	case s.Tile > contrastCells:
		a.Kind = contrastGrid.Name(int(s.Tile)-1-contrastCells) + "g"
	case s.Tile > 0:
		a.Kind = contrastGrid.Name(int(s.Tile)-1) + "b"
	}
	return a
}

// onOneLine reports whether a displacement runs along a row, a file or a diagonal.
func onOneLine(rows, files int) bool {
	if rows == 0 || files == 0 {
		return rows != files
	}
	return rows == files || rows == -files
}
