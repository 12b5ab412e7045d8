package chess

import "strings"

// The numbers of Evaluate, in centipawns unless stated otherwise.

const (
	tempo        = 12 // bonus for the side to move
	bishopPair   = 35
	openingPhase = 24 // sum of phases at the start of the game
)

// values are the piece values without squares. phases are the weights of the pieces in
// the phase of the game: the sum runs from openingPhase down to 0 in the endgame.
var (
	values = [8]int{pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 900}
	phases = [8]int{knight: 1, bishop: 1, rook: 2, queen: 4}
)

// parseTable parses 64 numbers drawn as White sees the board.
func parseTable(text string) (list [64]int) {
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

// openingTables are the piece-square values of the opening in centipawns, rank 8
// first. The numbers are those of the Simplified Evaluation Function by Tomasz
// Michniewski, chessprogramming.org/Simplified_Evaluation_Function.
var openingTables = [8]string{
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

// endgameTables replace the tables of pawns and kings in the endgame: pawns advance,
// the king moves to the centre.
var endgameTables = [8]string{
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

// pieceScores are indexed by piece code and square.
var pieceScores = func() (table [32][128]score) {
	for kind := uint8(pawn); kind <= king; kind++ {
		opening := parseTable(openingTables[kind])
		endgame := opening
		if text := endgameTables[kind]; text != "" {
			endgame = parseTable(text)
		}
		for cell, sq := range mailbox64 {
			flipped := cell ^ 56 // the same cell from Black's view
			table[white|kind][sq] = newScore(phases[kind], values[kind]+opening[cell], values[kind]+endgame[cell])
			table[black|kind][sq] = newScore(phases[kind], -values[kind]-opening[flipped], -values[kind]-endgame[flipped])
		}
	}
	return table
}()
