package query

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"selfplay/datasets"
	"selfplay/datasets/rows"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/engine/nnue/nets"
)

// text is a column of texts.
type text struct {
	encode.Column
	after string                        // the column it stands behind; "": the last
	of    func(w *walk) (string, error) // of the row at which the walk stands
}

// texts lists the columns of texts. To add one, add it here.
var texts = []text{
	{column("side_name", "name of the side to move"), encode.SideColumn,
		func(w *walk) (string, error) { return w.game.Sides[w.pos.Turn()], nil }},
	{column(encode.MoveColumn, "text of the move that was played, as the game writes it"), encode.ActionColumn,
		func(w *walk) (string, error) { return w.move(w.rec.Actions) }},
	{column("best_move", "text of the best move found; the move that was played without a search"), encode.BestActionColumn,
		func(w *walk) (string, error) {
			if len(w.rec.Best) == 0 {
				return w.move(w.rec.Actions)
			}
			return w.move(w.rec.Best)
		}},
	{column("reason_name", "how the game ended"), "reason",
		func(w *walk) (string, error) { return w.game.ReasonName(w.rec.Outcome.Reason), nil }},
	{column("player_first", "player of side 0; the names of networks are short"), "",
		func(w *walk) (string, error) { return nets.Shown(w.rec.Players[engine.First]), nil }},
	{column("player_second", "player of side 1; the names of networks are short"), "",
		func(w *walk) (string, error) { return nets.Shown(w.rec.Players[engine.Second]), nil }},
}

func column(name, doc string) encode.Column {
	return encode.Column{Name: name, Kind: encode.String, Len: encode.Var, Doc: doc}
}

// TextNames returns the names of the columns of texts.
func TextNames() (names []string) {
	for _, x := range texts {
		names = append(names, x.Name)
	}
	return names
}

// WithTextNames returns names of columns, each followed by those of its texts that are not among them.
func WithTextNames(names []string) (list []string) {
	for _, name := range names {
		list = append(list, name)
		for _, x := range texts {
			if x.after == name && !slices.Contains(names, x.Name) {
				list = append(list, x.Name)
			}
		}
	}
	return list
}

// TextColumns returns columns with those of texts that are not among them.
func TextColumns(columns []encode.Column) []encode.Column {
	list := slices.Clone(columns)
	for _, x := range texts {
		at := encode.ColumnNamed(list, x.after) + 1
		if x.after == "" {
			at = len(list)
		}
		if encode.ColumnNamed(list, x.Name) < 0 {
			list = slices.Insert(list, at, x.Column)
		}
	}
	return list
}

// WithTexts yields tables of rows of the part with the texts, if the query has them. The rows may be
// some of the part, in its order.
func (r *Rows) WithTexts(tables iter.Seq2[*encode.Table, error]) iter.Seq2[*encode.Table, error] {
	if !r.q.Text {
		return tables
	}
	return AddTexts(r.q.Shape, r.q.Dataset.Description().Columns, r.Games(), tables)
}

// AddTexts yields tables of rows with the texts, in TextColumns of columns. The rows are of the games,
// in their order.
func AddTexts(shape *rows.Shape, columns []encode.Column, games iter.Seq2[*engine.Record, error], tables iter.Seq2[*encode.Table, error]) iter.Seq2[*encode.Table, error] {
	return func(yield func(*encode.Table, error) bool) {
		w := &walk{
			records: newRecords(games), game: &shape.Game, pos: shape.Game.New(shape.Variant),
			columns: columns, out: encode.NewTable(TextColumns(columns)),
		}
		defer w.stop()
		for t, err := range tables {
			if err == nil {
				err = w.add(t)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(w.out, nil) {
				return
			}
		}
	}
}

// walk replays the games of rows, and adds their texts. It belongs to one goroutine.
type walk struct {
	*records
	game    *encode.Game
	pos     engine.Position
	ply     int // of pos
	columns []encode.Column
	out     *encode.Table
}

// add sets out to the rows of t with texts. It shares the columns of t.
func (w *walk) add(t *encode.Table) error {
	w.out.Rows = t.Rows
	made := make([]func(*walk) (string, error), len(w.out.Columns))
	for col, c := range w.out.Columns {
		if of := encode.ColumnNamed(w.columns, c.Name); of >= 0 {
			w.out.Data[col], w.out.Ends[col] = t.Data[of], t.Ends[of]
			continue
		}
		made[col] = texts[slices.IndexFunc(texts, func(x text) bool { return x.Name == c.Name })].of
		w.out.Data[col], w.out.Ends[col] = w.out.Data[col][:0], w.out.Ends[col][:0]
	}
	for row := range t.Rows {
		if err := w.seek(t, row); err != nil {
			return err
		}
		for col, of := range made {
			if of == nil {
				continue
			}
			text, err := of(w)
			if err != nil {
				return fmt.Errorf("game %d: ply %d: %w", w.rec.Game, w.ply, err)
			}
			w.out.AddString(col, text)
		}
	}
	return nil
}

// seek goes to the position of a row.
func (w *walk) seek(t *encode.Table, row int) error {
	game := binary.LittleEndian.Uint64(t.Cell(encode.ColumnNamed(w.columns, encode.GameColumn), row))
	ply := int(binary.LittleEndian.Uint16(t.Cell(encode.ColumnNamed(w.columns, encode.PlyColumn), row)))
	begins, err := w.find(game)
	if begins && err == nil {
		w.ply, err = 0, engine.Begin(w.pos, w.rec.Start)
	}
	if err == nil && (ply < w.ply || ply >= len(w.rec.Actions)) {
		err = fmt.Errorf("%w: a row of ply %d of a game of %d plies follows one of ply %d", datasets.ErrCorrupt, ply, len(w.rec.Actions), w.ply)
	}
	for ; err == nil && w.ply < ply; w.ply++ {
		var m engine.Move
		m, err = w.game.Actions.Move(w.pos, w.rec.Actions[w.ply])
		if err == nil {
			w.pos.Do(m)
		}
	}
	if err != nil {
		return fmt.Errorf("game %d: %w", game, err)
	}
	return nil
}

// move returns the text of the ply's action in a list.
func (w *walk) move(actions []uint16) (string, error) {
	m, err := w.game.Actions.Move(w.pos, actions[w.ply])
	if err != nil {
		return "", err
	}
	return w.pos.FormatMove(m), nil
}
