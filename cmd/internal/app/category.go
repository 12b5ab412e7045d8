package app

// Groups of flags in the help of a command: the Category of a flag. The help prints them in
// the order of groups.
const (
	Game     = "GAME"
	Players  = "PLAYERS"
	Openings = "OPENINGS, EXPLORATION AND ADJUDICATION"
	Rows     = "ROWS"
	Output   = "OUTPUT"
	Cluster  = "CLUSTER"
	Stores   = "OBJECT STORES"
	Logging  = "LOGGING"
)

// groups lists the groups in the order of the help. Flags without a group follow the game.
var groups = []string{Game, "", Players, Openings, Rows, Output, Cluster, Stores, Logging}

// Groups of commands in the help of a program: the Category of a command. The help prints
// them in the order of the commands.
const (
	Making   = "MAKE DATASETS"
	Reading  = "USE DATASETS"
	Asking   = "ASK ABOUT GAMES AND PLAYERS"
	Programs = "THIS PROGRAM"
)
