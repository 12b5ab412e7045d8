package chessdata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"

	"selfplay/engine"
	"selfplay/engine/chess"
)

// ReadViri reads a game in viriformat into g, whose memory it reuses. It checks the ranges of
// all numbers, and no rules. At the end of the games the error is io.EOF, within a game it is
// io.ErrUnexpectedEOF.
func ReadViri(r io.Reader, g *Game) error {
	var start [viriStart]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return err
		}
		return fmt.Errorf("read viriformat: first position: %w", err)
	}
	if err := decodeViriStart(start[:], g); err != nil {
		return fmt.Errorf("read viriformat: first position: %w", err)
	}
	g.Moves, g.Scores = g.Moves[:0], g.Scores[:0]
	for turn := g.Start.Turn; ; turn ^= 1 {
		end, err := readViriMove(r, g, turn)
		if err != nil {
			return fmt.Errorf("read viriformat: move %d: %w", len(g.Moves)+1, err)
		}
		if end {
			return nil
		}
	}
}

// readViriMove reads a move and its score, or the end of the game.
func readViriMove(r io.Reader, g *Game, turn engine.Side) (end bool, err error) {
	var data [viriMove]byte
	if _, err := io.ReadFull(r, data[:]); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return false, err
	}
	if data == [viriMove]byte{} {
		return true, nil
	}
	if len(g.Moves) == maxMoves {
		return false, fmt.Errorf("the game has more than %d moves", maxMoves)
	}
	m, err := decodeViriMove(binary.LittleEndian.Uint16(data[:]))
	if err != nil {
		return false, err
	}
	score := int16(binary.LittleEndian.Uint16(data[2:]))
	if score == math.MinInt16 {
		return false, errScore
	}
	if score == -NoScore {
		score = NoScore
	}
	g.Moves = append(g.Moves, m)
	g.Scores = append(g.Scores, seenByWhite(score, turn))
	return false, nil
}

func decodeViriMove(n uint16) (Move, error) {
	kind := Kind(slices.Index(viriKinds[:], n>>14))
	return decodeMove(n, kind, uint8(n&63)^flip, uint8(n>>6&63)^flip, uint8(n>>12&3))
}

func decodeViriStart(data []byte, g *Game) error {
	occupied := binary.LittleEndian.Uint64(data)
	if bits.OnesCount64(occupied) > maxPieces {
		return errPieces
	}
	p := &g.Start
	*p = chess.Parts{Turn: engine.Side(data[24] >> 7), EnPassant: -1, HalfMove: data[25], FullMove: binary.LittleEndian.Uint16(data[26:])}
	for n := 0; occupied != 0; n++ {
		cell := bits.TrailingZeros64(occupied) ^ flip
		occupied &= occupied - 1
		nibble := data[8+n/2] >> (n % 2 * 4) & 15
		kind := nibble & 7
		if kind > viriUnmoved {
			return fmt.Errorf("piece %d", nibble)
		}
		if kind == viriUnmoved {
			right := castlingRight(cell)
			if right == 0 || right > 2 != (nibble>>3 != 0) {
				return fmt.Errorf("a rook on cell %d may castle: want standard chess", cell)
			}
			p.Castling |= right
			kind = whiteRook - 1
		}
		p.Cells[cell] = 1 + kind + nibble>>3*perSide
	}
	if err := checkKings(&p.Cells); err != nil {
		return err
	}
	if square := data[24] &^ viriBlack; square != viriNoSquare {
		p.EnPassant = int(square & 7)
		if int(square) != passantCell(p)^flip {
			return fmt.Errorf("en passant square %d", square)
		}
	}
	switch data[30] {
	case 0:
		g.Result = engine.SecondWins
	case 1:
		g.Result = engine.Draw
	case 2:
		g.Result = engine.FirstWins
	default:
		return fmt.Errorf("result %d: want 0 to 2", data[30])
	}
	return nil
}
