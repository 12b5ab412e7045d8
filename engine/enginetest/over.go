package enginetest

import (
	"errors"
	"fmt"

	"selfplay/engine"
)

// A search relies on Over in two ways. Where it is true, the search reads the
// outcome and generates no moves. Where it is false, an empty list is the only other
// sign that the game is over.

// overImpliesOutcome: Over is never true while the game goes on.
func overImpliesOutcome(v *visit, p engine.Evaluator) error {
	if p.Over() && p.Outcome() == engine.Ongoing {
		return errors.New("Over is true, the outcome is Ongoing")
	}
	return nil
}

// outcomeWithMovesImpliesOver: where the game is over although moves are listed, Over
// is true.
func outcomeWithMovesImpliesOver(v *visit, p engine.Evaluator) error {
	if n, o := len(v.moves()), p.Outcome(); n > 0 && o != engine.Ongoing && !p.Over() {
		return fmt.Errorf("outcome %v with %d legal moves, Over is false", o, n)
	}
	return nil
}

// outcomeWithoutOverHasNoMoves: where the game is over and Over is false, Moves and
// Captures list nothing.
func outcomeWithoutOverHasNoMoves(v *visit, p engine.Evaluator) error {
	o := p.Outcome()
	if o == engine.Ongoing || p.Over() {
		return nil
	}
	if n := len(v.moves()); n > 0 {
		return fmt.Errorf("outcome %v, Over is false, %d moves are listed", o, n)
	}
	if n := len(p.Captures(nil)); n > 0 {
		return fmt.Errorf("outcome %v, Over is false, %d captures are listed", o, n)
	}
	return nil
}
