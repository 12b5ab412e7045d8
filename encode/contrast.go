package encode

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
		Presets: withRows(Presets(
			"--player ab:nodes=75,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 2 --explore-plies 0-20",
			"--player ab:nodes=500,hash=1,hard=10000,multi=4,temp=10 --opening-plies 4-10 --opening-max-score 150"+
				" --explore-moves 2 --explore-plies 0-20 --explore-among 4 --explore-window 100",
			"--player ab:nodes=3000,hash=1,hard=80000 --opening-plies 4-10 --opening-max-score 150",
		), 22092, 3517, 1147),
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

const contrastCells = 25

var contrastGrid = Grid{Files: 5, Ranks: 5}

// Kinds of things on the cells of Contrast.
const (
	contrastPieceKind = 0
	contrastTileKind  = 1 // black, then gray
)

var contrastBoard = Board{
	Grid:    contrastGrid,
	Grounds: []Ground{{Fill: "#f5f2ea", Dark: "#5a5a60"}},
	Kinds: []PieceKind{
		{Name: "piece", Letter: "X", Figure: Disc},
		{Name: "black tile", Letter: "#", Figure: Tile, Fill: "#3d3d44", Dark: "#232328"},
		{Name: "gray tile", Letter: "+", Figure: Tile, Fill: "#9a9aa2", Dark: "#9a9aa2"},
	},
	Codes: contrastCodes(),
	Hands: []Hand{
		{Side: 0, Kind: contrastTileKind, Value: contrastCells}, {Side: 0, Kind: contrastTileKind + 1, Value: contrastCells + 1},
		{Side: 1, Kind: contrastTileKind, Value: contrastCells + 2}, {Side: 1, Kind: contrastTileKind + 1, Value: contrastCells + 3},
	},
	Sides: [2]Paint{{Fill: "#16161a", Stroke: "#fff", Width: 0.5}, {Fill: "#fff", Stroke: "#16161a", Width: 0.5}},
}

// contrastCodes lists the codes of a cell: occupant*3 + tile.
func contrastCodes() [][]Piece {
	list := make([][]Piece, 9)
	for code := range list {
		if occupant := code / 3; occupant > 0 {
			list[code] = append(list[code], Piece{Kind: contrastPieceKind, Side: occupant - 1})
		}
		if tile := code % 3; tile > 0 {
			list[code] = append(list[code], Piece{Kind: contrastTileKind + tile - 1, Side: Neutral})
		}
	}
	return list
}

// Contrast is flipped by rotating the board by 180 degrees and exchanging the sides. Tiles
// keep their colour.

var contrastRotated = contrastGrid.Rotated()

func flipContrast(values []byte) {
	var flipped [contrastCells]byte
	for cell, v := range values[:contrastCells] {
		occupant, tile := v/3, v%3
		if occupant > 0 {
			occupant = 3 - occupant // 1 black, 2 white
		}
		flipped[contrastRotated[cell]] = occupant*3 + tile
	}
	copy(values, flipped[:])
	hands := values[contrastCells:]
	hands[0], hands[1], hands[2], hands[3] = hands[2], hands[3], hands[0], hands[1]
}

// flipContrastAction flips the three cells of an action: origin, destination and the cell
// of the tile.
func flipContrastAction(action uint16) uint16 {
	if action >= contrastActionCount {
		return action
	}
	s := contrastStep(action)
	tile := uint16(s.Tile)
	if tile > 0 {
		first := 1 + (tile-1)/contrastCells*contrastCells
		tile = first + uint16(contrastRotated[tile-first])
	}
	from, to := uint16(contrastRotated[s.From]), uint16(contrastRotated[s.To])
	return (from*contrastCells+to)*contrastTiles + tile
}

// flipContrastText flips cells and hands of a text: 25 cells, four hands and a side.
func flipContrastText(text string) string {
	list, side, _ := strings.Cut(text, " ")
	numbers := strings.Split(list, ",")
	cells, hands := numbers[:contrastCells], numbers[contrastCells:]
	slices.Reverse(cells)
	for i, v := range cells {
		cells[i] = [9]string{"0", "1", "2", "6", "7", "8", "3", "4", "5"}[v[0]-'0']
	}
	flipped := append(slices.Clone(cells), hands[2], hands[3], hands[0], hands[1])
	return strings.Join(flipped, ",") + " " + otherWord(side, "x", "o")
}

// Planes of Contrast.
const (
	contrastOwnPlane   = 0 // then those of the opponent
	contrastTilePlane  = 2 // black, then gray
	contrastHandPlane  = 4 // three for black tiles and one for gray tiles; own, then the opponent's
	contrastFirstPlane = contrastHandPlane + 2*4
)

func contrastPlanes() Planes {
	list := []Element{
		{Name: "own", Doc: "pieces of the side to move"},
		{Name: "their", Doc: "pieces of the opponent"},
		{Name: "black_tile", Doc: "black tiles, also under pieces"},
		{Name: "gray_tile", Doc: "gray tiles, also under pieces"},
	}
	for _, owner := range []string{"own", "their"} {
		list = append(list,
			Element{Name: owner + "_black_1", Doc: "all cells if one black tile or more is in hand"},
			Element{Name: owner + "_black_2", Doc: "all cells if two black tiles or more are in hand"},
			Element{Name: owner + "_black_3", Doc: "all cells if three black tiles are in hand"},
			Element{Name: owner + "_gray_1", Doc: "all cells if the gray tile is in hand"},
		)
	}
	list = append(list, SidePlane(contrast.Game().Sides))
	return Planes{Version: 1, Grid: contrastGrid, Elements: list, Draw: drawContrast}
}

// drawContrast draws the board with the home row of the side to move on top: white sees it
// rotated by 180 degrees.
func drawContrast(c Canvas, values []byte, turn engine.Side) {
	for cell, v := range values[:contrastCells] {
		if turn == engine.Second {
			cell = int(contrastRotated[cell])
		}
		if occupant := v / 3; occupant != 0 {
			c.Set(contrastOwnPlane+int((occupant-1)^uint8(turn)), cell)
		}
		if tile := v % 3; tile != 0 {
			c.Set(contrastTilePlane+int(tile)-1, cell)
		}
	}
	for side := range 2 {
		plane := contrastHandPlane + 4*(side^int(turn))
		hand := values[contrastCells+2*side:]
		for n := range 3 {
			c.Fill(plane+n, int(hand[0]) > n)
		}
		c.Fill(plane+3, hand[1] > 0)
	}
	c.Fill(contrastFirstPlane, turn == engine.First)
}
