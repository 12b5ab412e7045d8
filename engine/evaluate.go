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

// Featured is an Evaluator that describes its board by sparse features: the inputs of a
// network (package nnue). Each side has a view of the board in which its own pieces come
// first and move in the same direction.
type Featured interface {
	Evaluator
	// FeatureSet returns the set of the game. It is the same for every position.
	FeatureSet() *FeatureSet
	// AppendFeatures appends the active features, in no particular order.
	AppendFeatures(dst []Feature) []Feature

	// Plies returns the number of moves and null moves played since Set or Reset.
	Plies() int
	// HashAt returns the hash of the position after the first n of them, n at most Plies.
	// Positions with equal hashes have equal features.
	HashAt(n int) uint64
	// AppendChanges appends the features that move n of them (from 0, n below Plies) removed
	// and added. A feature that was active before and after it may be in both lists, equally
	// often. ok is false, and nothing is appended, if the move gave all features other numbers
	// in the view of a side.
	AppendChanges(n int, removed, added []Feature) (r, a []Feature, ok bool)
}

// Viewed is a Featured that numbers the features of a side in several ways, by where its king stands for
// instance: it has several views of the board for each side.
type Viewed interface {
	Featured
	// View returns the view that a side has now, from 0 to FeatureSet().Views-1.
	View(side Side) int
	// AppendDifference appends the features that left and joined the board since before, with the numbers
	// that they have now, and sets before to the board as it is. While a side's view is the same, so are its numbers.
	AppendDifference(before *Board, removed, added []Feature) (r, a []Feature)
}

// Board holds the pieces of a position of a Viewed, in a form of the game. The zero value has no pieces.
type Board [12]uint64

// LeafFeatured is a Featured that also tells the features after moves that it does not play.
type LeafFeatured interface {
	Featured
	LeafScorer
	// AppendChangesAfter is AppendChanges for a move that ScoreAfter answers, before it is played.
	AppendChangesAfter(m Move, removed, added []Feature) (r, a []Feature, ok bool)
}

// Feature is the number of a feature in both views: in that of First in the low 16 bits, in
// that of Second in the high ones.
type Feature uint32

// NewFeature returns the feature with a number in each view.
func NewFeature(first, second uint16) Feature { return Feature(first) | Feature(second)<<16 }

// In returns the number in the view of a side, from 0 to FeatureSet.Size-1.
func (f Feature) In(side Side) int { return int(f >> (16 * (side & 1)) & 0xFFFF) }

// FeatureSet describes the features of a game.
type FeatureSet struct {
	Name    string
	Version int // raised whenever a number gets another meaning
	Size    int // number of features in one view
	Most    int // the largest number of active features in any position of a game
	Views   int // views of a side; 0 means one, and positions are not Viewed

	// Policy describes the parts of moves. If it is not nil, positions are Policied.
	Policy *PolicySet
}

// Policied is a Featured whose moves have two numbered parts each: the outputs of a network
// that rates moves. The logit of a move is the sum of those of its parts, so a game with many
// moves needs few outputs.
type Policied interface {
	Featured
	// MoveParts returns two different parts of a legal move, in the view of the side to move:
	// numbers from 0 to FeatureSet().Policy.Size-1. They depend on the move and the side alone,
	// and no two legal moves of a position have the same two.
	MoveParts(m Move) [2]uint16
}

// PolicySet describes the parts of the moves of a game.
type PolicySet struct {
	Name    string
	Version int // raised whenever a number gets another meaning
	Size    int // number of parts
}

// Tuning holds the margins of the alpha-beta search in one game: which nodes and moves it
// skips or searches less deeply. Scores are in centi-units of the game, depths in turns.
// A margin per depth is multiplied by the depth that is left at the node. The features of
// package search say what each technique does. A technique whose depth is 0 is off; Losing,
// NullMove, ReductionHistory, InternalReduction and CheckBonus are off at 0 as well.
//
// The numbers of a game belong to the version of its players: a change changes datasets.
type Tuning struct {
	ReverseFutility      int // margin per depth between the static score and beta
	ReverseFutilityDepth int // largest depth
	Razoring             int // margin per depth between the static score and alpha
	RazoringDepth        int
	Futility             int // margin per depth between the static score and alpha
	FutilityDepth        int
	LateMoves            int // quiet moves searched at depth 0; more at larger depths
	LateMoveDepth        int
	HangingDepth         int // quiet moves for which Hangs is true are skipped
	Losing               int // margin per depth of moves with a negative gain
	Delta                int // margin between the static score plus gain and alpha

	NullMove          int // turns by which a null move reduces the depth, itself included
	ReductionFactor   int // of late moves per log of depth and log of move number, in hundredths of a turn
	ReduceFrom        int // number of the first move that is reduced
	ReductionHistory  int // history that reduces or extends by one turn
	MoreReductions    int // of late moves, in hundredths of a turn
	InternalReduction int // smallest depth at which a node without a table move is reduced

	Aspiration   int // half the width of the first aspiration window
	HistoryBonus int // per unit of squared depth
	CheckBonus   int // added to the history of moves that give check
	Placement    int // history that a centi-unit of Placement is worth

	Recurrence  bool // an earlier position of the game or of the path counts as a draw
	TableScores bool // a score of the table replaces a static score that it bounds
	Stability   bool // a search ends sooner while its best move stays, and later when it changes

	// KeepFrom is the node limit from which searches use what those of earlier moves of the game left in the
	// table; 0 is none. It is the players' business: see AlphaBetaOptions.Keep of package search.
	KeepFrom int

	// MeanNodes are the mean costs of searches with the soft limits 100, 300, 1,000, 3,000 and 10,000
	// nodes. They are measured in games and change no search. Zeros: not known.
	MeanNodes [5]int
}
