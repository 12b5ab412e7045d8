// Package encodetest holds the laws that the catalog entry of every game obeys: its
// layouts, action numbers, symmetry and board fit the rules. A test of a game is one line:
//
//	func TestLaws(t *testing.T) { encodetest.Run(t, encode.Chess()) }
//
// Each law looks at the positions of random games and at the game's Samples, and returns
// the first violation. Everything is seeded: a law that holds once holds every time.
// Missing lists the parts that an entry lacks.
//
// TicTacToe is a complete small game for tests. Its moves have no origin.
//
// # Files
//
//	encodetest.go       Run and the list of laws
//	missing.go          Missing: the parts that an entry lacks
//	layouts.go          laws about arrays, planes and keys
//	actions.go          laws about action numbers, captures, reasons and check
//	flip.go             laws about flipped positions
//	rows.go             the law about rows from the view of the side to move
//	repetitions.go      the law about repetitions
//	record.go           records of given moves
//	tictactoe.go        the rules of tic-tac-toe
//	tictactoe_entry.go  its catalog entry
package encodetest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
)

// Run checks that the entry is complete and obeys all laws, one subtest each.
func Run(t *testing.T, g encode.Game) {
	t.Helper()
	if missing := Missing(g); missing != nil {
		t.Fatalf("the catalog entry of %q is incomplete: %q", g.Name, missing)
	}
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			if err := law.check(&trial{game: g}); err != nil {
				t.Error(err)
			}
		})
	}
}

// law is a statement and a check that returns the first violation.
type law struct {
	name  string
	check func(*trial) error
}

// laws are all laws.
var laws = []law{
	{"decoding an encoded position restores it", decodeInvertsEncode},
	{"a changed array is a position or a text error", changedArraysAreTextErrors},
	{"encoding appends an exact number of bytes without allocation", encodingIsExact},
	{"codes of cells stand for the pieces on the board", codesAreOnTheBoard},
	{"planes have no bits beyond the board", planesStayOnTheBoard},
	{"keys are equal exactly if hashes are", keysMatchHashes},
	{"legal moves have unique numbers that lead back to them", actionsAreInvertible},
	{"every number is a move or an error", everyNumberIsSafe},
	{"descriptions name the cells of a move", descriptionsNameCells},
	{"captures reduce the opponent's pieces", capturesReducePieces},
	{"games end for the listed reasons", reasonsAreListed},
	{"check occurs exactly if the game has check", checkIsDeclared},
	{"flipping the board twice restores it", flippingTwiceRestores},
	{"the flipped board is the board of the flipped position", flippedBoardIsOfTheFlippedPosition},
	{"flipping an action twice restores it", flippingActionsTwiceRestores},
	{"flipped moves are the moves of the flipped position", flippedMovesAreLegal},
	{"planes of the flipped position differ only in who began", planesIgnoreTheSide},
	{"rows from the view of the mover are rows of the flipped position", moverRowsAreFlippedRows},
	{"repetitions are the earlier positions with the same key", repetitionsAreRecounted},
}

// trial is what a law is checked on.
type trial struct {
	game encode.Game
}

// randomGames is the number of random games that laws look at.
const randomGames = 12

// positions calls look with every n-th position of random games, with the start of the
// game, and with the samples: the first ten, then every n-th. look may play moves if it
// takes them back.
func (tr *trial) positions(n int, look func(engine.Position) error) error {
	p, src, seen := tr.game.New(""), rand.NewPCG(3, 3), 0
	check := func() error {
		if err := look(p); err != nil {
			return fmt.Errorf("position %q: %w", p, err)
		}
		return nil
	}
	for range randomGames {
		p.Reset()
		for ok := true; ok; _, ok = p.DoRandom(src) {
			if seen++; seen%n != 0 {
				continue
			}
			if err := check(); err != nil {
				return err
			}
		}
	}
	for i, text := range append([]string{""}, tr.game.Samples...) {
		if i > 10 && i%n != 0 {
			continue
		}
		p.Reset()
		if text != "" {
			if err := p.Set(text); err != nil {
				return fmt.Errorf("sample %q: %w", text, err)
			}
		}
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// pairs calls look with all positions and their flipped positions. Both are read from text, so
// neither has a history.
func (tr *trial) pairs(look func(p, flipped engine.Position) error) error {
	p, flipped := tr.game.New(""), tr.game.New("")
	return tr.positions(1, func(played engine.Position) error {
		text := played.String()
		if err := p.Set(text); err != nil {
			return err
		}
		if err := flipped.Set(tr.game.FlipText(text)); err != nil {
			return fmt.Errorf("set flipped text: %w", err)
		}
		return look(p, flipped)
	})
}

// layouts calls look with every layout.
func (tr *trial) layouts(look func(l *encode.Layout) error) error {
	for i := range tr.game.Layouts {
		l := &tr.game.Layouts[i]
		if err := look(l); err != nil {
			return fmt.Errorf("layout %s: %w", l.Name, err)
		}
	}
	return nil
}
