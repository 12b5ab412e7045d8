package bitboard

import (
	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

// generateCommander appends the pseudo-legal steps of a commander. It moves as far as the
// board is free, which is farther than Rays reach. Any piece stops it, and so does a square
// that is exposed to the enemy commander.
func (p *Position) generateCommander(quiet, noisy []engine.Move, m *mover) ([]engine.Move, []engine.Move) {
	occupied, exposed := p.occupied(), p.exposed(m.from)
	stops := occupied.Or(exposed)
	count := 4
	if m.kind&1 != 0 {
		count = 8
	}
	for d := range count {
		free := openSteps(stops, m.from, d)
		limit := commanderLimits[m.from][d]
		to := m.from
		for range min(free, limit) {
			to += uint8(directions[d])
			quiet = append(quiet, m.step(to, cotulenh.Normal))
		}
		if free == edges[m.from][d] {
			continue
		}
		if to = m.from + (free+1)*uint8(directions[d]); occupied.has(to) {
			noisy = p.appendCommanderStep(noisy, m, to, d, free+1)
		}
	}
	return quiet, noisy
}

// appendCommanderStep appends the capture or the join on the first stack in a direction.
func (p *Position) appendCommanderStep(dst []engine.Move, m *mover, to uint8, d int, distance uint8) []engine.Move {
	f := &facts[p.cells[to]&511]
	if f.side != p.turn {
		if distance == 1 && (f.lead != cotulenh.Commander || d < 4) {
			dst = append(dst, m.step(to, captureEffect(m.kind, to, false)))
		}
		return dst
	}
	if distance <= commanderLimits[m.from][d] && fits[m.joinLeads()[f.composition&63]&15][to] {
		dst = append(dst, m.step(to, cotulenh.Join))
	}
	return dst
}
