package encode

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
