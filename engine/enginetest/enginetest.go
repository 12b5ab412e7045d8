// Package enginetest is the conformance suite for games: laws that every
// engine.Position must obey. A game runs it with a few lines of test code:
//
//	func TestLaws(t *testing.T) { enginetest.Run(t, nim.Game(), []string{"1,2,3 b"}) }
//
// Each law checks the positions of random games, played with DoRandom from the
// start of the game and from the given texts, and reports the first position that
// breaks it. All random numbers are seeded, so a result is reproducible.
//
// The tests of this package prove the laws themselves. Nim, a tiny game, obeys all
// of them; for every way to break a law there is a broken variant of nim that the law
// must reject.
//
// Games with chance, hidden information, simultaneous moves or more than two players cannot obey the laws:
// docs/adding-a-game.md says so, and which law names each.
//
// The package also holds the shared benchmarks, the fuzz target for position texts, and
// readers of test data: files of rules, one case a line, and what other programs found out.
package enginetest

import (
	"fmt"
	"testing"

	"selfplay/engine"
)

// Suite is a game and the positions to check it on.
type Suite struct {
	Game   engine.Game
	Starts []string // texts to play from besides the start; include open turns, ended games, few and many moves
	Plies  int      // random plies per law; 0 means 100,000
}

// Run checks every law on 100,000 random plies, or 10,000 with -short.
func Run(t *testing.T, g engine.Game, starts []string) {
	Suite{Game: g, Starts: starts}.Run(t)
}

// Run checks every law in every variant, one subtest each.
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
				if err := law.run(target{s, variant}); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Check checks every law in every variant and returns what it finds, one error a law. Its text begins with the name
// of the law. It does not count allocations, for which Run is.
func (s Suite) Check() (found []error) {
	if s.Plies == 0 {
		s.Plies = 100_000
	}
	for _, variant := range s.variants() {
		for _, law := range laws {
			if law.alone {
				continue
			}
			if err := law.run(target{s, variant}); err != nil {
				found = append(found, fmt.Errorf("%s: %w", subtest(variant, law.name), err))
			}
		}
	}
	return found
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

// A law has a name that states it and a check that returns the first violation.
type law struct {
	name  string
	alone bool // counts allocations, which parallel tests would disturb
	check func(target) error
}

// run checks the law. A panic of the game is a violation.
func (l law) run(g target) (err error) {
	defer Recover(&err)
	return l.check(g)
}

// laws lists all laws. A law given to onWalk holds for a single position; its number n
// means that every n-th position of the walk is checked, and depends on the cost.
var laws = []law{
	{name: "drawing and listing do not allocate", alone: true, check: noAllocation},

	{name: "new positions are at the start and independent", check: newPositionsAreIndependent},
	{name: "the side to move is one of two", check: onWalk(1, turnIsASide)},

	{name: "text round trip changes nothing", check: onWalk(1, textRoundTrips)},
	{name: "text determines legal moves and outcome", check: onWalk(8, textIsMarkov)},
	{name: "rejected text leaves the position unchanged", check: onWalk(64, rejectionKeepsPosition)},
	{name: "reset returns to the start", check: onWalk(64, resetClearsHistory)},
	{name: "set clears the history", check: onWalk(16, setClearsHistory)},

	{name: "moves are appended once each", check: onWalk(1, movesAreUnique)},
	{name: "count is the length of the list", check: onWalk(1, countIsLength)},
	{name: "move text round trips", check: onWalk(64, moveTextRoundTrips)},
	{name: "questions change nothing", check: onWalk(32, questionsChangeNothing)},
	{name: "algebraic names round trip", check: onWalk(64, algebraicNamesRoundTrip)},
	{name: "obstacles are those of illegal moves", check: onWalk(64, obstaclesAreThoseOfIllegalMoves)},
	{name: "turn texts lead back", check: onWalk(16, turnTextsLeadBack)},
	{name: "games do not end before their last turn", check: onWalk(16, endsFollowTurns)},
	{name: "games lead to reachable positions", check: playedPositionsAreReachable},
	{name: "full moves are counted", check: onWalk(4, fullMovesAreCounted)},
	{name: "hashes use all bits", check: hashesUseAllBits},
	{name: "equal hashes have equal moves and scores", check: equalHashes},

	{name: "undo restores everything", check: onWalk(8, undoRestores)},
	{name: "a move leads to one position", check: onWalk(4, movesLeadToOnePlace)},
	{name: "a pass is taken back", check: onWalk(8, passesAreTakenBack)},
	{name: "turns begin in canonical order", check: onWalk(8, turnsBeginCanonically)},
	{name: "a whole game can be undone", check: wholeGames},

	{name: "a draw plays a listed move", check: onWalk(1, forEachSampler(drawPlaysListedMove))},
	{name: "a draw fails exactly where the game is over", check: onWalk(1, forEachSampler(drawFailsAtTheEnd))},
	{name: "a draw depends on position and source alone", check: onWalk(4, forEachSampler(drawIgnoresQueries))},
	{name: "queries do not change a game", check: queriesDoNotMatter},

	{name: "scores and gains depend on the text alone", check: onWalk(4, forEvaluators(scoresDependOnText))},
	{name: "scores are bounded", check: onWalk(1, forEvaluators(scoresAreBounded))},
	{name: "captures are listed moves", check: onWalk(1, forEvaluators(capturesAreListed))},
	{name: "captures by gain are the captures", check: onWalk(2, captureListsAgree)},
	{name: "scores foretell results", check: scoresForetellResults},
	{name: "gains and placements foretell scores", check: estimatesForetellScores},
	{name: "moves that give check lead to check", check: onWalk(8, forEvaluators(checksAreGiven))},
	{name: "margins are constant", check: marginsAreConstant},
	{name: "legal moves are the listed moves", check: legalIsListed},
	{name: "scores after moves are those of the positions after them", check: leafScoresAreScores},

	{name: "features depend on the text alone", check: onWalk(4, forFeatured(featuresDependOnText))},
	{name: "changes lead to the features", check: onWalk(1, forFeatured(changesLeadToFeatures))},
	{name: "differences lead to the features", check: onWalk(1, forFeatured(differencesLeadToFeatures))},
	{name: "moves have parts of their own", check: onWalk(1, movesHaveParts)},

	{name: "over implies an outcome", check: onWalk(1, forEvaluators(overImpliesOutcome))},
	{name: "an outcome with legal moves implies over", check: onWalk(1, forEvaluators(outcomeWithMovesImpliesOver))},
	{name: "an outcome without over has no legal moves", check: onWalk(1, forEvaluators(outcomeWithoutOverHasNoMoves))},

	{name: "a search asks about legal moves and changes nothing", check: searchesKeepTheContract},

	{name: "draws are uniform", check: drawsAreUniform},
}
