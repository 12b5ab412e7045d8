package encodetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"selfplay/encode"
	"selfplay/engine"
)

// flippedPositionsAreWorthTheSame: the rules treat both sides alike. In the flipped position the other side is to
// move, the other side has won, and check, scores and estimates of the flipped moves are the same. The end of
// many games is compared too: half of the labels depend on it.
func flippedPositionsAreWorthTheSame(tr *trial) error {
	if err := tr.pairs(tr.compareFlipped); err != nil {
		return err
	}
	return tr.ends(tr.compareFlipped)
}

// ends calls look with the last positions of random games and their flipped positions.
func (tr *trial) ends(look func(p, flipped engine.Position) error) error {
	const games, mostPlies = 300, 30_000
	played, p, flipped := tr.newPosition(), tr.newPosition(), tr.newPosition()
	for game, left := uint64(0), mostPlies; game < games && left > 0; game++ {
		played.Reset()
		src := rand.NewPCG(game, 7)
		for range tr.game.MaxPlies {
			left--
			if _, ok := played.DoRandom(src); !ok {
				break
			}
		}
		if err := tr.lookAtPair(played.String(), p, flipped, look); err != nil {
			return fmt.Errorf("end of game %d, %q: %w", game, played, err)
		}
	}
	return nil
}

func (tr *trial) compareFlipped(p, other engine.Position) error {
	want := p.Outcome()
	switch want.Result {
	case engine.FirstWins:
		want.Result = engine.SecondWins
	case engine.SecondWins:
		want.Result = engine.FirstWins
	default:
	}
	switch {
	case other.Turn() != p.Turn().Other():
		return fmt.Errorf("side %d is to move in %q, and side %d here", other.Turn(), other, p.Turn())
	case other.Outcome() != want:
		return fmt.Errorf("the outcome is %v, that of %q %v: want %v, the same for the other side", p.Outcome(), other, other.Outcome(), want)
	case other.Check() != p.Check():
		return fmt.Errorf("check is %t, in %q %t", p.Check(), other, other.Check())
	}
	one, ok := p.(engine.Evaluator)
	if !ok {
		return nil
	}
	return tr.compareEstimates(one, other.(engine.Evaluator))
}

// compareEstimates compares what an Evaluator says of a position and its moves.
func (tr *trial) compareEstimates(p, other engine.Evaluator) error {
	if a, b := p.Evaluate(), other.Evaluate(); a != b {
		return fmt.Errorf("the side to move scores %d, in %q %d", a, other, b)
	}
	if a, b := p.Over(), other.Over(); a != b {
		return fmt.Errorf("Over is %t, in %q %t", a, other, b)
	}
	if p.Outcome() != engine.Ongoing {
		return nil
	}
	a := &tr.game.Actions
	var captures, flipped []uint16
	for _, m := range other.Captures(nil) {
		captures = append(captures, a.Number(m))
	}
	for _, m := range p.Captures(nil) {
		flipped = append(flipped, a.Flip(a.Number(m)))
	}
	slices.Sort(captures)
	slices.Sort(flipped)
	if !slices.Equal(captures, flipped) {
		return fmt.Errorf("Captures lists the actions %d in %q: want %d, those of the flipped moves", captures, other, flipped)
	}
	for _, m := range p.Moves(nil) {
		n, err := a.Move(other, a.Flip(a.Number(m)))
		if err != nil {
			return err
		}
		if one, two := estimatesOf(p, m), estimatesOf(other, n); one != two {
			return fmt.Errorf("%s has %+v, the flipped move %s of %q %+v", p.FormatMove(m), one, other.FormatMove(n), other, two)
		}
	}
	return nil
}

// estimates are what an Evaluator says of a move.
type estimates struct {
	Gain, Placement          int
	Legal, Hangs, GivesCheck bool
}

func estimatesOf(p engine.Evaluator, m engine.Move) estimates {
	e := estimates{Gain: p.Gain(m), Placement: p.Placement(m), Legal: p.Legal(m)}
	if e.Gain == 0 {
		e.Hangs, e.GivesCheck = p.Hangs(m), p.GivesCheck(m)
	}
	return e
}

// changedBoardsHaveOtherHashes: a position that differs in one element of its identity, or in the side to move, has
// another text and another hash, and planes that differ. Random games alone seldom meet two such positions.
func changedBoardsHaveOtherHashes(tr *trial) error {
	return tr.positions(13, tr.compareChanged)
}

