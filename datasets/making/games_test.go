package making

import (
	"reflect"
	"testing"
	"testing/quick"

	"selfplay/datasets/gamerow"
	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

func TestGamesTableKeepsRecords(t *testing.T) {
	table := encode.NewTable(append(gamerow.Columns(), gamerow.OldColumns()...))
	var records []engine.Record
	add := func(r engine.Record) bool {
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
	columns := len(gamerow.Columns()) + len(gamerow.OldColumns())
	fields := reflect.TypeFor[engine.Record]().NumField()
	if want := fields + 2; columns != want { // players and outcome have two columns each
		t.Errorf("%d columns for %d fields, want %d", columns, fields, want)
	}
}
