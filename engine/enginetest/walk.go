package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"selfplay/engine"
)

// A target is one variant of the suite's game: the input of a law.
type target struct {
	Suite
	variant string
}

// fromText is the length in plies of a game from a given text: long enough to leave it
// behind, short enough to visit many texts.
const fromText = 100

// A visit is one position of a walk, with everything that a law needs to check it.
type visit struct {
	target
	p        engine.Position // reached by play; a law must undo what it plays
	fresh    engine.Position // for reading texts; shared by all visits
	src      *rand.PCG       // the law's own source, independent of the walk's
	samplers []sampler       // every way to draw a move
	list     []engine.Move   // scratch

	elsewhere []string // texts of moves of earlier positions
}

// onWalk turns a check of one position into a law that checks every n-th position of
// random games.
func onWalk(n int, check func(*visit) error) func(target) error {
	return func(g target) error {
		v := &visit{target: g, fresh: g.New(), src: rand.NewPCG(1, 2), samplers: g.samplers()}
		seen := 0
		return g.walk(func(p engine.Position) error {
			seen++
			if seen%n != 0 {
				return nil
			}
			v.p = p
			return check(v)
		})
	}
}

// New returns a position at the start of the variant.
func (g target) New() engine.Position { return g.Game.New(g.variant) }

// walk plays random games of Plies positions in total. It passes each position to check
// before it draws the next move, including the last position of a game.
func (g target) walk(check func(engine.Position) error) error {
	p := g.New()
	for plies, game := 0, 0; plies < g.Plies; game++ {
		start, limit := g.start(game)
		if err := begin(p, start); err != nil {
			return err
		}
		src := rand.NewPCG(uint64(game), 1)
		for ply := 0; ; ply++ {
			drawn, err := step(p, src, check)
			if err != nil {
				return fmt.Errorf("game %d from %q, ply %d, %s: %w", game, start, ply, Describe(p), err)
			}
			plies++
			if ply == limit || !drawn {
				break
			}
		}
	}
	return nil
}

// step checks a position and draws the next move. A panic of the game is an error.
func step(p engine.Position, src *rand.PCG, check func(engine.Position) error) (drawn bool, err error) {
	defer Recover(&err)
	if err := check(p); err != nil {
		return false, err
	}
	return draw(p, src), nil
}

// begin sets p to the text, or to the start of the game if text is "".
func begin(p engine.Position, text string) error {
	if text == "" {
		p.Reset()
		return nil
	}
	if err := p.Set(text); err != nil {
		return fmt.Errorf("start %q: %w", text, err)
	}
	return nil
}

// start returns the first position of a game and its ply limit. Every fourth game
// starts at the start, the others at the given texts in turn.
func (g target) start(game int) (text string, limit int) {
	if len(g.Starts) == 0 || game%4 == 0 {
		return "", g.Game.MaxPlies
	}
	texts := game - game/4 - 1
	return g.Starts[texts%len(g.Starts)], fromText
}

// draw plays a random move and reports whether there was one.
func draw(p engine.Position, src *rand.PCG) bool {
	_, ok := p.DoRandom(src)
	return ok
}

// EachPosition visits positions of the given texts, and then those of random games from the
// start. It returns how many.
func EachPosition[P engine.Position](t testing.TB, p P, texts []string, games int, draw Draw, visit func(P)) (seen int) {
	t.Helper()
	count := func() { visit(p); seen++ }
	for _, text := range texts {
		if err := p.Set(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		count()
	}
	src := rand.NewPCG(11, 12)
	for range games {
		PlayOut(p, src, draw, math.MaxInt, count)
	}
	return seen
}

// FollowGames visits n positions of random games, which begin at the given texts in turn. A
// short run visits a tenth. It ends the test at the first position where a visit failed.
func FollowGames[P engine.Position](t *testing.T, p P, starts []string, n int, visit func(P)) {
	t.Helper()
	if testing.Short() {
		n /= 10
	}
	src := rand.NewPCG(0, 0)
	for game := 0; n > 0; game++ {
		if err := begin(p, starts[game%len(starts)]); err != nil {
			t.Fatal(err)
		}
		src.Seed(uint64(game), 5)
		for ply := 0; n > 0; ply++ {
			n--
			visit(p)
			if t.Failed() {
				t.Fatalf("game %d, ply %d: %s", game, ply, p)
			}
			if !draw(p, src) {
				break
			}
		}
	}
}

// moves returns the legal moves in the visit's scratch slice.
func (v *visit) moves() []engine.Move {
	v.list = v.p.Moves(v.list[:0])
	return v.list
}

// pick draws one of the moves from the law's own source.
func (v *visit) pick(list []engine.Move) engine.Move {
	return list[rand.New(v.src).IntN(len(list))]
}

// playAndUndo plays up to n drawn moves and undoes them all.
func (v *visit) playAndUndo(s sampler, n int) {
	played := 0
	for ; played < n; played++ {
		if _, ok := s.draw(v.p, v.src); !ok {
			break
		}
	}
	for range played {
		v.p.Undo()
	}
}

// queryEverything calls every method that must not change the position, and plays and
// undoes moves.
func (v *visit) queryEverything() {
	v.askEverything()
	for _, m := range v.moves() {
		v.p.Do(m)
		v.p.Undo()
	}
	for _, s := range v.samplers {
		v.playAndUndo(s, 4)
	}
	_, _ = v.p.Hash(), v.p.String()
}

// panics reports whether f panics.
func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

// moveTexts returns the legal moves in their wire form, sorted.
func moveTexts(p engine.Position) []string {
	var texts []string
	for _, m := range p.Moves(nil) {
		texts = append(texts, p.FormatMove(m))
	}
	slices.Sort(texts)
	return texts
}
