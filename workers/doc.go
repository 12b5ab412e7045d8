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
// Scores are in centi-units, as in package engine/search.
//
// # Files
//
//	pool.go          Series, Pool: the worker goroutines
//	timing.go        how long games and decisions take; Cost: what decisions cost; ModelCounts: what models are asked
//	batch.go         Play: the games of one call, reordered
//	game.go          one game, from its seed to its record
//	journal.go       games that a journal keeps while they are played
//	player.go        Player, Decision, the list of player types
//	spec.go          PlayerSpec: parsing player names, mixtures
//	param.go         player parameters: parsing, canonical form, help
//	random.go        players that draw random moves
//	searchplayer.go  players that search
//	network.go       networks of players that search
//	external.go      External: players that another program decides for
//	model.go         players that ask a model of the user: eval=NAME
//	question.go      questions to a model, and the Evaluator that answers them
//	dispatcher.go    batches of questions; await.go: a game that waits for an answer
//	next.go          workers without a game, which ask for more
//	opening.go       books and random opening plies
//	explore.go       deviations from the best move
//	adjudicate.go    adjudication by score
//	rescore.go       decisions of finished games, searched again; selection.go which
//	settings.go      the rules as texts of a plan
//	restore.go       the rules from these texts
//	seed.go          the random source of a game; pairs of games
package workers
