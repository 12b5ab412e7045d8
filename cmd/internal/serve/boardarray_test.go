package serve

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jellydator/ttlcache/v3"

	"selfplay/cmd/internal/serve/catalog"
	"selfplay/encode"
	"selfplay/internal/must"
)

// The worked examples of the public encoding of Contrast, version 2: the start, and the end of a
// game in which black has no tiles left.
const (
	startArray = "[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6,3,1,3,1]"
	endArray   = "[3,0,0,0,0,0,3,2,0,0,0,1,3,0,0,0,0,0,6,0,0,0,0,6,6,0,0,2,1]"
	v1Array    = "[3,3,3,3,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,6,6,6,6,6]"
)

// startAnswer is the response of the specification, compacted.
const startAnswer = `{"board_array":` + startArray + `,"encoding":"occupant*3+tile","size":29,"format":"row-major",` +
	`"structure":{"board_cells":"[0-24]","black_player_tiles":"[25-26]","white_player_tiles":"[27-28]"},` +
	`"tile_inventory":{"black_player":{"black":3,"gray":1},"white_player":{"black":3,"gray":1}}}`

func newArrays(most uint64) (*boardArrays, *http.ServeMux) {
	h := &boardArrays{known: encode.Games(), games: newBoardStore(most, boardAge), ofDataset: func(id string) (boardState, error) {
		if id != "night:0@0" {
			return boardState{}, catalog.NotFound("no position %s", id)
		}
		return boardState{Game: encode.Contrast()}, nil
	}}
	mux := http.NewServeMux()
	for _, r := range h.routes() {
		mux.Handle(r.pattern, r.handler(slog.New(slog.DiscardHandler)))
	}
	return h, mux
}

// send sends a request with a JSON body and returns status and body of the answer.
func send(mux http.Handler, method, path, body string) (status int, answer string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w.Code, strings.TrimSuffix(w.Body.String(), "\n")
}

// TestWorkedExamples: what was set is what is read, with the members of the specification.
func TestWorkedExamples(t *testing.T) {
	_, mux := newArrays(3)
	const path = "/api/game/1/board_array"
	if status, answer := send(mux, "POST", path, `{"board_array":`+startArray+`}`); status != 200 || !strings.Contains(answer, `"side":"black"`) {
		t.Errorf("set the start: %d, %s", status, answer)
	}
	if status, answer := send(mux, "GET", path, ""); status != 200 || answer != startAnswer {
		t.Errorf("the start: %d\n%s, want\n%s", status, answer, startAnswer)
	}
	if status, answer := send(mux, "POST", path, `{"board_array":`+endArray+`,"side":"white"}`); status != 200 || !strings.Contains(answer, `"side":"white"`) {
		t.Errorf("set the end: %d, %s", status, answer)
	}
	const inventory = `"tile_inventory":{"black_player":{"black":0,"gray":0},"white_player":{"black":2,"gray":1}}`
	if _, answer := send(mux, "GET", path, ""); !strings.HasPrefix(answer, `{"board_array":`+endArray) || !strings.Contains(answer, inventory) {
		t.Errorf("the end: %s", answer)
	}
	if _, answer := send(mux, "POST", path, `{"board_array":`+v1Array+`}`); !strings.Contains(answer, startArray) {
		t.Errorf("an array of version 1 has full hands: %s", answer)
	}
}

// TestStateHasTheMembersOfMoves, and GET of a game gives the same as POST.
func TestStateHasTheMembersOfMoves(t *testing.T) {
	_, mux := newArrays(3)
	_, posted := send(mux, "POST", "/api/game/a/board_array", `{"board_array":`+startArray+`}`)
	if _, got := send(mux, "GET", "/api/game/a", ""); got != posted {
		t.Errorf("%s, want %s", got, posted)
	}
	var state map[string]any
	must.Do(t, json.Unmarshal([]byte(posted), &state))
	for _, name := range []string{"game", "position", "side", "moves", "check", "result", "reason", "board_array", "tile_inventory"} {
		if _, found := state[name]; !found {
			t.Errorf("no member %s in %s", name, posted)
		}
	}
}

