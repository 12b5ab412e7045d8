package gameindex

import "selfplay/engine"

// OpeningPlies is the number of actions that the index keeps of each game.
const OpeningPlies = 6

// Game is what the index knows of a game.
type Game struct {
	Game    uint64 // number in the dataset
	Shard   int
	Row     int // in the games table of the shard
	Players [2]string
	Result  engine.Result
	Reason  engine.Reason
	Plies   int
	Drop    int // largest loss of expected result from a ply to the next, 0 to 10,000; -1 if unknown
	DropPly int // the ply that lost it; 0 if Drop is not above 0
	// Opening is the first actions of the game, up to OpeningPlies. It is empty for a game that
	// begins at a position of its own.
	Opening []uint16
}

// unknown stands for a drop that is not known, for the ply of no drop, and for an action after the
// end of a game.
const unknown = 0xffff

// game returns row row of a shard.
func (s *state) game(sh *shard, row int) Game {
	g := Game{
		Game: sh.commit.FirstGame + uint64(row), Shard: sh.commit.Shard, Row: row, Players: s.players.pair(sh.players[row]),
		Result: engine.Result(sh.result[row]), Reason: engine.Reason(sh.reason[row]), Plies: int(sh.plies[row]), Drop: -1,
	}
	if d := sh.drop[row]; d != unknown {
		g.Drop = int(d)
	}
	if ply := sh.dropPly[row]; ply != unknown {
		g.DropPly = int(ply)
	}
	for ply := range min(OpeningPlies, g.Plies) {
		if sh.opening[ply][row] == unknown {
			break
		}
		g.Opening = append(g.Opening, sh.opening[ply][row])
	}
	return g
}
