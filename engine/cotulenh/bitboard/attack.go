package bitboard

import (
	"math/bits"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// attackRange holds the squares on the rays around each square: every attack on it comes
// from there. attackRanges limits it to a distance.
var attackRange, attackRanges = func() (all [256]Board, limited [8][256]Board) {
	for _, sq := range squares {
		for d := range directions {
			b := squareBoards[sq]
			for n := 1; n <= maxDistance; n++ {
				b = b.Shift(d)
				for distance := n; distance < len(limited); distance++ {
					limited[distance][sq] = limited[distance][sq].Or(b)
				}
			}
		}
		all[sq] = limited[maxDistance][sq]
	}
	return all, limited
}()

// inAttackRange[b-a] reports whether b is in the attack range of a or equal to a. It has
// false positives, see bitBetween.
var inAttackRange = func() (table [256]bool) {
	for diff := range table {
		table[diff] = diff == 0 || bitBetween[diff] != noRay
	}
	return table
}()

// disks[sq][radius] holds the squares within radius king's moves of a square.
var disks = func() (table [256][cotulenh.PressureRadius]Board) {
	for _, sq := range squares {
		b := squareBoards[sq]
		table[sq][0] = b
		for radius := range table[sq][1:] {
			b = b.Or(b.East()).Or(b.West())
			b = b.Or(b.North()).Or(b.South())
			table[sq][radius+1] = b
		}
	}
	return table
}()

// pressure[sq] holds the squares around a square by the bits of how much closer than
// cotulenh.PressureRadius they are.
var pressure = func() (table [256][3]Board) {
	for _, sq := range squares {
		for radius := 1; radius < cotulenh.PressureRadius; radius++ {
			ring := disks[sq][radius].AndNot(disks[sq][radius-1])
			for bit := range table[sq] {
				if (cotulenh.PressureRadius-radius)>>bit&1 == 1 {
					table[sq][bit] = table[sq][bit].Or(ring)
				}
			}
		}
	}
	return table
}()

// What a target is decides how far a navy attacks it. It is an index of attackSlots.
const (
	navyTarget = 0 // a navy leads the target
	landTarget = 1 // anything else, also an empty square: one step less
)

// attackSlots holds which members of a stack attack a square. The indices are the kind of
// target, the code, and the bit of the stack in the Rays around the target. Bits 0-2 are
// the slots that attack if nothing stands between, bits 3-5 those that attack over anything
// between. It differs from what pieces capture: it ignores terrain, a missile attacks
// diagonally at full range, and cargo attacks too.
var attackSlots = func() (table [2][512][64]uint8) {
	for target := range table {
		for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
			for slot, m := range code.Members() {
				addAttacks(&table[target][code], slot, m, target)
			}
		}
	}
	return table
}()

func addAttacks(table *[64]uint8, slot int, m cotulenh.Member, target int) {
	_, capture, diagonal := cotulenh.Range(m.Type, m.Heroic)
	if m.Type == cotulenh.Navy && target == landTarget {
		capture--
	}
	slots := uint8(1) << slot
	switch m.Type {
	case cotulenh.Artillery, cotulenh.Missile, cotulenh.Navy, cotulenh.AirForce:
		slots |= 8 << slot
	}
	for d := range directions {
		for n := 1; n <= capture && (d < 4 || diagonal); n++ {
			table[d<<3+n-1] |= slots
		}
	}
}

// captureDistance holds the largest capture range of the members of each code.
var captureDistance = func() (table [512]uint8) {
	for code := cotulenh.Stack(1); code < cotulenh.NumStacks; code++ {
		for _, m := range code.Members() {
			_, capture, _ := cotulenh.Range(m.Type, m.Heroic)
			if m.Type == cotulenh.Commander {
				capture = 1
			}
			table[code] = max(table[code], uint8(capture))
		}
	}
	return table
}()

// targetKind returns navyTarget or landTarget for what stands on a square.
func (p *Position) targetKind(sq uint8) int {
	if s := p.cells[sq]; s != cotulenh.Empty && facts[s&511].lead == cotulenh.Navy {
		return navyTarget
	}
	return landTarget
}

