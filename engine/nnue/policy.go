package nnue

import (
	"fmt"
	"strconv"

	"selfplay/engine"
)

// policy is the head of a network that rates moves. Each part of a move (engine.Policied) has a
// row of weights of the same form as an output layer.
type policy struct {
	weights []int16  // [parts][2][hidden]: the view of the side to move first
	pairs   []uint64 // the same for plain Go, see packPairs
	bias    []int64
}

// logitUnit is what logits are multiples of: 1/logitUnit.
const logitUnit = 100

// HasPolicy reports whether the network rates moves.
func (n *Network) HasPolicy() bool { return n.policy != nil }

// PolicySize returns the number of parts of moves that the network rates, 0 without a policy head.
func (n *Network) PolicySize() int {
	if n.policy == nil {
		return 0
	}
	return len(n.policy.bias)
}

// partLogit returns the logit of a part in units of 1/(QA*QB). Its magnitude is below 2^32.
func (n *Network) partLogit(own, other []uint64, part int) int64 {
	h := n.policy
	return n.product(own, other, h.weights, h.pairs, part)/QA + h.bias[part]
}

// logit returns the logit of a move from those of its parts.
func logit(first, second int64) int32 {
	l := (first + second) * logitUnit / (QA * QB)
	return int32(min(max(l, -engine.MaxStatic), engine.MaxStatic))
}

// The names that only a file with a policy head has.
const (
	policyWeights  = "policy_weights"
	policyBias     = "policy_bias"
	policyMetadata = "policy"
	policyVersion  = "policy_version"
)

// tensorCount returns the number of tensors that the file should have.
func (f *File) tensorCount() int {
	if _, found := f.Metadata[policyMetadata]; found {
		return 6
	}
	return 4
}

// policy reads the policy head for a game with a set of parts; nil without one. With weights of
// 8 bits an output has 2*MaxHidden products of at most 127*QA*QA, which is less than 2^34; see
// also outputPlain and outputAVX2.
func (f *File) policy(set *engine.PolicySet, hidden int) (*policy, error) {
	name, found := f.Metadata[policyMetadata]
	switch {
	case !found:
		return nil, nil
	case set == nil:
		return nil, fmt.Errorf("metadata policy is %q: the game has no parts of moves", name)
	case name != set.Name:
		return nil, fmt.Errorf("metadata policy is %q: want %q, or none", name, set.Name)
	case f.Metadata[policyVersion] != strconv.Itoa(set.Version):
		return nil, fmt.Errorf("metadata policy_version is %q: want \"%d\"", f.Metadata[policyVersion], set.Version)
	}
	weights, err := f.tensor(policyWeights, "I8", []int{set.Size, 2, hidden})
	if err != nil {
		return nil, err
	}
	bias, err := f.tensor(policyBias, "I32", []int{set.Size})
	if err != nil {
		return nil, err
	}
	return newPolicy(int8s(weights), int32s(bias))
}

// newPolicy returns a policy head of weights.
func newPolicy(weights []int16, bias []int32) (*policy, error) {
	for i, weight := range weights {
		if weight < -maxOutputWeight {
			return nil, fmt.Errorf("policy weight %d is %d: want -%d to %d", i, weight, maxOutputWeight, maxOutputWeight)
		}
	}
	h := &policy{weights: weights}
	if !hasVectors {
		h.pairs = packPairs(weights)
	}
	for _, b := range bias {
		h.bias = append(h.bias, int64(b))
	}
	return h, checkBias("policy", bias)
}

func int8s(data []byte) []int16 {
	list := make([]int16, len(data))
	for i, b := range data {
		list[i] = int16(int8(b))
	}
	return list
}

// partLogit is the logit of a part of moves, which many moves of a position share.
type partLogit struct {
	value int64
	round uint32 // the call of AppendLogits that computed it
}

// AppendLogits appends the logits of legal moves of the position as it is now, in hundredths. The
// probability of a move is the softmax of them. It panics if the network has no policy head. In a
// position with more active features than any position of a game, all logits are 0.
func (s *Scorer) AppendLogits(dst []int32, moves []engine.Move) []int32 {
	if !s.net.HasPolicy() {
		panic("nnue: the network has no policy head")
	}
	e := s.current()
	s.beginRound()
	us := s.p.Turn() & 1
	own, other := e.views[us], e.views[us^1]
	for _, m := range moves {
		if e.size > s.net.features.Most {
			dst = append(dst, 0)
			continue
		}
		parts := s.moves.MoveParts(m)
		dst = append(dst, logit(s.partLogit(own, other, parts[0]), s.partLogit(own, other, parts[1])))
	}
	return dst
}

// beginRound forgets the logits of parts.
func (s *Scorer) beginRound() {
	s.round++
	if s.round == 0 {
		clear(s.parts)
		s.round = 1
	}
}

// partLogit returns the logit of a part and computes it once a round.
func (s *Scorer) partLogit(own, other []uint64, part uint16) int64 {
	p := &s.parts[part]
	if p.round != s.round {
		p.value, p.round = s.net.partLogit(own, other, int(part)), s.round
	}
	return p.value
}
