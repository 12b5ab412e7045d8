package encode_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// checkActions tests the numbers of all legal moves of a position.
func checkActions(t *testing.T, game *encode.Game, p engine.Position) {
	t.Helper()
	actions := game.Actions
	taken := map[uint16]engine.Move{}
	for _, m := range p.Moves(nil) {
		n, text := actions.Number(p, m), p.FormatMove(m)
		if int(n) >= actions.Count {
			t.Errorf("%s: %s has number %d of %d", p, text, n, actions.Count)
		}
		if other, ok := taken[n]; ok {
			t.Errorf("%s: %s and %s share number %d", p, text, p.FormatMove(other), n)
		}
		taken[n] = m
		if back, err := actions.Move(p, n); err != nil || back != m {
			t.Errorf("%s: %s has number %d, which gives %x, %v", p, text, n, back, err)
		}
		if a := actions.Describe(n); a.Kind == encode.NoAction || !strings.Contains(text, a.From) || !strings.Contains(text, a.To) {
			t.Errorf("%s: %s has number %d, described as %v", p, text, n, a)
		}
	}
}

// checkEveryNumber tries all 65,536 numbers in a position: each is a move or an
// error, and playing what is a move does no harm.
func checkEveryNumber(t *testing.T, game *encode.Game, p engine.Position) {
	t.Helper()
	text, hash := p.String(), p.Hash()
	for n := range 1 << 16 {
		if m, err := game.Actions.Move(p, uint16(n)); err == nil {
			p.Do(m)
			p.Undo()
		}
	}
	if p.String() != text || p.Hash() != hash {
		t.Errorf("%s became %s", text, p)
	}
}

func TestActionsAreUniqueAndComeBack(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			p, src := game.New(""), rand.NewPCG(1, 1)
			for range 40 {
				p.Reset()
				for ok := true; ok; _, ok = p.DoRandom(src) {
					checkActions(t, &game, p)
				}
			}
		})
	}
}

func TestEveryNumberIsAMoveOrAnError(t *testing.T) {
	for _, game := range encode.Games() {
		t.Run(game.Name, func(t *testing.T) {
			p, src := game.New(""), rand.NewPCG(2, 1)
			for range 30 {
				checkEveryNumber(t, &game, p)
				for range 10 {
					p.DoRandom(src)
				}
			}
		})
	}
}

// TestActionsAreFrozen pins what every number of every game stands for.
func TestActionsAreFrozen(t *testing.T) {
	var b strings.Builder
	for _, game := range encode.Games() {
		sum := sha256.New()
		kinds, used := map[string]int{}, 0
		for n := range game.Actions.Count {
			a := game.Actions.Describe(uint16(n))
			fmt.Fprintf(sum, "%d,%s,%s,%s\n", n, a.From, a.To, a.Kind)
			if a.Kind != encode.NoAction {
				used++
				kinds[a.Kind]++
			}
		}
		fmt.Fprintf(&b, "%s version %d: %d numbers, %d of them used\n", game.Name, game.Actions.Version, game.Actions.Count, used)
		fmt.Fprintf(&b, "\tkinds %v\n\tsha256 %x\n", kinds, sum.Sum(nil))
	}
	golden(t, "actions.txt", b.String())
}
