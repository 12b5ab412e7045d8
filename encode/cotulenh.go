package encode

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
)

// cotulenhPosition is what this package reads of a position, whatever the engine. A call
// goes to a whole position, never to a square.
type cotulenhPosition interface {
	AppendCells(dst []byte) []byte
	Clocks() (half, full uint16)
	Session() (origin cotulenh.Square, open bool)
	Rest() uint8
	Landed() (list [2]cotulenh.Square, n int)
	At(sq cotulenh.Square) cotulenh.Stack
	Turn() engine.Side
	Pack(s cotulenh.Step) (engine.Move, error)
}

var (
	_ cotulenhPosition = (*cotulenh.Position)(nil)
	_ cotulenhPosition = (*bitboard.Position)(nil)
)

// CoTuLenh returns the catalog entry of Cờ Tư Lệnh.
func CoTuLenh() Game {
	compact := cotulenhCompact()
	return Game{
		Game: cotulenh.Game(),
		Engines: []Engine{
			{"mailbox", cotulenh.Game().New},
			{"bitboard", bitboard.Game().New},
		},
		Layouts:     []Layout{compact, cotulenhPlanes().Layout(compact)},
		Actions:     cotulenhActions(),
		Reasons:     []engine.Reason{engine.Checkmate, engine.Stalemate, engine.Repetition, engine.Fifty, engine.CommanderCaptured},
		Repetitions: 2,
		HasCheck:    true,
		Models:      cotulenhModels(),
		Board:       cotulenhBoard,
		Presets: withRows(Presets(
			"--player ab:nodes=60,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60"+adjudicate1000,
			"--player ab:nodes=500,hash=1,hard=10000,multi=4 --opening-plies 4-10 --opening-max-score 300"+
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100"+adjudicate1500,
			"--player ab:nodes=5000,hash=1,hard=100000 --opening-plies 4-10 --opening-max-score 300"+adjudicate1500,
		), 4370, 1062, 152),
		Samples: []string{
			// Open deployments: of a stack of two, and of a heroic tank's stack.
			"10c/11/11/11/11/11/11/11/2(NF)1T6/11/11/3C7 r - - 6 1 c4:(NF):e4",
			"2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4",
		},
		FlipText: flipCoTuLenhText,
	}
}

// Elements of the compact array of CoTuLenh. cotulenhCells counts the cells.
const (
	cotulenhCells    = 132
	cotulenhHalfMove = 132
	cotulenhFullMove = 133
	cotulenhOrigin   = 134
	cotulenhRest     = 135
	cotulenhLanded   = 136 // two of them
)

var cotulenhElements = []Element{
	{"cells", cotulenhCells, "row by row from a12 to k1: 0 empty, else the code of the stack (1-142 red, 143-284 blue, see stacks in the metadata)"},
	{"half_move", 1, "half-move clock; during a deployment its value after the commit"},
	{FullMoveElement, 1, "full-move number, from 1"},
	{"origin", 1, "cell + 1 of the stack that is being deployed, 0 outside a deployment"},
	{"rest", 1, "members that may still deploy: bit k for slot k of the stack now on origin"},
	{"landed", 2, "cell + 1 of the members that landed in this deployment, in order, 0 if fewer"},
}

// cotulenhMaxima are the largest values of the elements.
var cotulenhMaxima = []int{cotulenh.NumStacks - 1, math.MaxUint16, math.MaxUint16, cotulenhCells, 7, cotulenhCells}

// cotulenhCompact is the position: the codes of the stacks, then clocks and session.
func cotulenhCompact() Layout {
	return Layout{
		Name:     "compact",
		Version:  1,
		Kind:     Uint16,
		Elements: cotulenhElements,
		Encode:   appendCoTuLenh,
		Decode:   decodeCoTuLenh,
		Flip:     flipCoTuLenh,
		Identity: []string{"cells", "origin", "rest", "landed"},
		Metadata: []KeyValue{
			{"stacks", cotulenhStacks()},
		},
	}
}

