package chess

import (
	"strings"

	"selfplay/engine"
)

// Castling in standard chess is the king's move of two cells (e1g1). In Chess960 it is the
// move of the king to the cell of its own rook, because the king may also be able to step to
// its target, or stand there already. The move takes nothing: takenOf is empty. In both the
// king lands on file g or c and the rook beside it, on file f or d.

// Wings of a side. Castling right 2*side + wing has bit 1 << (2*side + wing).
const (
	kingSide  = 0
	queenSide = 1
)

// castling is one of the four castling moves.
type castling struct {
	right    uint32
	free     uint64 // cells that must be empty
	safe     uint64 // cells that the king crosses and reaches; must not be attacked
	rookCell uint64 // of the rook before the move: an attacker behind it sees the king's target
	move     engine.Move

	king, rook               uint8 // piece codes
	kingTo, rookFrom, rookTo uint8
}

// castlings are the castling moves of a game, and what depends on them. Positions share them.
type castlings struct {
	wings [2][2]castling // by side and wing; those without a right are empty
	lost  [128]uint32    // rights lost when a piece leaves or reaches a square
	keys  [16]uint64     // of the hash, by castling rights; 0 for none
	rooks [4]uint8       // by right: 0 for a rook on the corner file or no right, else its file + 1
}

// standardCastlings are those of standard chess.
var standardCastlings = func() *castlings {
	c := &castlings{keys: castlingKeys}
	for side := range uint8(2) {
		home := 56 - 56*int(side)
		c.add(newCastling(side, kingSide, home+4, home+7))
		c.add(newCastling(side, queenSide, home+4, home))
	}
	return c
}()

// newCastling returns the castling of a king and a rook on these cells, as a move to the
// king's target.
func newCastling(side, wing uint8, kingCell, rookCell int) castling {
	kingTo, rookTo := kingCell&^7|6, kingCell&^7|5
	if wing == queenSide {
		kingTo, rookTo = kingCell&^7|2, kingCell&^7|3
	}
	path := func(from, to int) uint64 { return between[from][to] | 1<<from | 1<<to }
	colour := colourOf(side)
	c := castling{
		right:    1 << (2*side + wing),
		free:     (path(kingCell, kingTo) | path(rookCell, rookTo)) &^ (1<<kingCell | 1<<rookCell),
		safe:     path(kingCell, kingTo)&^(1<<kingCell) | 1<<kingTo,
		rookCell: 1 << rookCell,
		king:     colour | king,
		rook:     colour | rook,
		kingTo:   squareOf(kingTo),
		rookFrom: squareOf(rookCell),
		rookTo:   squareOf(rookTo),
	}
	c.move = fromPart(c.king, squareOf(kingCell)) | toPart(empty, c.kingTo) | castle
	return c
}

// add adds a castling move.
func (c *castlings) add(m castling) {
	c.wings[sideOf(m.king)][m.right>>(2*sideOf(m.king))>>1] = m
	c.lost[fromOf(m.move)] |= m.right
	c.lost[m.rookFrom] |= m.right
}

// cornerFiles are the files of the rooks of standard chess by wing.
var cornerFiles = [2]int{7, 0}

// setChess960 replaces the castlings by those of the given rooks, by right: a cell, or -1
// for no right. The board must be set up.
func (p *Position) setChess960(rooks [4]int) {
	c := &castlings{keys: castlingKeys}
	for i, cell := range rooks {
		if cell < 0 {
			continue
		}
		side, wing := uint8(i>>1), uint8(i&1)
		m := newCastling(side, wing, p.kingCell(side), cell)
		m.move = m.move&^(127<<toShift) | engine.Move(m.rookFrom)<<toShift
		c.add(m)
		p.state |= m.right
		if file := cell & 7; file != cornerFiles[wing] {
			c.rooks[i] = uint8(file) + 1
			for rights := range c.keys {
				if rights>>i&1 != 0 {
					c.keys[rights] ^= engine.Mix(keyRook | uint64(i)<<3 | uint64(file))
				}
			}
		}
	}
	p.castles = c
}

// pathFree reports whether side us has the right to castle and the path is empty.
func (p *Position) pathFree(us uint8, wing int) bool {
	c := &p.castles.wings[us&1][wing&1]
	return p.state&c.right != 0 && p.occupied()&c.free == 0
}

// canCastle reports whether castling is legal.
func (p *Position) canCastle(us uint8, wing int) bool {
	return p.pathFree(us, wing) && !p.Check() && p.kingPathSafe(us, wing)
}

// kingPathSafe reports whether the cells that the king crosses and reaches are not
// attacked. The side must not be in check.
func (p *Position) kingPathSafe(us uint8, wing int) bool {
	c := &p.castles.wings[us&1][wing&1]
	them, occupied := p.sides[us&1^1], p.occupied()&^c.rookCell
	for left := c.safe; left != 0; left &= left - 1 {
		if p.attacked(firstCell(left), us^1, them, occupied) {
			return false
		}
	}
	return true
}

