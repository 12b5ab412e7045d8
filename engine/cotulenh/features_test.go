package cotulenh

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// TestFeatureTable: the trainer numbers features as networks do.
func TestFeatureTable(t *testing.T) {
	table := enginetest.FeatureTable{Set: &featureSet, Turned: make([]int, featureSet.Size/numCells), Hands: [][4]int{}}
	for code := range Stack(NumStacks) {
		list := []int{}
		for slot := range infos[code].size {
			list = append(list, memberFeatures[code][slot].In(engine.First))
		}
		table.Codes = append(table.Codes, list)
	}
	for side := range uint8(2) {
		for kind := range uint8(numKinds) {
			for slot := range uint8(2) {
				f := memberFeature(side, kind, slot)
				table.Turned[f.In(engine.First)/numCells] = f.In(engine.Second)
			}
		}
	}
	table.Golden(t, "../../train/nnue/tables/cotulenh.json")
}
