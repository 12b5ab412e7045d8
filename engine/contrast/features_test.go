package contrast

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// TestFeatureTable: the trainer numbers features and parts of moves as networks do.
func TestFeatureTable(t *testing.T) {
	table := enginetest.FeatureTable{
		Set: &featureSet, Codes: make([][]int, maxCode+1), Turned: make([]int, handFeatures/numCells),
		Policy: &enginetest.FeaturePolicy{
			Name: policySet.Name, Version: policySet.Version, Size: policySet.Size, Steps: stepParts, Tiles: tileParts,
		},
	}
	for code := range table.Codes {
		table.Codes[code] = []int{}
		f := codeFeatures[code]
		if f != noFeature {
			own, other := f.In(engine.First), f.In(engine.Second)
			table.Codes[code] = []int{own}
			table.Turned[own/numCells] = other
		}
	}
	for side := range 2 {
		black, gray := ofHand(uint8(side), 0)
		element := numCells + 2*side
		table.Hands = append(table.Hands,
			[4]int{element, black.In(engine.First), black.In(engine.Second), grayFeatures},
			[4]int{element + 1, gray.In(engine.First), gray.In(engine.Second), enemyHand - grayFeatures})
	}
	table.Golden(t, "../../train/nnue/tables/contrast.json")
}
