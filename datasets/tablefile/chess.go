package tablefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
)

// chessName is the game of the forms of package chessdata.
const chessName = "chess"

// checkChess returns an error if the rows of a shape are no chess positions.
func checkChess(form string, s *rows.Shape) error {
	switch {
	case s == nil || s.Game.Name != chessName:
		return fmt.Errorf("%s has positions of chess only", form)
	case !s.HasText():
		return fmt.Errorf("%s needs the boards of the layout %s: make them with export rows --layout %s", form, s.Game.Layouts[0].Name, s.Game.Layouts[0].Name)
	}
	return nil
}

// chessWriter writes rows of chess in a format of package chessdata. Games that were cut off
// are drawn, as in the column outcome.
type chessWriter struct {
	w      io.Writer
	append func(dst []byte, r *chessdata.Row) ([]byte, error)
	block  int // positions after which data is written as a block of binpack; 0: no blocks

	shape                          *rows.Shape
	game, ply, side, board, action int // columns
	searched, score, outcome       int
	row                            chessdata.Row
	values, data                   []byte
}

func openChess(appendRow func(dst []byte, r *chessdata.Row) ([]byte, error)) func(io.Writer, *Spec) (Writer, error) {
	return func(w io.Writer, s *Spec) (Writer, error) { return newChess(w, s, appendRow), nil }
}

// binpackBlock is the number of positions of a block, about a megabyte.
const binpackBlock = 1 << 15

func openBinpack(w io.Writer, s *Spec) (Writer, error) {
	c := newChess(w, s, chessdata.AppendBinpack)
	c.block = binpackBlock
	return c, nil
}

func newChess(w io.Writer, s *Spec, appendRow func([]byte, *chessdata.Row) ([]byte, error)) *chessWriter {
	column := func(name string) int { return encode.ColumnNamed(s.columns, name) }
	return &chessWriter{
		w: w, append: appendRow, shape: s.Shape,
		game: column(encode.GameColumn), ply: column(encode.PlyColumn), side: column(encode.SideColumn),
		board: column(encode.BoardColumn), action: column(encode.BestActionColumn),
		searched: column(encode.SearchedColumn), score: column(encode.ScoreColumn), outcome: column(encode.OutcomeColumn),
	}
}

// Write appends the rows of t.
func (c *chessWriter) Write(t *encode.Table) (err error) {
	for i := range t.Rows {
		if err = c.read(t, i); err == nil {
			c.data, err = c.append(c.data, &c.row)
		}
		if err != nil {
			game, ply := binary.LittleEndian.Uint64(t.Cell(c.game, i)), binary.LittleEndian.Uint16(t.Cell(c.ply, i))
			return fmt.Errorf("game %d: ply %d: %w", game, ply, explainScore(err))
		}
		if c.block > 0 && len(c.data) == c.block*chessdata.BinpackChain {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
	if c.block == 0 {
		return c.flush()
	}
	return nil
}

// explainScore says what to do about a position without a score.
func explainScore(err error) error {
	if errors.Is(err, chessdata.ErrNoScore) {
		return fmt.Errorf("%w: leave such rows out with --skip unsearched of convert or shuffle", err)
	}
	return err
}

// read reads a row of t into c.row.
func (c *chessWriter) read(t *encode.Table, i int) (err error) {
	turn := engine.Side(t.Data[c.side][i])
	c.values = append(c.values[:0], t.Cell(c.board, i)...)
	if turn == engine.Second && c.shape.SeenByMover() {
		c.shape.Layout.Flip(c.values)
	}
	r := &c.row
	if r.Position, err = encode.ChessParts(c.values, turn); err != nil {
		return err
	}
	r.Position.FullMove = uint16(min(encode.ChessFullMove(turn, int(binary.LittleEndian.Uint16(t.Cell(c.ply, i)))), 1<<16-1))
	action := c.shape.AbsoluteAction(binary.LittleEndian.Uint16(t.Cell(c.action, i)), turn)
	step, err := encode.ChessStep(r.Position.Cells[:], action)
	if err != nil {
		return err
	}
	r.Move = chessdata.MoveOf(r.Position.Cells[:], step)
	r.Result = int8(t.Data[c.outcome][i])
	r.Score = chessdata.NoScore
	if t.Data[c.searched][i] != 0 {
		r.Score = chessdata.Foreign(int16(binary.LittleEndian.Uint16(t.Cell(c.score, i))))
	}
	return nil
}

// flush writes the data.
func (c *chessWriter) flush() error {
	if c.block > 0 {
		if _, err := c.w.Write(chessdata.AppendBinpackHeader(nil, len(c.data))); err != nil {
			return err
		}
	}
	_, err := c.w.Write(c.data)
	c.data = c.data[:0]
	return err
}

// Close writes the last block. Without blocks, Write has written every row.
func (c *chessWriter) Close() error {
	if len(c.data) == 0 {
		return nil
	}
	return c.flush()
}
