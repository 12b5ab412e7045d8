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
