package encodetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// actionsAreInvertible: legal moves have different numbers below Count, Move returns the
// move of a number, and playing a move does not change its number.
func actionsAreInvertible(tr *trial) error {
	return tr.positions(1, func(p engine.Position) error { return CheckActions(&tr.game, p) })
}

// CheckActions returns an error for the first legal move of a position whose number is too
// large or belongs to another move. Games call it on further positions.
func CheckActions(g *encode.Game, p engine.Position) error {
	taken := map[uint16]engine.Move{}
	for _, m := range p.Moves(nil) {
		number, text := g.Actions.Number(m), p.FormatMove(m)
		if int(number) >= g.Actions.Count {
			return fmt.Errorf("%s has number %d of %d", text, number, g.Actions.Count)
		}
		if other, ok := taken[number]; ok {
			return fmt.Errorf("%s and %s share number %d", text, p.FormatMove(other), number)
		}
		taken[number] = m
		if back, err := g.Actions.Move(p, number); err != nil || back != m {
			return fmt.Errorf("%s has number %d, which gives move %x, %v", text, number, back, err)
		}
		a := g.Actions.Describe(number)
		if a.Kind == encode.NoAction || !strings.Contains(text, a.From) || !strings.Contains(text, a.To) {
			return fmt.Errorf("%s has number %d, described as %v", text, number, a)
		}
	}
	return nil
}

// everyNumberIsSafe tries all 65,536 numbers: each is a move or an error, and playing and
// taking back a move restores the position.
func everyNumberIsSafe(tr *trial) error {
	return tr.positions(299, func(p engine.Position) error {
		text, hash := p.String(), p.Hash()
		for number := range 1 << 16 {
			m, err := tr.game.Actions.Move(p, uint16(number))
			if err != nil {
				continue
			}
			if number >= tr.game.Actions.Count {
				return fmt.Errorf("number %d of %d is a move", number, tr.game.Actions.Count)
			}
			p.Do(m)
			p.Undo()
		}
		if p.String() != text || p.Hash() != hash {
			return fmt.Errorf("became %q", p)
		}
		return nil
	})
}

// descriptionsNameCells: From and To are cells of the board or empty, and some action has
// a From exactly if moves have an origin.
func descriptionsNameCells(tr *trial) error {
	origins := 0
	for number := range tr.game.Actions.Count {
		a := tr.game.Actions.Describe(uint16(number))
		for _, name := range []string{a.From, a.To} {
			if _, ok := tr.game.Board.Cell(name); name != "" && !ok {
				return fmt.Errorf("action %d names %q, which is no cell of the board", number, name)
			}
		}
		if a.Kind == "" {
			return fmt.Errorf("action %d has no kind", number)
		}
		if a.From != "" {
			origins++
		}
	}
	if tr.game.Actions.HasOrigin != (origins > 0) {
		return fmt.Errorf("HasOrigin is %t, but %d actions have an origin", tr.game.Actions.HasOrigin, origins)
	}
	return nil
}

// capturesReducePieces: the opponent has fewer pieces after a move exactly if it is a
// capture. In games without captures this says nothing: pieces may change sides.
func capturesReducePieces(tr *trial) error {
	if tr.game.Actions.IsCapture == nil {
		return nil
	}
	captures := 0
	err := tr.positions(7, func(p engine.Position) error {
		opponent := p.Turn().Other()
		before := tr.pieces(p, opponent)
		for _, m := range p.Moves(nil) {
			capture := tr.game.Actions.IsCapture(p, m)
			p.Do(m)
			after := tr.pieces(p, opponent)
			p.Undo()
			if capture != (after < before) {
				return fmt.Errorf("%s: IsCapture %t, but the opponent has %d pieces and then %d", p.FormatMove(m), capture, before, after)
			}
			if capture {
				captures++
			}
		}
		return nil
	})
	if err == nil && captures == 0 {
		err = errors.New("no move captures")
	}
	return err
}

// pieces counts the pieces of a side on the board.
func (tr *trial) pieces(p engine.Position, side engine.Side) (n int) {
	l := tr.game.Identity()
	for _, code := range l.Values(nil, l.Encode(nil, p))[:tr.game.Board.Cells()] {
		for _, piece := range tr.game.Board.Codes[code] {
			if piece.Side == int(side) {
				n++
			}
		}
	}
	return n
}

// reasonsAreListed: random games end for one of the game's Reasons.
func reasonsAreListed(tr *trial) error {
	ended := 0
	err := tr.positions(1, func(p engine.Position) error {
		o := p.Outcome()
		if o == engine.Ongoing {
			return nil
		}
		ended++
		if !slices.Contains(tr.game.Reasons, o.Reason) {
			return fmt.Errorf("the game ends for %q, which Reasons lacks", o.Reason)
		}
		return nil
	})
	if err == nil && ended == 0 {
		err = errors.New("no game ends")
	}
	return err
}

// checkIsDeclared: Position.Check is true somewhere if HasCheck is set, else nowhere.
func checkIsDeclared(tr *trial) error {
	checks := 0
	err := tr.positions(1, func(p engine.Position) error {
		if p.Check() {
			checks++
		}
		return nil
	})
	if err == nil && tr.game.HasCheck != (checks > 0) {
		err = fmt.Errorf("HasCheck is %t, but check occurred %d times", tr.game.HasCheck, checks)
	}
	return err
}
