package othello

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"selfplay/encode"
	"selfplay/encode/encodetest"
	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// planted is Othello with methods that can be replaced, one for each fault.
type planted struct {
	*Position

	reset     func(p *Position)
	set       func(p *Position, text string) error
	text      func(p *Position) string
	turn      func(p *Position) engine.Side
	check     func(p *Position) bool
	moves     func(p *Position, dst []engine.Move) []engine.Move
	do        func(p *Position, m engine.Move)
	undo      func(p *Position)
	random    func(p *Position, src *rand.PCG) (engine.Move, bool)
	outcome   func(p *Position) engine.Outcome
	hash      func(p *Position) uint64
	format    func(p *Position, m engine.Move) string
	parse     func(p *Position, text string) (engine.Move, error)
	evaluate  func(p *Position) int
	over      func(p *Position) bool
	captures  func(p *Position, dst []engine.Move) []engine.Move
	legal     func(p *Position, m engine.Move) bool
	gain      func(p *Position, m engine.Move) int
	placement func(p *Position, m engine.Move) int
	hangs     func(p *Position, m engine.Move) bool
	checks    func(p *Position, m engine.Move) bool
	tuning    func(p *Position) *engine.Tuning
}

// unplanted returns Othello without a fault.
func unplanted() *planted {
	return &planted{
		Position:  New(),
		reset:     (*Position).Reset,
		set:       (*Position).Set,
		text:      (*Position).String,
		turn:      (*Position).Turn,
		check:     (*Position).Check,
		moves:     (*Position).Moves,
		do:        (*Position).Do,
		undo:      (*Position).Undo,
		random:    (*Position).DoRandom,
		outcome:   (*Position).Outcome,
		hash:      (*Position).Hash,
		format:    (*Position).FormatMove,
		parse:     (*Position).ParseMove,
		evaluate:  (*Position).Evaluate,
		over:      (*Position).Over,
		captures:  (*Position).Captures,
		legal:     (*Position).Legal,
		gain:      (*Position).Gain,
		placement: (*Position).Placement,
		hangs:     (*Position).Hangs,
		checks:    (*Position).GivesCheck,
		tuning:    (*Position).Tuning,
	}
}

func (b *planted) Reset()                                     { b.reset(b.Position) }
func (b *planted) Set(text string) error                      { return b.set(b.Position, text) }
func (b *planted) String() string                             { return b.text(b.Position) }
func (b *planted) Turn() engine.Side                          { return b.turn(b.Position) }
func (b *planted) Check() bool                                { return b.check(b.Position) }
func (b *planted) Moves(dst []engine.Move) []engine.Move      { return b.moves(b.Position, dst) }
func (b *planted) Do(m engine.Move)                           { b.do(b.Position, m) }
func (b *planted) Undo()                                      { b.undo(b.Position) }
func (b *planted) DoRandom(src *rand.PCG) (engine.Move, bool) { return b.random(b.Position, src) }
func (b *planted) Outcome() engine.Outcome                    { return b.outcome(b.Position) }
func (b *planted) Hash() uint64                               { return b.hash(b.Position) }
func (b *planted) FormatMove(m engine.Move) string            { return b.format(b.Position, m) }
func (b *planted) ParseMove(text string) (engine.Move, error) { return b.parse(b.Position, text) }
func (b *planted) Evaluate() int                              { return b.evaluate(b.Position) }
func (b *planted) Over() bool                                 { return b.over(b.Position) }
func (b *planted) Captures(dst []engine.Move) []engine.Move   { return b.captures(b.Position, dst) }
func (b *planted) Legal(m engine.Move) bool                   { return b.legal(b.Position, m) }
func (b *planted) Gain(m engine.Move) int                     { return b.gain(b.Position, m) }
func (b *planted) Placement(m engine.Move) int                { return b.placement(b.Position, m) }
func (b *planted) Hangs(m engine.Move) bool                   { return b.hangs(b.Position, m) }
func (b *planted) GivesCheck(m engine.Move) bool              { return b.checks(b.Position, m) }
func (b *planted) Tuning() *engine.Tuning                     { return b.tuning(b.Position) }

