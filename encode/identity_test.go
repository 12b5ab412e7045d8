package encode

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestIdentityNamesElements: one layout of a game tells positions apart, by elements
// that it has.
func TestIdentityNamesElements(t *testing.T) {
	for _, g := range Games() {
		l := g.Identity()
		for _, name := range l.Identity {
			if !slices.ContainsFunc(l.Elements, func(e Element) bool { return e.Name == name }) {
				t.Errorf("%s, layout %s: no element %s", g.Name, l.Name, name)
			}
		}
		if key := l.Key()(nil, l.Encode(nil, g.New("")), 1); key[len(key)-1] != 1 || len(key) > l.Len()*l.Kind.Size()+1 {
			t.Errorf("%s: a key of %d bytes", g.Name, len(key))
		}
	}
}

// TestKeysAreOnePosition: over random games, keys are equal exactly if hashes are,
// which the rules compute from the position and from nothing else.
func TestKeysAreOnePosition(t *testing.T) {
	for _, g := range Games() {
		t.Run(g.Name, func(t *testing.T) {
			l := g.Identity()
			key := l.Key()
			byHash, byKey := map[uint64]string{}, map[string]uint64{}
			src := rand.New(rand.NewPCG(1, 2))
			plies, again := 0, 0
			for range 60 {
				p := g.New("")
				for range 150 {
					moves := p.Moves(nil)
					if len(moves) == 0 || p.Outcome().Reason != 0 {
						break
					}
					k, h := string(key(nil, l.Encode(nil, p), p.Turn())), p.Hash()
					if there, ok := byHash[h]; ok && there != k {
						t.Fatalf("%s: another key for one hash", p)
					}
					if there, ok := byKey[k]; ok && there != h {
						t.Fatalf("%s: another hash for one key", p)
					} else if ok {
						again++
					}
					byHash[h], byKey[k] = k, h
					plies++
					p.Do(moves[src.IntN(len(moves))])
				}
			}
			if again == 0 {
				t.Error("no position came twice")
			}
			t.Logf("%d plies, %d of them a position that was there", plies, again)
		})
	}
}
