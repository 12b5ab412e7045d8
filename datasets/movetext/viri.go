package movetext

import (
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

func isChess(pos engine.Position) bool {
	_, ok := pos.(*chess.Position)
	return ok
}

// appendViri appends a game in viriformat. Positions that were not searched have
// chessdata.NoScore. A game that was cut off is drawn, as in the column outcome of rows.
func appendViri(dst []byte, w *Writer, r *engine.Record) ([]byte, error) {
	g := chessdata.Game{Moves: w.viri.Moves[:0], Scores: w.viri.Scores[:0], Result: r.Outcome.Result}
	pos := w.pos.(*chess.Position)
	var cells [64]uint8
	if err := engine.Begin(pos, r.Start); err != nil {
		return dst, err
	}
	g.Start = pos.Parts()
	err := w.Game.Replay(pos, r, func(ply int, m engine.Move) {
		score := int16(chessdata.NoScore)
		if ply < len(r.Nodes) && r.Nodes[ply] != 0 {
			score = chessdata.Foreign(r.Scores[ply])
		}
		g.Moves = append(g.Moves, chessdata.MoveOf(pos.AppendCells(cells[:0]), chess.Unpack(m)))
		g.Scores = append(g.Scores, score)
	})
	w.viri = g
	if err != nil {
		return dst, err
	}
	return chessdata.AppendViri(dst, &g)
}
