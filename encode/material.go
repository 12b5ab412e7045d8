package encode

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"selfplay/engine"
)

// Material is the number of pieces of each kind and side on a board. Every member of a stack counts.
type Material struct {
	counts [2][]uint8
	worth  [2]int // of the pieces of each side, see PieceKind; 0 in a parsed material
}

// versus separates the sides in the text of a material.
const versus = "v"

// ParseMaterial parses the letters of the pieces on the board, first those of the side that moves
// first, KRPvKR for example. The order of letters does not matter, heroes count as their kind, and
// pieces off the board do not count. The error says which letters there are.
func (g *Game) ParseMaterial(text string) (*Material, error) {
	board := &g.Board
	sides, all := strings.Split(text, versus), board.pieceLetters()
	if len(sides) != 2 {
		return nil, fmt.Errorf("read material %q: want the pieces of both sides, such as %s%s%s", text, all, versus, all)
	}
	m := new(Material)
	for side, letters := range sides {
		m.counts[side] = make([]uint8, len(board.Kinds))
		for _, letter := range letters {
			kind := slices.IndexFunc(board.Kinds, func(k PieceKind) bool { return k.Letter == string(letter) })
			if kind < 0 || !strings.ContainsRune(all, letter) || m.counts[side][kind] == math.MaxUint8 {
				return nil, fmt.Errorf("read material %q: piece %q: want some of %s, at most %d times", text, letter, all, math.MaxUint8)
			}
			m.counts[side][kind]++
		}
	}
	return m, nil
}

// pieceLetters returns the letters of the kinds of pieces that belong to a side.
func (b *Board) pieceLetters() string {
	owned := make([]bool, len(b.Kinds))
	for _, pieces := range b.Codes {
		for _, p := range pieces {
			owned[p.Kind] = owned[p.Kind] || p.Side != Neutral
		}
	}
	var list strings.Builder
	for kind, k := range b.Kinds {
		if owned[kind] {
			list.WriteString(k.Letter)
		}
	}
	return list.String()
}

// Equal reports whether two materials are equal.
func (m *Material) Equal(other *Material) bool {
	return slices.Equal(m.counts[0], other.counts[0]) && slices.Equal(m.counts[1], other.counts[1])
}

// Pieces returns the number of pieces of both sides together.
func (m *Material) Pieces() (n int) {
	for _, counts := range m.counts {
		for _, count := range counts {
			n += int(count)
		}
	}
	return n
}

// Lead returns what the pieces of a side count more than those of the other.
func (m *Material) Lead(side engine.Side) int { return m.worth[side] - m.worth[side.Other()] }

// Raise sets the largest leads so far of both sides, at least 0, to those of m if they are larger.
func (m *Material) Raise(leads *[2]int) {
	for side := range leads {
		leads[side] = max(leads[side], m.Lead(engine.Side(side)))
	}
}

// MaterialCounter counts the pieces of positions. It belongs to one goroutine.
type MaterialCounter struct {
	layout   *Layout
	cells    int
	board    *Board
	material Material
	values   []byte
}

// NewMaterialCounter returns a counter for positions of a game.
func NewMaterialCounter(g *Game) *MaterialCounter {
	c := &MaterialCounter{layout: g.Identity(), cells: g.Board.Cells(), board: &g.Board}
	for side := range c.material.counts {
		c.material.counts[side] = make([]uint8, len(g.Board.Kinds))
	}
	return c
}

// Of returns the material of a position. It is valid until the next call.
func (c *MaterialCounter) Of(pos engine.Position) *Material {
	counts, worth := &c.material.counts, &c.material.worth
	*worth = [2]int{}
	clear(counts[0])
	clear(counts[1])
	size := c.layout.Kind.Size()
	c.values = c.layout.Encode(c.values[:0], pos)
	for cell := c.values[:c.cells*size]; len(cell) > 0; cell = cell[size:] {
		code := int(cell[0])
		if size == 2 {
			code = int(binary.LittleEndian.Uint16(cell))
		}
		for _, p := range c.board.Codes[code] {
			if p.Side == Neutral {
				continue
			}
			counts[p.Side][p.Kind]++
			if kind := &c.board.Kinds[p.Kind]; p.Ring {
				worth[p.Side] += kind.RingWorth
			} else {
				worth[p.Side] += kind.Worth
			}
		}
	}
	return &c.material
}
