package cotulenh

import (
	"math/bits"

	"selfplay/engine"
)

// Gain estimates what a legal step wins at once: what it takes, less what it costs,
// see risk. Of equal victims it prefers the one that a cheaper piece takes.
func (p *Position) Gain(m engine.Move) int {
	e := effectOf(m)
	if e != capture && e != stay && e != suicide {
		return 0
	}
	from, to := fromOf(m), toOf(m)
	mover := p.cells[from] & 511
	if what := whatOf(m); what >= deploy {
		mover = kept[mover][1<<(what-deploy)&7]
	}
	victim, own := int(prices[p.cells[to]&511]), int(prices[mover])
	switch {
	case e == suicide:
		return victim - own
	case own > victim:
		if loss := p.risk(from, to, own, e); loss > 0 {
			return victim - loss
		}
	}
	return victim - min(own, mostTie)/tieShare
}

// risk estimates what a capturer of such a price loses if the enemy takes it in turn
// and is taken for that, if it can be. Attacks are those on the board as it stands.
func (p *Position) risk(from, to uint8, own int, e effect) int {
	us, at := p.turn&1, to
	if e == stay {
		at = from
	}
	cheapest := p.cheapest(us, at, from)
	if cheapest == 0 {
		return 0
	}
	if p.cheapest(us^1, at, from) != 0 {
		own -= cheapest
	}
	return max(own, 0)
}

// cheapest returns the price of the cheapest piece that attacks a square of side us,
// but for those that stand on one square; 0 if there is none.
func (p *Position) cheapest(us, sq, but uint8) int {
	const nobody = 1 << 15 // more than any price
	found := nobody
	star, them := &stars[sq], &p.occ[us^1]
	for w := range 3 {
		for set := star[w] & them[w]; set != 0; set &= set - 1 {
			from := uint8(w<<6 | bits.TrailingZeros64(set))
			if from == but {
				continue
			}
			slots, _ := p.attackersAt(us, from, sq, 1)
			for ; slots != 0; slots &= slots - 1 {
				kind := infos[p.cells[from]&511].kinds[bits.TrailingZeros8(slots)&3]
				found = min(found, int(kindPrices[kind&31]))
			}
		}
	}
	if found == nobody {
		return 0
	}
	return found
}

// What a capture gains is less by a small share of what captures: of the price, or
// of mostTie for a stack with the commander, lest a cheap victim gain nothing.
const (
	tieShare = 128
	mostTie  = 1024
)
