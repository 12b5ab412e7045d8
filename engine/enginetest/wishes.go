package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"selfplay/engine"
)

// obstaclesAreThoseOfIllegalMoves: a wish has an obstacle exactly if no legal move fulfils it. The wishes are those of
// the legal moves, and random ones with their pieces and squares.
func obstaclesAreThoseOfIllegalMoves(v *visit) error {
	p, ok := v.p.(engine.Arbiter)
	if !ok {
		return nil
	}
	legal := LegalWishes(p)
	for _, w := range legal {
		err := CheckWish(p, legal, w)
		if err != nil {
			return err
		}
	}
	for range min(200, len(legal)*len(legal)) {
		one, other := legal[engine.Below(v.src, uint32(len(legal)))], legal[engine.Below(v.src, uint32(len(legal)))]
		ways := engine.Ways()
		w := engine.Wish{From: one.From, Piece: one.Piece, To: other.To, Way: ways[engine.Below(v.src, uint32(len(ways)))], Tile: other.Tile}
		err := CheckWish(p, legal, w)
		if err != nil {
			return err
		}
	}
	return CheckWish(p, legal, engine.Wish{From: "?", To: "?"})
}

// LegalWishes returns the wishes of all legal moves.
func LegalWishes(p engine.Arbiter) (list []engine.Wish) {
	for _, m := range p.Moves(nil) {
		list = append(list, p.Wish(m))
	}
	return list
}

// CheckWish returns an error unless a wish has an obstacle exactly if none of the legal wishes fulfils it. An obstacle
// is one sentence.
func CheckWish(p engine.Arbiter, legal []engine.Wish, w engine.Wish) error {
	o := p.Obstacle(w)
	isLegal := slices.ContainsFunc(legal, func(l engine.Wish) bool { return l.Fulfils(w) })
	switch {
	case isLegal && o != engine.Obstacle{}:
		return fmt.Errorf("the legal wish %+v has the obstacle %+v", w, o)
	case !isLegal && o.Why == engine.NoObstacle:
		return fmt.Errorf("the wish %+v has no obstacle, but no legal move fulfils it", w)
	case !isLegal && (!strings.HasSuffix(o.Text, ".") || strings.Count(o.Text, ". ") > 0):
		return fmt.Errorf("the wish %+v has the obstacle %q, want one sentence", w, o.Text)
	}
	return nil
}

// CheckWishes checks every wish of a position: from each square with each of its pieces to each square, in every way that
// has squares.
func CheckWishes(d *Differences, p engine.Arbiter, squares []string, pieces func(from string) []string) {
	d.T.Helper()
	legal := map[engine.Wish][]engine.Wish{} // by squares
	for _, w := range LegalWishes(p) {
		key := engine.Wish{From: w.From, To: w.To}
		legal[key] = append(legal[key], w)
	}
	check := func(w engine.Wish) {
		err := CheckWish(p, legal[engine.Wish{From: w.From, To: w.To}], w)
		if err != nil {
			d.Addf("%s: %v", p, err)
		}
	}
	check(engine.Wish{Way: engine.EndTurn})
	for _, from := range squares {
		for _, piece := range pieces(from) {
			for _, to := range squares {
				for _, way := range engine.Ways() {
					check(engine.Wish{From: from, Piece: piece, To: to, Way: way})
				}
			}
		}
	}
}
