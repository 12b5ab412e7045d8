// Package enginetest holds the laws that every game obeys, stated over
// engine.Position alone. A game's own test file is a few lines:
//
//	func TestLaws(t *testing.T) { enginetest.Run(t, nim.Game(), []string{"1,2,3 b"}) }
//
// Each law looks at the positions of random games, played by Random from the
// start of the game and from the given texts, and returns the first position
// that breaks it. Everything is seeded: a law that holds once holds every time.
//
// enginetest_test.go plays a tiny game that obeys the laws, and one broken
// variant of it for every way in which a law can be broken.
package enginetest

import (
	"testing"

	"selfplay/engine"
)

// Suite says what the laws are tried on.
type Suite struct {
	Game   engine.Game
	Starts []string // texts to play from besides the start; let them hold open turns, ends, few and many moves
	Plies  int      // random plies that a law looks at; 0 means 100,000
}

// Run checks all laws on 100,000 random plies each, a tenth of it with -short.
func Run(t *testing.T, g engine.Game, starts []string) {
	Suite{Game: g, Starts: starts}.Run(t)
}

// Run checks all laws in all variants, one subtest each.
func (s Suite) Run(t *testing.T) {
	if s.Plies == 0 {
		s.Plies = 100_000
	}
	if testing.Short() {
		s.Plies = max(s.Plies/10, 1)
	}
	for _, variant := range s.variants() {
		for _, law := range laws {
			t.Run(subtest(variant, law.name), func(t *testing.T) {
				if !law.alone {
					t.Parallel()
				}
				if err := law.check(trial{s, variant}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func (s Suite) variants() []string {
	if len(s.Game.Variants) == 0 {
		return []string{""}
	}
	return s.Game.Variants
}

func subtest(variant, law string) string {
	if variant == "" {
		return law
	}
	return variant + "/" + law
}

// A law has a name that states it and a check that returns the first breach.
type law struct {
	name  string
	alone bool // counts allocations, which parallel tests would disturb
	check func(trial) error
}

// laws are all laws. Those given to onWalk hold for one position at a time; the
// number says on which share of the walk they are tried, by what they cost.
var laws = []law{
	{name: "drawing and listing do not allocate", alone: true, check: noAllocation},

	{name: "reading back what is written changes nothing", check: onWalk(1, textIsIdentity)},
	{name: "text says all that legal moves depend on", check: onWalk(8, textIsMarkov)},
	{name: "a refused text leaves the position as it was", check: onWalk(64, refusalKeepsPosition)},
	{name: "reset goes back to the start", check: onWalk(64, resetForgets)},
	{name: "set forgets the history", check: onWalk(16, setForgets)},

	{name: "moves are listed once and appended", check: onWalk(1, movesAreUnique)},
	{name: "the count is the length of the list", check: onWalk(1, countIsLength)},
	{name: "moves survive writing and reading", check: onWalk(64, movesSurviveText)},
	{name: "equal hashes have equal moves", check: equalHashes},

	{name: "undo restores everything", check: onWalk(8, undoRestores)},
	{name: "a whole game can be taken back", check: wholeGames},

	{name: "a draw plays a listed move", check: onWalk(1, forDrawers(drawPlaysListedMove))},
	{name: "a draw fails exactly where the game is over", check: onWalk(1, forDrawers(drawFailsAtTheEnd))},
	{name: "a draw depends on position and source alone", check: onWalk(4, forDrawers(drawIgnoresQuestions))},
	{name: "questions do not change a game", check: questionsDoNotMatter},

	{name: "scores are of the text", check: onWalk(4, forEvaluators(scoresAreOfTheText))},
	{name: "captures are listed moves", check: onWalk(1, forEvaluators(capturesAreListed))},
	{name: "legal is what is listed", check: legalIsListed},

	{name: "draws are uniform", check: drawsAreUniform},
}