// entryOf returns the entry of Othello with a fault in its rules.
func entryOf(plant func(b *planted)) encode.Game {
	g := Entry()
	g.New = func(string) engine.Position {
		b := unplanted()
		plant(b)
		return b
	}
	for i := range g.Layouts {
		inner := g.Layouts[i].Encode
		g.Layouts[i].Encode = func(dst []byte, p engine.Position) []byte { return inner(dst, p.(*planted).Position) }
	}
	move := g.Actions.Move
	g.Actions.Move = func(p engine.Position, action uint16) (engine.Move, error) {
		return move(p.(*planted).Position, action)
	}
	return g
}

// faultsOfRules are wrong answers, each of one method, with the law that names it.
var faultsOfRules = []struct {
	fault, law string
	plant      func(b *planted)
}{
	{"Reset keeps the side to move", "reset returns to the start", func(b *planted) {
		b.reset = func(p *Position) { turn := p.turn; p.Reset(); p.turn = turn }
	}},
	{"Set keeps the moves played", "set clears the history", func(b *planted) {
		b.set = func(p *Position, text string) error {
			played := p.played
			err := p.Set(text)
			p.played = played
			return err
		}
	}},
	{"Set reads every side as black", "text round trip changes nothing", func(b *planted) {
		b.set = func(p *Position, text string) error {
			err := p.Set(text)
			if err == nil {
				p.turn = engine.First
			}
			return err
		}
	}},
	{"String omits the last disc", "text round trip changes nothing", func(b *planted) {
		b.text = func(p *Position) string { t := p.String(); return t[:70] + "." + t[71:] }
	}},
	{"Turn is 2 after a pass", "the side to move is one of two", func(b *planted) {
		b.turn = func(p *Position) engine.Side {
			if n := len(p.played); n > 0 && p.played[n-1].move == pass {
				return 2
			}
			return p.turn
		}
	}},
	{"Turn is the opponent", "scores foretell results", func(b *planted) {
		b.turn = func(p *Position) engine.Side { return p.turn.Other() }
	}},
	{"Check is true where few cells are empty", "check occurs exactly if the game has check", func(b *planted) {
		b.check = func(p *Position) bool { return count(p.discs[0]|p.discs[1]) > 60 }
	}},
	{"Moves omits the last of many", "a draw plays a listed move", func(b *planted) {
		b.moves = func(p *Position, dst []engine.Move) []engine.Move {
			list := p.Moves(dst)
			if len(list)-len(dst) > 12 {
				list = list[:len(list)-1]
			}
			return list
		}
	}},
	{"Do forgets one direction for white", "flipped moves are the moves of the flipped position", func(b *planted) {
		b.do = func(p *Position, m engine.Move) {
			p.Do(m)
			last := &p.played[len(p.played)-1]
			if row := last.turned & (0xFF << (m &^ 7)); p.turn == engine.First && last.turned != row {
				last.turned &^= row
				p.discs[1] &^= row
				p.discs[0] |= row
			}
		}
	}},
	{"Undo forgets discs that h-file moves turned", "undo restores everything", func(b *planted) {
		b.undo = func(p *Position) {
			if n := len(p.played) - 1; p.played[n].move%8 == 7 && p.played[n].move != pass {
				p.played[n].turned = 0
			}
			p.Undo()
		}
	}},
	{"DoRandom never draws the last move", "draws are uniform", func(b *planted) {
		b.random = func(p *Position, src *rand.PCG) (engine.Move, bool) {
			list := p.Moves(nil)
			if len(list) < 2 {
				return p.DoRandom(src)
			}
			m := list[engine.Below(src, uint32(len(list)-1))]
			p.Do(m)
			return m, true
		}
	}},
	{"Outcome has black win both ways", "flipped positions are worth the same to the other side", func(b *planted) {
		b.outcome = func(p *Position) engine.Outcome {
			o := p.Outcome()
			if o.Result == engine.SecondWins {
				o.Result = engine.FirstWins
			}
			return o
		}
	}},
	{"Outcome lets fewer discs win", "scores foretell results", func(b *planted) {
		b.outcome = func(p *Position) engine.Outcome {
			o := p.Outcome()
			switch o.Result {
			case engine.FirstWins:
				o.Result = engine.SecondWins
			case engine.SecondWins:
				o.Result = engine.FirstWins
			default:
			}
			return o
		}
	}},
	{"Outcome never ends a game", "moves are appended once each", func(b *planted) {
		b.outcome = func(*Position) engine.Outcome { return engine.Ongoing }
	}},
	{"Hash ignores the side to move", "changed boards are other positions", func(b *planted) {
		b.hash = func(p *Position) uint64 { return engine.Mix(p.discs[0] ^ engine.Mix(p.discs[1])) }
	}},
	{"FormatMove swaps two cells of the last rank", "move text round trips", func(b *planted) {
		b.format = func(p *Position, m engine.Move) string {
			if m == 62 {
				m = 61
			}
			return p.FormatMove(m)
		}
	}},
	{"ParseMove reads any cell", "move text round trips", func(b *planted) {
		b.parse = func(p *Position, text string) (engine.Move, error) {
			if cell, ok := grid.Cell(text); ok {
				return engine.Move(cell), nil
			}
			return p.ParseMove(text)
		}
	}},
	{"Evaluate is the view of black", "flipped positions are worth the same to the other side", func(b *planted) {
		b.evaluate = func(p *Position) int {
			if p.turn == engine.Second {
				return -p.Evaluate()
			}
			return p.Evaluate()
		}
	}},
	{"Evaluate is the view of the opponent", "scores foretell results", func(b *planted) {
		b.evaluate = func(p *Position) int { return -p.Evaluate() }
	}},
	{"Over passes the turn on a full board", "questions change nothing", func(b *planted) {
		b.over = func(p *Position) bool { p.turn ^= engine.Side(count(p.discs[0]|p.discs[1]) >> 6); return p.Over() }
	}},
	{"Captures lacks h8", "captures are listed moves", func(b *planted) {
		b.captures = func(p *Position, dst []engine.Move) []engine.Move {
			n := len(dst)
			dst = p.Captures(dst)
			if len(dst) > n && dst[len(dst)-1] == 63 {
				dst = dst[:len(dst)-1]
			}
			return dst
		}
	}},
	{"Legal accepts the pass always", "legal moves are the listed moves", func(b *planted) {
		b.legal = func(p *Position, m engine.Move) bool { return m == pass || p.Legal(m) }
	}},
	{"Gain leaves a disc behind", "questions change nothing", func(b *planted) {
		b.gain = func(p *Position, m engine.Move) int {
			p.discs[p.turn] ^= 1 << 9
			return p.Gain(m)
		}
	}},
	{"Gain of corners is a loss", "captures are listed moves", func(b *planted) {
		b.gain = func(p *Position, m engine.Move) int {
			if p.Gain(m) == 0 && m == 9 {
				return 50
			}
			return -p.Gain(m)
		}
	}},
	{"Gain panics on cells that are taken", "", func(b *planted) {
		b.gain = func(p *Position, m engine.Move) int {
			if !p.Legal(m) {
				panic("not legal")
			}
			return p.Gain(m)
		}
	}},
	{"Placement is worth more to white", "flipped positions are worth the same to the other side", func(b *planted) {
		b.placement = func(p *Position, m engine.Move) int { return int(p.turn) * int(m) }
	}},
	{"Placement is a random number", "scores and gains depend on the text alone", func(b *planted) {
		b.placement = func(*Position, engine.Move) int { return rand.IntN(9) }
	}},
	{"Hangs is always true", "gains and placements foretell scores", func(b *planted) {
		b.hangs = func(*Position, engine.Move) bool { return true }
	}},
	{"GivesCheck is true in a game without check", "moves that give check lead to check", func(b *planted) {
		b.checks = func(_ *Position, m engine.Move) bool { return m == 20 }
	}},
	{"Tuning is nil", "margins are constant", func(b *planted) { b.tuning = func(*Position) *engine.Tuning { return nil } }},
}

