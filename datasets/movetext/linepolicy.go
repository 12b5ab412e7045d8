package movetext

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"selfplay/engine"
)

// rated is a move with its visits.
type rated struct {
	action uint16
	visits uint64
}

// policies holds the policies of a game: one after the other, each with the most visited move first.
type policies struct {
	entries []rated
	plies   []int // that have a policy
	sizes   []int // of these policies
}

func (p *policies) reset() { p.entries, p.plies, p.sizes = p.entries[:0], p.plies[:0], p.sizes[:0] }

// maxVisits bounds the visits of a move, so that sums and products stay exact.
const maxVisits = math.MaxUint32

// read reads the visits at a ply, whose position the parser has. Moves without visits do not count.
func (p *policies) read(parser *Parser, ply int, visits map[string]uint64) error {
	begin := len(p.entries)
	for _, text := range slices.Sorted(maps.Keys(visits)) { // so that a bad game has one error
		n := visits[text]
		m, err := parser.pos.ParseMove(text)
		switch {
		case err != nil:
			return err
		case n > maxVisits:
			return fmt.Errorf("%d visits of %s: want at most %d", n, text, uint64(maxVisits))
		case n > 0:
			p.entries = append(p.entries, rated{parser.game.Actions.Number(m), n})
		}
	}
	own := p.entries[begin:]
	if len(own) == 0 {
		return nil
	}
	slices.SortFunc(own, func(a, b rated) int {
		return cmp.Or(cmp.Compare(b.visits, a.visits), cmp.Compare(a.action, b.action))
	})
	for i := range own[1:] {
		if own[i].action == own[i+1].action {
			return errors.New("two texts of one move")
		}
	}
	p.plies, p.sizes = append(p.plies, ply), append(p.sizes, len(own))
	return nil
}

// addTo adds the policies to a record that has the scores. Best move and rank of the move that was played are those by
// visits.
func (p *policies) addTo(r *engine.Record) error {
	rest := p.entries
	for i, ply := range p.plies {
		own := rest[:p.sizes[i]]
		rest = rest[p.sizes[i]:]
		if len(r.Nodes) == 0 || r.Nodes[ply] == 0 {
			return fmt.Errorf("ply %d: a policy without a score", ply)
		}
		sum := uint64(0)
		for _, e := range own {
			sum += e.visits
			r.PolicyAction = append(r.PolicyAction, e.action)
			r.PolicyWeight = append(r.PolicyWeight, weightOf(e.visits, own[0].visits))
		}
		r.PolicySize[ply], r.Best[ply] = uint16(len(own)), own[0].action
		r.Nodes[ply] = uint32(min(sum, math.MaxUint32))
		r.MoveRanks[ply] = rankIn(own, r.Actions[ply])
	}
	return nil
}

// weightOf returns visits as a weight, in proportion to the most visits of a move.
func weightOf(visits, most uint64) uint16 {
	if most <= math.MaxUint16 {
		return uint16(visits)
	}
	return uint16(max(1, (visits*math.MaxUint16+most/2)/most))
}

// rankIn returns the rank of a move by visits. One without visits comes after all others.
func rankIn(own []rated, action uint16) uint8 {
	i := slices.IndexFunc(own, func(e rated) bool { return e.action == action })
	if i < 0 {
		i = len(own)
	}
	return uint8(min(i, int(engine.RankRandom)-1))
}
