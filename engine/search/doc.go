// Package search holds the three game-independent searchers: Greedy (one ply),
// AlphaBeta (iterative deepening with quiescence) and MCTS (PUCT).
// They know a game only through engine.Evaluator; with a Model, Greedy and MCTS need an
// engine.Position alone. Scores and policies may come from outside: see Scorer, Policy and Model.
//
// # Scores
//
// A score is a number of centi-units from the view of the side to move. Static scores
// lie within ±engine.MaxStatic. A draw is 0. A proven win in n plies is MateScore-n, a
// proven loss n-MateScore.
//
// MCTS works with values instead: the expected result of one side, from -1 (loss) to 1
// (win), in 65536ths. A logistic curve converts scores to values and back.
//
// A turn may consist of several moves, so the side to move is always read from Turn
// and never derived from the ply. Between two moves of one turn the score does not
// change sign.
//
// # Depth
//
// Depth counts turns. The first move of a turn costs one unit of depth and its further
// moves cost none; the move at the root always costs one. The search finishes an open
// turn before it reaches the horizon. At the horizon quiescence begins: stand pat or
// capture, and every move when in check. Plies count every move; distances to the end
// of the game are measured in plies.
//
// # Determinism
//
// A search is limited by depth, nodes or simulations, never by time. Its Result is a
// function of the position with its history, the options, src and the answers of a Scorer or
// Model. It does not depend on earlier searches; with the option Keep it depends on those of the same game.
// Buffers are reused, so a searcher in steady state does not allocate. Abort and the failure of a Model are
// the only stops that are not deterministic: an aborted search is never recorded.
//
// # Pruning
//
// Alpha-beta prunes and reduces by static scores, gains and move numbers, and takes table scores of greater
// depths and of earlier iterations, draws included. The margins belong to the game (engine.Tuning), and each
// technique is a Feature, so that matches can measure it. With the option Exact those that change
// scores are off, and so is the table, whose scores depend on the path: the score of a completed
// iteration equals plain minimax over the same quiescence.
//
// All numbers are integers, or floats with the same bits on every machine (math.go).
//
// # Sources
//
//	chessprogramming.org/Alpha-Beta, /Principal_Variation_Search, /Aspiration_Windows,
//	/Quiescence_Search, /Transposition_Table, /Killer_Heuristic, /History_Heuristic
//	Knuth and Moore, "An analysis of alpha-beta pruning", 1975
//	Rosin, "Multi-armed bandits with episode context", 2011 (PUCT)
//	Silver et al., "Mastering chess and shogi by self-play", 2017 (PUCT with priors)
//	Wu, "Accelerating self-play learning in Go", 2019 (playout cap randomisation)
//	Danihelka et al., "Policy improvement by planning with Gumbel", 2022 (completed Q-values,
//	Gumbel noise and sequential halving at the root)
package search