// cotulenhStacks returns the text of every stack, indexed by code, as a JSON array.
func cotulenhStacks() string {
	var list [cotulenh.NumStacks]string
	for code := range list {
		list[code] = cotulenh.Stack(code).String()
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(text)
}

func appendCoTuLenh(dst []byte, pos engine.Position) []byte {
	p := pos.(cotulenhPosition)
	dst = p.AppendCells(dst)
	half, full := p.Clocks()
	tail := uint64(half) | uint64(full)<<16
	landed := uint32(0)
	if origin, open := p.Session(); open {
		tail |= uint64(origin.Cell()+1)<<32 | uint64(p.Rest())<<48
		list, n := p.Landed()
		for i := range n {
			landed |= uint32(list[i].Cell()+1) << (16 * i)
		}
	}
	dst = binary.LittleEndian.AppendUint64(dst, tail)
	return binary.LittleEndian.AppendUint32(dst, landed)
}

func decodeCoTuLenh(values []byte, turn engine.Side) (string, error) {
	if err := checkArray(cotulenhElements, cotulenhMaxima, Uint16, values); err != nil {
		return "", err
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint16(values[2*i:])) }
	parts := cotulenh.Parts{
		Turn: turn, HalfMove: uint16(at(cotulenhHalfMove)), FullMove: uint16(at(cotulenhFullMove)),
		Origin: at(cotulenhOrigin) - 1, Rest: uint8(at(cotulenhRest)),
		Landed: [2]int{at(cotulenhLanded) - 1, at(cotulenhLanded+1) - 1},
	}
	for cell := range parts.Cells {
		parts.Cells[cell] = cotulenh.Stack(at(cell))
	}
	if parts.Origin < 0 && (at(cotulenhRest) != 0 || at(cotulenhLanded) != 0 || at(cotulenhLanded+1) != 0) {
		return "", ArrayError("ARRAY_INCONSISTENT", "rest or landed without an open deployment")
	}
	p, err := cotulenh.Assemble(&parts)
	if err != nil {
		return "", fmt.Errorf("decode board: %w", err)
	}
	return p.String(), nil
}

var cotulenhGrid = Grid{Files: 11, Ranks: 12}

// cotulenhTypes names the piece types by number.
var cotulenhTypes = func() (names [11]string) {
	for i := range names {
		names[i] = cotulenh.Type(i).Name()
	}
	return names
}()

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
	Ring:     "heroic",
	RingDoc:  "golden ring; moves and captures one cell farther, in all directions",
	Zones:    "air defense",
	Language: "vi", RingNative: "Anh hùng",
}

