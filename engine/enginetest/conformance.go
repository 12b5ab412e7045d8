package enginetest

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

// Conformance is what another program found out about a game: legal moves of many positions,
// whole games, perft counts, and what texts mean.
type Conformance struct {
	Game    engine.Game
	Variant string
	States  []State
	Games   []PlayedGame
	Perft   []Perft
	Texts   []PositionText
}

// State is a position with all its legal moves.
type State struct {
	Position string // canonical text
	Peer     string // text of another program for the same position, "" if it has the same
	Steps    []string
	Check    bool
	Result   string            // name of the winner, "draw" or ""
	Reason   string            // "" while the game goes on
	After    map[string]string // texts of positions after some of the moves
}

// PlayedGame is a whole game.
type PlayedGame struct {
	Start  string
	Steps  []string
	Turns  int
	Final  string
	Result string
	Reason string // "ply_limit" if the game was cut off
}

// PositionText is a valid text with its canonical form, or an invalid one with the kind and
// category of its error.
type PositionText struct {
	Text           string
	OK             bool
	Canonical      string
	Kind, Category string
}

// ReadConformance reads the files of a folder: states.jsonl.gz, games.jsonl.gz, perft.json and
// notation.jsonl.
func ReadConformance(t testing.TB, g engine.Game, folder string) Conformance {
	t.Helper()
	var counts []struct {
		Position string
		Nodes    []uint64
	}
	ReadJSON(t, folder+"/perft.json", &counts)
	c := Conformance{
		Game:   g,
		States: ReadLines[State](t, folder+"/states.jsonl.gz"),
		Games:  ReadLines[PlayedGame](t, folder+"/games.jsonl.gz"),
		Texts:  ReadLines[PositionText](t, folder+"/notation.jsonl"),
	}
	for _, count := range counts {
		c.Perft = append(c.Perft, PerftOf("", count.Position, count.Nodes)...)
	}
	return c
}

// Run checks everything, in parallel.
func (c Conformance) Run(t *testing.T) {
	t.Run("states", func(t *testing.T) { InParallel(t, c.States, c.checkState) })
	t.Run("games", func(t *testing.T) { InParallel(t, c.Games, c.checkGame) })
	t.Run("texts", func(t *testing.T) { InParallel(t, c.Texts, c.checkText) })
	for _, count := range c.Perft {
		t.Run("perft/"+count.Name(), func(t *testing.T) {
			t.Parallel()
			count.Check(t, c.Game)
		})
	}
}

// InParallel splits a list into parts and checks them in parallel subtests.
func InParallel[T any](t *testing.T, list []T, check func(*Differences, T)) {
	const parts = 8
	for part := range slices.Chunk(list, max(1, (len(list)+parts-1)/parts)) {
		t.Run("part", func(t *testing.T) {
			t.Parallel()
			d := &Differences{T: t}
			for _, entry := range part {
				check(d, entry)
			}
			d.Report(len(part))
		})
	}
}

// checkState: the text is canonical, moves, check, outcome and successors are as listed, and
// the text of the other program reads as the same position.
func (c Conformance) checkState(d *Differences, s State) {
	d.T.Helper()
	p, own := c.Game.New(c.Variant), c.Game.New(c.Variant)
	for _, text := range []string{s.Position, s.Peer} {
		if text == "" {
			continue
		}
		if err := errors.Join(p.Set(text), own.Set(s.Position)); err != nil {
			d.Addf("%s: %v", text, err)
			return
		}
		if p.String() != s.Position || p.Hash() != own.Hash() {
			d.Addf("%s: read as %s, want %s", text, p, s.Position)
		}
		if got := moveTexts(p); !slices.Equal(got, s.Steps) {
			extra, missing := Difference(got, s.Steps)
			d.Addf("%s: %d moves, want %d; unexpected %q, missing %q", text, len(got), len(s.Steps), extra, missing)
		}
	}
	if got := p.Check(); got != s.Check {
		d.Addf("%s: check %t, want %t", s.Position, got, s.Check)
	}
	if result, reason := c.end(p); result != s.Result || reason != s.Reason {
		d.Addf("%s: result %q by %q, want %q by %q", s.Position, result, reason, s.Result, s.Reason)
	}
	checkSuccessors(d, p, s)
}

func checkSuccessors(d *Differences, p engine.Position, s State) {
	d.T.Helper()
	for step, want := range s.After {
		m, err := p.ParseMove(step)
		if err != nil {
			d.Addf("%s: %s: %v", s.Position, step, err)
			continue
		}
		p.Do(m)
		if got := p.String(); got != want {
			d.Addf("%s: %s leads to %s, want %s", s.Position, step, got, want)
		}
		p.Undo()
		if got := p.String(); got != s.Position {
			d.Addf("%s: undo of %s leads to %s", s.Position, step, got)
		}
	}
}

// Difference returns the elements only in got and those only in want.
func Difference(got, want []string) (extra, missing []string) {
	without := func(list, other []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
	}
	return without(got, want), without(want, got)
}

// end returns the winner and the reason, "" for none.
func (c Conformance) end(p engine.Position) (result, reason string) {
	o := p.Outcome()
	return [...]string{"", c.Game.Sides[0], c.Game.Sides[1], "draw"}[o.Result], o.Reason.String()
}

