// Package gamerow stores records of games as rows of the games table, one game a row, and reads them
// again. A row holds everything that replaying the game takes. Columns lists what it has: one value
// each, or one value for each decision of the game.
package gamerow

import (
	"encoding/binary"
	"strconv"

	"selfplay/encode"
	"selfplay/engine"
)

// Columns returns the columns of the games table. A row is a whole record, from which
// the rows of the positions table can be made again. Data files hold the texts of the
// columns: changing one needs a higher WriterVersion.
func Columns() []encode.Column {
	return []encode.Column{
		{Name: "game", Kind: encode.Uint64, Len: encode.Scalar, Doc: "number of the game in the dataset, from 0"},
		{Name: "start", Kind: encode.String, Len: encode.Var, Doc: "text of the first position, empty for the start of the game"},
		{Name: "action", Kind: encode.Uint16, Len: encode.Var, Doc: "action number of the move that was played, per decision"},
		{Name: "best_action", Kind: encode.Uint16, Len: encode.Var, Doc: "action number of the best move found, per decision; equals action without a search; empty if neither player searches"},
		{Name: "move_rank", Kind: encode.Uint8, Len: encode.Var, Doc: "rank of the move by root score or visits, per decision: 0 the best or the only one searched, 1 the next, and so on; 255 a random move"},
		{Name: "score", Kind: encode.Int16, Len: encode.Var, Doc: "root score in centi-units, per decision, from the view of the side to move; empty if neither player searches"},
		{Name: "nodes", Kind: encode.Uint32, Len: encode.Var, Doc: "nodes searched, per decision, 0 without a search; empty if neither player searches"},
		{Name: "policy_size", Kind: encode.Uint16, Len: encode.Var, Doc: "number of policy entries, per decision; empty if neither player searches"},
		{Name: "policy_action", Kind: encode.Uint16, Len: encode.Var, Doc: "action numbers of the policies, concatenated over all decisions"},
		{Name: "policy_weight", Kind: encode.Uint16, Len: encode.Var, Doc: "weights of the policies, concatenated over all decisions"},
		{Name: "opening_plies", Kind: encode.Uint16, Len: encode.Scalar, Doc: "number of random plies of the opening"},
		{Name: "player_first", Kind: encode.String, Len: encode.Var, Doc: "player of side 0"},
		{Name: "player_second", Kind: encode.String, Len: encode.Var, Doc: "player of side 1"},
		{Name: "result", Kind: encode.Uint8, Len: encode.Scalar, Doc: "result, by number (see results in the metadata)"},
		{Name: "reason", Kind: encode.Uint8, Len: encode.Scalar, Doc: "how the game ended, by number (see reasons in the metadata)"},
	}
}

// OldColumns are the columns of games that keep what an earlier search found.
func OldColumns() []encode.Column {
	return []encode.Column{
		{Name: encode.OldBestActionColumn, Kind: encode.Uint16, Len: encode.Var, Doc: "best_action of the earlier search, per decision"},
		{Name: encode.OldScoreColumn, Kind: encode.Int16, Len: encode.Var, Doc: "score of the earlier search, per decision"},
		{Name: encode.OldNodesColumn, Kind: encode.Uint32, Len: encode.Var, Doc: "nodes of the earlier search, per decision"},
	}
}

// TagColumns are the columns of imported games whose files have tags: one for each element of engine.Record.Tags, in this
// order. Plans have their names.
func TagColumns() []encode.Column {
	text := func(name, doc string) encode.Column {
		return encode.Column{Name: name, Kind: encode.String, Len: encode.Var, Doc: doc + ", empty if unknown"}
	}
	return []encode.Column{
		text("event", "tournament or match, as the file says"),
		text("site", "place, as the file says"),
		text(DateTag, "date as YYYY-MM-DD, YYYY-MM or YYYY"),
		text("round", "round, as the file says"),
		text("eco", "code of the opening, as the file says"),
		{Name: "elo_first", Kind: encode.Uint16, Len: encode.Scalar, Doc: "Elo rating of the player of side 0, 0 if unknown"},
		{Name: "elo_second", Kind: encode.Uint16, Len: encode.Scalar, Doc: "Elo rating of the player of side 1, 0 if unknown"},
		text("time_control", "time control, as the file says"),
		text("termination", "how the game ended, as the file says"),
	}
}

// DateTag is the name of the column of dates.
const DateTag = "date"

