package gameindex

import (
	"encoding/binary"

	"selfplay/encode"
	"selfplay/engine"
)

// gameTable is a table of some columns of the games table.
type gameTable struct {
	*encode.Table
	start, action, score, nodes, first, second, result, reason int // indexes of columns, -1 if absent
}

func newGameTable(t *encode.Table) *gameTable {
	at := func(name string) int { return encode.ColumnNamed(t.Columns, name) }
	return &gameTable{
		t, at(startColumn), at(actionColumn), at(scoreColumn), at(nodesColumn),
		at(playerFirstColumn), at(playerSecondColumn), at(resultColumn), at(reasonColumn),
	}
}

// read sets start, actions, scores, nodes and outcome of rec to those of a row, as far as the
// table has them. It reuses the memory of rec.
func (t *gameTable) read(row int, rec *engine.Record) {
	rec.Reset()
	rec.Start = string(t.Cell(t.start, row))
	for v := t.Cell(t.action, row); len(v) > 0; v = v[2:] {
		rec.Actions = append(rec.Actions, binary.LittleEndian.Uint16(v))
	}
	if t.score < 0 {
		return
	}
	for v := t.Cell(t.score, row); len(v) > 0; v = v[2:] {
		rec.Scores = append(rec.Scores, int16(binary.LittleEndian.Uint16(v)))
	}
	for v := t.Cell(t.nodes, row); len(v) > 0; v = v[4:] {
		rec.Nodes = append(rec.Nodes, binary.LittleEndian.Uint32(v))
	}
	rec.Outcome.Result = engine.Result(t.Data[t.result][row])
	rec.Outcome.Reason = engine.Reason(t.Data[t.reason][row])
}
