// Package othello implements Othello, and describes it to the program selfplay.
//
// Two sides place discs on 8x8 cells in turn; black begins. A disc must outflank: it encloses
// one or more lines of the opponent's discs, in any of eight directions, between itself and
// another disc of its side, and these discs change sides. A side without such a cell passes. The
// game ends when neither side can place, and the side with more discs wins.
//
// # Representation
//
// A position is two sets of 64 bits, the discs of black and of white. Bit i is cell i, counted
// row by row from a1 in the top left corner: players number the ranks of Othello downwards. A
// move is the number of a cell, or [pass].
//
// The text of a position is its rows, with x for black, o for white and a dot for an empty cell,
// and then the side to move.
//
// # Units
//
// Scores are centi-units: 100 for an advantage that decides as often as a pawn does in chess.
//
// # Sources
//
//	World Othello Federation, official rules, worldothello.org/about/about-othello/othello-rules/official-rules/english
//	perft of Othello: aartbik.blogspot.com, "Reversi: computing the number of positions"
package othello

import (
	"math/bits"

	"selfplay/engine"
)

// The reason for which games end: the side with more discs wins. No game of the program itself
// has it, so its number is one that is free for other modules.
const mostDiscs = engine.FirstOwnReason

// maxPlies is the most plies of a game: 60 discs, each after a pass at most. Two passes in a row
// end it.
const maxPlies = 120

// Game returns names and sizes of Othello.
func Game() engine.Game {
	return engine.Game{
		Name: "othello", Title: "Othello", Rules: 1, Sides: [2]string{"black", "white"}, MaxPlies: maxPlies, MostMoves: 60,
		New: func(string) engine.Position { return New() },
	}
}

// Outcome returns how the game ended, or Ongoing: as long as a side can place a disc.
func (p *Position) Outcome() engine.Outcome {
	if !p.Over() {
		return engine.Ongoing
	}
	o := engine.Outcome{Result: engine.Draw, Reason: mostDiscs}
	switch black, white := bits.OnesCount64(p.discs[0]), bits.OnesCount64(p.discs[1]); {
	case black > white:
		o.Result = engine.FirstWins
	case white > black:
		o.Result = engine.SecondWins
	}
	return o
}

// Over reports whether neither side can place a disc.
func (p *Position) Over() bool {
	return placeable(p.discs[0], p.discs[1]) == 0 && placeable(p.discs[1], p.discs[0]) == 0
}
