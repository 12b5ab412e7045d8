package enginetest

import (
	"fmt"
	"testing"

	"selfplay/engine"
)

// Perft is a known number of move sequences.
type Perft struct {
	Variant string
	Text    string // the position
	Depth   int
	Nodes   uint64
}

// PerftOf returns the counts from a position, from depth 1 on.
func PerftOf(variant, text string, nodes []uint64) (list []Perft) {
	for i, n := range nodes {
		list = append(list, Perft{variant, text, i + 1, n})
	}
	return list
}

// Name names the count in a test.
func (c Perft) Name() string { return fmt.Sprintf("%s/%s/%d", c.Variant, c.Text, c.Depth) }

// Limits of Perft.Check, in nodes: Perft counts tens of millions a second, and playing the last
// ply too takes ten times as long.
const (
	mostInShort = 500_000
	mostListed  = 5_000_000
	mostPlayed  = 200_000
)

// Check counts the sequences. It counts small numbers of them also by listing the last ply
// instead of calling Count, and by playing it. A short run skips large counts.
func (c Perft) Check(t *testing.T, g engine.Game) {
	t.Helper()
	if testing.Short() && c.Nodes > mostInShort {
		t.Skipf("depth %d has %d sequences", c.Depth, c.Nodes)
	}
	p := g.New(c.Variant)
	if err := p.Set(c.Text); err != nil {
		t.Fatal(err)
	}
	before := p.String()
	for _, way := range []struct {
		name  string
		most  uint64
		count func() uint64
	}{
		{"Perft", c.Nodes, func() uint64 { return engine.Perft(p, c.Depth) }},
		{"Perft without Count", mostListed, func() uint64 { return engine.Perft(Lister{p}, c.Depth) }},
		{"PerftLeaf", mostPlayed, func() uint64 { return engine.PerftLeaf(p, c.Depth) }},
	} {
		if c.Nodes > way.most {
			continue
		}
		if got := way.count(); got != c.Nodes {
			t.Errorf("%s, depth %d: %s is %d, want %d", c.Text, c.Depth, way.name, got, c.Nodes)
		}
	}
	if got := p.String(); got != before {
		t.Errorf("perft changes %s to %s", before, got)
	}
}

// Lister hides Count.
type Lister struct{ engine.Position }