// checkGame: the game replays to its end, and does not end earlier.
func (c Conformance) checkGame(d *Differences, g PlayedGame) {
	d.T.Helper()
	p, turns := c.Game.New(c.Variant), 0
	if err := p.Set(g.Start); err != nil {
		d.Addf("%s: %v", g.Start, err)
		return
	}
	for i, step := range g.Steps {
		m, err := p.ParseMove(step)
		if o := p.Outcome(); err != nil || o != engine.Ongoing {
			d.Addf("game from %s, move %d %s at %s: %v, outcome %v", g.Start, i, step, p, err, o)
			return
		}
		side := p.Turn()
		p.Do(m)
		if p.Turn() != side {
			turns++
		}
	}
	result, reason := c.end(p)
	if reason == "" {
		reason = engine.PlyLimit.String() // the record was cut off; by the rules the game goes on
	}
	if p.String() != g.Final || result != g.Result || reason != g.Reason || turns != g.Turns {
		d.Addf("game from %s: %d turns to %s, %q by %q; want %d to %s, %q by %q",
			g.Start, turns, p, result, reason, g.Turns, g.Final, g.Result, g.Reason)
	}
}

// checkText: a valid text is written in canonical form, which reads as itself. An invalid text
// gives the listed error and changes nothing.
func (c Conformance) checkText(d *Differences, text PositionText) {
	d.T.Helper()
	p := c.Game.New(c.Variant)
	before, err := p.String(), p.Set(text.Text)
	if text.OK {
		again := c.Game.New(c.Variant)
		if err := errors.Join(err, again.Set(text.Canonical)); err != nil || p.String() != text.Canonical || again.String() != text.Canonical {
			d.Addf("%q: %v, written as %q and again as %q, want %q", text.Text, err, p, again, text.Canonical)
		}
		return
	}
	var e *engine.TextError
	if !errors.As(err, &e) || e.Kind != text.Kind || e.Category != text.Category || p.String() != before {
		d.Addf("%q: %v, want %s (%s), and no change to %s", text.Text, err, text.Kind, text.Category, p)
	}
}

var (
	oraclePositions = flag.Int("oracle", 0, "number of random positions that TestOracle compares; 0 means the default of the game")
	oracleSeed      = flag.Uint64("oracle-seed", 1, "seed of the random positions")
)

// CompareWithOracle runs the parts of TestOracle, a comparison of a game with a second, slow
// implementation on n random positions. Each part compares some of them, in a parallel subtest
// with a source of its own. A short run compares a tenth.
func CompareWithOracle(t *testing.T, n int, part func(d *Differences, r *rand.Rand, positions int)) {
	const parts = 8
	if *oraclePositions > 0 {
		n = *oraclePositions
	}
	if testing.Short() {
		n /= 10
	}
	t.Run("positions", func(t *testing.T) {
		for i := range uint64(parts) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				d := &Differences{T: t}
				part(d, rand.New(rand.NewPCG(*oracleSeed, i)), n/parts)
				d.Report(n / parts)
			})
		}
	})
}

// Perft is a known number of move sequences.
type Perft struct {
	Variant string
	Text    string // the position
	Depth   int
	Nodes   uint64
}

// PerftOf returns the counts from a position, from depth 1 on.
func PerftOf(variant, text string, nodes []uint64) (list []Perft) {
	for i, n := range nodes {
		list = append(list, Perft{variant, text, i + 1, n})
	}
	return list
}

// Name names the count in a test.
func (c Perft) Name() string { return fmt.Sprintf("%s/%s/%d", c.Variant, c.Text, c.Depth) }

// Limits of Perft.Check, in nodes: Perft counts tens of millions a second, and playing the last
// ply too takes ten times as long.
const (
	mostInShort = 500_000
	mostListed  = 5_000_000
	mostPlayed  = 200_000
)

// Check counts the sequences. It counts small numbers of them also by listing the last ply
// instead of calling Count, and by playing it. A short run skips large counts.
func (c Perft) Check(t *testing.T, g engine.Game) {
	t.Helper()
	if testing.Short() && c.Nodes > mostInShort {
		t.Skipf("depth %d has %d sequences", c.Depth, c.Nodes)
	}
	p := g.New(c.Variant)
	if err := p.Set(c.Text); err != nil {
		t.Fatal(err)
	}
	before := p.String()
	for _, way := range []struct {
		name  string
		most  uint64
		count func() uint64
	}{
		{"Perft", c.Nodes, func() uint64 { return engine.Perft(p, c.Depth) }},
		{"Perft without Count", mostListed, func() uint64 { return engine.Perft(Lister{p}, c.Depth) }},
		{"PerftLeaf", mostPlayed, func() uint64 { return engine.PerftLeaf(p, c.Depth) }},
	} {
		if c.Nodes > way.most {
			continue
		}
		if got := way.count(); got != c.Nodes {
			t.Errorf("%s, depth %d: %s is %d, want %d", c.Text, c.Depth, way.name, got, c.Nodes)
		}
	}
	if got := p.String(); got != before {
		t.Errorf("perft changes %s to %s", before, got)
	}
}

// Lister hides Count.
type Lister struct{ engine.Position }
