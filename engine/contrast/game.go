package contrast

import (
	"math/rand/v2"

	"selfplay/engine"
)

var (
	sideNames = [2]string{"black", "white"}
	variants  = []string{"after", "before"}
)

// Game returns the static half of Contrast.
func Game() engine.Game {
	return engine.Game{
		Name:     "contrast",
		Title:    "Contrast",
		Rules:    1,
		Sides:    sideNames,
		Variants: append([]string(nil), variants...),
		MaxPlies: 500,
		// Five pieces have 24 moves, each with 33 ways to lay a tile or none: 8 for the piece on the one
		// gray tile, 4 for the others. A side that has no gray tile in hand has fewer.
		MostMoves: 800,
		Samplers:  []engine.Sampler{{Name: "tile", Default: 250, DoRandom: randomTile}},
		New:       newVariant,
	}
}

// newVariant panics if the variant is unknown: silently playing another one would be
// worse.
func newVariant(name string) engine.Position {
	switch name {
	case "", variants[0]:
		return newPosition(false)
	case variants[1]:
		return newPosition(true)
	}
	panic("contrast: unknown variant " + name)
}

func randomTile(p engine.Position, src *rand.PCG, probability engine.Fraction) (engine.Move, bool) {
	return p.(*Position).RandomTile(src, probability)
}

// Ends of the game, in order of priority:
//
//  1. a piece stands on its goal row: its side wins;
//  2. the side to move has no move: it loses, even with tiles in hand;
//  3. the fourth occurrence of the same cells with the same side to move: a draw.
//
// The caller limits the length of a game.

// Outcome returns how the game ended, or Ongoing. If both sides stand on their goal
// row, which no game leads to, Black wins.
func (p *Position) Outcome() engine.Outcome {
	for side, goal := range goals {
		if p.pieces[side]&goal != 0 {
			return engine.Outcome{Result: engine.Win(engine.Side(side)), Reason: engine.Goal}
		}
	}
	var b baseMoves
	switch {
	case p.findBaseMoves(&b, p.empty()) == 0:
		return engine.Outcome{Result: engine.Win(p.Turn().Other()), Reason: engine.Blocked}
	case p.repeated():
		return engine.Outcome{Result: engine.Draw, Reason: engine.Repetition}
	}
	return engine.Ongoing
}

// goalReached reports whether a piece of either side stands on its goal row.
func (p *Position) goalReached() bool {
	return p.pieces[0]&goals[0]|p.pieces[1]&goals[1] != 0
}

// repeated reports whether the position occurs for the fourth time.
func (p *Position) repeated() bool {
	const times = 4
	return p.hashCounts[p.hash%numHashCounts] >= times && p.occurrences() >= times
}

// occurrences counts the positions of the game that equal this one, itself included.
// It stops at the last tile placed, since no earlier position can recur. Hands are
// constant from there on, so comparing hashes compares cells and side to move.
func (p *Position) occurrences() int {
	n := 1
	for i := len(p.history) - 1; i >= 0 && !placesTile(p.history[i].move); i-- {
		if p.history[i].hash == p.hash {
			n++
		}
	}
	return n
}
