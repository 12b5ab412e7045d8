package encode

// The models of all games. Each is fitted to games of seed 2026: 500 to
// 2000, 300 of cotulenh-g8 with 1000 nodes. Greedy, mcts and exact
// players have none.

// Leads that presets adjudicate, in centi-units, and for how many plies.
const (
	chessWin    = 1000
	cotulenhWin = 1500
	winPlies    = 6
)

// Networks (package nets) of games: ab plays with them by default.
const (
	cotulenhG8 = "cotulenh-g8"
	chessG7    = "chess-g7"
	contrastG7 = "contrast-g7"
)

func cotulenhModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 165, B: 526, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 1470, B: 1354, DrawnAt0: 74},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 378, B: 645, DrawnAt0: 70},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 154, B: 535, DrawnAt0: 72},
		{Games: SearchedGames{Depth: 1, Network: cotulenhG8}, Version: 1, A: 1512, B: 878, DrawnAt0: 84},
		{Games: SearchedGames{Depth: 2, Network: cotulenhG8}, Version: 1, A: 825, B: 575, DrawnAt0: 87},
		{Games: SearchedGames{Nodes: 1000, Network: cotulenhG8}, Version: 1, A: 664, B: 501, DrawnAt0: 88},
		{Games: SearchedGames{Nodes: 60, Network: cotulenhG8, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 622, B: 541, DrawnAt0: 65},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhG8, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 496, B: 431, DrawnAt0: 76},
		{Games: SearchedGames{Nodes: 5000, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 190, B: 528, DrawnAt0: 75},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 128, B: 208, DrawnAt0: 79},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 268, B: 442, DrawnAt0: 62},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 255, B: 345, DrawnAt0: 78},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 145, B: 171, DrawnAt0: 86},
		{Games: SearchedGames{Depth: 1, Network: chessG7}, Version: 1, A: 253, B: 447, DrawnAt0: 58},
		{Games: SearchedGames{Depth: 2, Network: chessG7}, Version: 1, A: 135, B: 221, DrawnAt0: 75},
		{Games: SearchedGames{Depth: 3, Network: chessG7}, Version: 1, A: 127, B: 165, DrawnAt0: 83},
		{Games: SearchedGames{Nodes: 1000, Network: chessG7}, Version: 1, A: 173, B: 157, DrawnAt0: 92},
		{Games: SearchedGames{Nodes: 80, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 105, B: 264, DrawnAt0: 65},
		{Games: SearchedGames{Nodes: 500, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 118, B: 162, DrawnAt0: 83},
		{Games: SearchedGames{Nodes: 5000, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 186, B: 184, DrawnAt0: 88},
	}
}

func contrastModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 31, B: 130, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 19, B: 173, DrawnAt0: 61},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 31, B: 113, DrawnAt0: 61},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 35, B: 98, DrawnAt0: 83},
		{Games: SearchedGames{Depth: 1, Network: contrastG7}, Version: 1, A: 19, B: 290, DrawnAt0: 49},
		{Games: SearchedGames{Depth: 2, Network: contrastG7}, Version: 1, A: 89, B: 219, DrawnAt0: 85},
		{Games: SearchedGames{Depth: 3, Network: contrastG7}, Version: 1, A: 65, B: 188, DrawnAt0: 82},
		{Games: SearchedGames{Nodes: 1000, Network: contrastG7}, Version: 1, A: 113, B: 127, DrawnAt0: 89},
		{Games: SearchedGames{Nodes: 75, Network: contrastG7, Explored: true}, Version: 1, A: 38, B: 284, DrawnAt0: 68},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Explored: true}, Version: 1, A: 27, B: 115, DrawnAt0: 55},
		{Games: SearchedGames{Nodes: 3000}, Version: 1, A: 44, B: 105, DrawnAt0: 80},
	}
}