// castlingMoves lists the castling moves of a side that is not in check.
func (p *Position) castlingMoves(dst []engine.Move, us uint8) []engine.Move {
	for wing := range 2 {
		if p.pathFree(us, wing) && p.kingPathSafe(us, wing) {
			dst = append(dst, p.castles.wings[us&1][wing].move)
		}
	}
	return dst
}

// packCastling returns the castling move of a king from a cell to another, if it is legal.
func (p *Position) packCastling(from, to int) (engine.Move, bool) {
	us := p.turn()
	m := fromPart(colourOf(us)|king, squareOf(from)) | toPart(empty, squareOf(to)) | castle
	for wing := range 2 {
		if p.castles.wings[us][wing].move == m {
			return m, p.canCastle(us, wing)
		}
	}
	return 0, false
}

// castlingOf returns the castling that a move is.
func (p *Position) castlingOf(m engine.Move) *castling {
	wings := &p.castles.wings[sideOf(pieceOf(m))]
	if wings[kingSide].move == m {
		return &wings[kingSide]
	}
	return &wings[queenSide]
}

// Castling rights in texts. Standard chess has the letters KQkq. Chess960 reads X-FEN, where
// they mean the outermost rook on that side of the king, and Shredder-FEN, where the letter
// is the file of the rook. It writes X-FEN: KQkq, and the file of a rook that is not the
// outermost one. So both write the same for the same position.

const rightLetters = "KQkq"

func (p *Position) appendRights(b []byte) []byte {
	if p.state&rightsBits == 0 {
		return append(b, '-')
	}
	for i := range len(rightLetters) {
		if p.state>>i&1 == 0 {
			continue
		}
		letter := rightLetters[i]
		if cell := cellOf(p.castles.wings[i>>1][i&1].rookFrom); p.chess960 && cell != p.outermostRook(i) {
			letter = files960[i>>1][cell&7]
		}
		b = append(b, letter)
	}
	return b
}

// outermostRook returns the cell of the rook that is farthest from the king on the side of a
// right, on the first rank of its side; -1 if there is none.
func (p *Position) outermostRook(right int) int {
	side := uint8(right >> 1)
	home := p.kingCell(side)
	step, last := 1, home|7
	if right&1 == queenSide {
		step, last = -1, home&^7
	}
	for cell := last; cell != home; cell -= step {
		if p.board[squareOf(cell)] == colourOf(side)|rook {
			return cell
		}
	}
	return -1
}

// readRights parses the castling rights. The board must be set up.
func (p *Position) readRights(text string) error {
	if p.chess960 {
		return p.readRights960(text)
	}
	rights := uint32(0)
	for i := range len(rightLetters) {
		if strings.IndexByte(text, rightLetters[i]) >= 0 {
			rights |= 1 << i
		}
	}
	p.state |= rights
	if string(p.appendRights(nil)) != text {
		return fault(kindCastling, "lexical", "castling rights %q: want - or letters of %s in this order", text, rightLetters)
	}
	for side, wings := range p.castles.wings {
		for _, c := range wings {
			atHome := p.board[fromOf(c.move)] == c.king && p.board[c.rookFrom] == c.rook
			if rights&c.right != 0 && !atHome {
				return fault(kindCastling, "semantic", "castling rights %q: the %s king or rook is not on its home square", text, sideNames[side])
			}
		}
	}
	return nil
}

// files960 are the letters of files in castling rights, by side.
var files960 = [2]string{"ABCDEFGH", "abcdefgh"}

// readRights960 parses the castling rights of Chess960, in any order.
func (p *Position) readRights960(text string) error {
	if text == "" || text != "-" && strings.Trim(text, rightLetters+files960[0]+files960[1]) != "" {
		return fault(kindCastling, "lexical", "castling rights %q: want - or letters of %s and of files of rooks", text, rightLetters)
	}
	rooks := [4]int{-1, -1, -1, -1}
	for _, letter := range []byte(strings.Trim(text, "-")) {
		right, cell := p.readRight(letter)
		side := uint8(right >> 1)
		onFirstRank := p.kingCell(side)>>3 == 7-7*int(side)
		switch {
		case cell < 0 || !onFirstRank || p.board[squareOf(cell)] != colourOf(side)|rook:
			return fault(kindCastling, "semantic", "castling rights %q: no %s rook for %q on the first rank of its king", text, sideNames[side], letter)
		case rooks[right] >= 0:
			return fault(kindCastling, "semantic", "castling rights %q: two letters for one right of %s", text, sideNames[side])
		}
		rooks[right] = cell
	}
	p.setChess960(rooks)
	return nil
}

// readRight returns the right that a letter means, and the cell of its rook, -1 if there is none.
func (p *Position) readRight(letter byte) (right, cell int) {
	if right = strings.IndexByte(rightLetters, letter); right >= 0 {
		return right, p.outermostRook(right)
	}
	side := int(letter >> 5 & 1) // lower case: black
	home := p.kingCell(uint8(side))
	cell = home&^7 | strings.IndexByte(files960[side], letter)
	if cell > home {
		return 2*side + kingSide, cell
	}
	return 2*side + queenSide, cell
}
