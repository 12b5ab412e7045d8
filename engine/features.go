package engine

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