// faultsOfEntries are wrong parts of the entry.
var faultsOfEntries = []struct {
	fault, law string
	plant      func(g *encode.Game)
}{
	{"MaxPlies cuts all games off", "a whole game can be undone", func(g *encode.Game) { g.MaxPlies = 20 }},
	{"MostMoves is below the most", "moves are appended once each", func(g *encode.Game) { g.MostMoves = 9 }},
	{"New returns one position", "new positions are at the start and independent", func(g *encode.Game) {
		one := New()
		g.New = func(string) engine.Position { return one }
	}},
	{"Encode swaps two cells", "moves arrive where their descriptions say", func(g *encode.Game) {
		inner := g.Layouts[0].Encode
		g.Layouts[0].Encode = func(dst []byte, p engine.Position) []byte {
			n := len(dst)
			dst = inner(dst, p)
			dst[n+18], dst[n+19] = dst[n+19], dst[n+18]
			return dst
		}
	}},
	{"Planes of white are those of black", "planes of the flipped position differ only in who began", func(g *encode.Game) {
		inner := g.Layouts[1].Encode
		g.Layouts[1].Encode = func(dst []byte, p engine.Position) []byte {
			q := *p.(*Position)
			q.turn = engine.First
			return inner(dst, &q)
		}
	}},
	{"Decode reads white as black", "decoding an encoded position restores it", func(g *encode.Game) {
		g.Layouts[0].Decode = func(values []byte, turn engine.Side) (string, error) {
			text, err := decode(values, turn)
			return strings.Replace(text, "o", "x", 1), err
		}
	}},
	{"Number counts from 1", "legal moves have unique numbers that lead back to them", func(g *encode.Game) {
		g.Actions.Number = func(m engine.Move) uint16 { return uint16(m) + 1 }
	}},
	{"Describe names the mirrored cell", "legal moves have unique numbers that lead back to them", func(g *encode.Game) {
		inner := g.Actions.Describe
		g.Actions.Describe = func(a uint16) encode.Action {
			if a < 64 {
				a ^= 7
			}
			return inner(a)
		}
	}},
	{"Codes of the sides are exchanged", "moves arrive where their descriptions say", func(g *encode.Game) {
		g.Board.Codes[1], g.Board.Codes[2] = g.Board.Codes[2], g.Board.Codes[1]
	}},
	{"Flip of the board does nothing", "flipped positions are worth the same to the other side", func(g *encode.Game) {
		g.Layouts[0].Flip = func([]byte) {}
	}},
	{"Flip mirrors the cells, and not those of actions", "flipped moves are the moves of the flipped position", func(g *encode.Game) {
		exchange := g.Layouts[0].Flip
		g.Layouts[0].Flip = func(values []byte) {
			exchange(values)
			for row := range slices.Chunk(values, 8) {
				slices.Reverse(row)
			}
		}
	}},
	{"FlipText exchanges the side only", "the flipped board is the board of the flipped position", func(g *encode.Game) {
		g.FlipText = func(text string) string {
			return text[:72] + strings.NewReplacer("x", "o", "o", "x").Replace(text[72:])
		}
	}},
}

// TestPlantedFaultsAreNamed: the laws find each fault; the one that is listed is among those that name it.
func TestPlantedFaultsAreNamed(t *testing.T) {
	check := func(t *testing.T, g encode.Game, law string) {
		t.Helper()
		found := append(enginetest.Suite{Game: g.Game, Starts: g.Samples, Plies: 6_000}.Check(), encodetest.Check(g)...)
		for _, err := range found {
			t.Log(fmt.Sprintf("%.300s", err))
		}
		switch {
		case law == "" && len(found) > 0:
			t.Errorf("%d laws are broken, but this is no fault", len(found))
		case law != "" && !strings.Contains(fmt.Sprint(found), law+": "):
			t.Errorf("%q does not name the fault; %d other laws do", law, len(found))
		}
	}
	for _, f := range faultsOfRules {
		t.Run(f.fault, func(t *testing.T) { check(t, entryOf(f.plant), f.law) })
	}
	for _, f := range faultsOfEntries {
		t.Run(f.fault, func(t *testing.T) {
			g := Entry()
			f.plant(&g)
			check(t, g, f.law)
		})
	}
}
