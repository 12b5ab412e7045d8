// Package chessdata reads and writes the formats in which chess programs exchange training
// data. The file of a format describes its bytes:
//
//	viriformat    whole games, 32 bytes and 4 bytes per move
//	binpack       chains of positions that follow from each other, of Stockfish
//	plain         the text format of Stockfish's tools
//	bulletformat  positions of 32 bytes, as the side to move sees them; only written
//	EPD           Extended Position Description; read as positions alone, without labels
//
// GameReader makes games of the positions in binpack and plain.
//
// # Representation
//
// A position is a chess.Parts: cells from a8 to h1, codes 1 to 12. The formats count squares
// from a1 = 0 to h8 = 63, so square = cell ^ 56. Binpack and plain know standard chess only: kings
// and rooks that may castle are on their home squares. The others hold Chess960, too.
//
// # Scores
//
// Scores are centipawns. This package has them from the view of the side to move; each codec
// converts to the view of its format. The formats share the numbers of Stockfish: a mate in n
// plies is MateScore-n, and NoScore stands for a position without a score, which trainers leave
// out. Foreign and Own convert between these numbers and those of a dataset.
//
// # Sources
//
//	github.com/jw1912/bulletformat  crate 1.8.0, src/chess.rs
//	github.com/cosmobobak/viriformat  crate 3.0.0, src/dataformat.rs and src/dataformat/marlinformat.rs
//
//	github.com/Disservin/binpack-rust  crate sfbinpack 0.6.5, for the layout of binpack
//	github.com/nodchip/Stockfish  tools, for the text format
//	saremba.de/chessgml/standards/pgn/pgn-complete.htm  section 16.2, Extended Position Description
//
// make formats reads files with these programs and compares every position.
package chessdata

import (
	"errors"
	"fmt"
	"math"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/search"
)

// Row is a position with its labels.
type Row struct {
	Position chess.Parts
	Move     Move  // the best move; bulletformat does not have it
	Score    int16 // from the view of the side to move, or NoScore
	Result   int8  // 1 the side to move won, 0 draw, -1 it lost
}

// Numbers of scores that the formats share.
const (
	MateScore = 32_000
	NoScore   = 32_002
)

// mateShift is the difference between the mate scores of the formats and those of a dataset.
const mateShift = MateScore - search.MateScore

// Foreign returns the number that the formats have for a score of a dataset. Only proven ends
// differ.
func Foreign(score int16) int16 {
	switch {
	case score > engine.MaxStatic:
		return score + mateShift
	case score < -engine.MaxStatic:
		return score - mateShift
	}
	return score
}

// Own is the inverse of Foreign: it returns the score of a dataset, and false if there is none.
// A score that is neither a mate nor within ±engine.MaxStatic becomes the closest one that is.
func Own(score int16) (own int16, ok bool) {
	const static, mate = engine.MaxStatic, search.MateScore - 1
	switch size := max(int(score), -int(score)); {
	case size == NoScore || size > MateScore:
		return 0, false
	case size <= static:
		return score, true
	case score > 0:
		return int16(min(max(size-mateShift, static), mate)), true
	default:
		return -int16(min(max(size-mateShift, static), mate)), true
	}
}

// Codes of cells.
const (
	whitePawn = 1
	whiteRook = 4
	whiteKing = 6
	perSide   = 6 // codes of a side: those of black follow those of white
	blackPawn = whitePawn + perSide
	blackRook = whiteRook + perSide
	blackKing = whiteKing + perSide
)

// flip turns a cell into a square, and a square into a cell.
const flip = 56

// maxPieces is the number of pieces for which the formats have room.
const maxPieces = 32

var (
	errPieces = errors.New("more than 32 pieces")
	errKings  = errors.New("want one king of each side")
	errScore  = fmt.Errorf("score %d has no opposite", math.MinInt16)
)

// sideOf returns the side of a code.
func sideOf(code uint8) engine.Side { return engine.Side((code - 1) / perSide) }

// checkKings returns an error unless each side has one king.
func checkKings(cells *[64]uint8) error {
	white, black := 0, 0
	for _, code := range cells {
		switch code {
		case whiteKing:
			white++
		case blackKing:
			black++
		}
	}
	if white != 1 || black != 1 {
		return errKings
	}
	return nil
}

// seenByWhite changes the view of a score between the side to move and White.
func seenByWhite(score int16, turn engine.Side) int16 {
	if turn == engine.Second && score != NoScore {
		return -score
	}
	return score
}
