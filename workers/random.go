package workers

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"selfplay/engine"
	"selfplay/engine/search"
)

// The random player draws from the legal moves: uniformly (random:uniform), or with a
// sampler of its game and the fraction that parametrizes it (random:tile=0.25). Without a
// parameter it uses the first sampler of the game with its default, or draws uniformly if
// the game has no sampler.

// uniformPlayer draws uniformly from the legal moves.
type uniformPlayer struct{}

func (uniformPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = pos.DoRandom(src)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

// samplerPlayer draws with a sampler of the game.
type samplerPlayer struct {
	doRandom func(engine.Position, *rand.PCG, engine.Fraction) (engine.Move, bool)
	value    engine.Fraction
}

func (p samplerPlayer) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = p.doRandom(pos, src, p.value)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

func randomParams(g *engine.Game) []Param {
	list := []Param{{Name: "uniform", Doc: "draw every legal move with equal probability"}}
	for _, s := range g.Samplers {
		list = append(list, Param{Name: s.Name, Usage: "FRACTION", Doc: "draw with the game's own sampler and this parameter", Default: int(s.Default), Max: int(engine.One), Decimals: true})
	}
	return list
}

// parseRandom accepts at most one parameter. The canonical form always names the
// distribution, unless the game has no sampler.
func parseRandom(g *engine.Game, params []string) (string, Factory, error) {
	text := strings.Join(params, ",")
	switch {
	case len(params) == 0 && len(g.Samplers) == 0, text == "uniform":
		canonical := "uniform"
		if len(g.Samplers) == 0 {
			canonical = ""
		}
		return canonical, Factory{Stateless: true, New: func(search.Abort) Player { return uniformPlayer{} }}, nil
	case len(params) == 0:
		return samplerFactory(g.Samplers[0], g.Samplers[0].Default)
	}
	name, value, _ := strings.Cut(text, "=")
	for _, s := range g.Samplers {
		if s.Name == name {
			f, err := engine.ParseFraction(value)
			if err != nil {
				return "", Factory{}, fmt.Errorf("%s: %w", name, err)
			}
			return samplerFactory(s, f)
		}
	}
	return "", Factory{}, unknownParam(text, randomParams(g))
}

func samplerFactory(s engine.Sampler, value engine.Fraction) (string, Factory, error) {
	return s.Name + "=" + value.String(), Factory{Stateless: true, New: func(search.Abort) Player { return samplerPlayer{s.DoRandom, value} }}, nil
}
