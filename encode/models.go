package encode

// The models of all games. Each is fitted to games of seed 2026. Greedy, mcts and exact
// players have none.

// Leads that presets adjudicate, in centi-units, and for how many plies.
const (
	chessWin    = 1000
	cotulenhWin = 1500
	winPlies    = 6
)

func cotulenhModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 130, B: 428},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 1945, B: 1405},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 476, B: 683},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 224, B: 630},
		{Games: SearchedGames{Nodes: 100, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 471, B: 724},
		{Games: SearchedGames{Nodes: 500, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 170, B: 486},
		{Games: SearchedGames{Nodes: 5000, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 220, B: 652},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 112, B: 192},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 407, B: 392},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 264, B: 356},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 127, B: 186},
		{Games: SearchedGames{Nodes: 100, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 186, B: 371},
		{Games: SearchedGames{Nodes: 500, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 105, B: 223},
		{Games: SearchedGames{Nodes: 5000, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 203, B: 188},
	}
}

func contrastModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 39, B: 141},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 87, B: 230},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 60, B: 125},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 41, B: 117},
		{Games: SearchedGames{Nodes: 100, Explored: true}, Version: 1, A: 30, B: 193},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Explored: true}, Version: 1, A: 19, B: 122},
		{Games: SearchedGames{Nodes: 2000}, Version: 1, A: 48, B: 92},
	}
}
