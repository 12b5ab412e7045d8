package chess

import (
	"math/rand/v2"
	"strconv"

	"selfplay/engine"
)

// starts960 are the ways to begin a game of Chess960.
var starts960 = engine.Starts{Variant: Chess960, Count: NumStarts960, Ways: []string{"random", "double"}, Draw: drawStart960}

// drawStart960 draws one number for both sides, one for each (double Fischer random), or none.
func drawStart960(way string, src *rand.PCG) string {
	number, err := strconv.Atoi(way)
	if err != nil {
		number = int(engine.Below(src, NumStarts960))
	}
	other := number
	if way == "double" {
		other = int(engine.Below(src, NumStarts960))
	}
	if number == StandardStart && other == StandardStart {
		return ""
	}
	return Start960(number, other)
}

// NumStarts960 is the number of first positions of Chess960, which are numbered from 0.
const NumStarts960 = 960

// StandardStart is the number of the first position of standard chess.
const StandardStart = 518

// Start960 returns the text of a game of Chess960 that white begins from one first position and
// black from another. The numbers are those of Scharnagl: the bishops' files, the queen, the
// knights; rook, king and rook take what is left.
func Start960(white, black int) string {
	own, other := firstRank(white), firstRank(black)
	p := &Position{chess960: true}
	p.clear()
	for file := range 8 {
		p.put(colourOf(0)|own[file], squareOf(56+file))
		p.put(colourOf(0)|pawn, squareOf(48+file))
		p.put(colourOf(1)|other[file], squareOf(file))
		p.put(colourOf(1)|pawn, squareOf(8+file))
	}
	var rooks [4]int
	for right := range rooks {
		rooks[right] = p.outermostRook(right)
	}
	p.setChess960(rooks)
	return p.String()
}

// knights960 are the places of the knights among the five that bishops and queen leave.
var knights960 = [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}

// firstRank returns the kinds of pieces of a first position, from file a.
func firstRank(number int) (rank [8]uint8) {
	number %= NumStarts960
	rank[number%4*2+1], rank[number/4%4*2] = bishop, bishop
	free := func(n int) *uint8 {
		for file := range rank {
			if rank[file] == empty {
				if n == 0 {
					return &rank[file]
				}
				n--
			}
		}
		panic("chess: a rank has eight files")
	}
	*free(number / 16 % 6) = queen
	knights := knights960[number/96]
	*free(knights[1]) = knight
	*free(knights[0]) = knight
	for _, kind := range [...]uint8{rook, king, rook} {
		*free(0) = kind
	}
	return rank
}
