package bitboard

import "selfplay/engine/cotulenh"

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
