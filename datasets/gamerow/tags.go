package gamerow

import (
	"encoding/binary"
	"strconv"

	"selfplay/encode"
	"selfplay/engine"
)

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
