package workers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
	"selfplay/engine/search"
	"selfplay/workers/batching"
)

// A program of the user may be a player: own:NAME. It is asked as models are, through the dispatcher of the pool.

// ownPlayer asks a program for its moves.
type ownPlayer struct {
	model    *Model
	history  *History
	rec      *engine.Record
	seed     uint64 // of the series
	question *Question
	ask      func(m *Model, q *Question) error // that of a worker asks through the dispatcher of its pool
	moves    []engine.Move
	policy   []Weight
	err      error // of the last decision
}

var _ beginner = (*ownPlayer)(nil)

func (p *ownPlayer) Begin(rec *engine.Record) {
	p.rec = rec
	p.history.Begin(rec)
}

// Err returns why the last decision failed, nil if it did not.
func (p *ownPlayer) Err() error { return p.err }

func (p *ownPlayer) Play(pos engine.Position, _ *rand.PCG, d *Decision) bool {
	p.err = nil
	if pos.Outcome() != engine.Ongoing {
		return false
	}
	p.err = p.decide(pos, d)
	if p.err != nil {
		p.question = nil // its answer may still arrive
		return false
	}
	pos.Do(d.Move)
	return true
}

// decide asks for a decision.
func (p *ownPlayer) decide(pos engine.Position, d *Decision) error {
	if p.question == nil {
		p.question = new(Question)
	}
	p.moves = pos.Moves(p.moves[:0])
	if err := p.history.AskTurn(p.question, pos, p.moves, turnSeed(p.seed, p.rec.Game, len(p.rec.Actions))); err != nil {
		return err
	}
	if err := p.ask(p.model, p.question); err != nil {
		return err
	}
	p.take(p.question.Turn, d)
	return nil
}

// take describes an answer as a decision. The best move is the one with the largest weight, and the one that is played
// without a policy.
func (p *ownPlayer) take(t *Turn, d *Decision) {
	*d = Decision{Move: p.moves[t.Choice], Best: p.moves[t.Choice]}
	if !t.Scored {
		return
	}
	d.Nodes, d.Score = 1, t.Score
	if len(t.Policy) == 0 {
		return
	}
	p.policy = p.policy[:0]
	better := 0
	for i, weight := range t.Policy {
		if weight > 0 {
			p.policy = append(p.policy, Weight{p.moves[i], weight})
		}
		if weight > t.Policy[t.Choice] {
			better++
		}
	}
	slices.SortStableFunc(p.policy, func(a, b Weight) int { return int(b.Weight) - int(a.Weight) })
	d.Policy, d.Rank = p.policy, moveRank(better)
	if better > 0 {
		d.Best = p.policy[0].Move
	}
}

// seedBits is the size of the seeds of decisions: a float64 holds them, as numbers in JSON often are.
const seedBits = 53

// turnPurpose is the purpose of the random numbers; see encode.Filter.
const turnPurpose = 0x7475726e // "turn"

// turnSeed returns the seed of a decision. The games of own players depend on it: never change it.
func turnSeed(seed, game uint64, ply int) uint64 {
	key := engine.Mix(engine.Mix(seed^engine.Mix(turnPurpose)) ^ game)
	return engine.Mix(key^uint64(ply)) >> (64 - seedBits)
}

// ownParams describes the parameter for help.
func ownParams(*engine.Game) []Param {
	return []Param{{Name: "NAME", Doc: "the program, which --evaluator NAME=... starts or connects to"}}
}

// readOwn returns the player that a program with a name is.
func (t *PlayerType) readOwn(texts []string, find Models) (c component, version int, err error) {
	switch {
	case len(texts) != 1 || !isWord(texts[0]):
		return c, 0, fmt.Errorf("want %s:NAME, with a name of lower-case letters, digits and _", t.Name)
	case find == nil:
		return c, 0, errors.New("no programs here: only commands that take --evaluator ask them")
	}
	m, err := find(texts[0])
	if err != nil {
		return c, 0, err
	}
	c.name = t.Name + ":" + texts[0]
	c.Factory = Factory{Searches: true, OnlyBest: true, Stateless: true, network: &Network{model: m}, New: func(search.Abort) Player {
		return &ownPlayer{model: m, history: batching.NewHistory(&m.Game, m.Variant), ask: askAlone}
	}}
	return c, t.Version, nil
}
