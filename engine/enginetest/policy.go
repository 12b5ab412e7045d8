package enginetest

import (
	"fmt"

	"selfplay/engine"
)

// movesHaveParts: each legal move has two parts of the set that no other legal move has.
func movesHaveParts(v *visit) error {
	p, ok := v.p.(engine.Policied)
	if !ok {
		return nil
	}
	size, seen := p.FeatureSet().Policy.Size, map[[2]uint16]engine.Move{}
	for _, m := range p.Moves(nil) {
		parts := p.MoveParts(m)
		if other, found := seen[parts]; found {
			return fmt.Errorf("moves %s and %s have the parts %d", p.FormatMove(other), p.FormatMove(m), parts)
		}
		if seen[parts] = m; parts[0] == parts[1] || int(max(parts[0], parts[1])) >= size {
			return fmt.Errorf("move %s has the parts %d: want two of %d", p.FormatMove(m), parts, size)
		}
	}
	return nil
}
