package encode

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

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
		Presets: Presets(
			"--player ab:nodes=60,hash=1,hard=2000 --opening-plies 4-10 --explore-moves 4 --explore-plies 0-60"+adjudicateCoTuLenh,
			"--player ab:nodes=500,hash=1,hard=10000,multi=4 --opening-plies 4-10 --opening-max-score 300"+
				" --explore-moves 3 --explore-plies 0-40 --explore-among 4 --explore-window 100"+adjudicateCoTuLenh,
			"--player ab:nodes=5000,hash=1,hard=100000,net=none --opening-plies 4-10 --opening-max-score 300"+adjudicateCoTuLenh,
		),
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
