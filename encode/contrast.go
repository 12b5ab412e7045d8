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
		Game:        contrast.Game(),
		Layouts:     []Layout{compact, contrastPlanes().Layout(compact)},
		Actions:     contrastActions(),
		Reasons:     []engine.Reason{engine.Repetition, engine.Goal, engine.Blocked},
		Repetitions: 3,
		Models:      contrastModels(),
		Board:       contrastBoard,
		// Games end before a lead lasts, so no preset adjudicates. With a small temperature
		// the games of depth 2 do not repeat positions.
		Presets: Presets(
			"--player ab:nodes=75,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 2 --explore-plies 0-20",
			"--player ab:nodes=500,hash=1,hard=10000,multi=4,temp=10,net=none --opening-plies 4-10 --opening-max-score 150"+
				" --explore-moves 2 --explore-plies 0-20 --explore-among 4 --explore-window 100",
			"--player ab:nodes=3000,hash=1,hard=80000,net=none --opening-plies 4-10 --opening-max-score 150",
		),
		Samples: []string{
			"0,3,3,3,3,3,0,0,0,0,0,0,1,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 o",
			// The second example of the public encoding. No game leads to it.
			"3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1 x",
		},
		FlipText: flipContrastText,
	}
}

// contrastCompact is the array of the game's public encoding, version 2.
func contrastCompact() Layout {
	return Layout{
		Name:    "compact",
		Version: 1,
		Kind:    Uint8,
		Elements: []Element{
			{"cells", contrastCells, "row by row from a5 to e1: occupant*3 + tile; occupant 0 none, 1 black, 2 white; tile 0 none, 1 black, 2 gray"},
			{"black_black", 1, "black tiles in black's hand, 0 to 3"},
			{"black_gray", 1, "gray tiles in black's hand, 0 or 1"},
			{"white_black", 1, "black tiles in white's hand, 0 to 3"},
			{"white_gray", 1, "gray tiles in white's hand, 0 or 1"},
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
	p, err := contrastPosition(values, turn)
	if err != nil {
		return "", err
	}
	return p.String(), nil
}

// contrastPosition returns the position of an array.
func contrastPosition(values []byte, turn engine.Side) (*contrast.Position, error) {
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

// contrastMembers returns the board_array object of the public encoding, and whether a
// game can lead to the position.
func contrastMembers(values []byte, turn engine.Side) []Member {
	array := make([]int, len(values))
	for i, v := range values {
		array[i] = int(v)
	}
	p, err := contrastPosition(values, turn)
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

// migrateContrast completes an array of version 1, which has only the cells, with full
// hands. If tiles lie on the board this is a guess, because version 1 does not say from
// which hand they came; strict refuses it.
func migrateContrast(array []int, strict bool) ([]int, error) {
	if len(array) != contrastCells {
		return array, nil
	}
	cells := make([]uint8, 0, contrastCells)
	for i, v := range array {
		if v < 0 || v > 8 {
			return nil, ArrayError("ARRAY_RANGE", "element %d is %d, want 0 to 8", i, v)
		}
		cells = append(cells, uint8(v))
	}
	full, certain, err := contrast.MigrateV1(cells)
	if strict && !certain {
		return nil, ArrayError("ARRAY_AMBIGUOUS", "tiles lie on the board, and 25 elements do not say whose hands they came from")
	}
	list := make([]int, 0, len(full))
	for _, v := range full {
		list = append(list, int(v))
	}
	return list, err
}
