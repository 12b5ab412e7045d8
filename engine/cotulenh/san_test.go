package cotulenh

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"selfplay/engine"
	"selfplay/engine/enginetest"
)

// peerGame is a game of the published engine; see testdata/README.md.
type peerGame struct {
	Steps   []string // SAN, type of the lead, from, to, flags; or commit
	History []string // texts of the turns
	PGN     string
	Fens    []string // by step
	Lists   []struct{ Fen, Sans string }
}

func peerGames(t testing.TB) []peerGame {
	return enginetest.ReadLines[peerGame](t, "testdata/san.jsonl.gz")
}

// counted are numbers by what was found.
type counted map[string]int

func (c counted) String() string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(c)) {
		list = append(list, fmt.Sprintf("%s %d", key, c[key]))
	}
	return strings.Join(list, ", ")
}

// mustCount compares numbers with those that the test states.
func mustCount(t *testing.T, what string, got counted, want string) {
	t.Helper()
	if got.String() != want {
		t.Errorf("%s: %v, want %s", what, got, want)
	}
}

// TestListsOfThePublishedEngine: each of our steps has the text that the published engine gives it, and each of its texts
// is read. H6: a rival or a step that only it lists. H1: an air force that its older zones stop, or do not stop. unsure: it
// has one text for several steps, for which ours name the whole square.
func TestListsOfThePublishedEngine(t *testing.T) {
	written, read := counted{}, counted{}
	for _, g := range peerGames(t) {
		for _, l := range g.Lists {
			p := New()
			err := p.Set(l.Fen)
			if err != nil {
				t.Fatal(err)
			}
			texts, list := strings.Fields(l.Sans), p.Moves(nil)
			for _, m := range list {
				short := stepSAN(p, m, rivalSquare(p, m, list))
				switch text := p.SAN(m); {
				case slices.Contains(texts, text):
					written["equal"]++
				case text != short && slices.Contains(texts, short):
					written["unsure"]++
				case slices.ContainsFunc(texts, func(s string) bool { return describes(p, s, m) }):
					written["H6"]++
				default:
					written["H1"]++
				}
			}
			for _, text := range texts {
				s, ok := parseSANStep(text)
				n := 0
				for _, m := range list {
					if ok && s.fits(p, m) {
						n++
					}
				}
				read[readAs(p, &s, n)]++
			}
		}
	}
	mustCount(t, "written", written, "H1 8, equal 45538, unsure 134")
	mustCount(t, "read", read, "H1 1, H6 11, one 45538, unsure 134")
}

// describes reports whether a text describes a step.
func describes(p *Position, text string, m engine.Move) bool {
	s, ok := parseSANStep(text)
	return ok && s.fits(p, m)
}

// readAs names how a text of a list that fits n legal steps is read.
func readAs(p *Position, s *sanStep, n int) string {
	switch {
	case n == 1:
		return "one"
	case n > 1:
		return "unsure"
	}
	t := sanTurn{steps: []sanStep{*s}, deployment: s.deploy}
	return rulingAgainst(p, &t)
}

// TestGamesOfThePublishedEngine: steps and turns have its texts as long as the rulings allow its moves and lead to its
// positions. H6: a step from
// which no legal end of the turn is reached. superfluous: when it writes the history, it counts a rival that is none.
func TestGamesOfThePublishedEngine(t *testing.T) {
	steps, turns, ends, clocks := counted{}, counted{}, counted{}, counted{}
	for _, g := range peerGames(t) {
		p, begin, turn, number := New(), New(), []engine.Move(nil), 0
		end := "whole"
		for i, text := range g.Steps {
			m, why := peerMove(p, text)
			if why != "" {
				end = why
				break
			}
			san, _, _ := strings.Cut(text, " ")
			if m != Commit {
				steps[likeStep(p, p.SAN(m), san, m)]++
			}
			p.Do(m)
			turn = append(turn, m)
			if p.session.open() {
				continue
			}
			if len(g.History) > 0 {
				said, sure := begin.TurnSAN(turn)
				turns[likeHistory(begin, said, g.History[number], turn, sure)]++
			}
			why = comparePeer(p, g.Fens[i], clocks)
			if why != "" {
				end = why
				break
			}
			begin, turn = p.Clone(), turn[:0]
			number++
		}
		ends[end]++
	}
	mustCount(t, "steps", steps, "equal 13446, unsure 37")
	mustCount(t, "turns", turns, "equal 8910, superfluous 4, unsure 25, unsure deployment 2")
	mustCount(t, "games", ends, "H3 1, H6 22, whole 87")
	mustCount(t, "half-move clocks", clocks, "H7 4096, equal 8709")
}

// peerMove returns the move of a step, or why there is none.
func peerMove(p *Position, text string) (m engine.Move, why string) {
	if text == commitText {
		if !p.session.open() {
			return 0, "H3" // the session has ended
		}
		return Commit, map[bool]string{false: "H5"}[p.Legal(Commit)]
	}
	f := strings.Fields(text)
	kind, _ := typeOf(f[1][0])
	from, _ := ParseSquare(f[2])
	to, _ := ParseSquare(f[3])
	effect := Effect(strings.IndexByte("ncskb", strings.Trim(f[4], "d")[0]))
	is := func(m engine.Move) bool {
		return m != Commit && Square(fromOf(m)) == from && Square(toOf(m)) == to && effectOf(m) == effect &&
			moved(p, m).Lead() == kind && (moverOf(m) >= Deploy) == strings.Contains(f[4], "d")
	}
	list := p.Moves(nil)
	i := slices.IndexFunc(list, is)
	if i >= 0 {
		return list[i], ""
	}
	s, _ := parseSANStep(f[0])
	if p.session.open() {
		if slices.ContainsFunc(p.sessionSteps(nil), is) {
			return 0, "H6"
		}
		if effect == Join {
			return 0, "H3"
		}
	}
	return 0, rulingAgainst(p, &sanTurn{steps: []sanStep{s}, deployment: s.deploy})
}