// attackedSquare is a square whose attackers are looked for.
type attackedSquare struct {
	us, sq   uint8
	kind     int
	occupied Board // what blocks attacks
}

// sees reports whether nothing stands between the square and the one of the given bit. That
// is at most two squares: what attacks from farther away attacks over pieces. So it tests
// them one by one; gathering all rays takes three times as long.
func (a *attackedSquare) sees(bit uint8) bool {
	for bit&7 != 0 {
		bit--
		if a.occupied.has(a.sq + steps[bit&63]) {
			return false
		}
	}
	return true
}

// attackingSlots returns the slots of the enemy stack on from that attack. stoppable
// reports whether air defense could stop all of them.
func (p *Position) attackingSlots(a *attackedSquare, from uint8) (slots uint8, stoppable bool) {
	bit, code := bitBetween[from-a.sq]&63, p.cells[from]&511
	e := attackSlots[a.kind&1][code][bit]
	if e == 0 {
		return 0, false
	}
	if e&7 != e>>3 && bit&7 != 0 && !a.sees(bit) {
		e >>= 3
	}
	slots = e & 7
	if plain := slots & facts[code].plainAir; plain != 0 {
		if p.shotDown(a.us, from, a.sq) {
			slots &^= plain
		} else if slots == plain {
			return slots, true
		}
	}
	return slots, false
}

// shotDown reports whether air defense of side us destroys an enemy air force on its way
// from a square to a square of us on one of its rays. A suicide capture is an attack.
func (p *Position) shotDown(us, from, to uint8) bool {
	safe, suicide := p.flights(us^1, from)
	return (safe|suicide)>>(bitBetween[to-from]&63)&1 == 0
}

// attackOn returns the attack on a square of side us, if the given squares are occupied. It
// stops at the first attacker that air defense cannot stop.
func (p *Position) attackOn(us, sq uint8, kind int, occupied Board) attack {
	found := noAttack
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied)
	if candidates.Empty() {
		return found
	}
	a := attackedSquare{us: us, sq: sq, kind: kind, occupied: occupied}
	for !candidates.Empty() {
		slots, stoppable := p.attackingSlots(&a, candidates.pop())
		if slots == 0 {
			continue
		}
		if !stoppable {
			return groundAttack
		}
		found = airAttack
	}
	return found
}

// attackerList lists attackers: squares with the slots that attack.
type attackerList struct {
	list [8 * maxDistance]struct{ sq, slots uint8 }
	n    int
}

// attackersOn is attackOn with the list of all attackers.
func (p *Position) attackersOn(us, sq uint8, attackers *attackerList) attack {
	found := noAttack
	attackers.n = 0
	candidates := attackRange[sq].And(p.sides[us&1^1].occupied)
	if candidates.Empty() {
		return found
	}
	a := attackedSquare{us: us, sq: sq, kind: p.targetKind(sq), occupied: p.occupied()}
	for !candidates.Empty() {
		from := candidates.pop()
		slots, stoppable := p.attackingSlots(&a, from)
		if slots == 0 {
			continue
		}
		attackers.list[attackers.n].sq, attackers.list[attackers.n].slots = from, slots
		attackers.n++
		if !stoppable {
			found = groundAttack
		} else if found == noAttack {
			found = airAttack
		}
	}
	return found
}

// commanderAttack returns the attack on a side's commander and keeps the answer. A missing
// commander counts as attacked.
func (p *Position) commanderAttack(us uint8) attack {
	s := &p.sides[us&1]
	if s.attacked == attackUnknown {
		if s.commander == noSquare {
			return groundAttack
		}
		s.attacked = p.attackOn(us&1, s.commander, p.targetKind(s.commander), p.occupied())
	}
	return s.attacked
}

// danger reports whether side us may not end its turn here: its commander is missing,
// attacked or faces the other commander.
func (p *Position) danger(us uint8) bool {
	return p.commanderAttack(us) != noAttack || p.commandersFace()
}

// Check reports whether the side to move has its commander attacked or missing.
func (p *Position) Check() bool { return p.commanderAttack(p.turn) != noAttack }

