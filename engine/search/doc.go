// Package search holds players that think: Greedy looks one ply ahead, AlphaBeta
// some turns, MCTS along the lines that look best. They know games only by
// engine.Evaluator.
//
// # Scores
//
// Scores are centi-units as the side to move sees them: static ones within
// ±engine.MaxStatic, a draw 0, a proven win in n plies MateScore-n. Values of MCTS
// are what a side may expect, in 65536ths, and come from scores by a logistic curve.
//
// A side is always asked for by Turn and never derived from the ply: a turn may
// take several moves, and then the score of a move's successor does not change sign.
//
// # Depth
//
// Depth counts turns: the first move of a turn costs one, further moves of the same
// side nothing, but the move at the root always costs one. An open turn is played
// to its end before the horizon. There begins quiescence: captures, standing pat,
// and all moves in check. Plies, by which ends of the game are told, count every
// move.
//
// # What can be relied on
//
// A search is limited by depth, positions or playouts, never by time. Its answer is
// a function of the position with its history, the options and src: not of what the
// searcher saw before. Memory is kept between searches and nothing else is, so a
// search in the course of games does not allocate.
//
// AlphaBeta uses only what cannot change a value: no null moves, no reductions, no
// margins. Without a table the score of a finished iteration equals plain minimax
// over the same quiescence. With a table it does too, but for one thing. What a draw
// by repetition or clock had a part in is never stored; yet a score stored on one
// path may serve on another, where the same moves would have repeated a position of
// that path. Where it takes four turns to come back, and the third time is a draw,
// that begins at depth 5.
// See chessprogramming.org/Graph_History_Interaction.
//
// Numbers are integers, or floats whose every bit is the same on all machines; see
// math.go.
//
// # Files
//
//	search.go      the contract: Searcher, Answer, Line
//	greedy.go      one ply
//	alphabeta.go   options, iterations, the root
//	negamax.go     the nodes below
//	quiescence.go  the nodes below the horizon
//	order.go       good moves first, stage by stage
//	history.go     which quiet moves refuted something
//	table.go       the transposition table
//	mcts.go        options, playouts, priors
//	tree.go        the arena of nodes, PUCT, taking values back
//	curve.go       scores to values, scores to priors, by tables
//	noise.go       Dirichlet noise
//	pick.go        drawing a line by score or by visits
//	math.go        exp and log with the same bits everywhere
//
// # Sources
//
//	chessprogramming.org/Alpha-Beta, /Principal_Variation_Search, /Aspiration_Windows,
//	/Quiescence_Search, /Transposition_Table, /Killer_Heuristic, /History_Heuristic
//	Knuth and Moore, "An analysis of alpha-beta pruning", 1975
//	Rosin, "Multi-armed bandits with episode context", 2011: PUCT
//	Silver et al., "Mastering chess and shogi by self-play", 2017: its use with priors
package search
