package making

import (
	"reflect"
	"slices"
	"strconv"
	"testing"
	"testing/quick"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestGamesTableKeepsRecords(t *testing.T) {
	table := encode.NewTable(slices.Concat(gamerow.Columns(), gamerow.OldColumns(), gamerow.TagColumns()))
	var records []engine.Record
	add := func(r engine.Record) bool {
		r.Tags = tags(r.Start, r.OpeningPlies)
		gamerow.Append(table, &r)
		records = append(records, r)
		return true
	}
	add(engine.Record{})
	must.Do(t, quick.Check(add, nil))
	var got engine.Record
	for row, want := range records {
		gamerow.Read(table, row, &got)
		if !equalRecords(&got, &want) {
			t.Fatalf("row %d: %+v, want %+v", row, got, want)
		}
	}
}

// tags returns a record's tags, of which texts are text and numbers n.
func tags(text string, n uint16) (list []string) {
	for _, c := range gamerow.TagColumns() {
		switch {
		case !gamerow.IsNumber(c):
			list = append(list, text)
		case n == 0:
			list = append(list, "")
		default:
			list = append(list, strconv.Itoa(int(n)))
		}
	}
	return list
}

// equalRecords compares records. It treats nil and empty lists as equal.
func equalRecords(a, b *engine.Record) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if x.Field(i).Kind() == reflect.Slice && x.Field(i).Len() == 0 && y.Field(i).Len() == 0 {
			continue
		}
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			return false
		}
	}
	return true
}

// TestEveryFieldOfARecordHasAColumn: a field without one would be lost silently.
func TestEveryFieldOfARecordHasAColumn(t *testing.T) {
	const tags = 1 // all TagColumns
	columns := len(gamerow.Columns()) + len(gamerow.OldColumns()) + tags
	fields := reflect.TypeFor[engine.Record]().NumField()
	if want := fields + 2; columns != want { // players and outcome have two columns each
		t.Errorf("%d columns for %d fields, want %d", columns, fields, want)
	}
}
