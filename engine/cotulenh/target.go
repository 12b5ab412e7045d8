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
				used += copy(targets[used:], run)
				if used >= len(targets) {
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

// maxAttack is the longest attack range: that of a heroic air force or navy.
const maxAttack = 5

// relation is the position of one square relative to another.
type relation struct {
	dir, dist, diagonal uint8
	number              uint8 // diagonal*8 + dist
}

// index is unique for each pair of distance and diagonal, below 16.
func (r *relation) index() uint8 { return r.number & 15 }

// relations[b-a] holds how to go from a to b, for squares within maxAttack steps on
// one of the eight rays; dist is 0 for others. A square eleven ranks away can look
// like one five steps away. Check attackRange first where that matters.
var relations = func() (table [256]relation) {
	for d, dir := range directions {
		for n := 1; n <= maxAttack; n++ {
			r := &table[uint8(n*dir)]
			r.dir, r.dist = uint8(dir), uint8(n)
			if d >= 4 {
				r.diagonal = 1
			}
			r.number = r.diagonal<<3 | r.dist
		}
	}
	return table
}()

// attackRange holds for each square the squares within maxAttack steps on its eight
// rays: every attack on it comes from there.
var attackRange = func() (table [256]squareSet) {
	for _, sq := range boardSquares {
		for _, dir := range directions {
			for n := 1; n <= maxAttack; n++ {
				to := Square(sq + uint8(n*dir))
				if !to.Valid() {
					break
				}
				table[sq].set(uint8(to))
			}
		}
	}
	return table
}()

// inAttackRange[b-a] reports whether b is in the attack range of a or equal to a. It
// has false positives, see relations.
var inAttackRange = func() (table [256]bool) {
	for diff := range table {
		table[diff] = diff == 0 || relations[diff].dist != 0
	}
	return table
}()

// attackRangeWithin[radius] is attackRange limited to a radius.
var attackRangeWithin = func() (table [8][256]squareSet) {
	for radius := range table {
		for _, a := range boardSquares {
			for _, b := range boardSquares {
				if attackRange[a].has(b) && int(relations[b-a].dist) <= radius {
					table[radius][a].set(b)
				}
			}
		}
	}
	return table
}()

// captureFlags holds the flags canCapture and canCaptureNavy by kind and
// relation.index. They do not depend on the square, because terrain does not block
// captures.
var captureFlags = func() (table [32][16]uint8) {
	for kind := range uint8(numKinds) {
		for _, sq := range boardSquares {
			for _, t := range targetsFrom(kind, sq) {
				if t.dist <= maxAttack {
					table[kind][relations[t.offset].index()] |= t.flags & (canCapture | canCaptureNavy)
				}
			}
		}
	}
	return table
}()

// captureTarget returns the target of a kind that captures a stack in its attack range.
func captureTarget(kind, from, to uint8) target {
	r := &relations[to-from]
	flags := captureFlags[kind&31][r.index()]
	if fits[kind>>1&15][to] {
		flags |= canStand
	}
	return target{to - from, r.dir, r.dist, flags}
}

// captureRanges holds the largest capture range of the members of each code.
var captureRanges = func() (table [512]uint8) {
	for code := Stack(1); code < NumStacks; code++ {
		for _, kind := range infos[code].kinds[:infos[code].size] {
			for i, flags := range captureFlags[kind] {
				if n := uint8(i & 7); flags != 0 && n > table[code] {
					table[code] = n
				}
			}
		}
	}
	return table
}()

// The attack test differs from move generation: it ignores terrain, a missile attacks
// diagonally at full range, and every member of a stack attacks, cargo too.

// What a target is decides how far a navy attacks it. It is an index of
// attackSlots.
const (
	navyTarget = 0 // a navy leads the target
	landTarget = 1 // anything else, also an empty square: one step less
)

// targetKind returns navyTarget or landTarget for what stands on a square.
func targetKind(s Stack) int {
	if infos[s&511].lead == Navy {
		return navyTarget
	}
	return landTarget
}

// attackSlots holds which members of a stack attack a square. The indices are the
// kind of target, the code, and relation.index of the stack seen from the target. Bits 0-2
// are the slots that attack if nothing stands between, bits 3-5 those that attack
// over anything between.
var attackSlots = func() (table [2][512][16]uint8) {
	for kind := range table {
		for code := Stack(1); code < NumStacks; code++ {
			for slot, piece := range infos[code].kinds[:infos[code].size] {
				addAttacks(&table[kind][code], slot, Type(piece>>1), piece&heroicBit == 1, kind)
			}
		}
	}
	return table
}()

// addAttacks adds what one member attacks to the entries of its stack.
func addAttacks(table *[16]uint8, slot int, t Type, heroic bool, kind int) {
	if t == Headquarters && !heroic {
		return
	}
	r := reachOf(t, heroic)
	if t == Navy && kind == landTarget {
		r.capture--
	}
	slots := uint8(1) << slot
	switch t {
	case Artillery, Missile, Navy, AirForce:
		slots |= 8 << slot
	}
	for n := 1; n <= r.capture; n++ {
		table[n] |= slots
		if r.diagonal {
			table[8|n] |= slots
		}
	}
}
