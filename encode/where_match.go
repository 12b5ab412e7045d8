package encode

import (
	"cmp"
	"slices"

	"selfplay/engine"
)

// retainWhere keeps the chosen plies of a game that match the filter's Where. It returns the number
// of the others. Conditions on the game come first; only those on positions need a replay.
func (r *Replayer) retainWhere(rec *engine.Record) (dropped uint64, err error) {
	w, c, n := r.view.Filter.Where, &r.choice, len(r.choice.plies)
	l := &look{Replayer: r, rec: rec}
	if matches, err := w.matches(ofGame, l); err != nil || !matches {
		c.plies = c.plies[:0]
		return uint64(n), err
	}
	c.retain(func(ply uint16) bool {
		l.ply = int(ply)
		matches, failed := w.matches(ofDecision, l)
		err = cmp.Or(err, failed)
		return matches
	})
	if err == nil && w.has(ofPosition) && len(c.plies) > 0 {
		err = r.retainOnBoard(rec, func(ply int) (bool, error) { l.ply = ply; return w.matches(ofPosition, l) })
	}
	return uint64(n - len(c.plies)), err
}

// has reports whether conditions of a scope are among those of w.
func (w *Where) has(s scope) bool {
	return slices.ContainsFunc(w.tests, func(t test) bool { return t.word.scope == s })
}

// matches reports whether all conditions of a scope hold.
func (w *Where) matches(s scope, l *look) (bool, error) {
	for i := range w.tests {
		t := &w.tests[i]
		if t.word.scope != s {
			continue
		}
		if holds, err := t.holds(l); err != nil || !holds {
			return false, err
		}
	}
	return true, nil
}

// holds evaluates a condition.
func (t *test) holds(l *look) (bool, error) {
	switch t.word.kind {
	case textWord:
		fits := slices.ContainsFunc(t.word.texts(l.rec), func(text string) bool { return slices.Contains(t.values, text) })
		return fits != t.negated, nil
	case materialWord:
		is := l.material.Of(l.pos)
		return slices.ContainsFunc(t.material, is.Equal) != t.negated, nil
	}
	v, known, err := t.word.value(l)
	if err != nil || !known {
		return false, err
	}
	return slices.ContainsFunc(t.ranges, func(r interval) bool { return r.has(v) }) != t.negated, nil
}