// cotulenhNative are the Vietnamese names of the types, as players of the published engine's site see them.
var cotulenhNative = [...]string{
	cotulenh.Commander: "Tư lệnh", cotulenh.Infantry: "Bộ binh", cotulenh.Tank: "Xe tăng", cotulenh.Militia: "Dân quân",
	cotulenh.Engineer: "Công binh", cotulenh.Artillery: "Pháo binh", cotulenh.AntiAir: "Phòng không", cotulenh.Missile: "Tên lửa",
	cotulenh.AirForce: "Không quân", cotulenh.Navy: "Hải quân", cotulenh.Headquarters: "Bộ tư lệnh",
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
		kinds = append(kinds, PieceKind{Name: name, Native: cotulenhNative[i], Letter: letter, Figure: Token})
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

// CoTuLenh is flipped by reversing the ranks and exchanging the colours: the terrain is
// symmetric, and files stay.

var cotulenhReversed = cotulenhGrid.ReversedRows()

// cotulenhPerSide is the number of stacks of one colour. Blue's codes follow red's.
const cotulenhPerSide = (cotulenh.NumStacks - 1) / 2

func flipCoTuLenh(values []byte) {
	var flipped [cotulenhCells]uint16
	for cell := range flipped {
		code := binary.LittleEndian.Uint16(values[2*cell:])
		switch {
		case code > cotulenhPerSide:
			code -= cotulenhPerSide
		case code > 0:
			code += cotulenhPerSide
		}
		flipped[cotulenhReversed[cell]] = code
	}
	for cell, code := range flipped {
		binary.LittleEndian.PutUint16(values[2*cell:], code)
	}
	for _, element := range [...]int{cotulenhOrigin, cotulenhLanded, cotulenhLanded + 1} { // cell + 1
		place := values[2*element:]
		if cell := binary.LittleEndian.Uint16(place); cell > 0 {
			binary.LittleEndian.PutUint16(place, 1+uint16(cotulenhReversed[cell-1]))
		}
	}
}

// flipCoTuLenhAction flips the origin and the ray.
func flipCoTuLenhAction(action uint16) uint16 {
	if action >= cotulenhCommit {
		return action
	}
	mover, ray := action%cotulenhMovers, action/cotulenhMovers
	from := uint16(cotulenhReversed[ray/cotulenhRays])
	return (from*cotulenhRays+uint16(cotulenhFlippedRay[ray%cotulenhRays]))*cotulenhMovers + mover
}

// cotulenhFlippedRay is the ray with the same vector upside down.
var cotulenhFlippedRay = func() (table [cotulenhRays]uint8) {
	for i, a := range cotulenhRayList {
		for j, b := range cotulenhRayList {
			if b == a.upsideDown() {
				table[i] = uint8(j)
			}
		}
	}
	return table
}()

// flipCoTuLenhText flips a text. The last field is the open deployment: origin, stack and
// the cells where members landed.
func flipCoTuLenhText(text string) string {
	f := strings.Fields(text)
	f[0] = flipRows(f[0])
	f[1] = otherWord(f[1], "r", "b")
	if len(f) > 6 {
		session := strings.Split(f[6], ":")
		session[0], session[2] = flipSquares(session[0], cotulenhGrid), flipSquares(session[2], cotulenhGrid)
		f[6] = strings.Join(session, ":")
	}
	return strings.Join(f, " ")
}

// Planes of CoTuLenh. A member has the plane of its type, cotulenhHeroes further if it is
// a hero, and cotulenhTheirs further if it is the opponent's.
const (
	cotulenhHeroes      = len(cotulenhTypes)
	cotulenhTheirs      = 2 * cotulenhHeroes
	cotulenhOriginPlane = 2 * cotulenhTheirs
	cotulenhRestPlane   = cotulenhOriginPlane + 1
	cotulenhLandedPlane = cotulenhRestPlane + 3
	cotulenhClockPlane  = cotulenhLandedPlane + 2
	cotulenhFirstPlane  = cotulenhClockPlane + ClockBits
)

func cotulenhPlanes() Planes {
	var list []Element
	plain := strings.NewReplacer(" ", "_", "-", "_")
	for _, owner := range []string{"own", "their"} {
		for _, rank := range []string{"", "heroic_"} {
			for _, name := range cotulenhTypes {
				list = append(list, Element{Name: owner + "_" + rank + plain.Replace(name), Doc: "cells with such a piece, alone or in a stack"})
			}
		}
	}
	list = append(list, Element{Name: "origin", Doc: "the cell of the stack that is being deployed"})
	for slot := range 3 {
		list = append(list, Element{Name: fmt.Sprintf("rest_%d", slot), Doc: fmt.Sprintf("the same cell if slot %d of the stack may still deploy", slot)})
	}
	list = append(list,
		Element{Name: "landed_0", Doc: "the cell where the first member of the deployment landed"},
		Element{Name: "landed_1", Doc: "the cell where the second member of the deployment landed"},
	)
	list = append(list, ClockPlanes()...)
	list = append(list, SidePlane(cotulenh.Game().Sides))
	return Planes{Version: 1, Grid: cotulenhGrid, Elements: list, Draw: drawCoTuLenh}
}

// cotulenhMemberPlanes holds, for each code, the planes of its members if red is to move.
var cotulenhMemberPlanes = func() (table [cotulenh.NumStacks][]int) {
	for code, pieces := range cotulenhBoard.Codes {
		for _, m := range pieces {
			plane := m.Kind + m.Side*cotulenhTheirs
			if m.Ring {
				plane += cotulenhHeroes
			}
			table[code] = append(table[code], plane)
		}
	}
	return table
}()

// drawCoTuLenh draws the board with the first rank of the side to move at the bottom.
func drawCoTuLenh(c Canvas, values []byte, turn engine.Side) {
	at := func(i int) int { return int(binary.LittleEndian.Uint16(values[2*i:])) }
	seen := &cotulenhSeen[turn&1]
	for cell, to := range seen {
		for _, plane := range cotulenhMemberPlanes[at(cell)] {
			if turn == engine.Second {
				plane = (plane + cotulenhTheirs) % (2 * cotulenhTheirs)
			}
			c.Set(plane, int(to))
		}
	}
	mark := func(plane, element int) {
		if cell := at(element); cell != 0 {
			c.Set(plane, int(seen[cell-1]))
		}
	}
	mark(cotulenhOriginPlane, cotulenhOrigin)
	for slot := range 3 {
		if at(cotulenhRest)>>slot&1 == 1 {
			mark(cotulenhRestPlane+slot, cotulenhOrigin)
		}
	}
	mark(cotulenhLandedPlane, cotulenhLanded)
	mark(cotulenhLandedPlane+1, cotulenhLanded+1)
	c.Clock(cotulenhClockPlane, at(cotulenhHalfMove))
	c.Fill(cotulenhFirstPlane, turn == engine.First)
}

// cotulenhSeen is where each side sees each cell: blue sees the ranks reversed.
var cotulenhSeen = func() (table [2][cotulenhCells]uint8) {
	for cell, reversed := range cotulenhReversed {
		table[engine.First][cell] = uint8(cell)
		table[engine.Second][cell] = reversed
	}
	return table
}()
