package cotulenh

// profile is the reach of a piece on an empty board.
type profile struct {
	move, capture int
	diagonal      bool
}

// unlimited is longer than any ray of the board.
const unlimited = 11

var profiles = [numTypes]profile{
	Commander:   {unlimited, 1, false},
	Infantry:    {1, 1, false},
	Tank:        {2, 2, false},
	Militia:     {1, 1, true},
	Engineer:    {1, 1, false},
	Artillery:   {3, 3, true},
	AntiAir:     {1, 1, false},
	Missile:     {2, 2, true}, // moves and captures one less diagonally, attacks in full
	AirForce:    {4, 4, true},
	Navy:        {4, 4, true}, // captures one less unless a ship leads the target
	Headquarter: {0, 0, false},
}

// reachOf returns the profile of a piece. A hero reaches one further and in all
// eight directions.
func reachOf(t Type, heroic bool) profile {
	r := profiles[t]
	if heroic {
		r.move++
		r.capture++
		r.diagonal = true
	}
	return r
}

// A target is a square that a piece could move to or shoot at if nothing else
// stood on the board. All that depends on the ground is decided here, once.
//
// Its square is relative to the piece's: what has the same ground around it shares
// one run of targets, which halves the table.
type target struct {
	jump  uint8 // offset of the square from the piece's
	dir   uint8 // offset of one step towards it
	n     uint8 // steps; 1 begins a new ray
	flags uint8
}

const (
	canMove   = 1 << 0 // may move there if it is empty
	canJoin   = 1 << 1 // may combine with a friend there
	canTake   = 1 << 2 // may capture there
	canTakeN  = 1 << 3 // may capture there only what a ship leads
	canStand  = 1 << 4 // a capture moves there; without it the capturer stays
	numKinds  = 2 * numTypes
	airKind   = uint8(AirForce) << 1
	heroicBit = 1
)

// span is the run of targets of a kind of piece on a square.
type span struct {
	first uint16
	count uint8
	whole uint8 // tickets of the piece as a whole stack: an air force has two a target, to go or to STAY
}

// targets holds all runs one after another; equal runs stand once. spans finds
// them by kind (type*2 + heroic) and square.
var targets, spans = buildReach()

func buildReach() (targets [1 << 16]target, spans [32][256]span) {
	used := 0
	stored := map[string]uint16{}
	for kind := range uint8(numKinds) {
		for _, sq := range boardSquares {
			run := targetsOf(Type(kind>>1), kind&heroicBit == 1, Square(sq))
			key := make([]byte, 0, 4*len(run))
			for _, t := range run {
				key = append(key, t.jump, t.dir, t.n, t.flags)
			}
			first, ok := stored[string(key)]
			if !ok {
				first = uint16(used)
				stored[string(key)] = first
				if used += copy(targets[used:], run); used >= len(targets) {
					panic("cotulenh: too many targets for a uint16")
				}
			}
			s := span{first: first, count: uint8(len(run)), whole: uint8(len(run))}
			if Type(kind>>1) == AirForce {
				s.whole *= 2
			}
			spans[kind][sq] = s
		}
	}
	return targets, spans
}

// targetsOf walks the rays of a piece in the order of the directions.
func targetsOf(t Type, heroic bool, from Square) (run []target) {
	r := reachOf(t, heroic)
	dirs := directions[:4]
	if r.diagonal {
		dirs = directions[:]
	}
	for _, dir := range dirs {
		blocked := false
		diagonal := dir&15 != 0 && dir != East && dir != West
		for n := 1; n <= max(r.move, r.capture); n++ {
			to := from + Square(uint8(n*dir))
			if !to.Valid() || t == Missile && diagonal && n > r.move-1 || t == Commander && n > unlimited {
				break
			}
			blocked = blocked || terrainBlocks(t, from, to, dir)
			flags := targetFlags(t, r, to, n, blocked)
			if flags&(canMove|canJoin|canTake|canTakeN) != 0 {
				run = append(run, target{uint8(to - from), uint8(dir), uint8(n), flags})
			}
		}
	}
	return run
}

func targetFlags(t Type, r profile, to Square, n int, blocked bool) (flags uint8) {
	if n <= r.move && !blocked {
		flags |= canJoin
		if CanStand(t, to) {
			flags |= canMove
		}
	}
	switch {
	case t == Commander && n > 1: // whatever its range, it captures next to it only
	case t == Navy && n == r.capture:
		flags |= canTakeN
	case n <= r.capture:
		flags |= canTake
	}
	if CanStand(t, to) {
		flags |= canStand
	}
	return flags
}

// link tells how two squares lie to each other, by the uint8 difference of the
// second from the first; 0 if they share no ray of up to five steps. A square
// eleven ranks away can look like one of five steps, so a caller that must be
// right asks only about squares of the star.
var link = func() (table [256]struct{ dir, n, diagonal uint8 }) {
	for d, dir := range directions {
		for n := 1; n <= 5; n++ {
			e := &table[uint8(n*dir)]
			e.dir, e.n = uint8(dir), uint8(n)
			if d >= 4 {
				e.diagonal = 1
			}
		}
	}
	return table
}()

// squareSet is a set of squares, one bit each.
type squareSet [4]uint64

func (b *squareSet) set(sq uint8)      { b[sq>>6] |= 1 << (sq & 63) }
func (b *squareSet) has(sq uint8) bool { return b[sq>>6]>>(sq&63)&1 != 0 }

// stars holds for every square the squares within five steps on its eight rays:
// all that could ever attack it.
var stars = func() (table [256]squareSet) {
	for _, sq := range boardSquares {
		for _, dir := range directions {
			for n := 1; n <= 5; n++ {
				if to := Square(sq + uint8(n*dir)); to.Valid() {
					table[sq].set(uint8(to))
				} else {
					break
				}
			}
		}
	}
	return table
}()

// inStar reports by difference whether a square lies in the star of another or is
// the same one; it may say so of a few squares that do not.
var inStar = func() (table [256]bool) {
	table[0] = true
	for diff := range table {
		if link[diff].n != 0 {
			table[diff] = true
		}
	}
	return table
}()
