package search

import (
	"errors"
	"fmt"
	"unsafe"

	"selfplay/engine"
)

// MCTSOptions configure MCTS. Only Sims is required.
type MCTSOptions struct {
	Sims int // simulations of a search, 1 to MaxSims
	C    int // PUCT exploration constant in thousandths; 0 means 1500
	FPU  int // first-play urgency: how far below its parent's value an untried move starts, in thousandths
	// FPUReduction lowers the first-play urgency further, by this times the square root of the prior
	// of the moves tried, in thousandths: the more promising moves are known, the less an untried
	// one is worth.
	FPUReduction int
	Scale        int // scale of the logistic curve: static score with an expected result of 73 %, in centi-units; 0 means 200

	// Cheap is the number of simulations of a cheap search, below Sims; 0 means that all searches are
	// full. Full is the fraction of full searches in thousandths, which src draws.
	Cheap, Full int

	Priors     Priors
	PriorScale int // softmax temperature of the priors in centi-units; 0 means 100

	Noise         int // fraction of Dirichlet noise in the root priors, in thousandths; 0 means none
	Concentration int // concentration (alpha) of the Dirichlet noise, in thousandths; 0 means 300

	Root       Root // selection of root moves
	Considered int  // of RootGumbel: root moves that are considered; 0 means 16
	Gumbel     int  // of RootGumbel: scale of the Gumbel noise in thousandths; 0 means none, 1000 is that of the paper

	Target Target // policy weights of the result

	Leaf    Leaf   // scores of leaves
	Scorer  Scorer // source of static scores, of this searcher alone; nil means Evaluate
	Rollout int    // random plies before a leaf is scored; 0 means none
	Abort   Abort  // ends the search early, after one simulation at least

	// Model gives the values of leaves and the logits of moves, of this searcher alone. It needs
	// PriorNet, and excludes a Scorer, LeafQuiescence and Rollout, which score other positions than
	// those of the tree. nil means none.
	Model Model
}

// Priors selects the scores that the priors are a softmax of. Those of PriorNet are logits in
// hundredths, so with a PriorScale of 100 the priors are the probabilities of the policy.
type Priors uint8

// The sources of priors.
const (
	PriorGain   Priors = iota // Gain of the move: cheap
	PriorStatic               // static score after the move: more accurate, plays every child once
	PriorDelta                // Gain and Placement of the move: the change of the static score without playing
	PriorNet                  // logit by Model or by Scorer, which must be a Policy
)

// Root selects how simulations choose root moves.
type Root uint8

// The selections of root moves.
const (
	RootPUCT   Root = iota // as in all other nodes
	RootGumbel             // a sample of moves and sequential halving: see gumbel.go
)

// Leaf selects the scores of leaves.
type Leaf uint8

// The scores of leaves.
const (
	LeafStatic     Leaf = iota // static score
	LeafQuiescence             // static score after the best captures
)

// Target selects the policy weights of root moves.
type Target uint8

// The policy targets.
const (
	TargetVisits     Target = iota // visits
	TargetCompletedQ               // softmax of prior and completed value: see target.go
)

// Limits of the options.
const (
	MaxSims    = 1<<16 - 1 // so that the moves of all nodes have indexes of 32 bits
	maxScale   = engine.MaxStatic
	maxC       = 1_000_000
	maxFPU     = 2000
	maxGumbel  = 10_000
	maxRollout = 10_000
)

// Validate returns an error for the first option out of range, or if Scorer cannot give the Priors.
func (o MCTSOptions) Validate() error {
	for _, c := range []struct {
		name            string
		value, min, max int
	}{
		{"sims", o.Sims, 1, MaxSims},
		{"c", o.C, 0, maxC},
		{"fpu", o.FPU, -maxFPU, maxFPU},
		{"fpu reduction", o.FPUReduction, 0, maxFPU},
		{"cheap", o.Cheap, 0, max(o.Sims-1, 0)},
		{"full", o.Full, 0, 1000},
		{"scale", o.Scale, 0, maxScale},
		{"priors", int(o.Priors), 0, int(PriorNet)},
		{"prior scale", o.PriorScale, 0, maxScale},
		{"noise", o.Noise, 0, 1000},
		{"concentration", o.Concentration, 0, 1_000_000},
		{"root", int(o.Root), 0, int(RootGumbel)},
		{"considered", o.Considered, 0, maxMoveCount},
		{"gumbel", o.Gumbel, 0, maxGumbel},
		{"leaf", int(o.Leaf), 0, int(LeafQuiescence)},
		{"target", int(o.Target), 0, int(TargetCompletedQ)},
		{"rollout", o.Rollout, 0, maxRollout},
	} {
		if c.value < c.min || c.value > c.max {
			return fmt.Errorf("set %s %d: want %d to %d", c.name, c.value, c.min, c.max)
		}
	}
	if o.Root == RootGumbel && o.Noise > 0 {
		return errors.New("set noise: want none with RootGumbel, which has noise of its own")
	}
	return o.validateSources()
}

// validateSources returns an error if the sources of scores and logits do not fit each other.
func (o MCTSOptions) validateSources() error {
	_, isPolicy := o.Scorer.(Policy)
	switch {
	case o.Model == nil && o.Priors == PriorNet && !isPolicy:
		return fmt.Errorf("set priors %d: want a Scorer that is a Policy", o.Priors)
	case o.Model == nil:
		return nil
	case o.Priors != PriorNet:
		return fmt.Errorf("set priors %d: want %d with a Model", o.Priors, PriorNet)
	case o.Scorer != nil || o.Leaf != LeafStatic || o.Rollout > 0:
		return errors.New("set a Model: want no Scorer, static leaves and no rollouts")
	}
	return nil
}

// TreeBytes returns the largest size of the tree of a search, in a game whose positions have at most
// some number of legal moves. Every simulation adds a node and may expand one.
func (o MCTSOptions) TreeBytes(moves int) uint64 {
	perMove := unsafe.Sizeof(untried(0))
	if o.Model != nil {
		perMove += unsafe.Sizeof(int16(0)) // its logit
	}
	lists := uint64(moves) * uint64(perMove) * 5 / 4 // a slice that is full grows by a quarter
	return uint64(o.Sims+1) * (uint64(unsafe.Sizeof(node{})) + lists)
}

// withDefaults replaces zero options by their defaults.
func (o MCTSOptions) withDefaults() MCTSOptions {
	for _, d := range []struct {
		option *int
		value  int
	}{
		{&o.C, 1500},
		{&o.Scale, 200},
		{&o.PriorScale, 100},
		{&o.Concentration, 300},
		{&o.Considered, 16},
	} {
		if *d.option == 0 {
			*d.option = d.value
		}
	}
	return o
}
