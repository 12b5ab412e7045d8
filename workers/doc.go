// Package workers plays games on a fixed number of goroutines.
//
// A Series describes what is played: a game, two players, a seed and the rules for opening,
// exploration and adjudication. Game i of a series is a function of the series and i. It
// depends neither on the worker that plays it nor on the games that worker played
// before.
//
// A Pool plays games of one series. Each of its workers is a goroutine that owns a
// position and players for its lifetime. Any number of goroutines may request games with
// Play. Play reports each game when it ends and delivers the records in the order of the
// game numbers. The package produces engine.Records; it knows nothing of rows or files.
//
// The example shows the whole way, from a plan to a file of rows.
//
// A game goes through these functions: Pool.Play hands its number out (play.go); the worker
// plays it, from the opening to the last decision of a player (game.go); Play passes the
// record on in order. Rules of the series are in rules.go, players in player.go and
// searchplayer.go. Package batching asks models of the user.
//
// Scores are in centi-units, as in package engine/search.
package workers
