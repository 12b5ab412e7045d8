package cotulenh

import "selfplay/engine"

var _ engine.LeafRepeater = (*Position)(nil)

// ScoreAfter answers steps of whole stacks that capture nothing. It answers nothing where a step may
// attack the enemy commander, promote a piece, repeat a position or reach the limit of the clock.
func (p *Position) ScoreAfter(m engine.Move) (score int, ok bool) {
	if moverOf(m) != Whole || p.half+1 >= DrawClock {
		return 0, false
	}
	s := &p.leaves[len(p.history)%keptSlots]
	if s.hash != p.hash {
		p.sumLeaves(s)
	}
	if !s.usable {
		return 0, false
	}
	switch effectOf(m) {
	case Normal:
		return p.scoreAfterMove(s, fromOf(m), toOf(m))
	case Join:
		return p.scoreAfterJoin(s, fromOf(m), toOf(m))
	}
	return 0, false
}

// sumLeaves computes the sums of the position.
func (p *Position) sumLeaves(s *leafSums) {
	if !p.tally.known {
		p.tally.Start(p.At)
	}
	us := p.turn & 1
	a, b := &p.sides[us], &p.sides[us^1]
	s.hash, s.own, s.enemy, s.stacks = p.hash, a.commander, b.commander, a.n
	s.usable = !p.session.open() && s.own != NoSquare && s.enemy != NoSquare && p.promotesNoGuard() && p.commanderAttack(us^1) == noAttack
	if !s.usable {
		return
	}
	own, enemy := p.tally.strength(us), p.tally.strength(us^1)
	risk, enemyRisk := p.commanderRisk(us, enemy.airForces), p.commanderRisk(us^1, own.airForces)
	enemySafety := standardWeights.safety(&enemyRisk)
	s.safety = standardWeights.safety(&risk)
	s.kind, s.airForces = uint8(targetKind(p.cells[s.enemy])), enemy.airForces
	s.mid = own.mid - enemy.mid + s.safety.mid - enemySafety.mid
	s.late = own.late - enemy.late + s.safety.late - enemySafety.late
	s.left = min(own.material+enemy.material, startMaterial)
}

// promotesNoGuard reports that a step that changes the number of stacks of no side promotes no last
// guard.
func (p *Position) promotesNoGuard() bool {
	return (p.sides[0].n > 2 || p.lastGuardToPromote(0) == NoSquare) &&
		(p.sides[1].n > 2 || p.lastGuardToPromote(1) == NoSquare)
}

// score returns the static score of the other side, which is not in check, after a step that changes
// the sums by values that are packed as in weights.worth and by others.
func (s *leafSums) score(change int32, safety phased) (score int, ok bool) {
	mid := int(int16(change)) // a negative low half has borrowed from the high half
	late := (int(change) - mid) >> 16
	mid, late = -s.mid-mid-safety.mid, -s.late-late-safety.late
	score = late + (mid-late)*s.left/startMaterial + standardWeights.tempo
	return min(max(score, -engine.MaxStatic), engine.MaxStatic), true
}

// scoreAfterMove is ScoreAfter for a stack that moves to an empty square.
func (p *Position) scoreAfterMove(s *leafSums, from, to uint8) (score int, ok bool) {
	code := p.cells[from] & 511
	in := &infos[code]
	if p.half+1 >= soonestThird && p.occurrences(CellKey(code, Square(from))^CellKey(code, Square(to))) >= 2 {
		return 0, false
	}
	if s.mayAttack(code, to) || inAttackRange[from-s.enemy] && p.mayUncover(p.turn&1^1, from) {
		return 0, false
	}
	worth, near := &standardWeights.worth[code], &proximities[s.enemy]
	change := worth[to] - worth[from] + near[to] - near[from] - s.inRange(code, from)
	var safety phased
	switch {
	case in.commander != 0:
		if in.level != 0 {
			return 0, false
		}
		safety = p.safetyChange(s, code, to)
	case in.level != 0:
		safety.mid = p.airDefenseChange(s, p.covered(s, in, from), 0, in, to)
	}
	return s.score(change, safety)
}

