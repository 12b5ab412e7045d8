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
