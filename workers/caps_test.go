package workers

import (
	"testing"

	"selfplay/encode"
)

// TestCheapSearchesRecordNoPolicy: about the given share of the searches is full, and those alone have
// a policy.
func TestCheapSearchesRecordNoPolicy(t *testing.T) {
	s := seriesOf(t, encode.Contrast(), "mcts:sims=64,cheap=8,full=0.4")
	s.Seed = 5
	full, all := 0, 0
	for _, r := range playRecords(t, s, 2, Games(0, 12)...) {
		for ply := range r.Actions {
			if r.Nodes[ply] == 0 {
				t.Errorf("game %d: ply %d was not searched", r.Game, ply)
			}
			if r.PolicySize[ply] > 0 {
				full++
			}
			all++
		}
	}
	if !s.Caps() || full < all/4 || full > all*11/20 {
		t.Errorf("%d of %d searches have a policy, want 40 %%", full, all)
	}
	if s = seriesOf(t, encode.Contrast(), "mcts:sims=64"); s.Caps() {
		t.Error("a player without caps has caps")
	}
}
