package encode

// The models of all games. Each is fitted to games of seed 2026 and was compared with games
// of seed 77. Greedy and mcts players have none: in CoTuLenh and chess, models of ab predict
// their games worse than shares do. CoTuLenh has none of ab:depth=1 and ab:depth=2 without adjudication: most
// of these games end by the fifty-move rule. Its preset strong uses the model of games that
// are played to the end: on games of seed 77 it is better than a fit to 100 games.

// presetWin and presetPlies are the rule by which presets adjudicate wins.
const presetWin, presetPlies = 1000, 6

func cotulenhModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 130, B: 364},
		{Games: SearchedGames{Depth: 1, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, Version: 1, A: 317, B: 434},
		{Games: SearchedGames{Depth: 2, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, Version: 1, A: 968, B: 586},
		{Games: SearchedGames{Depth: 3, WinScore: presetWin, WinPlies: presetPlies}, FittedTo: SearchedGames{Depth: 3}, Version: 1, A: 130, B: 364},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 103, B: 184},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 425, B: 414},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 243, B: 339},
		{Games: SearchedGames{Depth: 1, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, Version: 1, A: 268, B: 406},
		{Games: SearchedGames{Depth: 2, Explored: true, WinScore: presetWin, WinPlies: presetPlies}, Version: 1, A: 223, B: 337},
		{Games: SearchedGames{Depth: 4, WinScore: presetWin, WinPlies: presetPlies}, Version: 1, A: 114, B: 152},
	}
}

func contrastModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 43, B: 161},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 100, B: 261},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 60, B: 138},
		{Games: SearchedGames{Depth: 1, Explored: true}, Version: 1, A: 62, B: 247},
		{Games: SearchedGames{Depth: 2, Temp: 10, Explored: true}, Version: 1, A: 25, B: 126},
	}
}
