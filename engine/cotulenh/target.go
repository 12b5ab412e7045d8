package cotulenh

// target is a square that a piece could move to or capture on if the board were
// otherwise empty. Terrain is decided when the tables are built.
//
// Its square is an offset from the piece, so pieces in the same surroundings share
// one run of targets. That halves the table.
type target struct {
	offset uint8 // from the square of the piece
	dir    uint8 // offset of one step towards the target
	dist   uint8 // number of steps; 1 begins a new ray
	flags  uint8
}

// Flags of a target.
const (
	canMove        = 1 << 0 // may move there if it is empty
	canJoin        = 1 << 1 // may join an own stack there
	canCapture     = 1 << 2 // may capture there
	canCaptureNavy = 1 << 3 // may capture there only a stack that a navy leads
	canStand       = 1 << 4 // a capture moves there; without the flag the capturer stays
)

// span locates the targets of a kind on a square: targets[first:][:count].
type span struct {
	first uint16
	count uint8
	// wholeCandidates is the number of candidate steps of a whole stack with this
	// lead: one per target, but two for an air force, which may capture and stay.
	wholeCandidates uint8
}

// targets holds all runs of targets, equal runs only once. spans is indexed by kind
// and square.
var targets, spans = buildTargets()

func buildTargets() (targets [1 << 16]target, spans [32][256]span) {
	used := 0
	stored := map[string]uint16{}
	for kind := range uint8(numKinds) {
		for _, sq := range boardSquares {
			run := targetsOf(Type(kind>>1), kind&heroicBit == 1, Square(sq))
			key := runKey(run)
			first, found := stored[key]
			if !found {
				first = uint16(used)
				stored[key] = first
				if used += copy(targets[used:], run); used >= len(targets) {
					panic("cotulenh: too many targets for a uint16")
				}
			}
			s := span{first: first, count: uint8(len(run)), wholeCandidates: uint8(len(run))}
			if Type(kind>>1) == AirForce {
				s.wholeCandidates *= 2
			}
			spans[kind][sq] = s
		}
	}
	return targets, spans
}

func runKey(run []target) string {
	key := make([]byte, 0, 4*len(run))
	for _, t := range run {
		key = append(key, t.offset, t.dir, t.dist, t.flags)
	}
	return string(key)
}

// targetsOf follows the rays of a piece in the order of directions.
func targetsOf(t Type, heroic bool, from Square) (run []target) {
	r := reachOf(t, heroic)
	dirs := directions[:4]
	if r.diagonal {
		dirs = directions[:]
	}
	for _, dir := range dirs {
		blocked := false
		for n := 1; n <= rayLength(t, r, dir); n++ {
			to := from + Square(uint8(n*dir))
			if !to.Valid() {
				break
			}
			blocked = blocked || TerrainBlocks(t, from, to, dir)
			flags := targetFlags(t, r, to, n, blocked)
			if flags&(canMove|canJoin|canCapture|canCaptureNavy) != 0 {
				run = append(run, target{uint8(to - from), uint8(dir), uint8(n), flags})
			}
		}
	}
	return run
}

// rayLength returns how many squares a piece reaches in a direction.
func rayLength(t Type, r reach, dir int) int {
	switch diagonal := dir&15 != 0 && dir != East && dir != West; {
	case t == Missile && diagonal:
		return r.move - 1
	case t == Commander:
		return Unlimited
	}
	return max(r.move, r.capture)
}

func targetFlags(t Type, r reach, to Square, n int, blocked bool) (flags uint8) {
	if n <= r.move && !blocked {
		flags |= canJoin
		if CanStand(t, to) {
			flags |= canMove
		}
	}
	switch {
	case t == Commander && n > 1: // a commander captures on adjacent squares only
	case t == Navy && n == r.capture:
		flags |= canCaptureNavy
	case n <= r.capture:
		flags |= canCapture
	}
	if CanStand(t, to) {
		flags |= canStand
	}
	return flags
}

// targetsFrom returns the targets of a kind on a square.
func targetsFrom(kind, sq uint8) []target {
	at := spans[kind&31][sq]
	return targets[at.first:][:at.count]
}

// The candidate steps of a stack are the steps that it would have if every target were
// possible: one per target of each member that could deploy, and one per target of the whole
// stack. A whole air force has two per target: to move there, and to capture and stay. A
// candidate that is not possible here is no step.

// candidatesOf returns the number of candidate steps of a stack on a square.
func candidatesOf(in *stackInfo, sq uint8) uint8 {
	n := spans[in.kinds[0]&31][sq].wholeCandidates
	if in.size > 1 {
		n += spans[in.kinds[0]&31][sq].count + spans[in.kinds[1]&31][sq].count
		if in.size > 2 {
			n += spans[in.kinds[2]&31][sq].count
		}
	}
	return n
}
