package bitboard

import "selfplay/engine/cotulenh"

// directions lists the eight directions as differences of squares.
var directions = cotulenh.Directions()

// The attack tables: what a kind of piece reaches from a square on an empty board. Terrain
// is decided here. Captures do not depend on the square, because terrain does not block
// them and no stack stands off the board.
var (
	// joinRays[kind][square] holds the squares in move range that terrain does not block:
	// the piece may join a stack there, and move there if it may stand there. Commanders
	// move farther than Rays reach and use commanderLimits.
	joinRays [32][256]Rays
	// standRays[0] holds the squares around a square where a navy may stand, standRays[1]
	// those of any other lead.
	standRays [2][256]Rays
	// captureRays[kind] holds the squares that a piece captures on, captureNavyRays[kind]
	// those where it captures only a stack that a navy leads.
	captureRays, captureNavyRays [32]Rays
	// commanderLimits[square] holds how far terrain lets a commander move in each direction.
	commanderLimits [256][8]uint8
	// edges[square] holds the number of squares in each direction.
	edges [256][8]uint8
)

func init() {
	for _, sq := range squares {
		standRays[0][sq] = NavyMask.raysAt(sq)
		standRays[1][sq] = LandMask.raysAt(sq)
		for d := range directions {
			edges[sq][d] = uint8(reachOf(sq, d, func(cotulenh.Square) bool { return true }))
			commanderLimits[sq][d] = uint8(freeOfTerrain(cotulenh.Commander, sq, d))
		}
	}
	for kind := range uint8(numKinds) {
		buildCaptures(kind)
	}
	for t := cotulenh.Commander; t <= cotulenh.Headquarters; t++ {
		for _, sq := range squares {
			buildJoins(t, sq)
		}
	}
	buildRuns()
}

// reachOf counts the squares in a direction up to the first one that is off the board or
// does not pass.
func reachOf(from uint8, d int, pass func(cotulenh.Square) bool) (n int) {
	for sq := cotulenh.Square(from); ; n++ {
		sq += cotulenh.Square(uint8(directions[d]))
		if !sq.Valid() || !pass(sq) {
			return n
		}
	}
}

// freeOfTerrain returns how far terrain lets a lead move in a direction.
func freeOfTerrain(lead cotulenh.Type, from uint8, d int) int {
	return reachOf(from, d, func(to cotulenh.Square) bool {
		return !cotulenh.TerrainBlocks(lead, cotulenh.Square(from), to, directions[d])
	})
}

// rangeOf returns the move and capture range of a kind in a direction, 0 if it does not
// go there.
func rangeOf(kind uint8, d int) (move, capture int) {
	lead := cotulenh.Type(kind >> 1)
	move, capture, diagonal := cotulenh.Range(lead, kind&1 == 1)
	switch {
	case d >= 4 && !diagonal:
		return 0, 0
	case d >= 4 && lead == cotulenh.Missile:
		return move - 1, capture - 1
	case lead == cotulenh.Commander: // captures adjacent stacks only
		return cotulenh.Unlimited, min(capture, 1)
	}
	return move, capture
}

// buildJoins fills joinRays for a type and its heroic form, which differ in range only.
func buildJoins(t cotulenh.Type, from uint8) {
	for d := range directions {
		free := min(maxDistance, int(edges[from][d]))
		if t != cotulenh.AirForce { // terrain does not block an air force
			free = min(maxDistance, freeOfTerrain(t, from, d))
		}
		for kind := uint8(t) << 1; kind <= uint8(t)<<1+1; kind++ {
			move, _ := rangeOf(kind, d)
			for n := 1; n <= min(move, free); n++ {
				joinRays[kind][from] |= rayOf(d, n)
			}
		}
	}
}

func buildCaptures(kind uint8) {
	for d := range directions {
		_, capture := rangeOf(kind, d)
		for n := 1; n <= capture; n++ {
			if cotulenh.Type(kind>>1) == cotulenh.Navy && n == capture {
				captureNavyRays[kind] |= rayOf(d, n)
			} else {
				captureRays[kind] |= rayOf(d, n)
			}
		}
	}
}

// standing returns the squares around from where a kind of piece may stand.
func standing(kind, from uint8) Rays {
	if kind>>1 == uint8(cotulenh.Navy) {
		return standRays[0][from]
	}
	return standRays[1][from]
}

// moveRays returns the squares that a kind of piece moves to on an empty board.
func moveRays(kind, from uint8) Rays { return joinRays[kind&31][from] & standing(kind, from) }

// onBoard returns the squares of the board around a square.
func onBoard(sq uint8) Rays { return standRays[0][sq] | standRays[1][sq] }
