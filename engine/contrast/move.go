package contrast

import (
	"fmt"

	"selfplay/engine"
)

// A move has four bytes: the square it leaves, the square it goes to, and the square
// and the kind of the tile, both 0 without a tile.
const (
	toShift   = 8
	tileShift = 16
	kindShift = 24

	nextKind = 1 << kindShift // turns a black tile into a gray one
)

func newMove(from, to uint8) engine.Move {
	return engine.Move(from) | engine.Move(to)<<toShift
}

// placement returns the tile's part of a move.
func placement(at, kind uint8) engine.Move {
	return engine.Move(at)<<tileShift | engine.Move(kind)<<kindShift
}

func fromOf(m engine.Move) uint8       { return uint8(m) }
func toOf(m engine.Move) uint8         { return uint8(m >> toShift) }
func tileSquareOf(m engine.Move) uint8 { return uint8(m >> tileShift) }
func kindOf(m engine.Move) uint8       { return uint8(m >> kindShift) }

// placesTile reports whether a move puts a tile on the board. In the variant before, a
// tile on the destination is not placed.
func placesTile(m engine.Move) bool { return kindOf(m) != noTile && tileSquareOf(m) != toOf(m) }

// The wire form of a move is the cell it leaves, a comma, the cell it goes to, a blank,
// and -1 or the cell of the tile followed by b for black or g for gray:
// "a5,a4 -1", "a5,a4 c3b".

// FormatMove returns the wire form of a legal move.
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

// ParseMove parses the wire form of a legal move.
func (p *Position) ParseMove(text string) (engine.Move, error) {
	s, ok := parseStep(text)
	if !ok {
		return 0, fmt.Errorf("parse move %q: expected a move such as %q or %q", text, "a5,a4 -1", "a5,a4 c3b")
	}
	m, err := p.Pack(s)
	if err != nil {
		return 0, fmt.Errorf("parse move %q: not a legal move here", text)
	}
	return m, nil
}

// parseStep parses the wire form of a step, legal or not.
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

// Step is a move without its position, for action numbers. Cells count from a5 = 0 to
// e1 = 24.
type Step struct {
	From, To uint8
	Tile     uint8 // 0 none, 1+c a black tile on cell c, 26+c a gray tile on cell c
}

// Unpack returns the step of a move.
func Unpack(m engine.Move) Step {
	s := Step{From: cellOf(fromOf(m)), To: cellOf(toOf(m))}
	switch kindOf(m) {
	case blackTile:
		s.Tile = 1 + cellOf(tileSquareOf(m))
	case grayTile:
		s.Tile = 1 + numCells + cellOf(tileSquareOf(m))
	}
	return s
}

// Pack returns the legal move of a step. It returns an error if there is none.
func (p *Position) Pack(s Step) (engine.Move, error) {
	if s.From >= numCells || s.To >= numCells || s.Tile > 2*numCells {
		return 0, fmt.Errorf("pack step: cells %d to %d, tile %d: want cells 0 to 24, tile 0 to 50", s.From, s.To, s.Tile)
	}
	from, to := squareOf(s.From), squareOf(s.To)
	if p.goalReached() || !p.hasBaseMove(from, to) {
		return 0, stepError(s, "no piece of the side to move can make this move")
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
	if !p.tileSquares(p.empty()&p.bare(), from, to).has(at) || !p.hands[p.turn&1].holds(kind) {
		return 0, stepError(s, "this tile cannot be placed there")
	}
	return m | placement(at, kind), nil
}

// stepError returns the error for a step between cells of the board.
func stepError(s Step, cause string) error {
	return fmt.Errorf("pack step: %s: %s", appendStep(nil, s), cause)
}

// hasBaseMove reports whether the side to move has a base move between two squares.
func (p *Position) hasBaseMove(from, to uint8) bool {
	l := lines[(to-from)&127]
	if l.dir == 0 || !p.pieces[p.turn&1].has(from) || !p.empty().has(to) {
		return false
	}
	return arrows[p.cells[from&63]%3]&l.arrow != 0 && p.landing(from, l.dir) == to
}

// Kinds of arrows, as bits.
const (
	orthogonal = 1
	diagonal   = 2
)

// arrows are the kinds of arrows of a piece, by the tile under it.
var arrows = [3]uint8{noTile: orthogonal, blackTile: diagonal, grayTile: orthogonal | diagonal}

// line is the direction from one square to another and its kind of arrow; zero if no
// arrow connects the two.
type line struct{ dir, arrow uint8 }

// lines are indexed by the difference of two squares modulo 128. On this board every
// difference belongs to one direction only.
var lines = func() (t [128]line) {
	for i, dir := range directions {
		arrow := uint8(orthogonal)
		if i >= 4 {
			arrow = diagonal
		}
		for n := uint8(1); n < files; n++ {
			t[n*dir&127] = line{dir, arrow}
		}
	}
	return t
}()