// scoreAfterJoin is ScoreAfter for a stack that joins another one.
func (p *Position) scoreAfterJoin(s *leafSums, from, to uint8) (score int, ok bool) {
	code, other := p.cells[from]&511, p.cells[to]&511
	sum := combine(code, other) & 511
	in, joined, all := &infos[code], &infos[other], &infos[sum]
	if s.stacks <= 3 || all.commander != 0 {
		return 0, false
	}
	if p.half+1 >= soonestThird && p.occurrences(CellKey(code, Square(from))^CellKey(other, Square(to))^CellKey(sum, Square(to))) >= 2 {
		return 0, false
	}
	if s.mayAttack(sum, to) || inAttackRange[from-s.enemy] && p.mayUncover(p.turn&1^1, from) {
		return 0, false
	}
	w := &standardWeights
	change := w.worth[sum][to] - w.worth[other][to] - w.worth[code][from] - proximities[s.enemy][from] - s.inRange(code, from) - s.inRange(other, to)
	var safety phased
	if in.level|joined.level|all.level != 0 {
		safety.mid = p.airDefenseChange(s, p.covered(s, in, from), p.covered(s, joined, to), all, to)
	}
	return s.score(change, safety)
}

// soonestThird is the least half-move clock of a third occurrence: each side needs two turns to
// return.
const soonestThird = 8

// occurrences returns how often the position after a turn that changes the keys of the cells has
// occurred, or more.
func (p *Position) occurrences(keys uint64) uint16 {
	return p.hashCounts[(p.hash^sideKey^keys)%numHashCounts]
}

// soonestSecond is the least half-move clock of a second occurrence.
const soonestSecond = 4

// RepeatsAfter answers by the counts of hashes, so some positions that did not occur count, too.
func (p *Position) RepeatsAfter(m engine.Move) bool {
	if p.half+1 < soonestSecond {
		return false
	}
	from, to := fromOf(m), toOf(m)
	code, other := p.cells[from]&511, p.cells[to]&511
	keys := CellKey(code, Square(from))
	if effectOf(m) == Join {
		keys ^= CellKey(other, Square(to)) ^ CellKey(combine(code, other)&511, Square(to))
	} else {
		keys ^= CellKey(code, Square(to))
	}
	return p.occurrences(keys) > 0
}

// mayAttack reports whether a stack may attack the enemy commander from a square.
func (s *leafSums) mayAttack(code Stack, sq uint8) bool {
	return attackSlots[s.kind&1][code&511][relations[sq-s.enemy].index()] != 0
}

// inRange returns the penalty of the enemy commander for having a stack in range.
func (s *leafSums) inRange(code Stack, sq uint8) int32 {
	if s.mayAttack(code, sq) && attackRange[s.enemy].has(sq) {
		return int32(standardWeights.inRange)
	}
	return 0
}

// safetyChange returns by how much the safety of the own commander rises when its stack moves.
func (p *Position) safetyChange(s *leafSums, code Stack, to uint8) phased {
	risk := p.riskAt(p.turn&1, to, targetKind(code), s.airForces)
	safety := standardWeights.safety(&risk)
	return phased{safety.mid - s.safety.mid, safety.late - s.safety.late}
}

// covered returns 1 if a stack on a square provides air defense for the own commander, else 0.
func (p *Position) covered(s *leafSums, in *stackInfo, sq uint8) uint32 {
	if in.level != 0 && zoneSets[in.level&3][sq].has(s.own) {
		return 1
	}
	return 0
}

// airDefenseChange returns by how much the safety of the own commander rises when some stacks no
// longer provide air defense for it, numbers as covered returns them, and one on a square does.
func (p *Position) airDefenseChange(s *leafSums, lost, lostToo uint32, in *stackInfo, to uint8) int {
	if s.airForces == 0 {
		return 0
	}
	was := p.zones[p.turn&1][s.own] / providerUnit
	is := was - lost - lostToo + p.covered(s, in, to)
	switch {
	case was > 0 && is == 0:
		return -standardWeights.noAirDefense
	case was == 0 && is > 0:
		return standardWeights.noAirDefense
	}
	return 0
}

// proximities holds what a stack on a square adds to the penalty of the enemy commander, which is the
// first index, apart from attacks: the values are as in weights.worth.
var proximities = func() (table [256][256]int32) {
	for _, commander := range boardSquares {
		for _, sq := range boardSquares {
			w, d := &standardWeights, distance(Square(commander), Square(sq))
			closer, near := max(PressureRadius-d, 0), 0
			if d <= NearRadius {
				near = w.near
			}
			table[commander][sq] = int32(w.pressure.late*closer)<<16 + int32(w.pressure.mid*closer+near)
		}
	}
	return table
}()
