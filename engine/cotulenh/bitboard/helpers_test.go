package bitboard_test

import (
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
)

func square(t testing.TB, name string) cotulenh.Square {
	t.Helper()
	sq, err := cotulenh.ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
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

// at returns both engines at a position, after checking that they agree on it.
func at(t testing.TB, text string) *pair {
	t.Helper()
	p := newPair()
	p.set(t, text)
	checkPair(t, p)
	return p
}

// play plays a step on both engines.
func play(t testing.TB, text, step string) *pair {
	t.Helper()
	p := at(t, text)
	m, err := p.bitboard.ParseMove(step)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	p.mailbox.Do(m)
	p.bitboard.Do(m)
	checkPair(t, p)
	return p
}

// stepsOf returns the sorted steps of a mover such as "Tc3" or "(TI)e4", without the mover.
func stepsOf(p *pair, mover string) (list []string) {
	for _, step := range sortedSteps(p.bitboard) {
		if rest, ok := strings.CutPrefix(step, mover); ok && (rest[0] < '0' || rest[0] > '9') {
			list = append(list, rest)
		}
	}
	return list
}

func words(text string) []string {
	list := strings.Fields(text)
	slices.Sort(list)
	return list
}

// listing is a mover in a position and its complete list of steps.
type listing struct{ point, text, mover, want string }

func checkListings(t *testing.T, list []listing) {
	t.Helper()
	for _, l := range list {
		t.Run(l.point, func(t *testing.T) {
			if got := stepsOf(at(t, l.text), l.mover); !slices.Equal(got, words(l.want)) {
				t.Errorf("%s: %s has %v, want %v", l.text, l.mover, got, words(l.want))
			}
		})
	}
}

// wantAmong compares the steps of a mover that lead to the given squares.
func wantAmong(t *testing.T, p *pair, mover, squares, want string) {
	t.Helper()
	got := slices.DeleteFunc(stepsOf(p, mover), func(step string) bool {
		return !slices.Contains(strings.Fields(squares), strings.TrimLeft(step, ">_x@&"))
	})
	if !slices.Equal(got, words(want)) {
		t.Errorf("steps of %s to %s are %v, want %v", mover, squares, got, words(want))
	}
}
