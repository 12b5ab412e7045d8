// Package nnue computes static scores with efficiently updatable neural networks. All
// arithmetic is on integers, so a network gives the same score on every machine and in
// every build.
//
// # Network
//
// The inputs are the sparse features of a game (engine.FeatureSet), in the view of each
// side. A view has H accumulators of 16 bits:
//
//	acc[i] = bias[i] + sum of weight[f][i] over the active features f
//
// The output layer takes the squared clipped ReLU of the accumulators of both views, first
// those of the side to move. One of several output layers (buckets) is used, by the number
// of active features:
//
//	x[i]   = min(max(acc[i], 0), QA)^2
//	out    = sum of x[i]*w[bucket][0][i] over own + sum of x[i]*w[bucket][1][i] over other
//	score  = (out/QA + b[bucket]) * scale / (QA*QB), within ±engine.MaxStatic
//	bucket = min(max(active-1, 0)*buckets/Most, buckets-1)
//
// A network that corrects the hand-written score (base in its metadata) has that added, again
// within ±engine.MaxStatic. It learns only what the other lacks, so fewer games suffice.
//
// Divisions round towards zero. The score is in centi-units, from the view of the side to
// move. In a position with more active features than any position of a game (Most), which
// only a text can describe, Scorer returns the hand-written score.
//
// # Policy
//
// A network may have a policy head, which rates moves. A move has two parts (engine.Policied),
// and each part has a row of weights of 8 bits and a bias, in the form of an output layer:
//
//	part   = (sum of x[i]*w[part][0][i] over own + sum of x[i]*w[part][1][i] over other)/QA + b[part]
//	logit  = (part of the first + part of the second) * 100 / (QA*QB), within ±engine.MaxStatic
//
// It is in hundredths. The probability of a move is the softmax of the logits of the legal moves.
// Most moves share a part with others, and what a part adds is computed once for a position.
//
// # Increments
//
// A Scorer keeps the accumulators of the positions on the path from the root of a search,
// with their hashes. Score looks for the last one that is still right and adds the changes
// of the moves since then, which the position has in its history. Moves that are played and
// taken back without a score, as legality tests are, cost nothing. The score after a move that is
// not played (engine.LeafFeatured) needs no entry of its own.
//
// Package nets has the networks that ship with the program, nnuetest makes files for tests.
//
// # Sources
//
//	Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018
//	chessprogramming.org/NNUE
package nnue
