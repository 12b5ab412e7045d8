package encode

// The models of all games. Each is fitted to games of seed 2026. Greedy, mcts and exact
// players have none.

// Leads that presets adjudicate, in centi-units, and for how many plies.
const (
	chessWin    = 1000
	cotulenhWin = 1500
	winPlies    = 6
)

// Networks (package nets) that presets use.
const (
	cotulenhG5 = "cotulenh-g5"
	cotulenhG7 = "cotulenh-g7"
	chessG7    = "chess-g7"
)

func cotulenhModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 130, B: 428},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 1945, B: 1405},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 476, B: 683},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 224, B: 630},
		{Games: SearchedGames{Nodes: 100, Network: cotulenhG5, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 472, B: 576, DrawnAt0: 61},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhG7, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 599, B: 444, DrawnAt0: 89},
		{Games: SearchedGames{Nodes: 5000, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 220, B: 652},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 163, B: 213},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 320, B: 391},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 260, B: 336},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 134, B: 174},
		{Games: SearchedGames{Nodes: 100, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 133, B: 295, DrawnAt0: 67},
		{Games: SearchedGames{Nodes: 500, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 120, B: 192, DrawnAt0: 79},
		{Games: SearchedGames{Nodes: 5000, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 145, B: 137},
	}
}

func contrastModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 58, B: 144},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 87, B: 230},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 62, B: 132},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 52, B: 133},
		{Games: SearchedGames{Nodes: 100, Explored: true}, Version: 1, A: 38, B: 189},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Explored: true}, Version: 1, A: 24, B: 118},
		{Games: SearchedGames{Nodes: 3000}, Version: 1, A: 50, B: 92, DrawnAt0: 79},
	}
}
