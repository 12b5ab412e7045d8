package cotulenh

import "selfplay/engine"

var _ engine.LeafFeatured = (*Position)(nil)

// featureSet has one feature for every member of a stack on every cell:
//
//	((((enemy*11 + type)*2 + heroic)*2 + carried)*132 + cell
//
// enemy is 1 for pieces of the other side, and carried is 0 for the lead and 1 for cargo. Red
// numbers the cells row by row from a12; Blue sees the board with the ranks reversed. A text
// may have more pieces than a game; Most counts those of a game. In an open session the
// pieces count where they stand.
var featureSet = engine.FeatureSet{
	Name: "cotulenh-stacks", Version: 1,
	Size: 2 * featuresPerSide, Most: 38,
}

const featuresPerSide = numTypes * 2 * 2 * numCells

// FeatureSet returns the features of the game, for both of its engines.
func FeatureSet() *engine.FeatureSet { return &featureSet }

// FeatureSet returns the features of the game.
func (p *Position) FeatureSet() *engine.FeatureSet { return &featureSet }

// memberFeature returns the feature of a member in a slot on cell 0 of both views.
func memberFeature(side, kind, slot uint8) engine.Feature {
	own := uint16(int(kind)*2+min(int(slot), 1)) * numCells
	enemy := own + featuresPerSide
	if side == 1 {
		own, enemy = enemy, own
	}
	return engine.NewFeature(own, enemy)
}

// memberFeatures holds the features of the members of a stack on cell 0 of both views, by
// code and slot.
var memberFeatures = func() (table [512][4]engine.Feature) {
	for code := Stack(1); code < NumStacks; code++ {
		in := &infos[code]
		for slot := range in.size {
			table[code][slot] = memberFeature(in.side, in.kinds[slot], slot)
		}
	}
	return table
}()

// cellViews holds the cell of each square in both views. Added to an entry of memberFeatures,
// it gives the feature.
var cellViews = func() (table [256]engine.Feature) {
	for _, sq := range boardSquares {
		reversed := squareAt(ranks-1-Square(sq).Rank(), Square(sq).File())
		table[sq] = engine.NewFeature(uint16(Square(sq).Cell()), uint16(reversed.Cell()))
	}
	return table
}()

// AppendFeatures appends one feature per piece.
func (p *Position) AppendFeatures(dst []engine.Feature) []engine.Feature {
	for side := range p.sides {
		a := &p.sides[side]
		for _, sq := range a.squares[:a.n] {
			dst = AppendStackFeatures(dst, p.cells[sq], Square(sq))
		}
	}
	return dst
}

// AppendStackFeatures appends the features of a stack on a square.
func AppendStackFeatures(dst []engine.Feature, s Stack, sq Square) []engine.Feature {
	members := &memberFeatures[s&511]
	for slot := range infos[s&511].size {
		dst = append(dst, members[slot&3]+cellViews[sq])
	}
	return dst
}

// AppendChange appends the features that are lost and gained where a square changes from
// one stack to another. Members that keep their slot keep their feature.
func AppendChange(removed, added []engine.Feature, sq Square, old, new Stack) (r, a []engine.Feature) {
	was, is, cell := &memberFeatures[old&511], &memberFeatures[new&511], cellViews[sq]
	before, after := infos[old&511].size, infos[new&511].size
	for slot := range max(before, after) {
		i := slot & 3
		if slot < before && slot < after && was[i] == is[i] {
			continue
		}
		if slot < before {
			removed = append(removed, was[i]+cell)
		}
		if slot < after {
			added = append(added, is[i]+cell)
		}
	}
	return removed, added
}

// Plies returns the number of steps played since Set or Reset.
func (p *Position) Plies() int { return len(p.history) }

// HashAt returns the hash after the first n of them.
func (p *Position) HashAt(n int) uint64 {
	if n < len(p.history) {
		return p.history[n].hash
	}
	return p.hash
}

// AppendChanges reads the log of step n.
func (p *Position) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	end := len(p.log)
	if n+1 < len(p.history) {
		end = int(p.history[n+1].log)
	}
	for _, c := range p.log[p.history[n].log:end] {
		if c.new == dead { // a whole stack moved from sq to the square index
			removed = AppendStackFeatures(removed, c.old, Square(c.sq))
			added = AppendStackFeatures(added, c.old, Square(c.index))
			continue
		}
		removed, added = AppendChange(removed, added, Square(c.sq), c.old, c.new)
	}
	return removed, added, true
}

// AppendChangesAfter derives the changes from the step, which moves a whole stack or joins it with
// another one.
func (p *Position) AppendChangesAfter(m engine.Move, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	from, to := fromOf(m), toOf(m)
	s, other := p.cells[from], p.cells[to]
	removed = AppendStackFeatures(removed, s, Square(from))
	if other == Empty {
		return removed, AppendStackFeatures(added, s, Square(to)), true
	}
	removed, added = AppendChange(removed, added, Square(to), other, combine(s, other))
	return removed, added, true
}
