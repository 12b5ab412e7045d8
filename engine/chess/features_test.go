package chess

import (
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// TestFeatureTable: the trainer numbers features as networks do.
func TestFeatureTable(t *testing.T) {
	table := enginetest.FeatureTable{
		Set: &featureSet, Codes: [][]int{{}}, Turned: make([]int, featuresPerBucket/64), Hands: [][4]int{},
		Kings: &enginetest.FeatureKings{Size: featuresPerBucket, First: pieceFeatures[white|king].In(engine.First)},
	}
	for _, colour := range []uint16{white, black} {
		for kind := uint16(pawn); kind <= king; kind++ {
			own, other := pieceFeatures[colour|kind].In(engine.First), pieceFeatures[colour|kind].In(engine.Second)
			table.Codes = append(table.Codes, []int{own})
			table.Turned[own/64] = other
		}
	}
	for _, v := range kingViews {
		table.Kings.Mirror = append(table.Kings.Mirror, int(v.mirror))
		table.Kings.Bucket = append(table.Kings.Bucket, int(v.bucket/featuresPerBucket))
	}
	table.Golden(t, "../../train/nnue/tables/chess.json")
}
