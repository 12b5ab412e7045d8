package enginetest

import (
	"testing"

	"selfplay/engine"
)

var nimStarts = []string{"1,0,1 y", "7,7,7 x", "0,1,0 x", "0,0,0 y", "2,3,0 y"}

func TestNimObeysTheLaws(t *testing.T) {
	Run(t, nimGame(), nimStarts)
}

// TestEveryFaultIsDetected checks each broken variant of nim. A law that accepts its
// broken variant checks nothing.
func TestEveryFaultIsDetected(t *testing.T) {
	for _, f := range faults {
		t.Run(f.law+"/"+f.name, func(t *testing.T) {
			if err := find(t, f.law).run(nimTarget(f.make)); err == nil {
				t.Error("the law does not detect the fault")
			} else {
				t.Log(err)
			}
		})
	}
}

// TestEveryLawHasAFault keeps the table of faults complete.
func TestEveryLawHasAFault(t *testing.T) {
	proved := map[string]bool{}
	for _, f := range faults {
		proved[f.law] = true
	}
	for _, law := range laws {
		if !proved[law.name] {
			t.Errorf("no broken variant shows that %q can fail", law.name)
		}
	}
}

// TestOverMayIncludeEndsWithoutMoves: the laws accept both readings of an end without
// legal moves, and an end that leaves legal moves.
func TestOverMayIncludeEndsWithoutMoves(t *testing.T) {
	for name, position := range map[string]func(n *nim) engine.Position{
		"Over is false where no move is left":    func(n *nim) engine.Position { return n },
		"Over is true where no move is left":     func(n *nim) engine.Position { return &overAtEnd{n} },
		"Over is true where a draw leaves moves": func(n *nim) engine.Position { return &drawnNim{n} },
	} {
		for _, law := range []string{
			"over implies an outcome",
			"an outcome with legal moves implies over",
			"an outcome without over has no legal moves",
		} {
			if err := find(t, law).check(nimTarget(position)); err != nil {
				t.Errorf("%s: law %q: %v", name, law, err)
			}
		}
	}
}

type overAtEnd struct{ *nim }

func (p *overAtEnd) Over() bool { return p.Count() == 0 }

// nimTarget returns a short suite over a variant of nim.
func nimTarget(position func(n *nim) engine.Position) target {
	g := nimGame()
	g.New = func(string) engine.Position { return position(newNim()) }
	return target{Suite{Game: g, Starts: nimStarts, Plies: 2000}, ""}
}

func find(t *testing.T, name string) law {
	t.Helper()
	for _, law := range laws {
		if law.name == name {
			return law
		}
	}
	t.Fatalf("no law %q", name)
	return law{}
}

var nimRules = Rules{Game: nimGame(), Path: "testdata/rules.txt"}

func TestRulesOfNim(t *testing.T) { nimRules.Run(t) }

// TestWrongAnswersAreDetected asks each case with another answer, and with a query that no game
// knows.
func TestWrongAnswersAreDetected(t *testing.T) {
	for _, c := range nimRules.read(t) {
		right := c.Field("want")
		if c.fields["want"] = right + "?"; nimRules.check(c, "") == nil {
			t.Errorf("line %d accepts any answer", c.line)
		}
		c.fields["want"] = right
		if c.query += "?"; nimRules.check(c, "") == nil {
			t.Errorf("line %d accepts any query", c.line)
		}
	}
}
