package app

// Groups of flags in the help of a command: the Category of a flag. The help shows the
// groups in this order; flags without a group come first, under OPTIONS.
const (
	Game     = "GAME"
	Players  = "PLAYERS"
	Openings = "OPENINGS AND ADJUDICATION"
	Rows     = "ROWS"
	Output   = "OUTPUT"
	Cluster  = "CLUSTER"
	Logging  = "LOGGING"
)
