package contrast_test

import (
	"fmt"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/contrast"
	"selfplay/engine/enginetest"
)

// TestRules asks the cases of testdata/rules.txt.
func TestRules(t *testing.T) {
	enginetest.Rules{Game: contrast.Game(), Path: "testdata/rules.txt", Text: drawnText, Queries: map[string]enginetest.Query{
		"targets": func(p engine.Position, c enginetest.Case) any {
			return targets(p.(*contrast.Position), c.Field("of"))
		},
		"end":       end,
		"reachable": reachable,
	}}.Run(t)
}

// drawnText returns the position text of a drawn board with hands and side to move; it keeps
// other texts.
func drawnText(text string) string {
	f := strings.Fields(text)
	if len(f) != 7 {
		return text
	}
	return boardText(strings.Join(f[:5], ""), f[5]+" "+f[6])
}

// end returns the outcome. No move is legal where the game is over.
func end(p engine.Position, _ enginetest.Case) any {
	n, o := len(p.Moves(nil)), p.Outcome()
	if over := o != engine.Ongoing; over != (n == 0) || over != (p.(engine.Counter).Count() == 0) {
		return fmt.Errorf("%d moves listed, outcome %v", n, o)
	}
	return enginetest.OutcomeText(contrast.Game(), o)
}

// reachable returns why no game leads to the position.
func reachable(p engine.Position, _ enginetest.Case) any {
	err := p.(engine.Reacher).Reachable()
	if err == nil {
		return "reachable"
	}
	return strings.TrimPrefix(err.Error(), "reach position: ")
}

// targets returns the targets of the piece on a cell.
func targets(p *contrast.Position, from string) []string {
	var list []string
	for _, move := range enginetest.MovesOf(p, from+",", " -1") {
		list = append(list, move[:2])
	}
	return list
}

// TestTileActsFromTheNextMoveOn: a tile does not affect the move that places it.
func TestTileActsFromTheNextMoveOn(t *testing.T) {
	p := at(t, boardText("..... ..... ..x.. ..... .o...", "3,1,3,1 x"))
	if len(enginetest.MovesOf(p, "")) < 100 {
		t.Error("fewer than 100 moves to check")
	}
	for _, move := range enginetest.MovesOf(p, "") {
		if from, to := move[:2], move[3:5]; from[0] != to[0] && from[1] != to[1] {
			t.Errorf("%s is diagonal from a cell without a tile", move)
		}
	}
	play(t, p, "c3,c4 c3b", "b1,b2 -1", "c4,c3 -1", "b2,b3 -1")
	if got := strings.Join(targets(p, "c3"), " "); got != "b2 b4 d2 d4" {
		t.Errorf("targets from the black tile: %s", got)
	}
}