// Attacked reports whether a side's commander is attacked or missing, without what is known
// of it from earlier positions. It measures the attack test.
func (p *Position) Attacked(side engine.Side) bool {
	p.sides[side&1].attacked = attackUnknown
	return p.commanderAttack(uint8(side)) != noAttack
}

// Two commanders face each other if they share a rank or file and nothing stands between
// them. Neither side may end its turn like that.

// sameLine reports whether two squares share a rank or file.
func sameLine(a, b uint8) bool { return (a^b)&0x0F == 0 || (a^b)&0xF0 == 0 }

// between returns the squares of the set between two squares that share a rank or file.
func (b Board) between(from, to uint8) Board {
	return b.And(linesBetween[lineIndex(from, to)])
}

// linesBetween holds the squares between two squares of a rank or file.
var linesBetween = func() (table [256 * 32]Board) {
	for _, from := range squares {
		for d := range 4 {
			path := Board{}
			for next := squareBoards[from].Shift(d); !next.Empty(); next = next.Shift(d) {
				to := next
				table[lineIndex(from, to.pop())] = path
				path = path.Or(next)
			}
		}
	}
	return table
}()

// lineIndex numbers a square and another one of its rank or file.
func lineIndex(from, to uint8) uint {
	if (from^to)&0xF0 == 0 {
		return uint(from)<<5 | uint(to&15)
	}
	return uint(from)<<5 | 16 | uint(to>>4)
}

// commandersFace reports whether the commanders face each other.
func (p *Position) commandersFace() bool {
	own := p.sides[0].commander
	return own != noSquare && p.wouldFace(0, own, p.occupied())
}

// wouldFace reports whether a commander of side us on sq would face the other one, if the
// given squares are occupied.
func (p *Position) wouldFace(us, sq uint8, occupied Board) bool {
	e := p.sides[us&1^1].commander
	return e != noSquare && e != sq && sameLine(sq, e) && occupied.between(sq, e).Empty()
}

// exposed returns the squares that the enemy commander exposes to the own commander on
// from, which may not enter or cross them. The enemy commander exposes two rays up to the
// first stack: along its file towards the rank of from (south on the same rank), and along
// its rank towards the file of from (none on the same file). The commander on from does not
// end a ray.
func (p *Position) exposed(from uint8) (b Board) {
	e := p.enemy().commander
	if e == noSquare {
		return b
	}
	blockers := p.occupied().AndNot(squareBoards[from])
	vertical := 0
	if from>>4 >= e>>4 {
		vertical = 2
	}
	b = openLine(blockers, e, vertical)
	switch {
	case from&15 < e&15:
		b = b.Or(openLine(blockers, e, 3))
	case from&15 > e&15:
		b = b.Or(openLine(blockers, e, 1))
	}
	return b
}

// openLine returns the squares in an orthogonal direction up to the first blocker.
func openLine(blockers Board, from uint8, d int) Board {
	n := openSteps(blockers, from, d)
	if n == 0 {
		return Board{}
	}
	last := from + n*uint8(directions[d])
	return linesBetween[lineIndex(from, last)].Or(squareBoards[last])
}

// openSteps returns the number of squares in a direction up to the first blocker or the
// edge.
func openSteps(blockers Board, from uint8, d int) uint8 {
	line, pos := blockers.line(from, d)
	free := 0
	if forwards[d&7] {
		free = bits.TrailingZeros64(line >> (pos + 1))
	} else {
		free = bits.LeadingZeros64(line << (64 - pos))
	}
	return min(uint8(free), edges[from][d&7])
}

// forwards says whether a direction counts up the bits of its line.
var forwards = [8]bool{false, true, true, false, false, true, true, false}

// line returns the squares of the set on the line of a direction, and the bit of the square
// from in it.
func (b Board) line(from uint8, d int) (line uint64, pos uint8) {
	file, rank := from&15, from>>4
	switch d {
	case 0, 2:
		return b.column(file), rank
	case 1, 3:
		return b.row(rank), file
	case 4, 6:
		return b.onFiles(&fallingLines[(rank-file)&31]), file
	}
	return b.onFiles(&risingLines[(rank+file)&31]), file
}
