package chess

import (
	"strings"

	"selfplay/engine"
)

var _ engine.Evaluator = (*Position)(nil)

// Evaluate returns the static score for the side to move; 100 is a pawn. Material
// and where it stands, once as the opening and once as the end of a game sees it,
// mixed by how many pieces are left; a pair of bishops; the move. Tactics are the
// search's.
//
// Scores are part of a player's version: whoever changes one changes datasets.
func (p *Position) Evaluate() int {
	us := p.turn()
	mid, late := (p.standing(us) - p.standing(us^1)).split()
	phase := min(p.phase(), openingPhase)
	s := late + (mid-late)*phase/openingPhase + tempo
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}

// Over reports whether the game is drawn though there may be legal moves.
func (p *Position) Over() bool { return p.drawn() }

const (
	tempo        = 12
	bishopPair   = 35
	openingPhase = 24 // of all pieces of the start
)

// values are the kinds of pieces in centi-units, before any square.
var values = [8]int{pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 900}

// score is two scores in one number, so that they are added at once: what the
// opening makes of something, times 2^32, and what the end makes of it.
type score int64

func newScore(mid, late int) score { return score(mid)<<32 + score(late) }

// split returns the two scores. The lower one may be negative and have borrowed.
func (s score) split() (mid, late int) {
	low := int32(s)
	return int((s - score(low)) >> 32), int(low)
}

// standing is what a side has on the board.
func (p *Position) standing(side uint8) (s score) {
	own := p.sides[side&1]
	for set := own; set != 0; set &= set - 1 {
		cell := first(set)
		s += worth[p.board[squareOf(cell)]&31][cell]
	}
	if bishops := p.kinds[bishop] & own; bishops&(bishops-1) != 0 {
		s += newScore(bishopPair, bishopPair)
	}
	return s
}

// phase tells how much of an opening there is, openingPhase with all pieces of the
// start.
func (p *Position) phase() int {
	return int(size(p.kinds[knight]|p.kinds[bishop]) + 2*size(p.kinds[rook]) + 4*size(p.kinds[queen]))
}

// worth is what a piece is worth on a cell.
var worth = func() (table [32][64]score) {
	for kind := uint8(pawn); kind <= king; kind++ {
		mid := drawing(squareTables[kind])
		late := mid
		if text := endTables[kind]; text != "" {
			late = drawing(text)
		}
		for cell := range 64 {
			for side, seen := range [2]int{cell, cell ^ 56} { // Black sees the ranks flipped
				table[colourOf(uint8(side))|kind][cell] = newScore(values[kind]+mid[seen], values[kind]+late[seen])
			}
		}
	}
	return table
}()

// drawing reads a table of 64 numbers drawn as White sees the board.
func drawing(text string) (list [64]int) {
	for i, field := range strings.Fields(text) {
		n, sign := 0, 1
		for _, c := range field {
			if c == '-' {
				sign = -1
			} else {
				n = 10*n + int(c-'0')
			}
		}
		list[i] = sign * n
	}
	return list
}

// squareTables are what squares add, rank 8 first. The figures are those of the
// Simplified Evaluation Function by Tomasz Michniewski,
// chessprogramming.org/Simplified_Evaluation_Function.
var squareTables = [8]string{
	pawn: `
  0   0   0   0   0   0   0   0
 50  50  50  50  50  50  50  50
 10  10  20  30  30  20  10  10
  5   5  10  25  25  10   5   5
  0   0   0  20  20   0   0   0
  5  -5 -10   0   0 -10  -5   5
  5  10  10 -20 -20  10  10   5
  0   0   0   0   0   0   0   0`,
	knight: `
-50 -40 -30 -30 -30 -30 -40 -50
-40 -20   0   0   0   0 -20 -40
-30   0  10  15  15  10   0 -30
-30   5  15  20  20  15   5 -30
-30   0  15  20  20  15   0 -30
-30   5  10  15  15  10   5 -30
-40 -20   0   5   5   0 -20 -40
-50 -40 -30 -30 -30 -30 -40 -50`,
	bishop: `
-20 -10 -10 -10 -10 -10 -10 -20
-10   0   0   0   0   0   0 -10
-10   0   5  10  10   5   0 -10
-10   5   5  10  10   5   5 -10
-10   0  10  10  10  10   0 -10
-10  10  10  10  10  10  10 -10
-10   5   0   0   0   0   5 -10
-20 -10 -10 -10 -10 -10 -10 -20`,
	rook: `
  0   0   0   0   0   0   0   0
  5  10  10  10  10  10  10   5
 -5   0   0   0   0   0   0  -5
 -5   0   0   0   0   0   0  -5
 -5   0   0   0   0   0   0  -5
 -5   0   0   0   0   0   0  -5
 -5   0   0   0   0   0   0  -5
  0   0   0   5   5   0   0   0`,
	queen: `
-20 -10 -10  -5  -5 -10 -10 -20
-10   0   0   0   0   0   0 -10
-10   0   5   5   5   5   0 -10
 -5   0   5   5   5   5   0  -5
  0   0   5   5   5   5   0  -5
-10   5   5   5   5   5   0 -10
-10   0   5   0   0   0   0 -10
-20 -10 -10  -5  -5 -10 -10 -20`,
	king: `
-30 -40 -40 -50 -50 -40 -40 -30
-30 -40 -40 -50 -50 -40 -40 -30
-30 -40 -40 -50 -50 -40 -40 -30
-30 -40 -40 -50 -50 -40 -40 -30
-20 -30 -30 -40 -40 -30 -30 -20
-10 -20 -20 -20 -20 -20 -20 -10
 20  20   0   0   0   0  20  20
 20  30  10   0   0  10  30  20`,
}

// endTables replace those above in the end: a pawn runs, the king comes out.
var endTables = [8]string{
	pawn: `
  0   0   0   0   0   0   0   0
110 110 110 110 110 110 110 110
 65  65  65  65  65  65  65  65
 35  35  35  35  35  35  35  35
 15  15  15  15  15  15  15  15
  5   5   5   5   5   5   5   5
  0   0   0   0   0   0   0   0
  0   0   0   0   0   0   0   0`,
	king: `
-50 -40 -30 -20 -20 -30 -40 -50
-30 -20 -10   0   0 -10 -20 -30
-30 -10  20  30  30  20 -10 -30
-30 -10  30  40  40  30 -10 -30
-30 -10  30  40  40  30 -10 -30
-30 -10  20  30  30  20 -10 -30
-30 -30   0   0   0   0 -30 -30
-50 -30 -30 -30 -30 -30 -30 -50`,
}