// likeStep names how the text of a step differs from that of the published engine.
func likeStep(p *Position, text, theirs string, m engine.Move) string {
	switch {
	case text == theirs:
		return "equal"
	case !describes(p, theirs, m):
		return "other: " + text + " " + theirs
	case strings.Contains(text, Square(fromOf(m)).String()):
		return "unsure"
	}
	return "superfluous"
}

// likeHistory names how the text of a turn differs from that of the published engine, and how it is read.
func likeHistory(p *Position, text, theirs string, turn []engine.Move, sure bool) string {
	turns, err := p.ReadTurn(theirs)
	found := slices.ContainsFunc(turns, func(m []engine.Move) bool { return slices.Equal(m, turn) })
	switch {
	case err == nil && text == theirs && !sure:
		return "unsure deployment"
	case !found:
		return "not read: " + theirs
	case text != theirs && len(turn) > 1:
		return "other: " + text + " " + theirs
	}
	return likeStep(p, text, theirs, turn[0])
}

// comparePeer returns the ruling by which the position after a turn differs from that of the published engine, and counts
// half-move clocks.
func comparePeer(p *Position, fen string, clocks counted) string {
	ours, theirs := strings.Fields(p.String()), strings.Fields(fen)
	unmarked := func(s string) string { return strings.ReplaceAll(s, "+", "") }
	switch {
	case len(theirs) != 6 || ours[1] != theirs[1] || ours[5] != theirs[5]:
		return "H3" // it has taken back a step to join members
	case ours[0] != theirs[0] && unmarked(ours[0]) == unmarked(theirs[0]):
		return "H2"
	case ours[0] != theirs[0]:
		return "H3"
	case ours[4] != theirs[4]:
		clocks["H7"]++
	default:
		clocks["equal"]++
	}
	return ""
}

// TestTurnsThatRulingsForbid: the reader names the ruling against turns of the published engine (TR: its traps).
func TestTurnsThatRulingsForbid(t *testing.T) {
	for _, c := range []struct{ rule, position, text, ruling string }{
		{"TR-23, a zone that has grown", "10c/11/11/11/11/11/11/4+G6/11/10i/7f3/2C8 b - - 1 1", "Ff4", "H1"},
		{"TR-24, a zone that is covered now", "10c/11/11/4I6/11/11/11/5(EG)1f2i/11/11/11/2C8 b - - 0 1", "F@f5", "H1"},
		{"TR-38, a member promoted in the deployment before", "7c3/6I4/7+T3/11/11/11/11/7I2+i/11/11/11/3C7 r - - 1 1", "Th9", "H2"},
		{"TR-39, heroism lost by joining", "10c/11/11/11/11/11/11/2(T+I)8/11/11/11/9C1 r - - 6 1", "(TI)c6", "H2"},
		{"TR-28, joining a suicide", "10c/11/11/11/11/11/11/2g8/11/2(FT)8/11/9C1 r - - 5 1", "(FT)>@c5", "H3"},
		{"TR-40, no end", "10c/11/11/11/11/11/11/11/n10/(NT)10/11/9C1 r - - 5 1", "N>b3,T>_a4", "H6"},
		{"TR-10, a hidden mate", "3c7/11/11/11/11/11/11/11/10a/11/9tt/7a1t(HC) r - - 0 1", "H<C>xk2", "H6"},
		{"no rule allows it", "10c/11/11/11/11/11/11/11/11/2T8/11/9C1 r - - 5 1", "Tc8", ""},
	} {
		p := New()
		err := p.Set(c.position)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.ReadTurn(c.text)
		ruling := (*engine.RulingError)(nil)
		if errors.As(err, &ruling) != (c.ruling != "") || ruling != nil && ruling.Ruling != c.ruling || err == nil {
			t.Errorf("%s: %v, want ruling %q", c.rule, err, c.ruling)
		}
	}
}

// FuzzSAN: no text makes the reader panic, and the text of a turn that is read leads to where that turn does.
func FuzzSAN(f *testing.F) {
	games := peerGames(f)
	for _, text := range []string{"Tf6", "Nbxc5", "(TI)_b4", "F@f4", "T<M>g8", "F>g7,C>g10", "(FT)>i11,N>c5...", "N<", "+F>@b5,T>&d4", "N1b12!?"} {
		f.Add(uint(len(text)), text)
	}
	f.Fuzz(func(t *testing.T, at uint, text string) {
		l := games[at%uint(len(games))].Fens
		p := New()
		if p.Set(l[at/7%uint(len(l))]) != nil {
			return
		}
		before := p.String()
		turns, err := p.ReadTurn(text)
		if err != nil && len(turns) > 0 || err == nil && len(turns) == 0 {
			t.Fatalf("%d turns, %v", len(turns), err)
		}
		for _, turn := range turns {
			said, _ := p.TurnSAN(turn)
			again, err := p.ReadTurn(said)
			same := func(other []engine.Move) bool { return boardAfter(p, other) == boardAfter(p, turn) }
			if err != nil || !slices.ContainsFunc(again, same) || p.String() != before {
				t.Fatalf("%s: %q is read as %x, written as %s and read as %x, %v", before, text, turn, said, again, err)
			}
		}
	})
}
