package bitboard_test

import (
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/internal/must"
)

func square(t testing.TB, name string) cotulenh.Square {
	t.Helper()
	sq := must.Get(cotulenh.ParseSquare(name))(t)
	return sq
}

// named returns the squares of a list of names.
func named(t testing.TB, names string) (list []cotulenh.Square) {
	t.Helper()
	for _, name := range strings.Fields(names) {
		list = append(list, square(t, name))
	}
	return list
}

func stack(t testing.TB, side engine.Side, members ...cotulenh.Member) cotulenh.Stack {
	t.Helper()
	s, ok := cotulenh.NewStack(side, members...)
	if !ok {
		t.Fatalf("%v do not combine to a stack", members)
	}
	return s
}

// set sets up a text on both engines, which must agree on it.
func set(t testing.TB, p *pair, text string) {
	t.Helper()
	must.Do(t, p.Set(text))
}

// at returns both engines at a position, after checking that they agree on it.
func at(t testing.TB, text string) *pair {
	t.Helper()
	p := newPair(t)
	set(t, p, text)
	return p
}
