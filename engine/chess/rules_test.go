package chess_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/chess"
	"selfplay/engine/enginetest"
)

// TestRules asks the cases of testdata/rules.txt.
func TestRules(t *testing.T) { rules("testdata/rules.txt", "").Run(t) }

// rules returns the cases of a file about a variant.
func rules(path, variant string) enginetest.Rules {
	g := chess.Game()
	g.Variants = []string{variant}
	return enginetest.Rules{Game: g, Path: path, Queries: map[string]enginetest.Query{
		"repetitions": repetitions,
		"san":         san,
		"reads":       readSAN,
		"refuses":     refuseSAN,
	}}
}

// repetitions returns how often the position occurred before, and the outcome. Both forget what
// was played when a text is read.
func repetitions(p engine.Position, c enginetest.Case) any {
	read := chess.New()
	if err := read.Set(p.String()); err != nil || read.Repetitions() != 0 || read.Outcome() != engine.Ongoing {
		return fmt.Errorf("after Set: %d repetitions, outcome %v, error %v", read.Repetitions(), read.Outcome(), err)
	}
	return fmt.Sprint(p.(*chess.Position).Repetitions(), " ", enginetest.OutcomeText(chess.Game(), p.Outcome()))
}

// san returns "move" in algebraic notation.
func san(p engine.Position, c enginetest.Case) any {
	m, err := c.Move(p)
	if err != nil {
		return err
	}
	return p.(*chess.Position).SAN(m)
}

// readSAN returns the move that "san" means.
func readSAN(p engine.Position, c enginetest.Case) any {
	m, err := p.(*chess.Position).ParseSAN(c.Field("san"))
	if err != nil {
		return err
	}
	return p.FormatMove(m)
}

// refuseSAN reports whether "san" means no move, with a certain error.
func refuseSAN(p engine.Position, c enginetest.Case) any {
	m, err := p.(*chess.Position).ParseSAN(c.Field("san"))
	if err == nil {
		return p.FormatMove(m)
	}
	return strings.Contains(err.Error(), c.Field("because"))
}

// TestManyMoves: Moves lists and counts positions with any number of queens.
func TestManyMoves(t *testing.T) {
	const manyQueens = "1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/Q1Q1Q1Q1/1Q1Q1Q1Q/2Q1Q1Q1/pp5Q/kB1K4 w - - 0 1"
	const spreadQueens = "Q2Q2Q1/2Q4Q/Q4Q2/3Q3Q/1Q4Q1/4Q2Q/ppQ5/kBNK2QQ w - - 0 1"
	for _, text := range []string{manyQueens, spreadQueens} {
		p := at(t, text)
		list, _ := oRead(text).legal()
		if got := p.Moves(make([]engine.Move, 0, 8)); len(got) != len(list) || p.Count() != len(list) {
			t.Errorf("%s: %d moves listed, Count %d, want %d", text, len(got), p.Count(), len(list))
		}
		t.Logf("%d moves", len(list))
	}
}
