package othello_test

import (
	"testing"

	"example.com/othello/othello"
	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/workers"
)

func TestLawsOfRules(t *testing.T) { enginetest.Run(t, othello.Game(), othello.Entry().Samples) }

func TestLawsOfTheEntry(t *testing.T) { encodetest.Run(t, othello.Entry()) }

func TestScoresHaveModels(t *testing.T) {
	for _, missing := range encodetest.MissingModels(othello.Entry()) {
		t.Error(missing)
	}
}

func TestNamesOfTheCatalogDiffer(t *testing.T) {
	known := workers.Catalog{Games: append(encode.Games(), othello.Entry()), Players: append(workers.PlayerTypes(), othello.Flipper())}
	if err := known.Check(); err != nil {
		t.Error(err)
	}
}

// TestPerft compares with the published numbers of move paths, passes included.
// Source: aartbik.blogspot.com.
func TestPerft(t *testing.T) {
	p := othello.New()
	for depth, want := range []uint64{1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288} {
		if got := engine.Perft(p, depth); got != want {
			t.Errorf("depth %d: %d, want %d", depth, got, want)
		}
	}
}

// TestRules shows each rule on one position.
func TestRules(t *testing.T) {
	for _, c := range []struct{ rule, before, move, after, reason string }{
		{"a disc turns over one line",
			"......../......../......../...ox.../...xo.../......../......../........ x", "d3",
			"......../......../...x..../...xx.../...xo.../......../......../........ o", ""},
		{"a disc turns over lines of all directions",
			"x..x..x./.o.o.o../..ooo.../xoo.oox./..ooo.../.o.o.o../x..x..x./........ x", "d4",
			"x..x..x./.x.x.x../..xxx.../xxxxxxx./..xxx.../.x.x.x../x..x..x./........ o", "most_discs"},
		{"a line without an own disc at its end stays",
			"ooo...../......../......../......../......../......../......../xo...... x", "c8",
			"ooo...../......../......../......../......../......../......../xxx..... o", "most_discs"},
		{"a side that cannot place passes",
			"oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/ooooooo./oooooox. x", "pass",
			"oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/ooooooo./oooooox. o", ""},
		{"lines do not go around an edge",
			".......o/x......./......../......../......../......../......../ox...... o", "c8",
			".......o/x......./......../......../......../......../......../ooo..... x", "most_discs"},
	} {
		game := othello.Entry()
		p := othello.New()
		if err := p.Set(c.before); err != nil {
			t.Fatal(err)
		}
		m, err := p.ParseMove(c.move)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		p.Do(m)
		if p.String() != c.after || game.ReasonName(p.Outcome().Reason) != c.reason {
			t.Errorf("%s: %s by %q, want %s by %q", c.rule, p, game.ReasonName(p.Outcome().Reason), c.after, c.reason)
		}
	}
}
