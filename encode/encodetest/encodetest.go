// Package encodetest holds the laws that the catalog entry of every game obeys: its
// layouts, action numbers, symmetry and board fit the rules. A test of a game is one line:
//
//	func TestLaws(t *testing.T) { encodetest.Run(t, encode.Chess()) }
//
// Each law looks at the positions of random games and at the game's Samples, and returns
// the first violation. Everything is seeded: a law that holds once holds every time.
// Missing lists the parts that an entry lacks. Neither finds chance, hidden information, simultaneous moves or more
// than two players by name: docs/adding-a-game.md says what cannot be a game here, and which laws such a game breaks.
//
// TicTacToe is a complete small game for tests. Its moves have no origin.
package encodetest

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/enginetest"
	"selfplay/engine/nnue/nets"
)

// Run checks that the entry is complete and obeys all laws in every variant, one subtest each.
func Run(t *testing.T, g encode.Game) {
	t.Helper()
	if missing := Missing(g); missing != nil {
		t.Errorf("the catalog entry of %q is incomplete: %q", g.Name, missing)
		if g.New == nil || g.Actions.Number == nil || g.Actions.Move == nil || g.Actions.Flip == nil || len(g.Layouts) == 0 {
			t.FailNow() // no law can be checked
		}
	}
	each(g, func(name string, l law, tr *trial) {
		t.Run(name, func(t *testing.T) {
			if err := l.run(tr); err != nil {
				t.Error(err)
			}
		})
	})
}

// Check checks all laws and returns what it finds, one error a law. Its text begins with the name of the law.
func Check(g encode.Game) (found []error) {
	each(g, func(name string, l law, tr *trial) {
		if err := l.run(tr); err != nil {
			found = append(found, fmt.Errorf("%s: %w", name, err))
		}
	})
	return found
}

// each calls f with every law in every variant. The name of the variant, if it has one, begins the name.
func each(g encode.Game, f func(name string, l law, tr *trial)) {
	variants := g.Variants
	if variants == nil {
		variants = []string{""}
	}
	for _, variant := range variants {
		for _, l := range laws {
			f(path.Join(variant, l.name), l, &trial{game: g, variant: variant})
		}
	}
}

// run checks the law. A panic of the game is a violation.
func (l law) run(tr *trial) (err error) {
	defer enginetest.Recover(&err)
	return l.check(tr)
}

// law is a statement and a check that returns the first violation.
type law struct {
	name  string
	check func(*trial) error
}

// laws are all laws.
var laws = []law{
	{"decoding an encoded position restores it", decodeInvertsEncode},
	{"a changed array is a position or a text error", changedArraysAreTextErrors},
	{"encoding appends an exact number of bytes without allocation", encodingIsExact},
	{"codes of cells stand for the pieces on the board", codesAreOnTheBoard},
	{"planes have no bits beyond the board", planesStayOnTheBoard},
	{"keys are equal exactly if hashes are", keysMatchHashes},
	{"legal moves have unique numbers that lead back to them", actionsAreInvertible},
	{"every number is a move or an error", everyNumberIsSafe},
	{"descriptions name the cells of a move", descriptionsNameCells},
	{"captures reduce the opponent's pieces", capturesReducePieces},
	{"games end for the listed reasons", reasonsAreListed},
	{"check occurs exactly if the game has check", checkIsDeclared},
	{"flipping the board twice restores it", flippingTwiceRestores},
	{"the flipped board is the board of the flipped position", flippedBoardIsOfTheFlippedPosition},
	{"flipping an action twice restores it", flippingActionsTwiceRestores},
	{"flipped moves are the moves of the flipped position", flippedMovesAreLegal},
	{"flipped positions are worth the same to the other side", flippedPositionsAreWorthTheSame},
	{"changed boards are other positions", changedBoardsHaveOtherHashes},
	{"moves arrive where their descriptions say", movesArriveWhereTheySay},
	{"planes show the pieces of their side", planesShowTheirSide},
	{"planes of the flipped position differ only in who began", planesIgnoreTheSide},
	{"rows from the view of the mover are rows of the flipped position", moverRowsAreFlippedRows},
	{"repetitions are the earlier positions with the same key", repetitionsAreRecounted},
}

// trial is what a law is checked on.
type trial struct {
	game    encode.Game
	variant string
}

// newPosition returns a position at the start of the variant.
func (tr *trial) newPosition() engine.Position { return tr.game.New(tr.variant) }

// randomGames is the number of random games that laws look at.
const randomGames = 12

