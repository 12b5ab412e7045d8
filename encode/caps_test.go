package encode_test

import (
	"testing"

	"selfplay/encode"
	"selfplay/internal/must"
)

// TestFullSearchesHaveAPolicy: the column of full searches follows the policies of the record, and the
// condition !cheap drops the other searches and nothing else.
func TestFullSearchesHaveAPolicy(t *testing.T) {
	g := encode.Contrast()
	rec := searchedRecord(&g, 5, 200)
	view := encode.View{Layout: &g.Layouts[0], Searched: true, Caps: true, Old: true}
	rec.OldBest, rec.OldScores, rec.OldNodes = rec.Best, rec.Scores, rec.Nodes
	all := column(t, rowsOf(t, &g, view, rec), encode.FullSearchColumn)
	cheap := 0
	for ply, full := range all {
		if want := rec.PolicySize[ply] > 0; (full == 1) != want {
			t.Errorf("ply %d: full_search %d with a policy of %d moves", ply, full, rec.PolicySize[ply])
		}
		if full == 0 && rec.Nodes[ply] > 0 {
			cheap++
		}
	}
	view.Filter.Where = must.Get(g.ParseWhere("!cheap", nil))(t)
	if kept := rowsOf(t, &g, view, rec).Rows; cheap < 5 || kept != len(all)-cheap {
		t.Errorf("%d of %d rows are kept, %d are of cheap searches", kept, len(all), cheap)
	}
	view.Filter.Where = must.Get(g.ParseWhere("!unsearched,pieces>=1,!cheap", nil))(t)
	for ply, full := range column(t, rowsOf(t, &g, view, rec), encode.FullSearchColumn) {
		if full == 0 {
			t.Errorf("row %d of a full search is marked %d", ply, full)
		}
	}
}

// TestViewsWithoutCapsHaveNoSuchColumn: other plans keep their bytes.
func TestViewsWithoutCapsHaveNoSuchColumn(t *testing.T) {
	g := encode.Contrast()
	if view := (encode.View{Layout: &g.Layouts[0], Searched: true, Old: true}); encode.ColumnNamed(view.Columns(), encode.FullSearchColumn) >= 0 {
		t.Error("the column is there")
	}
}
