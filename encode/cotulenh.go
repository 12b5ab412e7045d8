package encode

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// CoTuLenh returns the catalog entry of Cờ Tư Lệnh.
func CoTuLenh() Game {
	compact := cotulenhCompact()
	return Game{
		Game:    cotulenh.Game(),
		WDL:     cotulenhWDL,
		Layouts: []Layout{compact, cotulenhPlanes().layout(compact)},
		Actions: Actions{
			Version:  1,
			Count:    cotulenhActions,
			Number:   cotulenhNumber,
			Move:     cotulenhMove,
			Describe: describeCotulenh,
			Flip:     flipCoTuLenhAction,
			Takes:    cotulenhTakes,
		},
	}
}

const (
	cotulenhCells = 132
	cotulenhLen   = cotulenhCells + 6
)

// cotulenhCompact is the position as it is stored in memory: the codes of the
// stacks, then clocks and session.
func cotulenhCompact() Layout {
	return Layout{
		Name:    "compact",
		Version: 1,
		Kind:    Uint16,
		Elements: []Element{
			{"cells", cotulenhCells, "row by row from a12 to k1: 0 empty, else the code of the stack (1-142 red, 143-284 blue, see stacks in the metadata)"},
			{"half_move", 1, "half-move clock; in an open deployment already as its commit will leave it"},
			{"full_move", 1, "full-move number, from 1"},
			{"origin", 1, "cell + 1 that a stack is being deployed from, 0 outside a deployment"},
			{"rest", 1, "what may still deploy: bit k for slot k of the stack now on origin"},
			{"landed", 2, "cell + 1 where members of the deployment landed, in order, 0 if fewer"},
		},
		Encode:   appendCotulenh,
		Decode:   decodeCotulenh,
		Flip:     flipCoTuLenh,
		Identity: []string{"cells", "origin", "rest", "landed"},
		Metadata: []KeyValue{
			{"stacks", cotulenhStacks()},
		},
	}
}

// cotulenhStacks returns the text of every code as a JSON array.
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

func appendCotulenh(dst []byte, pos engine.Position) []byte {
	p := pos.(*cotulenh.Position)
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

func decodeCotulenh(values []byte, turn engine.Side) (string, error) {
	if len(values) != 2*cotulenhLen {
		return "", arrayError("ARRAY_LENGTH", "%d bytes, want %d", len(values), 2*cotulenhLen)
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint16(values[2*i:])) }
	for i := range cotulenhLen {
		if most := cotulenhMost(i); at(i) > most {
			return "", arrayError("ARRAY_RANGE", "element %d is %d, want 0 to %d", i, at(i), most)
		}
	}
	a := cotulenh.Parts{Turn: turn, HalfMove: uint16(at(132)), FullMove: uint16(at(133)), Origin: at(134) - 1, Rest: uint8(at(135)), Landed: [2]int{at(136) - 1, at(137) - 1}}
	for cell := range a.Cells {
		a.Cells[cell] = cotulenh.Stack(at(cell))
	}
	if a.Origin < 0 && (at(135) != 0 || at(136) != 0 || at(137) != 0) {
		return "", arrayError("ARRAY_INCONSISTENT", "members of a deployment that is not open")
	}
	p, err := cotulenh.Assemble(&a)
	if err != nil {
		return "", fmt.Errorf("decode board: %w", err)
	}
	return p.String(), nil
}

// cotulenhMost returns the highest value of an element.
func cotulenhMost(element int) int {
	switch {
	case element < cotulenhCells:
		return cotulenh.NumStacks - 1
	case element < 134:
		return math.MaxUint16
	case element == 135:
		return 7
	}
	return cotulenhCells
}

// Actions of CoTuLenh: ((from*84 + ray)*5 + what), from a cell, ray one of the 84
// ways to go on the eight lines, what as in cotulenh.Step; then commit.
const (
	cotulenhRays    = 84
	cotulenhWhats   = 5
	cotulenhCommit  = cotulenhCells * cotulenhRays * cotulenhWhats
	cotulenhActions = cotulenhCommit + 1
)

