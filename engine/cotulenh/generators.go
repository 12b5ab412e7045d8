package cotulenh

import "selfplay/engine"

// appendQuiet appends a step to each empty square of a set. base holds the square and the
// mover of the steps.
func appendQuiet(dst []engine.Move, base engine.Move, set rays) []engine.Move {
	base = quietStep(base, fromOf(base))
	for ; set != 0; set &= set - 1 {
		dst = append(dst, base+raySteps[set.next()])
	}
	return dst
}

// appendNoisy appends the captures and joins of a mover other than a commander.
// composition is that of what moves.
func (p *Position) appendNoisy(dst []engine.Move, base engine.Move, kind, composition uint8, sc scope) []engine.Move {
	from, ground := fromOf(base), kindScopes[kind&31].class <= rangedClass
	leads := &joinLeads[composition&63]
	for set := sc.noisy; set != 0; set &= set - 1 {
		i := set.next()
		to := from + raySquares[i]
		in := &infos[p.cells[to]&511]
		if in.side == p.turn {
			lead := leads[in.composition&63]
			if lead != noLead && sc.joins>>i&1 != 0 && fits[lead&15][to] && (ground || p.canReachOwn(from, kind, &rayTargets[i&63])) {
				dst = append(dst, noisyStep(base, to, Join))
			}
			continue
		}
		t := captureTarget(kind, to, i)
		if e, ok := p.effectOnEnemy(from, kind, in, &t); ok {
			dst = appendStep(dst, base, to, kind, e)
		}
	}
	return dst
}

// generateCommander is generate for the commander. Any stack stops it, and so does a
// square that is exposed to the enemy commander. It captures on adjacent squares only.
func (p *Position) generateCommander(quiet, noisy []engine.Move, from, kind uint8, base engine.Move, leads *[64]Type) ([]engine.Move, []engine.Move) {
	dirs := directions[:4]
	if kind&heroicBit != 0 {
		dirs = directions[:]
	}
	for d, dir := range dirs {
		to := from + uint8(dir)
		for p.cells[to] == Empty && fits[Commander][to] && !p.exposed(from, to) {
			quiet = append(quiet, quietStep(base, to))
			to += uint8(dir)
		}
		switch in := &infos[p.cells[to]&511]; in.side {
		case p.turn:
			if fits[Commander][to] && fits[leads[in.composition&63]&15][to] {
				noisy = append(noisy, noisyStep(base, to, Join))
			}
		case p.turn ^ 1:
			if to == from+uint8(dir) && (d < 4 || in.lead != Commander) {
				noisy = append(noisy, noisyStep(base, to, captureOrStay(captureTarget(kind, to, uint8(8*d)).flags)))
			}
		}
	}
	return quiet, noisy
}
