package encode

// The models of all games. Each is fitted to games of seed 2026. Greedy, mcts and exact
// players have none.

// Leads that presets adjudicate, in centi-units, and for how many plies.
const (
	chessWin    = 1000
	cotulenhWin = 1500
	winPlies    = 6
)

// Networks (package nets) for which there are models of the presets' games with them.
const (
	cotulenhNet = "cotulenh-g4"
	cotulenhG5  = "cotulenh-g5"
	chessNet    = "chess-g3"
	cotulenhG7  = "cotulenh-g7"
	cotulenhG8  = "cotulenh-g8"
	chessG5     = "chess-g5"
	chessG7     = "chess-g7"
	contrastNet = "contrast-g3"
	contrastG7  = "contrast-g7"
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
		{Games: SearchedGames{Nodes: 100, Network: cotulenhNet, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 1115, B: 775},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhNet, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 642, B: 596},
		{Games: SearchedGames{Nodes: 5000, Network: cotulenhNet, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 525, B: 486},
		{Games: SearchedGames{Nodes: 100, Network: cotulenhG5, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 1008, B: 675},
		{Games: SearchedGames{Nodes: 100, SecondGeneration: true, Network: cotulenhG5, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 472, B: 576, DrawnAt0: 61},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhG5, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 714, B: 555},
		{Games: SearchedGames{Nodes: 100, Network: cotulenhG7, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 997, B: 635, DrawnAt0: 93},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhG7, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 599, B: 444, DrawnAt0: 89},
		{Games: SearchedGames{Nodes: 100, Network: cotulenhG8, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 954, B: 590, DrawnAt0: 94},
		{Games: SearchedGames{Nodes: 500, Network: cotulenhG8, Explored: true, WinScore: cotulenhWin, WinPlies: winPlies}, Version: 1, A: 670, B: 479, DrawnAt0: 90},
	}
}

func chessModels() []Model {
	return []Model{
		{Games: SearchedGames{Depth: 3}, Version: 1, A: 163, B: 213},
		{Games: SearchedGames{Depth: 1}, Version: 1, A: 320, B: 391},
		{Games: SearchedGames{Depth: 2}, Version: 1, A: 260, B: 336},
		{Games: SearchedGames{Nodes: 1000}, Version: 1, A: 134, B: 174},
		{Games: SearchedGames{Nodes: 100, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 187, B: 345},
		{Games: SearchedGames{Nodes: 500, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 101, B: 200},
		{Games: SearchedGames{Nodes: 5000, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 145, B: 137},
		{Games: SearchedGames{Nodes: 100, Network: chessNet, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 174, B: 362},
		{Games: SearchedGames{Nodes: 500, Network: chessNet, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 96, B: 178},
		{Games: SearchedGames{Nodes: 5000, Network: chessNet, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 159, B: 142},
		{Games: SearchedGames{Nodes: 100, Network: chessG5, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 163, B: 314},
		{Games: SearchedGames{Nodes: 100, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 133, B: 295, DrawnAt0: 67},
		{Games: SearchedGames{Nodes: 500, Network: chessG7, Explored: true, WinScore: chessWin, WinPlies: winPlies}, Version: 1, A: 120, B: 192, DrawnAt0: 79},
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
		{Games: SearchedGames{Nodes: 100, Network: contrastNet, Explored: true}, Version: 1, A: 119, B: 293},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Network: contrastNet, Explored: true}, Version: 1, A: 74, B: 172},
		{Games: SearchedGames{Nodes: 3000, Network: contrastNet}, Version: 1, A: 157, B: 140, DrawnAt0: 96},
		{Games: SearchedGames{Nodes: 100, Network: contrastG7, Explored: true}, Version: 1, A: 54, B: 284, DrawnAt0: 70},
		{Games: SearchedGames{Nodes: 500, Temp: 10, Network: contrastG7, Explored: true}, Version: 1, A: 83, B: 168, DrawnAt0: 81},
		{Games: SearchedGames{Nodes: 3000, Network: contrastG7}, Version: 1, A: 124, B: 110, DrawnAt0: 95},
	}
}
