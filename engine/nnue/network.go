package nnue

import "selfplay/engine"

// Quantisation of version 1: one unit of an accumulator is 1/QA, one unit of an output
// weight is 1/QB.
const (
	QA = 255
	QB = 64
)

// Version is the version of the scores and logits that a network gives. It belongs to the version of
// every player with a network: raise it whenever one could change.
const Version = 1

// Limits of a network.
const (
	MinHidden  = 16
	MaxHidden  = 512 // a multiple of MinHidden
	MaxBuckets = 16
	MaxScale   = engine.MaxStatic

	maxOutputWeight = 127     // times QA it fits in 16 bits
	maxOutputBias   = 1 << 30 // exclusive
)

// Network is a network whose weights are fixed. It is safe for concurrent use.
type Network struct {
	metadata Metadata
	sum      [32]byte

	features engine.FeatureSet // what the weights were made for
	hidden   int               // accumulators of a view
	words    int               // hidden/4: uint64s of a view
	buckets  int
	scale    int64
	based    bool // the hand-written score is added

	rows       []uint64 // of the features, words each; see kernels.go
	bias       []uint64
	bucketOf   []uint8 // by number of active features
	outputBias []int64 // by bucket

	outputWeights []int16  // [buckets][2][hidden]: the view of the side to move first
	outputPairs   []uint64 // the same for plain Go, see packPairs

	policy *policy // nil without a policy head
}

// weights are the tensors of a file.
type weights struct {
	features, featureBias, output []int16
	outputBias                    []int32
}

// newNetwork builds a network from valid weights.
func newNetwork(set engine.FeatureSet, hidden, scale int, w *weights) *Network {
	n := &Network{
		features: set, hidden: hidden, words: hidden / lanes, buckets: len(w.outputBias), scale: int64(scale),
		rows: packRows(w.features), bias: packRows(w.featureBias),
		outputWeights: w.output, outputPairs: packPairs(w.output),
	}
	for i, word := range n.bias {
		n.bias[i] = word + zeroLanes
	}
	for _, b := range w.outputBias {
		n.outputBias = append(n.outputBias, int64(b))
	}
	for active := range set.Most + 1 {
		b := max(active-1, 0) * n.buckets / set.Most
		n.bucketOf = append(n.bucketOf, uint8(min(b, n.buckets-1)))
	}
	return n
}

// Hidden returns the number of accumulators of a view.
func (n *Network) Hidden() int { return n.hidden }

// Features returns the features that the network was made for.
func (n *Network) Features() engine.FeatureSet { return n.features }

// Buckets returns the number of output layers; material decides which one is used.
func (n *Network) Buckets() int { return n.buckets }

// Scale returns the score, in centi-units, of an output of 1.
func (n *Network) Scale() int { return int(n.scale) }

// Metadata returns what the file says about the network.
func (n *Network) Metadata() Metadata { return n.metadata }

// Sum returns the SHA-256 of the network's file, which is its identity.
func (n *Network) Sum() [32]byte { return n.sum }

// bucket returns the output layer for a number of active features.
func (n *Network) bucket(active int) int {
	return int(n.bucketOf[min(active, len(n.bucketOf)-1)])
}

// score returns the score for the side whose accumulators are own.
func (n *Network) score(own, other []uint64, active int) int {
	b := n.bucket(active)
	return n.scaled(n.output(own, other, b), b)
}

// scoreAfter is score for the side to move after a move that changes the features of an entry.
func (n *Network) scoreAfter(e *entry, us engine.Side, active int, added, removed []engine.Feature) int {
	b := n.bucket(active)
	return n.scaled(n.outputAfter(e.views[us&1], e.views[us&1^1], added, removed, us, b), b)
}

// scaled returns the score of an output.
func (n *Network) scaled(output int64, bucket int) int {
	s := (output/QA + n.outputBias[bucket]) * n.scale / (QA * QB)
	return int(min(max(s, -engine.MaxStatic), engine.MaxStatic))
}
