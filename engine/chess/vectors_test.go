package chess_test

import (
	"fmt"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// TestPerft: all 208 perft counts, 650,657,656 sequences in total. -short skips the
// large ones.
func TestPerft(t *testing.T) {
	rows := perftRows(t)
	if len(rows) != 208 {
		t.Fatalf("%d rows, want 208", len(rows))
	}
	for _, row := range rows {
		t.Run(fmt.Sprintf("%s/%d", row.ID, row.Depth), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && row.Nodes > 500_000 {
				t.Skipf("%d sequences", row.Nodes)
			}
			if got := engine.Perft(at(t, row.FEN), row.Depth); got != row.Nodes {
				t.Errorf("%s: %d, want %d", row.FEN, got, row.Nodes)
			}
		})
	}
}

// TestPerftLeaf: PerftLeaf gives the same counts and leaves the position unchanged.
func TestPerftLeaf(t *testing.T) {
	for _, row := range perftRows(t) {
		if row.Depth > 3 {
			continue
		}
		p := at(t, row.FEN)
		before := p.String()
		if got := engine.PerftLeaf(p, row.Depth); got != row.Nodes {
			t.Errorf("%s depth %d: %d, want %d", row.FEN, row.Depth, got, row.Nodes)
		}
		if got := p.String(); got != before {
			t.Errorf("%s: PerftLeaf changes the position to %s", before, got)
		}
	}
}

// TestPerftWithoutCount: Perft gives the same counts on a position without Count.
func TestPerftWithoutCount(t *testing.T) {
	for _, row := range perftRows(t) {
		if row.Depth != 4 && row.Depth != 3 || testing.Short() && row.Depth > 3 {
			continue
		}
		if got := engine.Perft(lister{at(t, row.FEN)}, row.Depth); got != row.Nodes {
			t.Errorf("%s depth %d: %d, want %d", row.FEN, row.Depth, got, row.Nodes)
		}
	}
}

// lister hides Count.
type lister struct{ engine.Position }

var _ engine.Counter = (*chess.Position)(nil)
