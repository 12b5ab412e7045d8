package workers

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"selfplay/engine"
)

// The random player draws uniformly from the legal moves, or by dice that its
// game offers: random:uniform, random:tile=0.25. Without a parameter it takes
// the game's first dice with their default, or draws uniformly if there are none.

// uniform draws from the legal moves as its position does.
type uniform struct{}

func (uniform) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = pos.DoRandom(src)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

// loaded draws by dice of the game.
type loaded struct {
	random func(engine.Position, *rand.PCG, engine.Fraction) (engine.Move, bool)
	share  engine.Fraction
}

func (l loaded) Play(pos engine.Position, src *rand.PCG, d *Decision) (ok bool) {
	d.Move, ok = l.random(pos, src, l.share)
	d.Rank, d.Nodes = engine.RankRandom, 0
	return ok
}

func randomParams(g *engine.Game) []param {
	list := []param{{name: "uniform", doc: "all moves alike"}}
	for _, d := range g.Samplers {
		list = append(list, param{name: d.Name, usage: "SHARE", doc: "by the game's own dice", value: int(d.Default), most: int(engine.One), decimals: true})
	}
	return list
}

// parseRandom takes one parameter at most. Its canonical form is empty only where
// the game has no dice, so that a name says how it draws.
func parseRandom(g *engine.Game, params []string) (string, maker, error) {
	param := strings.Join(params, ",")
	switch {
	case len(params) == 0 && len(g.Samplers) == 0, param == "uniform":
		canonical := "uniform"
		if len(g.Samplers) == 0 {
			canonical = ""
		}
		return canonical, maker{make: func() Player { return uniform{} }}, nil
	case len(params) == 0:
		return loadedWith(g.Samplers[0], g.Samplers[0].Default)
	}
	name, value, _ := strings.Cut(param, "=")
	for _, d := range g.Samplers {
		if d.Name == name {
			share, err := engine.ParseFraction(value)
			if err != nil {
				return "", maker{}, fmt.Errorf("%s: %w", name, err)
			}
			return loadedWith(d, share)
		}
	}
	return "", maker{}, fmt.Errorf("unknown parameter %q", param)
}

func loadedWith(d engine.Sampler, share engine.Fraction) (string, maker, error) {
	return d.Name + "=" + share.String(), maker{make: func() Player { return loaded{d.DoRandom, share} }}, nil
}
