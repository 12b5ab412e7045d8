package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// movesAreUnique: Moves keeps what dst holds, appends each legal move once, and
// a position without any is the end of the game.
func movesAreUnique(v *visit) error {
	const mark engine.Move = 0xdead_beef
	list := v.p.Moves(append(v.list[:0], mark))
	v.list = list
	if list[0] != mark {
		return errors.New("listing overwrites what the slice held")
	}
	list = list[1:]
	if len(list) == 0 && v.p.Outcome() == engine.Ongoing {
		return errors.New("no legal move, and the game goes on")
	}
	slices.Sort(list)
	for i := 1; i < len(list); i++ {
		if list[i] == list[i-1] {
			return fmt.Errorf("move %s is listed twice", v.p.FormatMove(list[i]))
		}
	}
	return nil
}

// countIsLength: a position that counts its moves counts what it lists.
func countIsLength(v *visit) error {
	counter, ok := v.p.(engine.Counter)
	if !ok {
		return nil
	}
	if got, want := counter.Count(), len(v.moves()); got != want {
		return fmt.Errorf("%d moves are counted, %d listed", got, want)
	}
	return nil
}

// movesSurviveText: the wire form of a move is unique in its list, reads back
// as the move, and what is no legal move's wire form is an error.
func movesSurviveText(v *visit) error {
	texts := map[string]bool{}
	for _, m := range v.moves() {
		text := v.p.FormatMove(m)
		if texts[text] {
			return fmt.Errorf("two moves are written %q", text)
		}
		texts[text] = true
		if got, err := v.p.ParseMove(text); err != nil || got != m {
			return fmt.Errorf("move %#x is written %q and read %#x, %v", m, text, got, err)
		}
	}
	for _, bad := range v.nonsense() {
		if got, err := v.p.ParseMove(bad); err == nil && !texts[bad] {
			return fmt.Errorf("%q is no move and is read %#x", bad, got)
		}
	}
	return nil
}

// nonsense returns texts that are no legal moves, or only by accident.
func (v *visit) nonsense() []string {
	bad := []string{"", "?", " "}
	if len(v.list) > 0 {
		text := v.p.FormatMove(v.pick(v.list))
		bad = append(bad, text+"?", "?"+text, text+" ", text+text, text[1:], text[:len(text)-1])
	}
	return bad
}

// equalHashes: positions that share a hash share side, check and moves. It looks
// at positions and their successors, where a hash that leaves something out
// collides first: at all given texts and at some positions of random games.
func equalHashes(tr trial) error {
	known := collisions{}
	p := tr.New()
	for _, text := range tr.Starts {
		if err := begin(p, text); err != nil {
			return err
		}
		if err := known.family(p); err != nil {
			return fmt.Errorf("from %q: %w", text, err)
		}
	}
	return onWalk(max(tr.Plies/256, 1), func(v *visit) error { return known.family(v.p) })(tr)
}

// collisions holds what was seen under each hash.
type collisions map[uint64]string

// family looks at a position and its successors.
func (c collisions) family(p engine.Position) error {
	err := c.look(p)
	for _, m := range p.Moves(nil) {
		if err != nil {
			break
		}
		p.Do(m)
		err = c.look(p)
		p.Undo()
	}
	return err
}

func (c collisions) look(p engine.Position) error {
	seen := fmt.Sprint(p.Turn(), p.Check(), wire(p))
	if before, ok := c[p.Hash()]; ok && before != seen {
		return fmt.Errorf("hash %016x also belongs to %s, here %s", p.Hash(), before, seen)
	}
	c[p.Hash()] = seen
	return nil
}
