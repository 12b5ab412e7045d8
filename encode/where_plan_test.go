package encode_test

import (
	"testing"

	"selfplay/encode"
	"selfplay/engine"
	"selfplay/internal/must"
)

// planned returns the plies of a game that match by the three stages of a plan: the outcome of the game, columns of
// its rows, and its record for what is left of them.
func planned(t *testing.T, g *encode.Game, w *encode.Where, rec *engine.Record) (plies []int) {
	t.Helper()
	if !w.MayMatch(g, rec.Game, rec.Game+1, []engine.Outcome{rec.Outcome}) {
		return nil
	}
	view := encode.View{Layout: &g.Layouts[0], Searched: true, Caps: true, Extra: []string{"legal"}}
	rows := encode.NewTable(view.Columns())
	must.Do(t, encode.NewReplayer(*g, "", view).Append(rec, rows, nil))
	stored, others := w.ByColumns(rows.Columns)
	var matching []int
	for row := range rows.Rows {
		matching = append(matching, row)
	}
	if stored != nil {
		matching = must.Get(g.NewRowMatcher(stored).Match(rows, matching))(t)
	}
	var candidates []uint16
	for _, row := range matching {
		candidates = append(candidates, uint16(row))
	}
	if others != nil && len(candidates) > 0 {
		view.Filter.Where = others
		candidates = must.Get(encode.NewReplayer(*g, "", view).Plies(rec, candidates))(t)
	}
	for _, ply := range candidates {
		plies = append(plies, int(ply))
	}
	return plies
}

// TestStagesOfConditions: which conditions columns of rows answer, and which need the record or the position.
func TestStagesOfConditions(t *testing.T) {
	g := encode.Chess()
	plain := encode.View{Layout: &g.Layouts[0]}
	more := encode.View{Layout: &g.Layouts[0], Caps: true, Extra: []string{"legal"}}
	for _, c := range []struct {
		where, stored, others string
		view                  encode.View
	}{
		{"ply>=8,score>100,side=white", "ply>=8,score>100,side=white", "", plain},
		{"result=draw,plies>9,unlikely>5", "result=draw,plies>9,unlikely>5", "", plain},
		{"player=a,check,lead_first>3", "", "player=a,lead_first>3,check", plain},
		{"ply<8,capture", "ply<8", "capture", plain},
		{"cheap,legal<3,only", "", "cheap,legal<3,only", plain},
		{"cheap,legal<3,only", "cheap,legal<3,only", "", more},
	} {
		stored, others := must.Get(g.ParseWhere(c.where, nil))(t).ByColumns(c.view.Columns())
		if (stored == nil) != (c.stored == "") || (others == nil) != (c.others == "") {
			t.Errorf("%s: %v, %v", c.where, stored, others)
			continue
		}
		if stored != nil && stored.String() != c.stored || others != nil && others.String() != c.others {
			t.Errorf("%s: %v and %v, want %s and %s", c.where, stored, others, c.stored, c.others)
		}
	}
}

// TestCommitRecordsExcludeShards by the numbers and the outcomes of their games, and never one that may match.
func TestCommitRecordsExcludeShards(t *testing.T) {
	g := encode.Chess()
	outcomes := []engine.Outcome{{Result: engine.Draw, Reason: engine.Fifty}, {Result: engine.FirstWins, Reason: engine.Checkmate}}
	for where, want := range map[string]bool{
		"game=19-29": true, "game=30-": false, "game<10": false, "game<11": true, "game=19": true, "game=20": false,
		"game!=10": true, "!game=10-19": true, "result=draw": true, "result=black": false, "!result=draw": true,
		"reason=fifty,result=white": false, "reason=checkmate,result=white": true, "limit": false, "!limit,ply>1000": true,
	} {
		if got := must.Get(g.ParseWhere(where, nil))(t).MayMatch(&g, 10, 20, outcomes); got != want {
			t.Errorf("%s: %t, want %t", where, got, want)
		}
	}
	if !(*encode.Where)(nil).MayMatch(&g, 0, 1, nil) {
		t.Error("no conditions exclude a shard")
	}
}
