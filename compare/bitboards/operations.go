//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
)

// player is what both engines have.
type player interface {
	engine.Evaluator
	AppendCells(dst []byte) []byte
	At(sq cotulenh.Square) cotulenh.Stack
	Attacked(side engine.Side) bool
}

// engines are the engines to compare.
var engines = []struct {
	name string
	game engine.Game
}{
	{"mailbox", cotulenh.Game()},
	{"bitboard", bitboard.Game()},
}

// An operation does some work on positions and returns how many units of it.
type operation struct {
	name, unit string
	run        func(list []player) (units int)
}

var (
	moveList = make([]engine.Move, 0, 1024)
	cells    = make([]byte, 0, 264)
)

// operations are done on the positions of random games.
var operations = []operation{
	{"list of legal steps", "list", perPosition(func(p player) { moveList = p.Moves(moveList[:0]) })},
	{"list of captures", "list", perPosition(func(p player) { moveList = p.Captures(moveList[:0]) })},
	{"attack test, both commanders", "position", perPosition(func(p player) { p.Attacked(0); p.Attacked(1) })},
	{"static score", "position", perPosition(func(p player) { p.Evaluate() })},
	{"outcome", "position", perPosition(func(p player) { p.Outcome() })},
	{"Do and Undo, every step", "step", playEach(func(player, engine.Move) bool { return true })},
	{"Do and Undo, steps of air defense", "step", playEach(movesProvider)},
	{"Do and Undo, other steps", "step", playEach(func(p player, m engine.Move) bool { return !movesProvider(p, m) })},
	{"cells of the dataset's array", "position", perPosition(func(p player) { cells = p.AppendCells(cells[:0]) })},
	{"random ply", "ply", randomPlies},
	{"perft from the start, depth 3, bulk", "node", func(list []player) int { return int(engine.Perft(fromStart(list), 3)) }},
	{"perft from the start, depth 2, played", "node", func(list []player) int { return int(engine.PerftLeaf(fromStart(list), 2)) }},
}

func perPosition(query func(p player)) func([]player) int {
	return func(list []player) int {
		for _, p := range list {
			query(p)
		}
		return len(list)
	}
}

// playEach plays the chosen steps of each position and takes them back.
func playEach(choose func(p player, m engine.Move) bool) func([]player) int {
	chosen := map[player][]engine.Move{}
	return func(list []player) (units int) {
		for _, p := range list {
			steps, known := chosen[p]
			if !known {
				steps = slices.DeleteFunc(p.Moves(nil), func(m engine.Move) bool { return !choose(p, m) })
				chosen[p] = steps
			}
			for _, m := range steps {
				p.Do(m)
				p.Undo()
			}
			units += len(steps)
		}
		return units
	}
}

// movesProvider reports whether a step moves a stack that provides air defense.
func movesProvider(p player, m engine.Move) bool {
	s := cotulenh.Unpack(m)
	return !s.Commit && cotulenh.AirDefense(p.At(s.From)) > 0
}

func randomPlies(list []player) (units int) {
	src := rand.NewPCG(1, 1)
	for range 10 {
		units += playOut(list[0], src, func() {})
	}
	return units
}

// playOut plays a random game, calls before each ply and returns how many there were.
func playOut(p player, src *rand.PCG, before func()) (plies int) {
	for p.Reset(); plies < 1000 && p.Outcome() == engine.Ongoing; plies++ {
		before()
		p.DoRandom(src)
	}
	return plies
}

// fromStart returns a position at the start; the last of a list is kept for it.
func fromStart(list []player) player {
	p := list[len(list)-1]
	p.Reset()
	return p
}

// samplePositions returns the texts of positions of random games, every 20th ply.
func samplePositions() (texts []string) {
	p, src := engines[0].game.New("").(player), rand.NewPCG(7, 7)
	for range 6 {
		plies := 0
		playOut(p, src, func() {
			if plies++; plies%20 == 1 {
				texts = append(texts, p.String())
			}
		})
	}
	return texts
}

// load returns a position of the game for each text. Operations may change the first and the last one.
func load(g engine.Game, texts []string) (list []player, err error) {
	for _, text := range texts {
		p := g.New("").(player)
		if err := p.Set(text); err != nil {
			return nil, fmt.Errorf("position %q: %w", text, err)
		}
		list = append(list, p)
	}
	return list, nil
}
