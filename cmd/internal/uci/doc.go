// Package uci speaks the Universal Chess Interface, in both roles.
//
// As a GUI it runs an engine process as a player of matches, Player, or of datasets, Engine. Each
// worker owns one process. The engine decides by a number of nodes or a depth, on one thread. In
// a match a new game clears its memory. In a dataset every decision does, so that a decision
// depends on the position and its history alone; Open refuses an engine that does not repeat its
// answers. A process never outlives this one: its input ends with this process, and on Linux the
// kernel kills it.
//
// As an engine it lets GUIs and match programs play against any player of this program:
// Serve.
//
// # Sources
//
//	https://www.wbec-ridderkerk.nl/html/UCIProtocol.html
//	https://www.chessprogramming.org/UCI
package uci
