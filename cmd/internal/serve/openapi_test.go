package serve

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"selfplay/cmd/internal/serve/servetest"
)

// described returns the description that a server gives of itself.
func described(t *testing.T, s *Server) description {
	t.Helper()
	w := ask(s, "GET", "/api/openapi.json", nil)
	d, err := parseDescription(w.Body.Bytes())
	if err != nil || !strings.HasPrefix(d.OpenAPI, "3.1.") {
		t.Fatalf("%d, version %q, %v", w.Code, d.OpenAPI, err)
	}
	return d
}

// forPrograms reports whether a path is described; the others are pages.
func forPrograms(path string) bool {
	for _, prefix := range []string{"/api/", "/files/", "/stream"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

func TestDescriptionHasAllRoutes(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	var want, got []string
	for _, r := range s.routes() {
		method, path, _ := strings.Cut(r.Pattern, " ")
		if forPrograms(path) {
			want = append(want, strings.ToLower(method)+" "+strings.ReplaceAll(path, "...}", "}"))
		}
	}
	d := described(t, s)
	for path, operations := range d.Paths {
		for method := range operations {
			got = append(got, method+" "+path)
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("described are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestErrorsOfTheAPIAreJSON: for paths that are unknown, and for methods that a path does not take.
func TestErrorsOfTheAPIAreJSON(t *testing.T) {
	s := newServer(t, t.TempDir(), nil)
	d := described(t, s)
	refuse := func(method, path string, status int, allow string) {
		t.Helper()
		w := ask(s, method, path, nil)
		var v any
		err := json.Unmarshal(w.Body.Bytes(), &v)
		if err == nil {
			err = d.check(map[string]any{"$ref": "#/components/schemas/Failure"}, v, path)
		}
		if err != nil || w.Code != status || w.Header().Get("Allow") != allow {
			t.Errorf("%s %s: %d, Allow %q, %v", method, path, w.Code, w.Header().Get("Allow"), err)
		}
	}
	for _, path := range []string{"/api/", "/api/nope", "/api/datasets/", "/api/datasets/x/y"} {
		refuse("GET", path, 404, "")
		refuse("POST", path, 404, "")
		refuse("DELETE", path, 404, "")
	}
	for path, operations := range d.Paths {
		var allow []string
		for method := range operations {
			allow = append(allow, map[string]string{"get": "GET, HEAD", "post": "POST"}[method])
		}
		slices.Sort(allow)
		for _, method := range []string{"GET", "POST", "PUT", "OPTIONS"} {
			if operations[strings.ToLower(method)].OperationID == "" {
				refuse(method, example.Replace(path), 405, strings.Join(allow, ", "))
			}
		}
	}
}

// example fills the parameters of a path.
var example = strings.NewReplacer("{dataset}", "chess", "{game}", "3", "{position}", "chess:3@5", "{id}", "mine", "{name}", "plan.json")

// ignored are the parameters that histograms and openings take, so that the address of a page
// works there, and that change nothing or are refused.
var ignored = []string{"sort", "offset", "limit", "cursor", "position", "material"}

// TestDescriptionHasAllParameters: those that a handler lists when it refuses another one.
func TestDescriptionHasAllParameters(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "chess", servetest.Dataset{Game: "chess"})
	s := newServer(t, dir, nil)
	d := described(t, s)
	list := regexp.MustCompile(`unknown parameter .* want (.*)"`)
	for path, operations := range d.Paths {
		if strings.HasPrefix(path, "/api/game/") || operations["get"].OperationID == "" {
			continue // they read no query
		}
		var want []string
		for _, p := range operations["get"].Parameters {
			if p.Ref != "" {
				found := d.lookUp(p.Ref)
				p.Name, _ = found["name"].(string)
				p.In, _ = found["in"].(string)
			}
			if p.In == "query" {
				want = append(want, p.Name)
			}
		}
		w := ask(s, "GET", example.Replace(path)+"?column=plies&dataset=chess&unheard=of", nil)
		if slices.Sort(want); !slices.Contains(want, "column") {
			w = ask(s, "GET", example.Replace(path)+"?unheard=of", nil)
		}
		if slices.Contains(want, "dataset") {
			w = ask(s, "GET", path+"?dataset=chess&unheard=of", nil)
		}
		m := list.FindStringSubmatch(w.Body.String())
		if m == nil {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
			continue
		}
		var got []string
		for name := range strings.SplitSeq(m[1], ", ") {
			isIgnored := slices.Contains(ignored, name) && (strings.HasSuffix(path, "/histogram") || strings.HasSuffix(path, "/openings"))
			if name != "none" && !isIgnored {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: takes %q, described are %q", path, got, want)
		}
	}
}

// request is a request whose answer is compared with the description.
type request struct {
	operation string
	target    string
	body      string // of a POST
	status    int
}

func TestAnswersAreAsDescribed(t *testing.T) {
	dir := t.TempDir()
	servetest.Make(t, dir, "chess", servetest.Dataset{Game: "chess", Player: "ab:depth=1"})
	servetest.Make(t, dir, "cotulenh", servetest.Dataset{Hash: true, Player: "mcts:sims=8", Games: 8})
	servetest.Make(t, dir, "contrast", servetest.Dataset{Game: "contrast"})
	s := newServer(t, dir, nil)
	d := described(t, s)
	left := map[string]bool{}
	operations := map[string]operation{}
	for _, path := range d.Paths {
		for _, o := range path {
			left[o.OperationID] = true
			operations[o.OperationID] = o
		}
	}
	start := url.QueryEscape("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
	for _, r := range []request{
		{"getOpenAPI", "/api/openapi.json", "", 200},
		{"listDatasets", "/api/datasets", "", 200},
		{"getDataset", "/api/datasets/chess", "", 200},
		{"getDataset", "/api/datasets/cotulenh", "", 200},
		{"getDataset", "/api/datasets/none", "", 404},
		{"listFiles", "/api/datasets/chess/files?table=games&split=train&offset=1&limit=1", "", 200},
		{"listFiles", "/api/datasets/chess/files?offset=99", "", 200},
		{"listFiles", "/api/datasets/chess/files?table=moves", "", 400},
		{"listGames", "/api/datasets/chess/games", "", 200},
		{"listGames", "/api/datasets/cotulenh/games?sort=-plies&plies=1-60&limit=3", "", 200},
		{"listGames", "/api/datasets/chess/games?position=" + start, "", 200},
		{"listGames", "/api/datasets/chess/games?material=KvK", "", 200},
		{"listGames", "/api/datasets/chess/games?result=red", "", 400},
		{"listGames", "/api/datasets/chess/games?opening=e2e9", "", 400},
		{"listGames", "/api/datasets/chess/games?position=x", "", 400},
		{"getHistogram", "/api/datasets/chess/histogram?column=plies&bars=5", "", 200},
		{"getHistogram", "/api/datasets/chess/histogram?column=result", "", 200},
		{"getHistogram", "/api/datasets/chess/histogram?column=player_first", "", 200},
		{"getHistogram", "/api/datasets/chess/histogram?column=drop", "", 200},
		{"getHistogram", "/api/datasets/chess/histogram", "", 400},
		{"getHistogram", "/api/datasets/chess/histogram?column=plies&material=KvK", "", 400},
		{"getOpenings", "/api/datasets/chess/openings", "", 200},
		{"getGame", "/api/datasets/chess/games/3", "", 200},
		{"getGame", "/api/datasets/contrast/games/3", "", 200},
		{"getGame", "/api/datasets/chess/games/12", "", 404},
		{"getGame", "/api/datasets/chess/games/-1", "", 400},
		{"getPly", "/api/games/chess:3@5", "", 200},
		{"getPly", "/api/games/cotulenh:3@0", "", 200},
		{"getPly", "/api/games/contrast:3", "", 200},
		{"getPly", "/api/games/chess:3@9999", "", 404},
		{"getPly", "/api/games/chess", "", 400},
		{"getRow", "/api/games/chess:3@5/row", "", 200},
		{"getRow", "/api/games/cotulenh:3/row", "", 200},
		{"getState", "/api/game/chess:3@5", "", 200},
		{"getState", "/api/game/none", "", 404},
		{"getBoardArray", "/api/game/contrast:3@5/board_array", "", 200},
		{"getBoardArray", "/api/game/cotulenh:3/board_array", "", 200},
		{"getBoardArray", "/api/game/x:y/board_array", "", 400},
		{"setBoardArray", "/api/game/mine/board_array", `{"board_array":[1]}`, 400},
		{"setBoardArray", "/api/game/chess:1/board_array", `{}`, 405},
		{"analyse", "/api/analysis", `{"game":"chess","player":"ab:depth=1"}`, 200},
		{"analyse", "/api/analysis", `{"game":"chess","player":"mcts:sims=8"}`, 200},
		{"analyse", "/api/analysis", `{`, 400},
		{"getFile", "/files/chess/plan.json", "", 200},
		{"getStream", "/stream?dataset=chess", "", 200},
		{"getStream", "/stream", "", 400},
	} {
		w := send(s, r)
		if w.status != r.status {
			t.Errorf("%s: %d %.300s, want %d", r.target, w.status, w.body, r.status)
			continue
		}
		name := "default"
		if r.status == 200 {
			name = "200"
			delete(left, r.operation)
		}
		schema := operations[r.operation].Responses[name].Content["application/json"].Schema
		if schema == nil && r.status == 200 {
			continue // bytes
		}
		var v any
		if err := json.Unmarshal(w.body, &v); err != nil {
			t.Errorf("%s: %v", r.target, err)
			continue
		}
		if err := d.check(schema, v, r.operation); err != nil {
			t.Errorf("%s: %v", r.target, err)
		}
	}
	var array struct {
		Array []int `json:"board_array"`
	}
	json.Unmarshal(send(s, request{target: "/api/game/contrast:3@5/board_array"}).body, &array)
	body, _ := json.Marshal(array)
	if w := send(s, request{target: "/api/game/mine/board_array", body: string(body)}); w.status != 200 {
		t.Errorf("POST: %d %s", w.status, w.body)
	} else {
		delete(left, "setBoardArray")
	}
	if len(left) > 0 {
		t.Errorf("no answer of %q was compared", slices.Sorted(maps.Keys(left)))
	}
}

type answer struct {
	status int
	body   []byte
}

func send(s http.Handler, r request) answer {
	method := "GET"
	change := func(*http.Request) {}
	if r.body != "" {
		method = "POST"
		change = func(q *http.Request) { q.Body = io.NopCloser(strings.NewReader(r.body)) }
	}
	w := ask(s, method, r.target, change)
	return answer{w.Code, w.Body.Bytes()}
}

// TestSchemasRefuseOtherValues: the comparison with the description can fail.
func TestSchemasRefuseOtherValues(t *testing.T) {
	d, err := parseDescription([]byte(`{"components":{"schemas":{"N":{"type":"integer"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"string"}`, `1`, "number, want [string]"},
		{`{"type":"integer"}`, `1.5`, "number, want [integer]"},
		{`{"type":["integer","null"]}`, `null`, ""},
		{`{"$ref":"#/components/schemas/N"}`, `"x"`, "string, want [integer]"},
		{`{"$ref":"#/components/schemas/M"}`, `1`, "no schema"},
		{`{"type":"object","required":["a"]}`, `{}`, "a is missing"},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, "b is not described"},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"b":"x"}`, "string, want [integer]"},
		{`{"type":"array","items":{"type":"boolean"}}`, `[true,1]`, "[1]: number"},
		{`{"enum":["a"]}`, `"b"`, "none of"},
		{`{"minimum":3}`, `1`, "unknown keyword"},
	} {
		var schema map[string]any
		var v any
		json.Unmarshal([]byte(c.schema), &schema)
		json.Unmarshal([]byte(c.value), &v)
		err := d.check(schema, v, "x")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %s", c.schema, c.value, err, c.want)
		}
	}
}
