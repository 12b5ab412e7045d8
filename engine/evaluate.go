package engine

// Evaluator is a Position that a search can look into. Scores are whole
// centi-units: 100 is about what a lead that usually wins is made of (a pawn, a
// militia, a step ahead); each game documents its own scale.
type Evaluator interface {
	Position
	// Evaluate returns the static score for the side to move, between -MaxStatic and
	// MaxStatic. It depends on what String says and on nothing else. In an open turn
	// it is the score of the side that decides, as everywhere.
	Evaluate() int
	// Over reports, without looking for a legal move, whether the game is over here
	// though moves may be listed: by repetition, a clock, material, a reached goal or
	// a captured commander. Outcome then says how.
	Over() bool
	// Captures appends the legal moves that win something at once (captures,
	// promotions, reached goals), each once: a part of what Moves lists. Whoever looks
	// at all of them need not look at any other move whose Gain is positive.
	Captures(dst []Move) []Move
	// Legal reports whether Moves lists a move here that it listed in some other
	// position of the game.
	Legal(m Move) bool
	// Gain estimates what a legal move wins at once, in centi-units, less what the
	// mover is likely to lose for it there; 0 for quiet moves. It serves to look at good
	// moves first, and captures with a negative gain are not looked at beyond the
	// horizon. It is a function of position and move alone.
	Gain(m Move) int
}

// MaxStatic bounds static scores; what a search proves lies beyond.
const MaxStatic = 20_000
