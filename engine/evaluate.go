package engine

// Evaluator is a Position that supports search. Scores are integers in centi-units:
// 100 is roughly one unit of decisive advantage (a pawn, a militia, one step ahead in
// a race). Each game documents its own scale.
type Evaluator interface {
	Position
	// Evaluate returns the static score from the view of the side to move, between
	// -MaxStatic and MaxStatic. It depends only on what Hash covers. In an open
	// turn it is the score of the side that decides, as everywhere.
	Evaluate() int
	// Over reports that the game is over, without generating moves. It must be true
	// wherever the game is over although Moves lists moves: by repetition, clock,
	// material, a reached goal or a captured commander. It should also be true where
	// the game is over for lack of a legal move, if the position can detect that
	// without generating moves: a full board, for instance. It is never true while
	// Outcome is Ongoing.
	//
	// A search that finds Over false must still call Moves: an empty list means that
	// the game is over.
	Over() bool
	// Captures appends the legal moves with an immediate gain (captures, promotions,
	// reached goals), each exactly once. The result is a subset of what Moves lists.
	// Every move with a positive Gain is either in it or no better than a move in it,
	// so quiescence needs no other moves.
	Captures(dst []Move) []Move
	// Legal reports whether Moves lists m in this position. Moves must have listed m
	// in some position of the game; other values are undefined.
	Legal(m Move) bool
	// Gain estimates the immediate gain of a legal move in centi-units, minus the
	// likely loss of the moving piece. It is 0 for quiet moves. Search uses it to
	// order moves and skips captures with a negative gain in quiescence. It depends
	// only on the position and on m.
	Gain(m Move) int
	// Placement estimates by how much a legal move changes the static score of the side
	// that moves because the piece stands elsewhere afterwards, in centi-units. It
	// depends only on the position and on m. Search uses it to order quiet moves.
	Placement(m Move) int
	// Hangs reports that a legal quiet move puts a piece where it is probably lost for
	// less than its worth. It depends only on the position and on m. Alpha-beta
	// skips such moves near the horizon. A game may return false always.
	Hangs(m Move) bool
	// GivesCheck reports that the piece moved by a legal quiet move attacks what Check
	// asks for. It depends only on the position and on m, and it may miss checks.
	// Alpha-beta tries such moves early. A game may return false always.
	GivesCheck(m Move) bool
	// Tuning returns the margins of the alpha-beta search. They are the same for every
	// position of a game.
	Tuning() *Tuning
}

// MaxStatic bounds static scores. Proven wins and losses have scores beyond it.
const MaxStatic = 20_000

// LeafScorer is an Evaluator that knows the static score after many moves without playing them. Most
// nodes of a search are leaves that need no more than this score.
type LeafScorer interface {
	Evaluator
	// ScoreAfter returns what Evaluate would return after a legal move. It may return false for any
	// move. If it returns true, the move passes the turn to the other side, which is not in check
	// then, and Over is false there.
	ScoreAfter(m Move) (score int, ok bool)
}

// LeafHasher is a LeafScorer that also knows the hash after a move. It is of use where that costs less
// than the score, which a search may have computed before. Its ScoreAfter answers only moves that
// HashAfter answers, so ask that first.
type LeafHasher interface {
	LeafScorer
	// HashAfter returns what Hash would return after a legal move. If it returns true, ScoreAfter
	// returns true.
	HashAfter(m Move) (hash uint64, ok bool)
}

// LeafRepeater is a LeafScorer that also knows which of the moves that it answers may lead back.
type LeafRepeater interface {
	LeafScorer
	// RepeatsAfter reports whether the position after a move that ScoreAfter answers occurred before in
	// the game. It may return true for a position that did not.
	RepeatsAfter(m Move) bool
}

// CaptureLister is an Evaluator that lists captures by their gains, without those that gain too
// little, before it tests whether they are legal. A search that stops early tests few of them. Which ones are
// listed decides the order of captures with equal gains, so all engines of a game list the same ones.
type CaptureLister interface {
	Evaluator
	// AppendCaptures appends the moves of Captures with a Gain of at least least, in the same order,
	// and their gains. Moves that are not legal may be among them.
	AppendCaptures(dst []Move, gains []int32, least int) ([]Move, []int32)
	// LegalCapture reports whether a move that AppendCaptures appends in this position is legal.
	LegalCapture(m Move) bool
}

// Additive is an Evaluator whose static score is mainly a sum over pieces and their places,
// so that Gain and Placement tell well how a move changes it. A tree search may then weigh
// moves by their sum in place of playing each move.
type Additive interface {
	Evaluator
	// Additive does nothing.
	Additive()
}

// Passer is an Evaluator whose side to move may pass in a search: a null move.
type Passer interface {
	Evaluator
	// Pass lets the other side move and returns true, or returns false and does nothing
	// where passing may be better than any move. Outcome and Over do
	// not count the position as a repetition of an earlier one.
	Pass() bool
	// TakePass takes back the last Pass.
	TakePass()
}

// Orderer is an Evaluator whose turns take several moves that can often be played in any
// order.
type Orderer interface {
	Evaluator
	// Canonical reports whether m, a legal move, follows the move before it in the same turn
	// in canonical order. It is true at the start of a turn. From there, canonical moves
	// alone end the turn in every position in which all moves can end it, so a search that
	// plays whole turns may leave the others out. Where an open turn is the root of a search,
	// the moves of the root must not be left out: the other order is no longer possible.
	//
	// It depends only on what String contains and on m.
	Canonical(m Move) bool
}