// positions calls look with every n-th position of random games, with the start of the
// game, and with the samples: the first ten, then every n-th. look may play moves if it
// takes them back.
func (tr *trial) positions(n int, look func(engine.Position) error) error {
	p, src, seen := tr.newPosition(), rand.NewPCG(3, 3), 0
	check := func() error {
		if err := guarded(p, look); err != nil {
			return fmt.Errorf("position %s: %w", enginetest.Describe(p), err)
		}
		return nil
	}
	for range randomGames {
		p.Reset()
		for ply, ok := 0, true; ok && ply <= tr.game.MaxPlies; ply++ {
			seen++
			if seen%n == 0 {
				if err := check(); err != nil {
					return err
				}
			}
			_, ok = p.DoRandom(src)
		}
	}
	for i, text := range append([]string{""}, tr.game.Samples...) {
		if i > 10 && i%n != 0 {
			continue
		}
		p.Reset()
		if text != "" {
			if err := p.Set(text); err != nil {
				return fmt.Errorf("sample %q: %w", text, err)
			}
		}
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// guarded calls look. A panic of the game is an error.
func guarded(p engine.Position, look func(engine.Position) error) (err error) {
	defer enginetest.Recover(&err)
	return look(p)
}

// pairs calls look with all positions and their flipped positions. Both are read from text, so
// neither has a history.
func (tr *trial) pairs(look func(p, flipped engine.Position) error) error {
	p, flipped := tr.newPosition(), tr.newPosition()
	return tr.positions(1, func(played engine.Position) error {
		return tr.lookAtPair(played.String(), p, flipped, look)
	})
}

// lookAtPair sets up the position of a text and the flipped one for look.
func (tr *trial) lookAtPair(text string, p, flipped engine.Position, look func(p, flipped engine.Position) error) error {
	if err := p.Set(text); err != nil {
		return err
	}
	other, err := tr.flipText(p)
	if err == nil {
		err = flipped.Set(other)
	}
	if err != nil {
		return fmt.Errorf("set flipped text: %w", err)
	}
	return look(p, flipped)
}

// flipText returns the text of a position with the sides exchanged.
func (tr *trial) flipText(p engine.Position) (string, error) {
	if tr.game.FlipText != nil {
		return tr.game.FlipText(p.String()), nil
	}
	l := tr.game.Identity()
	board := l.Encode(nil, p)
	l.Flip(board)
	return l.Decode(board, p.Turn().Other())
}

// layouts calls look with every layout.
func (tr *trial) layouts(look func(l *encode.Layout) error) error {
	for i := range tr.game.Layouts {
		l := &tr.game.Layouts[i]
		if err := look(l); err != nil {
			return fmt.Errorf("layout %s: %w", l.Name, err)
		}
	}
	return nil
}

// Missing lists what the catalog entry of a game lacks, in plain words, and what for if a
// game may do without it. It is nil if the entry is complete.
//
// Not asked for: engine.Featured, which only networks need, and models of scores: see MissingModels. A game
// without engine.Evaluator needs no presets, whose players search by the static score.
func Missing(g encode.Game) (list []string) {
	need := func(ok bool, format string, args ...any) {
		if !ok {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	need(g.Name != "", "Name: the name for --game")
	need(g.Title != "", "Title: the name in prose")
	need(g.Rules > 0, "Rules: the version of the rules, from 1")
	need(g.Sides[0] != "" && g.Sides[1] != "" && g.Sides[0] != g.Sides[1], "Sides: two different names; games with chance, hidden information,"+
		" simultaneous moves or more than two players are not for this program: see docs/adding-a-game.md")
	need(g.MaxPlies > 0, "MaxPlies: the default ply limit")
	need(g.MostMoves > 0, "MostMoves: an upper bound of the legal moves of a position")
	need(g.New != nil, "New: a function that returns a position")
	need(len(g.Reasons) > 0, "Reasons: why its rules end a game")
	need(slices.IsSorted(g.Reasons) && len(slices.Compact(slices.Clone(g.Reasons))) == len(g.Reasons), "Reasons: want them ascending, each once")
	for _, r := range g.Reasons {
		named := slices.ContainsFunc(g.OwnReasons, func(own encode.NamedReason) bool { return own.Reason == r && own.Name != "" })
		need(r < engine.FirstOwnReason || named, "OwnReasons: a name for reason %d", r)
	}
	need(slices.Contains(g.Reasons, engine.Repetition) == (g.Repetitions > 0), "Repetitions: the earlier occurrences that end a game, if and only if Reasons has repetition")
	need(len(g.Samples) > 0, "Samples: positions with special rules")
	missingActions(&g.Actions, need)
	missingLayouts(&g, need)
	missingBoard(&g, need)
	if g.New == nil || g.HasStaticScore() {
		missingPresets(g.Presets, need)
	}
	return list
}

func missingActions(a *encode.Actions, need func(ok bool, format string, args ...any)) {
	need(a.Version > 0, "Actions.Version: from 1")
	need(a.Count > 0 && a.Count <= 1<<16, "Actions.Count: 1 to 65536 numbers")
	need(a.Number != nil, "Actions.Number: a function from a move to its number")
	need(a.Move != nil, "Actions.Move: a function from a number to its move")
	need(a.Flip != nil, "Actions.Flip: a function from a number to that of the flipped move")
	need(a.Describe != nil, "Actions.Describe: a function from a number to cells and kind")
}

func missingLayouts(g *encode.Game, need func(ok bool, format string, args ...any)) {
	identities := 0
	for i := range g.Layouts {
		l := &g.Layouts[i]
		name := "Layouts: " + l.Name
		need(l.Name != "" && l.Version > 0, "%s: a name and a version from 1", name)
		need(l.Encode != nil, "%s: Encode", name)
		need(len(l.Elements) > 0, "%s: Elements", name)
		var names []string
		for _, e := range l.Elements {
			need(e.Name != "" && e.Count > 0 && e.Doc != "", "%s: element %q: a name, a count and a doc", name, e.Name)
			need(!slices.Contains(names, e.Name), "%s: element %q is listed twice", name, e.Name)
			names = append(names, e.Name)
		}
		if l.Identity != nil {
			identities++
			need(l.Decode != nil, "%s: Decode, since it identifies positions", name)
			need(l.Flip != nil, "%s: Flip, since it identifies positions", name)
			for _, e := range l.Identity {
				need(slices.Contains(names, e), "%s: element %q of Identity", name, e)
			}
		}
	}
	need(identities == 1, "Layouts: exactly one with an Identity, %d have one", identities)
	_, err := g.Layout(encode.PlanesName)
	need(err == nil, "Layouts: one named %s", encode.PlanesName)
}

func missingBoard(g *encode.Game, need func(ok bool, format string, args ...any)) {
	b := &g.Board
	need(b.Files > 0 && b.Files <= 26 && b.Ranks > 0, "Board: files and ranks")
	need(len(b.Grounds) > 0, "Board.Grounds: what the cells look like")
	need(b.Terrain == nil || len(b.Terrain) == b.Cells(), "Board.Terrain: a ground for each cell, or nil")
	for _, n := range b.Terrain {
		need(int(n) < len(b.Grounds), "Board.Terrain: ground %d", n)
	}
	for _, ground := range b.Grounds {
		need(ground.Fill != "" && ground.Dark != "", "Board.Grounds: colours for a light and a dark page")
	}
	need(len(b.Kinds) > 0, "Board.Kinds: the kinds of pieces")
	for _, k := range b.Kinds {
		need(k.Name != "" && len(k.Letter) == 1, "Board.Kinds: %q: a name and a letter", k.Name)
		need(k.Figure != encode.Glyph || k.Glyph != "", "Board.Kinds: %q: a glyph", k.Name)
		need(k.Figure != encode.Tile || k.Fill != "" && k.Dark != "", "Board.Kinds: %q: colours for a light and a dark page", k.Name)
	}
	need(len(b.Codes) > 1 && len(b.Codes[0]) == 0, "Board.Codes: the pieces of each code of a cell; code 0 is empty")
	for code, pieces := range b.Codes {
		for _, p := range pieces {
			need(p.Kind >= 0 && p.Kind < len(b.Kinds) && p.Side >= encode.Neutral && p.Side <= 1, "Board.Codes: code %d: kind and side", code)
		}
	}
	for side, paint := range b.Sides {
		need(paint.Fill != "" && paint.Stroke != "" && paint.Width > 0, "Board.Sides: colours of %s", g.Sides[side])
	}
	if i := slices.IndexFunc(g.Layouts, func(l encode.Layout) bool { return l.Identity != nil && len(l.Elements) > 0 }); i >= 0 {
		cells := g.Layouts[i].Elements[0].Count
		need(cells == b.Cells(), "Board: %d cells, layout %s has %d", b.Cells(), g.Layouts[i].Name, cells)
	}
}

func missingPresets(presets []encode.Preset, need func(ok bool, format string, args ...any)) {
	for _, name := range encode.PresetNames() {
		i := slices.IndexFunc(presets, func(p encode.Preset) bool { return p.Name == name })
		need(i >= 0 && presets[i].Doc != "" && presets[i].Flags != "", "Presets: %s, with doc and flags", name)
	}
}

// MissingModels lists which models of scores a game with a static score lacks, with the command that fits each. Reports
// and pages draw chances by them; nothing else needs them.
func MissingModels(g encode.Game) (list []string) {
	if !g.HasStaticScore() {
		return nil
	}
	need := func(ok bool, format string, args ...any) {
		if !ok {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	models := g.Models
	need(len(models) > 0, "Models: a model of what scores are worth, for reports and pages: first one of ab:depth=3")
	for i, m := range models {
		need(m.Version > 0 && m.A >= 0 && m.B > 0 && m.DrawnAt0 >= 0 && m.DrawnAt0 <= 100 && m.Games.Depth+m.Games.Nodes > 0, "Models: %s: version, A and B", m.Games)
		need(!slices.ContainsFunc(models[:i], func(other encode.Model) bool { return other.Games == m.Games }),
			"Models: %s: once", m.Games)
	}
	own, _ := nets.File(g.Name)
	for _, p := range g.Presets {
		games, ok := p.Games(nets.NameOf(sha256.Sum256(own)))
		need(!ok || g.ModelOf(games) != nil, "Models: one for preset %s, that is %s, for its win chances: fit it with"+
			" `selfplay run --game %s --preset %s --games 2000 --seed 2026 --out DIR` and `selfplay export wdl --adjudicated DIR`",
			p.Name, games, g.Name, p.Name)
	}
	return list
}