// IsNumber reports whether a tag is a number.
func IsNumber(c encode.Column) bool { return c.Kind != encode.String }

// Indexes of Columns and OldColumns.
const (
	colGame = iota
	colStart
	colAction
	colBest
	colMoveRank
	colScore
	colNodes
	colPolicySize
	colPolicyAction
	colPolicyWeight
	colOpeningPlies
	colPlayerFirst
	colPlayerSecond
	colResult
	colReason
	colOldBest
	colOldScore
	colOldNodes
)

// listColumns are the columns of Lists.
var listColumns = [...]int{
	colAction, colMoveRank, colBest, colScore, colNodes, colPolicySize, colPolicyAction, colPolicyWeight,
	colOldBest, colOldScore, colOldNodes,
}

// Append appends a record to t, a table of Columns, as one row. It copies the
// record. In a table of a dataset that keeps what an earlier search found it adds these, and in one of imported
// games the tags.
func Append(t *encode.Table, r *engine.Record) {
	t.AddUint64(colGame, r.Game)
	addString(t, colStart, r.Start)
	t.AddUint16(colOpeningPlies, r.OpeningPlies)
	addString(t, colPlayerFirst, r.Players[engine.First])
	addString(t, colPlayerSecond, r.Players[engine.Second])
	t.AddUint8(colResult, uint8(r.Outcome.Result))
	t.AddUint8(colReason, uint8(r.Outcome.Reason))
	first := firstTag(t)
	for i, list := range Lists(r) {
		col := listColumns[i]
		if col < first {
			t.Data[col] = AppendList(t.Data[col], list)
		}
	}
	addTags(t, r.Tags)
	for col, c := range t.Columns {
		if c.Len == encode.Var {
			t.End(col)
		}
	}
	t.Rows++
}

func addString(t *encode.Table, col int, s string) { t.Data[col] = append(t.Data[col], s...) }

// Read sets r to a row of t, a table of Columns. It copies the values and reuses
// the memory of r.
func Read(t *encode.Table, row int, r *engine.Record) {
	r.Reset()
	r.Game = binary.LittleEndian.Uint64(t.Data[colGame][8*row:])
	r.Start = string(t.Cell(colStart, row))
	r.OpeningPlies = binary.LittleEndian.Uint16(t.Data[colOpeningPlies][2*row:])
	r.Players[engine.First] = string(t.Cell(colPlayerFirst, row))
	r.Players[engine.Second] = string(t.Cell(colPlayerSecond, row))
	r.Outcome.Result = engine.Result(t.Data[colResult][row])
	r.Outcome.Reason = engine.Reason(t.Data[colReason][row])
	first := firstTag(t)
	for i, list := range Lists(r) {
		col := listColumns[i]
		if col < first {
			ReadList(list, t.Cell(col, row))
		}
	}
	readTags(t, row, r)
}

// hasOld reports whether a table has OldColumns, which follow Columns.
func hasOld(t *encode.Table) bool {
	return len(t.Columns) > colOldBest && t.Columns[colOldBest].Name == encode.OldBestActionColumn
}

// firstTag returns the index of the first of TagColumns, which are the last ones of a table that has them. Without them it
// is the number of columns.
func firstTag(t *encode.Table) int {
	if hasOld(t) {
		return colOldNodes + 1
	}
	return colOldBest
}

// addTags adds the tags of a record to a table that has columns for them. A record without tags knows none.
func addTags(t *encode.Table, tags []string) {
	first := firstTag(t)
	for col := first; col < len(t.Columns); col++ {
		text := ""
		if i := col - first; i < len(tags) {
			text = tags[i]
		}
		if !IsNumber(t.Columns[col]) {
			addString(t, col, text)
			continue
		}
		n, _ := strconv.ParseUint(text, 10, 16) // 0 if it is unknown
		t.AddUint16(col, uint16(n))
	}
}

// readTags sets the tags of a record, none from a table that has no columns for them.
func readTags(t *encode.Table, row int, r *engine.Record) {
	for col := firstTag(t); col < len(t.Columns); col++ {
		text := ""
		if !IsNumber(t.Columns[col]) {
			text = string(t.Cell(col, row))
		} else if n := binary.LittleEndian.Uint16(t.Data[col][2*row:]); n > 0 {
			text = strconv.FormatUint(uint64(n), 10)
		}
		r.Tags = append(r.Tags, text)
	}
}
