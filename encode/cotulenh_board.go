package encode

import (
	"strings"

	"selfplay/engine/cotulenh"
)

var cotulenhGrid = Grid{Files: 11, Ranks: 12}

// cotulenhTypes names the piece types by number.
var cotulenhTypes = [11]string{
	cotulenh.Commander:    "commander",
	cotulenh.Infantry:     "infantry",
	cotulenh.Tank:         "tank",
	cotulenh.Militia:      "militia",
	cotulenh.Engineer:     "engineer",
	cotulenh.Artillery:    "artillery",
	cotulenh.AntiAir:      "anti-air",
	cotulenh.Missile:      "missile",
	cotulenh.AirForce:     "air force",
	cotulenh.Navy:         "navy",
	cotulenh.Headquarters: "headquarters",
}

var cotulenhBoard = Board{
	Grid: cotulenhGrid,
	Grounds: []Ground{
		cotulenh.Water: {Name: "navy only", Fill: "#a9d0ea", Dark: "#6cabd4"},
		cotulenh.Mixed: {Name: "navy and land", Fill: "#cfe3d2", Dark: "#9cc8a4"},
		cotulenh.Land:  {Name: "land", Fill: "#f1ead6", Dark: "#d6c69c"},
	},
	Terrain: cotulenhTerrain(),
	Lines: []Line{
		{Name: "river", Path: "M20 60h90", Stroke: "#4f9bc9", Width: 1.2},
		{Name: "bridge: only here artillery, anti-air and missile move across the river", Path: "M52.5 60h5M72.5 60h5", Stroke: "#8a5a2b", Width: 2},
	},
	Kinds: cotulenhPieceKinds(),
	Codes: cotulenhCodes(),
	Sides: [2]Paint{
		{Fill: "#c2281d", Stroke: "#7d130b", Width: 0.4, Letter: "#fff"},
		{Fill: "#1f5fae", Stroke: "#10386b", Width: 0.4, Letter: "#fff"},
	},
	Ring:    "heroic",
	RingDoc: "golden ring; moves and captures one cell farther, in all directions",
}

func cotulenhTerrain() []uint8 {
	terrain := make([]uint8, cotulenhGrid.Cells())
	for cell := range terrain {
		terrain[cell] = uint8(cotulenh.TerrainAt(cotulenh.SquareOfCell(cell)))
	}
	return terrain
}

// cotulenhPieceKinds lists the types. Each counts as much as its lone pieces; commanders do not.
func cotulenhPieceKinds() (kinds []PieceKind) {
	for i, name := range cotulenhTypes {
		letter := strings.ToUpper(string(cotulenh.Type(i).Letter()))
		kinds = append(kinds, PieceKind{Name: name, Letter: letter, Figure: Token})
	}
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		switch members := code.Members(); {
		case len(members) > 1 || members[0].Type == cotulenh.Commander:
		case members[0].Heroic:
			kinds[members[0].Type].RingWorth = cotulenh.Price(code)
		default:
			kinds[members[0].Type].Worth = cotulenh.Price(code)
		}
	}
	return kinds
}

// cotulenhCodes lists the members of every stack, the lead first.
func cotulenhCodes() [][]Piece {
	list := make([][]Piece, cotulenh.NumStacks)
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		for _, m := range code.Members() {
			list[code] = append(list[code], Piece{Kind: int(m.Type), Side: int(code.Side()), Ring: m.Heroic})
		}
	}
	return list
}
