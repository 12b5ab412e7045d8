package contrast

import (
	"fmt"

	"selfplay/engine"
)

// A move holds the square it leaves, the square it goes to, and the square and
// the kind of the tile, 0 and 0 for none; eight bits each.
const (
	toShift    = 8
	placeShift = 16
	kindShift  = 24

	nextKind = 1 << kindShift // from a black tile to a gray one
)

func newMove(from, to uint8) engine.Move {
	return engine.Move(from) | engine.Move(to)<<toShift
}

// placement is a tile's part of a move.
func placement(at, kind uint8) engine.Move {
	return engine.Move(at)<<placeShift | engine.Move(kind)<<kindShift
}

func fromOf(m engine.Move) uint8  { return uint8(m) }
func toOf(m engine.Move) uint8    { return uint8(m >> toShift) }
func placeOf(m engine.Move) uint8 { return uint8(m >> placeShift) }
func kindOf(m engine.Move) uint8  { return uint8(m >> kindShift) }

// lays reports whether a move changes the tiles: it has one, and not, as the
// dialect before allows, on its destination.
func lays(m engine.Move) bool { return kindOf(m) != noTile && placeOf(m) != toOf(m) }

// Step is a move taken apart, for numbering. Cells count from a5 = 0 to e1 = 24.
type Step struct {
	From, To uint8
	Tile     uint8 // 0 none, 1+c a black one on cell c, 26+c a gray one on cell c
}

// Unpack takes a move apart. It needs no position.
func Unpack(m engine.Move) Step {
	s := Step{From: cellOf(fromOf(m)), To: cellOf(toOf(m))}
	switch kindOf(m) {
	case blackTile:
		s.Tile = 1 + cellOf(placeOf(m))
	case grayTile:
		s.Tile = 1 + numCells + cellOf(placeOf(m))
	}
	return s
}

// Pack is the inverse of Unpack for a legal move; anything else is an error.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if s.From >= numCells || s.To >= numCells || s.Tile > 2*numCells {
		return 0, fmt.Errorf("pack step: %d to %d with tile %d: no such cells", s.From, s.To, s.Tile)
	}
	from, to := squareOf(s.From), squareOf(s.To)
	if p.goalReached() || !p.goes(from, to) {
		return 0, illegalStep(s, "no piece goes like that")
	}
	m := newMove(from, to)
	if s.Tile == 0 {
		return m, nil
	}
	kind, cell := uint8(blackTile), s.Tile-1
	if cell >= numCells {
		kind, cell = grayTile, cell-numCells
	}
	at := squareOf(cell)
	if !p.room(p.empty()&p.bare(), from, to).has(at) || !p.hands[p.turn&1].holds(kind) {
		return 0, illegalStep(s, "that tile cannot be laid there")
	}
	return m | placement(at, kind), nil
}

// illegalStep is the error of a step between cells of the board.
func illegalStep(s Step, cause string) error {
	return fmt.Errorf("pack step: %s: %s", appendStep(nil, s), cause)
}

// goes reports whether the side to move has a base move between two squares of
// the board.
func (p *Position) goes(from, to uint8) bool {
	l := lines[(to-from)&127]
	if l.dir == 0 || !p.pieces[p.turn&1].has(from) || !p.empty().has(to) {
		return false
	}
	return arrows[p.cells[from&63]%3]&l.arrow != 0 && p.landing(from, l.dir) == to
}

// Two kinds of arrows; what a piece has of them by the kind of the tile under it.
const (
	straight = 1
	diagonal = 2
)

var arrows = [3]uint8{noTile: straight, blackTile: diagonal, grayTile: straight | diagonal}

// line is the direction from one square to another and its arrow, 0 and 0 if no
// arrow points there.
type line struct{ dir, arrow uint8 }

// lines are the directions by the difference of the squares modulo 128. On this
// board every difference belongs to one direction only.
var lines = func() (t [128]line) {
	for i, dir := range directions {
		arrow := uint8(straight)
		if i >= 4 {
			arrow = diagonal
		}
		for n := uint8(1); n < files; n++ {
			t[n*dir&127] = line{dir, arrow}
		}
	}
	return t
}()

// The wire form of a move: the cell it leaves, a comma, the cell it goes to, a
// blank, and -1 or the cell of the tile with b for a black or g for a gray one:
// "a5,a4 -1", "a5,a4 c3b".

// FormatMove writes a legal move.
func (p *Position) FormatMove(m engine.Move) string { return string(appendStep(nil, Unpack(m))) }

func appendStep(b []byte, s Step) []byte {
	b = append(appendCell(b, s.From), ',')
	b = append(appendCell(b, s.To), ' ')
	switch {
	case s.Tile == 0:
		return append(b, "-1"...)
	case s.Tile <= numCells:
		return append(appendCell(b, s.Tile-1), 'b')
	}
	return append(appendCell(b, s.Tile-1-numCells), 'g')
}

// ParseMove reads the wire form of a legal move.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	s, ok := parseStep(text)
	if !ok {
		return 0, fmt.Errorf("parse move %q: want a move such as %q or %q", text, "a5,a4 -1", "a5,a4 c3b")
	}
	m, err := p.Pack(s)
	if err != nil {
		return 0, fmt.Errorf("parse move %q: no such move is legal here", text)
	}
	return m, nil
}

// parseStep reads the wire form of a step, legal or not.
func parseStep(text string) (s Step, ok bool) {
	if len(text) < len("a5,a4 -1") || text[2] != ',' || text[5] != ' ' {
		return s, false
	}
	from, errFrom := ParseCell(text[:2])
	to, errTo := ParseCell(text[3:5])
	s.From, s.To = from, to
	if errFrom != nil || errTo != nil {
		return s, false
	}
	tile := text[6:]
	if tile == "-1" {
		return s, true
	}
	at, err := ParseCell(tile[:2])
	switch {
	case err != nil:
		return s, false
	case tile[2:] == "b":
		s.Tile = 1 + at
	case tile[2:] == "g":
		s.Tile = 1 + numCells + at
	default:
		return s, false
	}
	return s, true
}
