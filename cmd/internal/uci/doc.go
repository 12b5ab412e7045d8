// Package uci speaks the Universal Chess Interface, in both roles.
//
// As a GUI it runs an engine process as a player of matches: Player. Each worker owns one
// process. The engine decides by a number of nodes or a depth, on one thread, and a new game
// clears its memory, so its games repeat as far as the engine is deterministic. A process
// never outlives this one: its input ends with this process, and on Linux the kernel kills
// it.
//
// As an engine it lets GUIs and match programs play against any player of this program:
// Serve.
//
// # Files
//
//	spec.go             the text of an engine: uci:path=FILE,nodes=N
//	player.go           Player: an engine as a workers.External
//	protocol.go         what an engine says: its options, and of its search
//	process.go          the process of an engine; process_linux.go, process_other.go
//	serve.go            Serve: the state of a session and its loop
//	command.go          the commands of a GUI
//	think.go            a search of a session
//	limits.go           the limits of a search
//
// # Sources
//
//	https://www.wbec-ridderkerk.nl/html/UCIProtocol.html
//	https://www.chessprogramming.org/UCI
package uci
