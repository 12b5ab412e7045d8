package engine

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
