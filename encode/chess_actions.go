package encode

import (
	"fmt"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// Actions of chess: from*73 + plane, the numbering of AlphaZero (Silver et al. 2018,
// arXiv 1712.01815, table S2), but on the absolute board.
//
//   - Planes 0 to 55: 7*d + (n-1), n cells in direction d = N NE E SE S SW W NW. A pawn
//     that reaches the last rank in such a plane becomes a queen. Castling is the king's
//     move: of two cells, in Chess960 to the cell of its own rook.
//   - Planes 56 to 63: knight moves, clockwise from north-north-east.
//   - Planes 64 to 72: 64 + 3*k + f, underpromotion to knight, bishop or rook (k = 0, 1, 2)
//     one file to the left, straight ahead or one file to the right (f = 0, 1, 2), as White
//     sees the board.
const (
	chessKnightPlane = 56
	chessUnderPlane  = 64
	chessPlaneCount  = 73
	chessActionCount = chessCells * chessPlaneCount
)

func chessActions() Actions {
	return Actions{
		Version:   1,
		Count:     chessActionCount,
		Factors:   Factors{Rays: chessPlaneCount, Whats: 1},
		HasOrigin: true,
		Number:    chessNumber,
		Move:      chessMove,
		Describe:  describeChess,
		Flip:      flipChessAction,
		IsCapture: isChessCapture,
	}
}

var (
	chessDirections = [8]vector{{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}}
	chessKnightMove = [8]vector{{-2, 1}, {-1, 2}, {1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}}
)

// chessVector returns the vector of a plane, false if the plane does not exist on the
// cell. Both sides share the planes of underpromotions, so the cell decides the direction.
func chessVector(from, plane int) (v vector, ok bool) {
	switch {
	case plane < chessKnightPlane:
		return chessDirections[plane/7].times(plane%7 + 1), true
	case plane < chessUnderPlane:
		return chessKnightMove[plane-chessKnightPlane], true
	case from/8 == 1: // the seventh rank: a white pawn
		return vector{-1, (plane-chessUnderPlane)%3 - 1}, true
	case from/8 == 6: // the second rank: a black pawn
		return vector{1, (plane-chessUnderPlane)%3 - 1}, true
	}
	return vector{}, false
}

// noCell stands for a destination off the board.
const noCell = 0xFF

// chessTo is the destination of every action, or noCell.
var chessTo = func() (table [chessActionCount]uint8) {
	for action := range table {
		table[action] = noCell
		from := action / chessPlaneCount
		if v, ok := chessVector(from, action%chessPlaneCount); ok {
			if to, ok := chessGrid.step(from, v); ok {
				table[action] = uint8(to)
			}
		}
	}
	return table
}()

// chessActionOf is the action of every move that is no underpromotion, indexed by
// from*64 + to.
var chessActionOf = func() (table [chessCells * chessCells]uint16) {
	for action, to := range chessTo {
		if to != noCell && action%chessPlaneCount < chessUnderPlane {
			table[action/chessPlaneCount*chessCells+int(to)] = uint16(action)
		}
	}
	return table
}()

// Promotion pieces, as in chess.Step.
const (
	chessKnight = 2
	chessQueen  = 5
)

// chessNumber does not need the position: the move has all the facts.
func chessNumber(m engine.Move) uint16 {
	s := chess.Unpack(m)
	if s.Promotion != 0 && s.Promotion != chessQueen {
		plane := chessUnderPlane + 3*int(s.Promotion-chessKnight) + int(s.To%8) - int(s.From%8) + 1
		return uint16(int(s.From)*chessPlaneCount + plane)
	}
	return chessActionOf[int(s.From)*chessCells+int(s.To)]
}

func chessMove(pos engine.Position, action uint16) (engine.Move, error) {
	s, err := chessStep(action)
	if err != nil {
		return 0, err
	}
	p := pos.(*chess.Position)
	if s.Promotion == 0 && promotes(p, s) {
		s.Promotion = chessQueen
	}
	m, err := p.Pack(s)
	if err != nil {
		return 0, fmt.Errorf("action %d: %w", action, err)
	}
	return m, nil
}

// ChessStep returns the step of an action on a board with these 64 cells. It checks no rules.
func ChessStep(cells []uint8, action uint16) (chess.Step, error) {
	s, err := chessStep(action)
	if err == nil && s.Promotion == 0 && reachesLastRank(s) && isChessPawn(cells[s.From]) {
		s.Promotion = chessQueen
	}
	return s, err
}

// chessStep returns the step of an action, without a promotion to a queen.
func chessStep(action uint16) (s chess.Step, err error) {
	if action >= chessActionCount {
		return s, fmt.Errorf("action %d: want 0 to %d", action, chessActionCount-1)
	}
	s = chess.Step{From: uint8(action / chessPlaneCount), To: chessTo[action]}
	if s.To == noCell {
		return s, fmt.Errorf("action %d: destination is off the board", action)
	}
	if plane := action % chessPlaneCount; plane >= chessUnderPlane {
		s.Promotion = chessKnight + uint8(plane-chessUnderPlane)/3
	}
	return s, nil
}

// reachesLastRank reports whether a step goes from the rank before the last to the last, as
// either side sees it.
func reachesLastRank(s chess.Step) bool {
	from, to := s.From/8, s.To/8
	return from == 1 && to == 0 || from == 6 && to == 7
}

// promotes reports whether a step moves a pawn to its last rank.
func promotes(p *chess.Position, s chess.Step) bool {
	if !reachesLastRank(s) {
		return false
	}
	var cells [chessCells]byte
	return isChessPawn(p.AppendCells(cells[:0])[s.From])
}

func isChessPawn(piece byte) bool { return piece == 1 || piece == 7 }

// isChessCapture reports whether the destination has a piece of the other side, or the move is en
// passant: a pawn that changes its file to an empty cell. Castling of Chess960 ends on an own rook.
func isChessCapture(pos engine.Position, m engine.Move) bool {
	var cells [chessCells]byte
	pos.(*chess.Position).AppendCells(cells[:0])
	s := chess.Unpack(m)
	from, to := cells[s.From], cells[s.To]
	return to != 0 && (to > chessTheirs) != (from > chessTheirs) || isChessPawn(from) && (s.From-s.To)%8 != 0
}

// chessUnderKinds are the kinds of underpromotions.
var chessUnderKinds = [3]string{"promote_n", "promote_b", "promote_r"}

func describeChess(action uint16) Action {
	to := chessTo[action]
	if to == noCell {
		return Action{Kind: NoAction}
	}
	a := Action{From: chessGrid.Name(int(action / chessPlaneCount)), To: chessGrid.Name(int(to)), Kind: "slide"}
	switch plane := action % chessPlaneCount; {
	case plane >= chessUnderPlane:
		a.Kind = chessUnderKinds[(plane-chessUnderPlane)/3]
	case plane >= chessKnightPlane:
		a.Kind = "knight"
	}
	return a
}