// cotulenhRay is a way to go: steps in a direction, as differences of rank and file.
// Ray 11*d + (n-1) goes n steps N, E, S or W; ray 44 + 10*d + (n-1) goes n steps NW,
// NE, SE or SW.
type cotulenhRay struct{ rank, file int }

var cotulenhRayList = func() (list [cotulenhRays]cotulenhRay) {
	straight := [4]cotulenhRay{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}
	diagonal := [4]cotulenhRay{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}}
	for d, dir := range straight {
		for n := 1; n <= 11; n++ {
			list[11*d+n-1] = cotulenhRay{n * dir.rank, n * dir.file}
		}
	}
	for d, dir := range diagonal {
		for n := 1; n <= 10; n++ {
			list[44+10*d+n-1] = cotulenhRay{n * dir.rank, n * dir.file}
		}
	}
	return list
}()

// cotulenhRayOf finds a ray by the difference of its squares; rays that fit the
// board never share one.
var cotulenhRayOf = func() (table [512]uint8) {
	for i, r := range cotulenhRayList {
		table[(256+16*r.rank+r.file)&511] = uint8(i)
	}
	return table
}()

// cotulenhTo is the square that a ray from a cell leads to; an invalid one off the
// board.
var cotulenhTo = func() (table [cotulenhCells * cotulenhRays]cotulenh.Square) {
	for i := range table {
		from, r := cotulenh.SquareOfCell(i/cotulenhRays), cotulenhRayList[i%cotulenhRays]
		rank, file := from.Rank()+r.rank, from.File()+r.file
		table[i] = 0xFF
		if rank >= 0 && rank < 12 && file >= 0 && file < 11 {
			table[i] = cotulenh.Square(16*rank + file)
		}
	}
	return table
}()

// cotulenhNumber needs nothing of the position: all is in the move.
func cotulenhNumber(_ engine.Position, m engine.Move) uint16 {
	s := cotulenh.Unpack(m)
	if s.Commit {
		return cotulenhCommit
	}
	ray := int(cotulenhRayOf[(256+int(s.To)-int(s.From))&511])
	return uint16((s.From.Cell()*cotulenhRays+ray)*cotulenhWhats + int(s.What))
}

func cotulenhMove(pos engine.Position, action uint16) (engine.Move, error) {
	p := pos.(*cotulenh.Position)
	if action >= cotulenhCommit {
		if action > cotulenhCommit {
			return 0, fmt.Errorf("action %d: numbers end at %d", action, cotulenhCommit)
		}
		return p.Pack(cotulenh.Step{Commit: true})
	}
	ray := action / cotulenhWhats
	to := cotulenhTo[ray]
	if !to.Valid() {
		return 0, fmt.Errorf("action %d: leads off the board", action)
	}
	from := cotulenh.SquareOfCell(int(ray / cotulenhRays))
	m, err := p.Pack(cotulenh.Step{From: from, To: to, What: uint8(action % cotulenhWhats)})
	if err != nil {
		return 0, fmt.Errorf("action %d: %w", action, err)
	}
	return m, nil
}

// cotulenhTakes: a step takes what stands where it goes, unless that is a friend it
// joins.
func cotulenhTakes(pos engine.Position, m engine.Move) bool {
	p, s := pos.(*cotulenh.Position), cotulenh.Unpack(m)
	if s.Commit {
		return false
	}
	target := p.At(s.To)
	return target != cotulenh.Empty && target.Side() != p.Turn()
}

// cotulenhKinds names what an action does, by what.
var cotulenhKinds = [cotulenhWhats]string{"whole", "stay", "deploy_0", "deploy_1", "deploy_2"}

func describeCotulenh(action uint16) Action {
	if action == cotulenhCommit {
		return Action{Kind: "commit"}
	}
	ray := action / cotulenhWhats
	to := cotulenhTo[ray]
	if !to.Valid() {
		return Action{Kind: NoAction}
	}
	return Action{cotulenh.SquareOfCell(int(ray / cotulenhRays)).String(), to.String(), cotulenhKinds[action%cotulenhWhats]}
}
