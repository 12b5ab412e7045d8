package serve

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"selfplay/internal/must"
)

// TestTargetsAndReasons: what a reader of the rules asks about a deployment, air defense and a commander.
func TestTargetsAndReasons(t *testing.T) {
	const (
		stack      = "10c/11/11/11/11/11/11/11/2(NF)8/11/11/3C7 r - - 0 1"
		airDefense = "10c/11/11/11/4i6/11/11/5g5/4F6/11/11/9C1 r - - 0 1"
		commander  = "11/11/11/4(tc)6/11/11/4A6/11/11/11/1N9/3C7 r - - 0 1"
		contrast   = "3,0,0,3,3,0,4,0,0,0,0,0,3,0,0,0,0,0,0,0,6,6,6,6,6,2,1,3,1 x"
	)
	s := newServer(t, t.TempDir(), nil)
	for _, c := range []struct{ rule, question, want string }{
		{"a stack and its members", `"game":"cotulenh","position":"` + stack + `","from":"c4"`, "pieces [red navy with air force:13 N navy:13 F air force:18]"},
		{"a carrier cannot follow what it carried", `"game":"cotulenh","position":"` + stack + `","play":["Fc4>e4"],"from":"c4","to":"e4"`, "terrain d4"},
		{"no other stack goes during a deployment", `"game":"cotulenh","position":"` + stack + `","play":["Fc4>e4"],"from":"d1"`, "no_piece c4"},
		{"the piece that comes closest explains", `"game":"cotulenh","position":"` + stack + `","from":"c4","to":"e8"`, "range e8"},
		{"one piece explains", `"game":"cotulenh","position":"` + stack + `","from":"c4","piece":"N","to":"e4"`, "terrain d4"},
		{"a guard explains", `"game":"cotulenh","position":"` + airDefense + `","from":"e4","to":"e5"`, "air_defense f5"},
		{"a suicide is legal", `"game":"cotulenh","position":"` + airDefense + `","from":"e4","to":"f5"`, "legal"},
		{"a commander is taken", `"game":"cotulenh","position":"` + commander + `","from":"e6","to":"e9"`, "legal"},
		{"an empty cell explains itself", `"game":"cotulenh","position":"` + commander + `","from":"e7"`, "no_piece e7"},
		{"a turn that cannot end", `"game":"cotulenh","position":"10c/11/11/11/11/11/11/11/11/(NF)10/11/9C1 r - - 5 1","play":["Na3>a6"],"way":"commit"`, "unfinished a3"},
		{"no open turn", `"game":"cotulenh","way":"commit"`, "no_piece"},
		{"castling", `"game":"chess","position":"4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1","from":"e1","to":"g1"`, "castling f4"},
		{"a draw is over", `"game":"chess","position":"4k3/8/8/8/8/8/8/R3K2R w KQ - 100 90","from":"e1","to":"g1"`, "over"},
		{"a cell for a tile that holds a piece", `"game":"contrast","from":"a5","to":"a4","tile":"c1"`, "tile c1"},
		{"a tile on an empty cell", `"game":"contrast","from":"a5","to":"a4","tile":"c3"`, "legal"},
		{"tiles make no stacks", `"game":"contrast","position":"` + contrast + `","from":"b4"`, "pieces [black piece on black tile:87]"},
	} {
		w := postTargets(s, "{"+c.question+"}")
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", c.rule, w.Code, w.Body)
			continue
		}
		var a targetsAnswer
		must.Do(t, json.Unmarshal(w.Body.Bytes(), &a))
		got := summaryOf(&a, strings.HasPrefix(c.want, "pieces"))
		if got != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.rule, got, c.want, a.Obstacle)
		}
	}
}

func postTargets(s http.Handler, body string) *httptest.ResponseRecorder {
	return request(s, "POST", "/api/targets", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(body)) })
}

// summaryOf returns the pieces of an answer with the number of their targets, or its obstacle.
func summaryOf(a *targetsAnswer, pieces bool) string {
	switch {
	case pieces:
		var list []string
		for _, p := range a.Pieces {
			list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s:%d", p.Piece, p.Name, len(p.Targets))))
		}
		return "pieces " + fmt.Sprint(list)
	case a.Obstacle == nil:
		return "legal"
	}
	return strings.TrimSpace(a.Obstacle.Why + " " + a.Obstacle.At)
}

// TestLongTargetRequestsAreRefused, since each move is played first.
func TestLongTargetRequestsAreRefused(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	moves := strings.Repeat(`"g1f3","g8f6","f3g1","f6g8",`, maxTargetsPlay/4) + `"g1f3"`
	w := postTargets(s, `{"game":"chess","play":[`+moves+`]}`)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "want at most 1000") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
