package nnue_test

import (
	"selfplay/engine"
	"selfplay/engine/nnue"
	"selfplay/engine/nnue/nnuetest"
)

// reference computes scores as the package comment states them, from the tensors of a file
// and the features of a position, without increments, lanes and vectors.
type reference struct {
	set             *engine.FeatureSet
	hidden, buckets int
	scale           int
	bias, weights   []int
	output          []int
	outputBias      []int
}

func newReference(n nnuetest.Network) *reference {
	t := n.Tensors()
	return &reference{n.Features, n.Hidden, n.Buckets, n.Scale, t[0].Values(), t[1].Values(), t[3].Values(), t[2].Values()}
}

func (r *reference) score(p engine.Featured) int {
	active, out := p.AppendFeatures(nil), 0
	bucket := min(max((len(active)-1)*r.buckets/r.set.Most, 0), r.buckets-1)
	for view, side := range [2]engine.Side{p.Turn(), p.Turn().Other()} {
		for i := range r.hidden {
			sum := r.bias[i]
			for _, f := range active {
				sum += r.weights[f.In(side)*r.hidden+i]
			}
			x := min(max(sum, 0), nnue.QA)
			out += x * x * r.output[(2*bucket+view)*r.hidden+i]
		}
	}
	s := (out/nnue.QA + r.outputBias[bucket]) * r.scale / (nnue.QA * nnue.QB)
	return min(max(s, -engine.MaxStatic), engine.MaxStatic)
}
