package tablefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/encode/chessdata"
	"selfplay/engine"
	"selfplay/engine/chess"
)

// chessName is the game of the forms of package chessdata.
const chessName = "chess"

// checkChess returns an error if the rows of a shape are no chess positions.
func checkChess(form string, s *rows.Shape) error {
	switch {
	case s != nil && s.Variant == chess.Chess960 && (form == "binpack" || form == "plain"):
		return fmt.Errorf("%s has positions of standard chess only: want bulletformat or epd, or viriformat for games", form)
	case s == nil || s.Game.Name != chessName:
		return fmt.Errorf("%s has positions of chess only", form)
	case !s.HasText():
		return fmt.Errorf("%s needs the boards of the layout %s: make them with selfplay rows --layout %s", form, s.Game.Layouts[0].Name, s.Game.Layouts[0].Name)
	}
	return nil
}

// chessRows reads rows of chess as those of package chessdata. Games that were cut off are drawn,
// as in the column outcome.
type chessRows struct {
	shape                          *rows.Shape
	texts                          rows.TextReader
	game, ply, side, board, action int // columns
	searched, score, outcome       int
	row                            chessdata.Row
	values                         []byte
}

func newChessRows(s *Spec) chessRows {
	column := func(name string) int { return encode.ColumnNamed(s.columns, name) }
	return chessRows{
		shape: s.Shape,
		texts: s.Shape.NewTextReader(s.columns, encode.BoardColumn),
		game:  column(encode.GameColumn), ply: column(encode.PlyColumn), side: column(encode.SideColumn),
		board: column(encode.BoardColumn), action: column(encode.BestActionColumn),
		searched: column(encode.SearchedColumn), score: column(encode.ScoreColumn), outcome: column(encode.OutcomeColumn),
	}
}

// each calls write with every row of t. It adds the place of the row to errors.
func (c *chessRows) each(t *encode.Table, write func(r *chessdata.Row) error) error {
	for i := range t.Rows {
		err := c.read(t, i)
		if err == nil {
			err = write(&c.row)
		}
		if err != nil {
			game, ply := binary.LittleEndian.Uint64(t.Cell(c.game, i)), binary.LittleEndian.Uint16(t.Cell(c.ply, i))
			return fmt.Errorf("game %d: ply %d: %w", game, ply, explainScore(err))
		}
	}
	return nil
}

// explainScore says what to do about a position without a score.
func explainScore(err error) error {
	if errors.Is(err, chessdata.ErrNoScore) {
		return fmt.Errorf("%w: leave such rows out with --where '!unsearched' of convert or shuffle", err)
	}
	return err
}

// read reads a row of t into c.row.
func (c *chessRows) read(t *encode.Table, i int) (err error) {
	turn := engine.Side(t.Data[c.side][i])
	c.values = append(c.values[:0], t.Cell(c.board, i)...)
	if turn == engine.Second && c.shape.SeenByMover() {
		c.shape.Layout.Flip(c.values)
	}
	r := &c.row
	r.Position, err = encode.ChessParts(c.values, turn)
	if err != nil {
		return err
	}
	r.Position.Chess960 = c.shape.Variant == chess.Chess960
	r.Position.FullMove = encode.ChessFullMove(c.texts.Ply(t, i))
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

// chessWriter writes rows of chess in a format of package chessdata.
type chessWriter struct {
	chessRows
	w     io.Writer
	data  bytes.Buffer                 // of the current call
	write func(r *chessdata.Row) error // to data
	end   func() error                 // writes to data what follows the last row
}

func openChess(appendRow func(dst []byte, r *chessdata.Row) ([]byte, error)) func(io.Writer, *Spec) (Writer, error) {
	return func(w io.Writer, s *Spec) (Writer, error) {
		c := &chessWriter{chessRows: newChessRows(s), w: w, end: func() error { return nil }}
		c.write = func(r *chessdata.Row) error {
			row, err := appendRow(c.data.AvailableBuffer(), r)
			c.data.Write(row)
			return err
		}
		return c, nil
	}
}

// openBinpack returns a writer of binpack, whose chains may go on in the next table.
func openBinpack(w io.Writer, s *Spec) (Writer, error) {
	c := &chessWriter{chessRows: newChessRows(s), w: w}
	chains := chessdata.NewBinpackWriter(&c.data)
	c.write, c.end = chains.Write, chains.Close
	return c, nil
}

// Write appends the rows of t.
func (c *chessWriter) Write(t *encode.Table) error {
	if err := c.each(t, c.write); err != nil {
		return err
	}
	_, err := c.data.WriteTo(c.w)
	return err
}

// Close writes the last block of a file that has blocks.
func (c *chessWriter) Close() error {
	if err := c.end(); err != nil {
		return err
	}
	_, err := c.data.WriteTo(c.w)
	return err
}