func (tr *trial) compareChanged(p engine.Position) error {
	l, other := tr.game.Identity(), tr.newPosition()
	planes, err := tr.game.Layout("planes")
	if err != nil {
		return err
	}
	key := l.Key()
	board := l.Encode(nil, p)
	want, hash, text := string(key(nil, board, p.Turn())), p.Hash(), p.String()
	array := l.Values(nil, board)
	compare := func(turn engine.Side, what string) error {
		read, err := l.Text(array, turn, true)
		if err != nil || other.Set(read) != nil {
			return nil // no position
		}
		now := l.Encode(nil, other)
		switch same := string(key(nil, now, other.Turn())) == want; {
		case same != (other.Hash() == hash):
			return fmt.Errorf("with %s it is %q: the same position: %t, the same hash: %t", what, other, same, !same)
		case !same && other.String() == text:
			return fmt.Errorf("with %s it has the same text, but is another position", what)
		case !same && other.Turn() == p.Turn() && string(planes.Encode(nil, other)) == string(planes.Encode(nil, p)):
			return fmt.Errorf("with %s it is %q, with the same planes", what, other)
		}
		return nil
	}
	if err := compare(p.Turn().Other(), "the other side to move"); err != nil {
		return err
	}
	for i, old := range array {
		for _, v := range []int{0, 1, 2, old + 1} {
			if v == old {
				continue
			}
			array[i] = v
			if err := compare(p.Turn(), fmt.Sprintf("element %d as %d", i, v)); err != nil {
				return err
			}
		}
		array[i] = old
	}
	return nil
}

// movesArriveWhereTheySay: a move changes a cell that its description names, if it names one. After it no piece of
// the opponent stands on To or on a cell that was empty, and before it a piece of the mover on From.
func movesArriveWhereTheySay(tr *trial) error {
	b, a := &tr.game.Board, &tr.game.Actions
	arrived := 0
	err := tr.positions(5, func(p engine.Position) error {
		us, before := p.Turn(), tr.values(p, false)
		moves := p.Moves(nil)
		for i := 0; i < len(moves) && p.Outcome() == engine.Ongoing; i += 1 + len(moves)/16 {
			m := moves[i]
			d, text := a.Describe(a.Number(m)), p.FormatMove(m)
			from, hasFrom := b.Cell(d.From)
			to, hasTo := b.Cell(d.To)
			p.Do(m)
			after := tr.values(p, false)
			p.Undo()
			for cell := range b.Cells() {
				if before[cell] == 0 && tr.holds(after[cell], us.Other()) {
					return fmt.Errorf("%s puts a piece of the opponent on %s, which was empty", text, b.Name(cell))
				}
			}
			switch {
			case hasFrom && !tr.holds(before[from], us):
				return fmt.Errorf("%s starts from %s, where the side to move has no piece", text, d.From)
			case hasTo && tr.holds(after[to], us.Other()):
				return fmt.Errorf("%s leads to %s, where the opponent has a piece after it", text, d.To)
			case hasTo && after[to] == before[to] && (!hasFrom || after[from] == before[from]):
				return fmt.Errorf("%s changes neither cell of its description %+v", text, d)
			case hasTo && tr.holds(after[to], us):
				arrived++
			}
		}
		return nil
	})
	if err == nil && arrived == 0 && !tr.hasNeutralPieces() {
		err = errors.New("no move leaves a piece of its side on the cell that its description names")
	}
	return err
}

// planesShowTheirSide: a plane that is named own or their, and neither empty nor full nor made of full files, has its
// bits on cells with pieces of that side: own is the side to move. The laws of flipped positions hold with the two exchanged, too.
func planesShowTheirSide(tr *trial) error {
	l, err := tr.game.Layout(encode.PlanesName)
	if err != nil {
		return err
	}
	cells, size := tr.game.Board.Cells(), l.Elements[0].Count
	return tr.positions(5, func(p engine.Position) error {
		planes, codes := l.Encode(nil, p), tr.values(p, p.Turn() == engine.Second) // flipped, the mover is First
		for i, e := range l.Elements {
			side := engine.First
			switch {
			case strings.HasPrefix(e.Name, "their"):
				side = engine.Second
			case !strings.HasPrefix(e.Name, "own"):
				continue
			}
			var on []int
			for cell := range cells {
				if Bit(planes[i*size:], cell) != 0 {
					on = append(on, cell)
				}
			}
			for _, cell := range on {
				files := tr.game.Board.Files
				inFile := 0
				for _, other := range on {
					if other%files == cell%files {
						inFile++
					}
				}
				if inFile < tr.game.Board.Ranks && !tr.holds(codes[cell], side) {
					return fmt.Errorf("plane %s has a bit on %s, where that side has no piece", e.Name, tr.game.Board.Name(cell))
				}
			}
		}
		return nil
	})
}

// holds reports whether the pieces of a code are of a side.
func (tr *trial) holds(code int, side engine.Side) bool {
	for _, piece := range tr.game.Board.Codes[code] {
		if piece.Side == int(side) {
			return true
		}
	}
	return false
}

func (tr *trial) hasNeutralPieces() bool {
	for _, pieces := range tr.game.Board.Codes {
		for _, piece := range pieces {
			if piece.Side < 0 {
				return true
			}
		}
	}
	return false
}
