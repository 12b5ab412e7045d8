package enginetest

import (
	"testing"

	"selfplay/engine"
)

var nimStarts = []string{"1,0,1 y", "7,7,7 x", "0,1,0 x", "0,0,0 y", "2,3,0 y"}

func TestNimObeysTheLaws(t *testing.T) {
	Run(t, nimGame(), nimStarts)
}

// TestEveryFaultIsNoticed plays each broken variant of nim: a law that lets one
// pass checks nothing.
func TestEveryFaultIsNoticed(t *testing.T) {
	for _, f := range faults {
		t.Run(f.law+"/"+f.name, func(t *testing.T) {
			if err := find(t, f.law).check(trial{f.suite(), ""}); err == nil {
				t.Error("the law does not notice")
			} else {
				t.Log(err)
			}
		})
	}
}

// TestEveryLawHasAFault keeps the table above complete.
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

func (f fault) suite() Suite {
	g := nimGame()
	g.New = func(string) engine.Position { return f.make(newNim()) }
	return Suite{Game: g, Starts: nimStarts, Plies: 2000}
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
