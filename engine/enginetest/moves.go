package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// movesAreUnique: Moves keeps the contents of dst and appends each legal move once.
// Without a legal move the game is over. MostMoves bounds the moves, if it is known.
func movesAreUnique(v *visit) error {
	const mark engine.Move = 0xdead_beef
	list := v.p.Moves(append(v.list[:0], mark))
	v.list = list
	if list[0] != mark {
		return errors.New("Moves overwrites dst")
	}
	list = list[1:]
	if len(list) == 0 && v.p.Outcome() == engine.Ongoing {
		return errors.New("no legal move, but the outcome is Ongoing")
	}
	if most := v.Game.MostMoves; most > 0 && len(list) > most {
		return fmt.Errorf("%d legal moves, MostMoves is %d", len(list), most)
	}
	slices.Sort(list)
	for i := 1; i < len(list); i++ {
		if list[i] == list[i-1] {
			return fmt.Errorf("move %s is listed twice", v.p.FormatMove(list[i]))
		}
	}
	return nil
}

// countIsLength: Count is the length of the list.
func countIsLength(v *visit) error {
	counter, ok := v.p.(engine.Counter)
	if !ok {
		return nil
	}
	if got, want := counter.Count(), len(v.moves()); got != want {
		return fmt.Errorf("Count is %d, %d moves are listed", got, want)
	}
	return nil
}

// moveTextRoundTrips: the wire form of a move is unique in its list and parses back to
// the move. ParseMove rejects everything else.
func moveTextRoundTrips(v *visit) error {
	texts := map[string]bool{}
	for _, m := range v.moves() {
		text := v.p.FormatMove(m)
		if texts[text] {
			return fmt.Errorf("two moves have the text %q", text)
		}
		texts[text] = true
		if got, err := v.p.ParseMove(text); err != nil || got != m {
			return fmt.Errorf("move %#x has the text %q, which parses as %#x, %v", m, text, got, err)
		}
	}
	for _, text := range v.invalidMoveTexts() {
		if got, err := v.p.ParseMove(text); err == nil && !texts[text] {
			return fmt.Errorf("%q is not a legal move, but parses as %#x", text, got)
		}
	}
	return nil
}

// invalidMoveTexts returns texts that are hardly ever legal moves.
func (v *visit) invalidMoveTexts() []string {
	list := []string{"", "?", " "}
	if len(v.list) > 0 {
		text := v.p.FormatMove(v.pick(v.list))
		list = append(list, text+"?", "?"+text, text+" ", text+text, text[1:], text[:len(text)-1])
	}
	return list
}

// equalHashes: positions with the same hash have the same side to move, check, moves and
// static score. It checks all given texts and some positions of random games, each with its
// successors, where an incomplete hash collides first.
func equalHashes(g target) error {
	seen := byHash{}
	p := g.New()
	for _, text := range g.Starts {
		if err := begin(p, text); err != nil {
			return err
		}
		if err := seen.addWithSuccessors(p); err != nil {
			return fmt.Errorf("from %q: %w", text, err)
		}
	}
	return onWalk(max(g.Plies/256, 1), func(v *visit) error { return seen.addWithSuccessors(v.p) })(g)
}

// byHash maps a hash to the side, check, moves and score of the position that had it.
type byHash map[uint64]string

// addWithSuccessors adds a position and its successors.
func (seen byHash) addWithSuccessors(p engine.Position) error {
	err := seen.add(p)
	for _, m := range p.Moves(nil) {
		if err != nil {
			break
		}
		p.Do(m)
		err = seen.add(p)
		p.Undo()
	}
	return err
}

func (seen byHash) add(p engine.Position) error {
	now := fmt.Sprint(p.Turn(), p.Check(), moveTexts(p))
	if e, ok := p.(engine.Evaluator); ok {
		now += fmt.Sprint(" score ", e.Evaluate())
	}
	if before, ok := seen[p.Hash()]; ok && before != now {
		return fmt.Errorf("hash %016x belongs to both %s and %s", p.Hash(), before, now)
	}
	seen[p.Hash()] = now
	return nil
}
