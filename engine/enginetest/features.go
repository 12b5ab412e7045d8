package enginetest

import (
	"errors"
	"fmt"
	"slices"

	"selfplay/engine"
)

// forFeatured turns a check of a Featured into one that skips other positions.
func forFeatured(check func(*visit, engine.Featured) error) func(*visit) error {
	return func(v *visit) error {
		if p, ok := v.p.(engine.Featured); ok {
			return check(v, p)
		}
		return nil
	}
}

// featuresDependOnText: the active features are those of the position as read, each once and
// within the set.
func featuresDependOnText(v *visit, p engine.Featured) error {
	if err := v.fresh.Set(p.String()); err != nil {
		return err
	}
	const mark engine.Feature = 0xdead_beef
	list := p.AppendFeatures([]engine.Feature{mark})
	if list[0] != mark {
		return errors.New("AppendFeatures overwrites dst")
	}
	got, want := sorted(list[1:]), sorted(v.fresh.(engine.Featured).AppendFeatures(nil))
	if !slices.Equal(got, want) {
		return fmt.Errorf("features %x as played, %x as read", got, want)
	}
	for side := range engine.Side(2) {
		seen := map[int]bool{}
		for _, f := range got {
			n := f.In(side)
			if seen[n] || n >= p.FeatureSet().Size {
				return fmt.Errorf("feature %d of side %d is active twice, or not one of %d", n, side, p.FeatureSet().Size)
			}
			seen[n] = true
		}
	}
	return nil
}

// changesLeadToFeatures: along drawn moves, with a null move where the position allows one,
// the changes of each move lead from the features before it to those after it, and HashAt
// tells the hash that each position had. Only a move that leaves no feature as it was may have
// no changes.
func changesLeadToFeatures(v *visit, p engine.Featured) error {
	start := p.Plies()
	features, hashes := [][]engine.Feature{p.AppendFeatures(nil)}, []uint64{p.Hash()}
	var undo []func()
	defer func() {
		for _, take := range slices.Backward(undo) {
			take()
		}
	}()
	for range 4 {
		if passer, ok := p.(engine.Passer); ok && v.src.Uint64()%8 == 0 && passer.Pass() {
			undo = append(undo, passer.TakePass)
		} else if draw(p, v.src) {
			undo = append(undo, p.Undo)
		} else {
			break
		}
		features, hashes = append(features, p.AppendFeatures(nil)), append(hashes, p.Hash())
	}
	if p.Plies() != start+len(undo) {
		return fmt.Errorf("%d plies after %d and %d more", p.Plies(), start, len(undo))
	}
	for i, hash := range hashes {
		if got := p.HashAt(start + i); got != hash {
			return fmt.Errorf("hash %016x after %d plies, it was %016x", got, start+i, hash)
		}
		if i == len(hashes)-1 {
			break
		}
		if err := changesLead(p, start+i, features[i], features[i+1]); err != nil {
			return fmt.Errorf("move %d of %d: %w", start+i, len(undo), err)
		}
	}
	return nil
}

// changesLead checks that the changes of move n lead from the features before to those after it.
func changesLead(p engine.Featured, n int, before, after []engine.Feature) error {
	removed, added, ok := p.AppendChanges(n, nil, nil)
	if !ok {
		if i := slices.IndexFunc(before, func(f engine.Feature) bool { return slices.Contains(after, f) }); i >= 0 || len(removed)+len(added) > 0 {
			return fmt.Errorf("no changes, but features stay, or %x and %x are appended", removed, added)
		}
		return nil
	}
	got, err := change(slices.Clone(before), removed, added)
	if err != nil {
		return err
	}
	if got, want := sorted(got), sorted(after); !slices.Equal(got, want) {
		return fmt.Errorf("the changes lead to %x, the features are %x", got, want)
	}
	return nil
}

// differencesLeadToFeatures: the difference from no board adds all features. Along drawn moves, the difference
// leads from the features of each position to those of the next in every view that stays the same.
func differencesLeadToFeatures(v *visit, p engine.Featured) error {
	viewed, ok := p.(engine.Viewed)
	if !ok {
		return nil
	}
	var board engine.Board
	if err := differenceLeads(viewed, &board, nil, views(viewed)); err != nil {
		return err
	}
	for played := range 4 {
		features, before := p.AppendFeatures(nil), views(viewed)
		if !draw(p, v.src) {
			break
		}
		defer p.Undo()
		if err := differenceLeads(viewed, &board, features, before); err != nil {
			return fmt.Errorf("after %d drawn moves: %w", played+1, err)
		}
	}
	return nil
}

// views returns those of both sides.
func views(p engine.Viewed) [2]int { return [2]int{p.View(engine.First), p.View(engine.Second)} }

// differenceLeads checks that the difference leads from some features, which were active in these views, to
// those of the position.
func differenceLeads(p engine.Viewed, board *engine.Board, features []engine.Feature, before [2]int) error {
	removed, added := p.AppendDifference(board, nil, nil)
	for side, view := range views(p) {
		if view < 0 || view >= p.FeatureSet().Views {
			return fmt.Errorf("side %d has view %d of %d", side, view, p.FeatureSet().Views)
		}
		if view != before[side] {
			continue
		}
		only := func(list []engine.Feature) (one []engine.Feature) {
			for _, f := range list {
				one = append(one, engine.NewFeature(uint16(f.In(engine.Side(side))), 0))
			}
			return one
		}
		got, err := change(only(features), only(removed), only(added))
		if err != nil {
			return fmt.Errorf("side %d: %w", side, err)
		}
		if got, want := sorted(got), sorted(only(p.AppendFeatures(nil))); !slices.Equal(got, want) {
			return fmt.Errorf("the difference leads side %d to %x, the features are %x", side, got, want)
		}
	}
	return nil
}

// change removes and adds features.
func change(features, removed, added []engine.Feature) ([]engine.Feature, error) {
	features = append(features, added...)
	for _, f := range removed {
		i := slices.Index(features, f)
		if i < 0 {
			return nil, fmt.Errorf("removes feature %x, which is not active", f)
		}
		features = slices.Delete(features, i, i+1)
	}
	return features, nil
}

func sorted(list []engine.Feature) []engine.Feature {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

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
		seen[parts] = m
		if parts[0] == parts[1] || int(max(parts[0], parts[1])) >= size {
			return fmt.Errorf("move %s has the parts %d: want two of %d", p.FormatMove(m), parts, size)
		}
	}
	return nil
}
