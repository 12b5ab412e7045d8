package enginetest

import "selfplay/engine"

type historyInFeatures struct{ *nim }

func (b *historyInFeatures) AppendFeatures(dst []engine.Feature) []engine.Feature {
	dst = b.nim.AppendFeatures(dst)
	dst[len(dst)-1] += engine.NewFeature(uint16(len(b.played)&1), uint16(len(b.played)&1))
	return dst
}

type featureTwice struct{ *nim }

func (b *featureTwice) AppendFeatures(dst []engine.Feature) []engine.Feature {
	return b.nim.AppendFeatures(append(dst, b.feature(0, b.piles[0])))
}

type featureBeyond struct{ *nim }

func (b *featureBeyond) AppendFeatures(dst []engine.Feature) []engine.Feature {
	return append(b.nim.AppendFeatures(dst), engine.NewFeature(0, uint16(b.FeatureSet().Size)))
}

type featuresOverwrite struct{ *nim }

func (b *featuresOverwrite) AppendFeatures(dst []engine.Feature) []engine.Feature {
	return append(b.nim.AppendFeatures(dst[:0]), 0)
}

type changeMissing struct{ *nim }

func (b *changeMissing) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	r, _, ok = b.nim.AppendChanges(n, removed, added)
	return r, added, ok
}

type changesRefused struct{ *nim }

func (b *changesRefused) AppendChanges(_ int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	return removed, added, false
}

type lastChanges struct{ *nim }

func (b *lastChanges) AppendChanges(n int, removed, added []engine.Feature) (r, a []engine.Feature, ok bool) {
	return b.nim.AppendChanges(len(b.played)-1, removed, added)
}

type hashOfNow struct{ *nim }

func (b *hashOfNow) HashAt(int) uint64 { return b.Hash() }

type pliesFromOne struct{ *nim }

func (b *pliesFromOne) Plies() int { return 1 + min(len(b.played), 2) }

type differenceAdds struct{ *nim }

func (b *differenceAdds) AppendDifference(before *engine.Board, removed, added []engine.Feature) (r, a []engine.Feature) {
	_, added = b.nim.AppendDifference(before, nil, added)
	return removed, added
}

type boardForgotten struct{ *nim }

func (b *boardForgotten) AppendDifference(before *engine.Board, removed, added []engine.Feature) (r, a []engine.Feature) {
	kept := *before
	return b.nim.AppendDifference(&kept, removed, added)
}

type viewBeyond struct{ *nim }

func (b *viewBeyond) View(engine.Side) int { return b.FeatureSet().Views }

type partsShared struct{ *nim }

func (b *partsShared) MoveParts(m engine.Move) [2]uint16 { return [2]uint16{uint16(m >> 8), 3} }

type partBeyond struct{ *nim }

func (b *partBeyond) MoveParts(m engine.Move) [2]uint16 {
	return [2]uint16{uint16(m >> 8), uint16(b.FeatureSet().Policy.Size) + uint16(m&7)}
}
