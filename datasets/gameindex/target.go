package gameindex

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// Target is what Find looks for: a position or a material.
type Target struct {
	hash     uint64
	material *material // nil: a position
}

// hashPrefix begins the text of a hash.
const hashPrefix = "hash:"

// Position returns the target of a position: its text, or hash: and the 16 hexadecimal digits of
// its Zobrist hash. The hash has no clocks, so a text stands for all positions
// that differ from it in clocks only. The error of a text is an *engine.TextError.
func (ix *Index) Position(text string) (*Target, error) {
	if digits, ok := strings.CutPrefix(text, hashPrefix); ok {
		hash, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || len(digits) != 16 {
			return nil, fmt.Errorf("read position %q: want %s and 16 hexadecimal digits", text, hashPrefix)
		}
		return &Target{hash: hash}, nil
	}
	pos := ix.shape.Game.New(ix.shape.Variant)
	if err := engine.Position.Set(pos, text); err != nil {
		return nil, err
	}
	return &Target{hash: pos.Hash()}, nil
}

// material is the number of pieces of each kind and side. Every member of a stack counts.
type material struct{ counts [2][]uint8 }

// versus separates the sides in the text of a material.
const versus = "v"

// Material returns the target of a material: the letters of the pieces on the board, first those
// of the side that moves first, KRPvKR for example. The order of letters does not matter, heroes
// count as their kind, and pieces off the board do not count. The error says which letters there
// are.
func (ix *Index) Material(text string) (*Target, error) {
	board := &ix.shape.Game.Board
	sides := strings.Split(text, versus)
	if len(sides) != 2 {
		all := pieceLetters(board)
		return nil, fmt.Errorf("read material %q: want the pieces of both sides, such as %s%s%s", text, all, versus, all)
	}
	m := new(material)
	for side, letters := range sides {
		m.counts[side] = make([]uint8, len(board.Kinds))
		for _, letter := range letters {
			kind := slices.IndexFunc(board.Kinds, func(k encode.PieceKind) bool { return k.Letter == string(letter) })
			if kind < 0 || !strings.ContainsRune(pieceLetters(board), letter) || m.counts[side][kind] == math.MaxUint8 {
				return nil, fmt.Errorf("read material %q: piece %q: want some of %s, at most %d times",
					text, letter, pieceLetters(board), math.MaxUint8)
			}
			m.counts[side][kind]++
		}
	}
	return &Target{material: m}, nil
}

// pieceLetters returns the letters of the kinds of pieces that belong to a side.
func pieceLetters(b *encode.Board) string {
	owned := make([]bool, len(b.Kinds))
	for _, pieces := range b.Codes {
		for _, p := range pieces {
			owned[p.Kind] = owned[p.Kind] || p.Side != encode.Neutral
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

// counter compares the material of positions with a material. It belongs to one goroutine.
type counter struct {
	want   *material
	layout *encode.Layout
	cells  int
	pieces [][]encode.Piece
	counts [2][]uint8
	values []byte
}

func newCounter(g *encode.Game, want *material) *counter {
	c := &counter{want: want, layout: g.Identity(), cells: g.Board.Cells(), pieces: g.Board.Codes}
	for side := range c.counts {
		c.counts[side] = make([]uint8, len(g.Board.Kinds))
	}
	return c
}

// matches reports whether a position has the material.
func (c *counter) matches(pos engine.Position) bool {
	clear(c.counts[0])
	clear(c.counts[1])
	size := c.layout.Kind.Size()
	c.values = c.layout.Encode(c.values[:0], pos)
	for cell := c.values[:c.cells*size]; len(cell) > 0; cell = cell[size:] {
		code := int(cell[0])
		if size == 2 {
			code = int(binary.LittleEndian.Uint16(cell))
		}
		for _, p := range c.pieces[code] {
			if p.Side != encode.Neutral {
				c.counts[p.Side][p.Kind]++
			}
		}
	}
	return slices.Equal(c.counts[0], c.want.counts[0]) && slices.Equal(c.counts[1], c.want.counts[1])
}
