package gameindex

import (
	"math"
	"slices"

	"selfplay/engine"
)

// matcher applies a filter to shards. Several goroutines may use it.
type matcher struct {
	*Filter
	results, reasons [256]uint8 // bits that a value fails
	pairs            []uint8    // the same of pairs of players; nil: all match
}

func (s *state) newMatcher(f *Filter) *matcher {
	m := &matcher{Filter: f}
	for v := range 256 {
		if f.Results != nil && !slices.Contains(f.Results, engine.Result(v)) {
			m.results[v] = failsResult
		}
		if f.Reasons != nil && !slices.Contains(f.Reasons, engine.Reason(v)) {
			m.reasons[v] = failsReason
		}
	}
	if f.Player == "" && f.Players == [2]string{} {
		return m
	}
	m.pairs = make([]uint8, len(s.players.pairs))
	for id := range m.pairs {
		if !f.hasPlayers(s.players.pair(uint32(id))) {
			m.pairs[id] = failsPlayers
		}
	}
	return m
}

// hasPlayers reports whether a pair of players matches.
func (f *Filter) hasPlayers(of [2]string) bool {
	for side, want := range f.Players {
		if want != "" && of[side] != want {
			return false
		}
	}
	return f.Player == "" || of[0] == f.Player || of[1] == f.Player
}

// mark sets the bits of the conditions that the games of a shard fail. fails has one element a
// game, 0 at first.
func (m *matcher) mark(s *shard, fails []uint8) {
	if m.Results != nil {
		for i, v := range s.result {
			fails[i] |= m.results[v]
		}
	}
	if m.Reasons != nil {
		for i, v := range s.reason {
			fails[i] |= m.reasons[v]
		}
	}
	if m.pairs != nil {
		for i, v := range s.players {
			fails[i] |= m.pairs[v]
		}
	}
	if m.Plies != nil {
		markRange(fails, s.plies, m.Plies, math.MaxUint16, failsPlies)
	}
	if m.Drop != nil {
		markRange(fails, s.drop, m.Drop, unknown-1, failsDrop)
	}
	for ply, action := range m.Opening {
		markOthers(fails, s.opening[ply], action, failsOpening)
	}
	m.markPlace(s, fails)
}

// markRange sets a bit where a value is outside a range, or above most.
func markRange(fails []uint8, values []uint16, r *Range, most int, bit uint8) {
	low, high, ok := r.limits(most)
	if !ok {
		setAll(fails, bit)
		return
	}
	width, fails := uint32(high-low), fails[:len(values)]
	for i, v := range values {
		fails[i] |= bit & -uint8((width-uint32(v-low))>>31) // the difference is negative outside
	}
}

// markOthers sets a bit where a value is not the wanted one.
func markOthers(fails []uint8, values []uint16, want uint16, bit uint8) {
	fails = fails[:len(values)]
	for i, v := range values {
		fails[i] |= bit & -uint8(-uint32(v^want)>>31)
	}
}

// markPlace marks games by their numbers and their shard.
func (m *matcher) markPlace(s *shard, fails []uint8) {
	c := s.commit
	if !m.Shards.has(c.Shard) || m.Split != "" && m.Split != c.Split {
		setAll(fails, failsPlace)
		return
	}
	if m.Games == nil {
		return
	}
	for i := range fails {
		if !m.Games.has(int(c.FirstGame) + i) {
			fails[i] |= failsPlace
		}
	}
}

func setAll(fails []uint8, bit uint8) {
	for i := range fails {
		fails[i] |= bit
	}
}
