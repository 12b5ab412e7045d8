package enginetest

import "selfplay/engine"

// A fault is one way to break a law, with the law that must detect it. The broken
// variants of nim override one method each; they are in the files broken_*_test.go.
type fault struct {
	law  string
	name string
	make func(n *nim) engine.Position
}

// faults has at least one entry for every law.
var faults = []fault{
	{"drawing and listing do not allocate", "DoRandom allocates", func(n *nim) engine.Position { return &drawAllocates{n} }},
	{"drawing and listing do not allocate", "Moves allocates", func(n *nim) engine.Position { return &movesAllocates{n} }},
	{"drawing and listing do not allocate", "sampler allocates", func(n *nim) engine.Position { return &samplerAllocates{n} }},
	{"drawing and listing do not allocate", "Evaluate allocates", func(n *nim) engine.Position { return &scoreAllocates{n} }},

	{"text round trip changes nothing", "Set ignores the side", func(n *nim) engine.Position { return &setIgnoresSide{n} }},
	{"text round trip changes nothing", "Set rejects ended games", func(n *nim) engine.Position { return &setRejectsEnds{n} }},
	{"text round trip changes nothing", "hash depends on the history", func(n *nim) engine.Position { return &historyInHash{n} }},
	{"text round trip changes nothing", "check depends on the history", func(n *nim) engine.Position { return &historyInCheck{n} }},
	{"text determines legal moves and outcome", "moves depend on the history", func(n *nim) engine.Position { return &historyInMoves{n} }},
	{"text determines legal moves and outcome", "outcome depends on the history", func(n *nim) engine.Position { return &historyInOutcome{n} }},
	{"rejected text leaves the position unchanged", "rejection clears a pile", func(n *nim) engine.Position { return &rejectionClearsPile{n} }},
	{"rejected text leaves the position unchanged", "rejection is not a TextError", func(n *nim) engine.Position { return &rejectionUntyped{n} }},
	{"rejected text leaves the position unchanged", "Set accepts every text", func(n *nim) engine.Position { return &setAcceptsAll{n} }},
	{"reset returns to the start", "Reset keeps the history", func(n *nim) engine.Position { return &resetKeepsHistory{n} }},
	{"reset returns to the start", "Reset keeps the side", func(n *nim) engine.Position { return &resetKeepsSide{n} }},
	{"set clears the history", "Set keeps the history", func(n *nim) engine.Position { return &setKeepsHistory{n} }},
	{"set clears the history", "Set counts repetitions", func(n *nim) engine.Position { return &setRepeats{nim: n, seen: map[string]int{}} }},

	{"moves are appended once each", "a move is listed twice", func(n *nim) engine.Position { return &duplicateMove{n} }},
	{"moves are appended once each", "Moves overwrites dst", func(n *nim) engine.Position { return &movesOverwrites{n} }},
	{"moves are appended once each", "games never end", func(n *nim) engine.Position { return &neverEnds{n} }},
	{"count is the length of the list", "Count omits a pile", func(n *nim) engine.Position { return &countOmitsPile{n} }},
	{"move text round trips", "two moves have the same text", func(n *nim) engine.Position { return &ambiguousText{n} }},
	{"move text round trips", "ParseMove ignores trailing blanks", func(n *nim) engine.Position { return &lenientParser{n} }},
	{"equal hashes have equal moves and scores", "hash omits a pile", func(n *nim) engine.Position { return &hashOmitsPile{n} }},
	{"equal hashes have equal moves and scores", "hash omits the side", func(n *nim) engine.Position { return &hashOmitsSide{n} }},
	{"equal hashes have equal moves and scores", "Evaluate depends on the history", func(n *nim) engine.Position { return &historyInScore{n} }},

	{"undo restores everything", "Undo changes the move order", func(n *nim) engine.Position { return &undoReorders{nim: n} }},
	{"undo restores everything", "Undo loses a piece", func(n *nim) engine.Position { return &undoLosesPiece{n} }},
	{"a whole game can be undone", "Undo loses a piece", func(n *nim) engine.Position { return &undoLosesPiece{n} }},
	{"a whole game can be undone", "Undo does not panic at the start", func(n *nim) engine.Position { return &undoAtStart{n} }},
	{"a whole game can be undone", "games never end", func(n *nim) engine.Position { return &neverEnds{n} }},

	{"a draw plays a listed move", "DoRandom passes", func(n *nim) engine.Position { return &drawPasses{n} }},
	{"a draw plays a listed move", "DoRandom returns another move", func(n *nim) engine.Position { return &drawReturnsOther{n} }},
	{"a draw plays a listed move", "sampler returns another move", func(n *nim) engine.Position { return &samplerReturnsOther{n} }},
	{"a draw fails exactly where the game is over", "DoRandom fails early", func(n *nim) engine.Position { return &drawFailsEarly{n} }},
	{"a draw fails exactly where the game is over", "sampler fails early", func(n *nim) engine.Position { return &samplerFailsEarly{n} }},
	{"a draw fails exactly where the game is over", "outcome has no reason", func(n *nim) engine.Position { return &outcomeWithoutReason{n} }},
	{"a draw depends on position and source alone", "DoRandom depends on an earlier Moves call", func(n *nim) engine.Position { return &drawDependsOnMoves{nim: n} }},
	{"a draw depends on position and source alone", "sampler depends on an earlier Moves call", func(n *nim) engine.Position { return &samplerDependsOnMoves{nim: n} }},
	{"queries do not change a game", "DoRandom depends on an earlier Moves call", func(n *nim) engine.Position { return &drawDependsOnMoves{nim: n} }},
	{"draws are uniform", "the first move is drawn twice as often", func(n *nim) engine.Position { return &drawFavoursFirst{n} }},
	{"draws are uniform", "the last move is never drawn", func(n *nim) engine.Position { return &drawOmitsLast{n} }},

	{"scores and gains depend on the text alone", "Evaluate depends on the history", func(n *nim) engine.Position { return &historyInScore{n} }},
	{"scores and gains depend on the text alone", "Gain depends on the history", func(n *nim) engine.Position { return &historyInGain{n} }},
	{"scores and gains depend on the text alone", "Placement depends on the history", func(n *nim) engine.Position { return &historyInPlacement{n} }},
	{"scores and gains depend on the text alone", "Hangs depends on the history", func(n *nim) engine.Position { return &historyInHangs{n} }},
	{"scores and gains depend on the text alone", "GivesCheck depends on the history", func(n *nim) engine.Position { return &historyInChecks{n} }},
	{"scores are bounded", "Evaluate exceeds MaxStatic", func(n *nim) engine.Position { return &scoreBeyond{n} }},
	{"captures are listed moves", "a capture is listed twice", func(n *nim) engine.Position { return &duplicateCapture{n} }},
	{"captures are listed moves", "a capture is not a legal move", func(n *nim) engine.Position { return &illegalCapture{n} }},
	{"captures are listed moves", "captures are missing", func(n *nim) engine.Position { return &noCaptures{n} }},
	{"captures by gain are the captures", "a capture is missing", func(n *nim) engine.Position { return &listOmitsLast{n} }},
	{"captures by gain are the captures", "captures that gain too little are appended", func(n *nim) engine.Position { return &listIgnoresLeast{n} }},
	{"captures by gain are the captures", "a gain is not that of Gain", func(n *nim) engine.Position { return &listGainsMore{n} }},
	{"captures by gain are the captures", "every capture is legal", func(n *nim) engine.Position { return &everyCaptureLegal{n} }},
	{"legal moves are the listed moves", "every move is legal", func(n *nim) engine.Position { return &everythingLegal{n} }},
	{"legal moves are the listed moves", "captures are illegal", func(n *nim) engine.Position { return &capturesIllegal{n} }},

	{"scores after moves are those of the positions after them", "a pile that is taken counts", func(n *nim) engine.Position { return &leafIgnoresMove{n} }},
	{"scores after moves are those of the positions after them", "a hash has no score", func(n *nim) engine.Position { return &leafWithoutScore{n} }},
	{"scores after moves are those of the positions after them", "HashAfter is not the hash", func(n *nim) engine.Position { return &leafOmitsSide{n} }},
	{"scores after moves are those of the positions after them", "moves that give check are answered", func(n *nim) engine.Position { return &leafGivesCheck{n} }},
	{"scores after moves are those of the positions after them", "moves that end the game are answered", func(n *nim) engine.Position { return &leafEndsGame{drawnNim{n}} }},
	{"scores after moves are those of the positions after them", "no move leads back", func(n *nim) engine.Position { return &leafNeverRepeats{n} }},
	{"scores after moves are those of the positions after them", "moves that keep the turn are answered", func(n *nim) engine.Position { return &leafKeepsTurn{n} }},

	{"features depend on the text alone", "a feature depends on the history", func(n *nim) engine.Position { return &historyInFeatures{n} }},
	{"features depend on the text alone", "a feature is active twice", func(n *nim) engine.Position { return &featureTwice{n} }},
	{"features depend on the text alone", "a feature is not in the set", func(n *nim) engine.Position { return &featureBeyond{n} }},
	{"features depend on the text alone", "AppendFeatures overwrites dst", func(n *nim) engine.Position { return &featuresOverwrite{n} }},
	{"changes lead to the features", "no move has changes", func(n *nim) engine.Position { return &changesRefused{n} }},
	{"changes lead to the features", "a change is missing", func(n *nim) engine.Position { return &changeMissing{n} }},
	{"changes lead to the features", "changes are those of the last move", func(n *nim) engine.Position { return &lastChanges{n} }},
	{"changes lead to the features", "HashAt is that of now", func(n *nim) engine.Position { return &hashOfNow{n} }},
	{"changes lead to the features", "Plies starts at 1", func(n *nim) engine.Position { return &pliesFromOne{n} }},
	{"differences lead to the features", "no feature leaves", func(n *nim) engine.Position { return &differenceAdds{n} }},
	{"differences lead to the features", "the board is not kept", func(n *nim) engine.Position { return &boardForgotten{n} }},
	{"differences lead to the features", "a view is not in the set", func(n *nim) engine.Position { return &viewBeyond{n} }},
	{"moves have parts of their own", "moves share their parts", func(n *nim) engine.Position { return &partsShared{n} }},
	{"moves have parts of their own", "a part is not in the set", func(n *nim) engine.Position { return &partBeyond{n} }},

	{"over implies an outcome", "Over is true one move early", func(n *nim) engine.Position { return &overEarly{n} }},
	{"over implies an outcome", "Over depends on the history", func(n *nim) engine.Position { return &historyInOver{n} }},
	{"an outcome with legal moves implies over", "Over misses a draw with legal moves", func(n *nim) engine.Position { return &overMissesDraw{drawnNim{n}} }},
	{"an outcome with legal moves implies over", "Over reports missing moves only", func(n *nim) engine.Position { return &overOnlyBlocked{drawnNim{n}} }},
	{"an outcome without over has no legal moves", "Over misses a draw with legal moves", func(n *nim) engine.Position { return &overMissesDraw{drawnNim{n}} }},
	{"an outcome without over has no legal moves", "captures are listed at the end", func(n *nim) engine.Position { return &captureAtEnd{n} }},
}
