package encode

import (
	"fmt"
	"strconv"

	"selfplay/engine"
	"selfplay/engine/contrast"
)

// Contrast returns the catalog entry of Contrast.
func Contrast() Game {
	compact := contrastCompact()
	return Game{
		Game:    contrast.Game(),
		WDL:     contrastWDL,
		Layouts: []Layout{compact, contrastPlanes().layout(compact)},
		Actions: Actions{
			Version:  1,
			Count:    contrastActions,
			Number:   contrastNumber,
			Move:     contrastMove,
			Describe: describeContrast,
			Flip:     flipContrastAction,
		},
	}
}

const contrastCells = 25

// contrastCompact is the array of the game's public encoding, version 2.
func contrastCompact() Layout {
	return Layout{
		Name:    "compact",
		Version: 1,
		Kind:    Uint8,
		Elements: []Element{
			{"cells", contrastCells, "row by row from a5 to e1: occupant*3 + tile; occupant 0 none, 1 black, 2 white; tile 0 none, 1 black, 2 gray"},
			{"black_black", 1, "black tiles that black has left, 0 to 3"},
			{"black_gray", 1, "gray tiles that black has left, 0 or 1"},
			{"white_black", 1, "black tiles that white has left, 0 to 3"},
			{"white_gray", 1, "gray tiles that white has left, 0 or 1"},
		},
		Encode: func(dst []byte, p engine.Position) []byte {
			return p.(*contrast.Position).AppendArray(dst)
		},
		Decode:   decodeContrast,
		Flip:     flipContrast,
		Members:  contrastMembers,
		Migrate:  migrateContrast,
		Identity: []string{"cells", "black_black", "black_gray", "white_black", "white_gray"},
	}
}

func decodeContrast(values []byte, turn engine.Side) (string, error) {
	p, err := contrastOf(values, turn)
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

// contrastOf returns the position of an array.
func contrastOf(values []byte, turn engine.Side) (*contrast.Position, error) {
	var text []byte
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendUint(text, uint64(v), 10)
	}
	p := contrast.New()
	if err := p.Set(string(text) + [2]string{" x", " o"}[turn&1]); err != nil {
		return nil, fmt.Errorf("decode board: %w", err)
	}
	return p, nil
}

// contrastMembers returns the board_array object of the public encoding, and
// whether a game can lead to the position.
func contrastMembers(values []byte, turn engine.Side) []Member {
	array := make([]int, len(values))
	for i, v := range values {
		array[i] = int(v)
	}
	p, err := contrastOf(values, turn)
	type hand struct {
		Black int `json:"black"`
		Gray  int `json:"gray"`
	}
	return []Member{
		{"board_array", array},
		{"encoding", "occupant*3+tile"},
		{"size", len(array)},
		{"format", "row-major"},
		{"structure", struct {
			Cells string `json:"board_cells"`
			Black string `json:"black_player_tiles"`
			White string `json:"white_player_tiles"`
		}{"[0-24]", "[25-26]", "[27-28]"}},
		{"tile_inventory", struct {
			Black hand `json:"black_player"`
			White hand `json:"white_player"`
		}{hand{array[25], array[26]}, hand{array[27], array[28]}}},
		{"reachable", err == nil && p.Reachable() == nil},
	}
}

// migrateContrast completes an array of version 1, the cells alone, with full
// hands. Where tiles lie on the board that is wrong, and whose they were is not
// known.
func migrateContrast(array []int, strict bool) ([]int, error) {
	if len(array) != contrastCells {
		return array, nil
	}
	cells := make([]uint8, 0, contrastCells)
	for i, v := range array {
		if v < 0 || v > 8 {
			return nil, arrayError("ARRAY_RANGE", "element %d is %d, want 0 to 8", i, v)
		}
		cells = append(cells, uint8(v))
	}
	full, certain, err := contrast.MigrateV1(cells)
	if strict && !certain {
		return nil, arrayError("ARRAY_AMBIGUOUS", "tiles lie on the board, and 25 elements do not say whose hands they came from")
	}
	list := make([]int, 0, len(full))
	for _, v := range full {
		list = append(list, int(v))
	}
	return list, err
}

// Actions of Contrast: (from*25 + to)*51 + tile, tile as in contrast.Step.
const (
	contrastTiles   = 1 + 2*contrastCells
	contrastActions = contrastCells * contrastCells * contrastTiles
)

// contrastNumber needs nothing of the position: all is in the move.
func contrastNumber(_ engine.Position, m engine.Move) uint16 {
	s := contrast.Unpack(m)
	return uint16((int(s.From)*contrastCells+int(s.To))*contrastTiles + int(s.Tile))
}

func contrastMove(pos engine.Position, action uint16) (engine.Move, error) {
	if action >= contrastActions {
		return 0, fmt.Errorf("action %d: numbers end at %d", action, contrastActions-1)
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

// describeContrast writes the kind as the wire form of a move writes the tile.
func describeContrast(action uint16) Action {
	s := contrastStep(action)
	if !onOneLine(int(s.To/5)-int(s.From/5), int(s.To%5)-int(s.From%5)) {
		return Action{Kind: NoAction}
	}
	a := Action{From: contrast.CellName(s.From), To: contrast.CellName(s.To), Kind: "-1"}
	switch {
	case s.Tile > contrastCells:
		a.Kind = contrast.CellName(s.Tile-1-contrastCells) + "g"
	case s.Tile > 0:
		a.Kind = contrast.CellName(s.Tile-1) + "b"
	}
	return a
}

// onOneLine reports whether so many rows and columns lead along an arrow.
func onOneLine(rows, columns int) bool {
	if rows == 0 || columns == 0 {
		return rows != columns
	}
	return rows == columns || rows == -columns
}