// TestEveryGameHasAnArray that can be set again and gives the same array.
func TestEveryGameHasAnArray(t *testing.T) {
	_, mux := newArrays(3)
	for _, g := range encode.Games() {
		for _, text := range append([]string{g.New("").String()}, g.Samples...) {
			pos := g.New("")
			must.Do(t, pos.Set(text))
			l := &g.Layouts[0]
			array := l.Values(nil, l.Encode(nil, pos))
			body, _ := json.Marshal(arrayRequest{Array: array, Game: g.Name, Side: g.Sides[pos.Turn()]})
			if status, answer := send(mux, "POST", "/api/game/x/board_array", string(body)); status != 200 {
				t.Fatalf("%s %s: %d, %s", g.Name, text, status, answer)
			}
			_, answer := send(mux, "GET", "/api/game/x/board_array", "")
			var got struct {
				Array     []int             `json:"board_array"`
				Size      int               `json:"size"`
				Format    string            `json:"format"`
				Encoding  string            `json:"encoding"`
				Structure map[string]string `json:"structure"`
			}
			must.Do(t, json.Unmarshal([]byte(answer), &got))
			if !slices.Equal(got.Array, array) || got.Size != len(array) || got.Format != "row-major" || got.Encoding == "" ||
				got.Structure["board_cells"] != fmt.Sprintf("[0-%d]", g.Board.Cells()-1) {
				t.Errorf("%s %s: %s", g.Name, text, answer)
			}
		}
	}
}

// TestGamesOfDatasetsAreReadOnly.
func TestGamesOfDatasetsAreReadOnly(t *testing.T) {
	_, mux := newArrays(3)
	if status, answer := send(mux, "GET", "/api/game/night:0@0/board_array", ""); status != 200 || answer != startAnswer {
		t.Errorf("%d, %s", status, answer)
	}
	r := httptest.NewRequest("POST", "/api/game/night:0@0/board_array", strings.NewReader(startArray))
	w := httptest.NewRecorder()
	if mux.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, %v", w.Code, w.Header())
	}
}

func TestLongBodiesAreRefused(t *testing.T) {
	_, mux := newArrays(3)
	body := `{"board_array":[` + strings.Repeat("0,", 64<<10) + `0]}`
	if status, answer := send(mux, "POST", "/api/game/1/board_array", body); status != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %s", status, answer)
	}
}

// TestStoreIsBounded: the game that was not used for longest makes room, and games expire.
func TestStoreIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newBoardStore(2, time.Minute)
		has := func(want ...string) {
			t.Helper()
			got := s.Keys()
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("games %q, want %q", got, want)
			}
		}
		s.Set("a", boardState{}, ttlcache.DefaultTTL)
		s.Set("b", boardState{}, ttlcache.DefaultTTL)
		s.Get("a")
		s.Set("c", boardState{}, ttlcache.DefaultTTL)
		has("a", "c")
		time.Sleep(59 * time.Second)
		s.Get("c")
		time.Sleep(time.Second + time.Nanosecond)
		has("c")
		s.Set("c", boardState{Text: "new"}, ttlcache.DefaultTTL)
		has("c")
	})
}

// FuzzBoardArrays: no request makes the handler panic or answer with an error of this program, and
// every answer is one JSON object.
func FuzzBoardArrays(f *testing.F) {
	f.Add("1", `{"board_array":`+startArray+`}`)
	f.Add("night:0@0", "")
	f.Add("a:b@c", `{"board_array":[1],"game":"chess","side":"white"}`)
	f.Add("x", `{"board_array":`+v1Array+`,"strict":true}`)
	_, mux := newArrays(8)
	f.Fuzz(func(t *testing.T, id, body string) {
		for _, method := range []string{"GET", "POST", "GET"} {
			r := httptest.NewRequest(method, "/", strings.NewReader(body))
			r.URL.Path = "/api/game/" + strings.ReplaceAll(id, "/", "") + "/board_array"
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, r)
			if w.Code >= 500 {
				t.Errorf("%s: %d %s", method, w.Code, w.Body)
			}
			if kind := w.Header().Get("Content-Type"); strings.HasPrefix(kind, "application/json") && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: %s", method, w.Body)
			}
		}
	})
}
