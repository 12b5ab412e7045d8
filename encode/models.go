package encode

// The models of all games. Each is fitted to games of seed 2026 and was compared with games
// of seed 77. Greedy and mcts players have none: models of ab predict their games worse
// than shares do. CoTuLenh has none of ab:depth=1 and ab:depth=2 without adjudication: most
// of these games end by the fifty-move rule.

// presetWin and presetPlies are the rule by which presets adjudicate wins.
const presetWin, presetPlies = 1000, 6

func cotulenhModels() []Model {
	return []Model{
		{SearchedGames{Depth: 3}, 1, 130, 364},
		{SearchedGames{Depth: 1, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, 1, 317, 434},
		{SearchedGames{Depth: 2, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, 1, 968, 586},
		{SearchedGames{Depth: 3, WinScore: presetWin, WinPlies: presetPlies}, 1, 80, 291},
	}
}

func chessModels() []Model {
	return []Model{
		{SearchedGames{Depth: 3}, 1, 103, 184},
		{SearchedGames{Depth: 1}, 1, 425, 414},
		{SearchedGames{Depth: 2}, 1, 243, 339},
		{SearchedGames{Depth: 1, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, 1, 268, 406},
		{SearchedGames{Depth: 2, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, 1, 223, 337},
		{SearchedGames{Depth: 4, WinScore: presetWin, WinPlies: presetPlies}, 1, 114, 152},
	}
}

func contrastModels() []Model {
	return []Model{
		{SearchedGames{Depth: 3}, 1, 43, 161},
		{SearchedGames{Depth: 1}, 1, 100, 261},
		{SearchedGames{Depth: 2}, 1, 60, 138},
		{SearchedGames{Depth: 1, Explored: true}, 1, 62, 247},
		{SearchedGames{Depth: 2, Temp: 10, Explored: true}, 1, 25, 126},
	}
}
