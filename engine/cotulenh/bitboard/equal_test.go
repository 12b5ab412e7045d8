package bitboard_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
	"selfplay/engine/cotulenh"
	"selfplay/engine/cotulenh/bitboard"
	"selfplay/engine/enginetest"
)

// plies is the number of plies that both engines play in step; crowded positions follow it. "make long" plays 1,000,000.
var plies = flag.Int("plies", 100_000, "number of random plies in TestEnginesPlayInStep")

// bitboards is a position of this package, embedded in a pair under another name than Position.
type bitboards = bitboard.Position

// pair is a position on both engines, which compares them. It answers as this engine does.
type pair struct {
	*bitboards
	mailbox *cotulenh.Position
	found   enginetest.Differences

	listed, wanted []engine.Move
}

func newPair(t testing.TB) *pair {
	return &pair{bitboards: bitboard.New(), mailbox: cotulenh.New(), found: enginetest.Differences{T: t}}
}

// pairs is the game on both engines.
func pairs(t testing.TB) engine.Game {
	g := bitboard.Game()
	g.New = func(string) engine.Position { return newPair(t) }
	return g
}

// Set compares everything at the position of the text.
func (p *pair) Set(text string) error {
	err, want := p.bitboards.Set(text), p.mailbox.Set(text)
	if (err == nil) != (want == nil) {
		p.found.Addf("%q: error %v, want %v", text, err, want)
	}
	p.check()
	return err
}

// Do compares the texts after a move.
func (p *pair) Do(m engine.Move) {
	p.bitboards.Do(m)
	p.mailbox.Do(m)
	p.checkText()
}

func (p *pair) Undo() {
	p.bitboards.Undo()
	p.mailbox.Undo()
}

// DoRandom compares the draws, and everything after them.
func (p *pair) DoRandom(src *rand.PCG) (engine.Move, bool) {
	same := *src
	want, found := p.mailbox.DoRandom(&same)
	m, ok := p.bitboards.DoRandom(src)
	if m != want || ok != found || *src != same {
		p.found.Addf("%s: drew %v %t, want %v %t, or another number of draws", p.mailbox, m, ok, want, found)
	}
	p.check()
	return m, ok
}

// check compares everything.
func (p *pair) check() {
	p.checkText()
	if d := p.differ(); d != "" {
		p.found.Addf("%s: the %s differs", p.mailbox, d)
	}
}

func (p *pair) checkText() {
	if got, want := p.String(), p.mailbox.String(); got != want || p.Hash() != p.mailbox.Hash() {
		p.found.Addf("text %s, want %s, or another hash", got, want)
	}
}

// differ returns what differs between the engines, "" if nothing does. The order of steps
// counts too.
func (p *pair) differ() string {
	m, b := p.mailbox, p.bitboards
	p.wanted, p.listed = m.Moves(p.wanted[:0]), b.Moves(p.listed[:0])
	switch {
	case !slices.Equal(p.listed, p.wanted):
		return "steps"
	case b.Hash() != m.Hash():
		return "hash"
	case b.Check() != m.Check():
		return "check"
	case b.Outcome() != m.Outcome():
		return "outcome"
	case b.Evaluate() != m.Evaluate():
		return "score"
	case b.Over() != m.Over():
		return "over"
	case b.Turn() != m.Turn():
		return "turn"
	}
	for _, step := range p.wanted {
		if b.Placement(step) != m.Placement(step) {
			return "placement of " + m.FormatMove(step)
		}
		if b.Canonical(step) != m.Canonical(step) {
			return "canonical order of " + m.FormatMove(step)
		}
	}
	p.wanted, p.listed = m.Captures(p.wanted[:0]), b.Captures(p.listed[:0])
	if !slices.Equal(p.listed, p.wanted) {
		return "captures"
	}
	for _, step := range p.wanted {
		if b.Gain(step) != m.Gain(step) {
			return "gain of " + m.FormatMove(step)
		}
	}
	return ""
}

// starts are positions with many stacks, heroic pieces, open sessions and air defense. Games
// begin at them in turn.
var starts = []string{
	cotulenh.StartText,
	"1n2G5(+ea)/2E3M4/7a1(fti)1/11/9f1/6I4/2c5(EG)2/5m5/6+T4/4f1f4/11/1(NFC)9 r - - 14 49 g7:I:g4",
	"11/1(nfi)9/11/11/2(nf+m)8/11/9(fm)1/4(FTC)3(tm)2/11/7c3/11/11 b - - 4 39",
	"2(NFM)8/11/11/11/(NFC)10/5f5/9(+es)1/3+h7/3c7/9AT/11/4hI5 b - - 7 8 d5:+H:d4",
	"11/11/11/11/2N1FC(ES)4/5S2(+F+TM)2/2N(FTM)+I6/3s7/2(+n+fm)8/3(t+m)3(tm)f2/3+a3(e+a)3/6c4 r - - 0 9 e6:+I:c8",
	"10c/11/11/8f2/11/4f6/11/5g5/4F6/11/3s7/6C4 r - - 0 1",
	cotulenh.StartText,
}

// TestEnginesPlayInStep plays random games on both engines. Both draw from generators with
// the same seed, and after each ply everything that they compute is compared.
func TestEnginesPlayInStep(t *testing.T) {
	enginetest.FollowGames(t, newPair(t), starts, *plies, func(*pair) {})
}

// TestListedStepsLeadToTheSamePositions plays each step of the lists and takes it back.
func TestListedStepsLeadToTheSamePositions(t *testing.T) {
	p, src, seen := newPair(t), rand.NewPCG(4, 4), 0
	for game := 0; seen < 40_000 && !t.Failed(); game++ {
		set(t, p, starts[game%len(starts)])
		for ok := true; ok; _, ok = p.mailbox.DoRandom(src) {
			set(t, p, p.mailbox.String())
			before := *p.bitboards
			for _, step := range p.mailbox.Moves(nil) {
				p.Do(step)
				p.Undo()
				seen++
			}
			if d := bitboard.Difference(&before, p.bitboards); d != "" {
				t.Fatalf("%s: Undo does not restore %s", p.mailbox, d)
			}
			if testing.Short() && seen > 4000 {
				return
			}
		}
	}
}

// TestLaws checks the laws of all games on this engine.
func TestLaws(t *testing.T) {
	var texts []string
	for i, s := range conformance(t).States {
		if i%8 == 0 || len(s.Steps) > 400 {
			texts = append(texts, s.Position)
		}
	}
	enginetest.Run(t, bitboard.Game(), texts)
}

// conformance returns the data of package cotulenh.
func conformance(t testing.TB) enginetest.Conformance {
	t.Helper()
	return enginetest.ReadConformance(t, bitboard.Game(), "../testdata")
}

// TestConformance checks all of it on this engine.
func TestConformance(t *testing.T) { conformance(t).Run(t) }

// TestEnginesAgreeOnStates compares the engines at the states of the data, as their texts and
// those of the published engine describe them.
func TestEnginesAgreeOnStates(t *testing.T) {
	list, peers := conformance(t).States, 0
	for _, s := range list {
		if at(t, s.Position); s.Peer != "" {
			at(t, s.Peer)
			peers++
		}
	}
	enginetest.AtLeast(t, len(list), 4014)
	enginetest.AtLeast(t, peers, 1680)
}

// TestRules asks the cases of package cotulenh on both engines.
func TestRules(t *testing.T) {
	enginetest.Rules{Game: pairs(t), Path: "../testdata/rules.txt"}.Run(t)
}
